"""The page on Foundry names what exists, and every open question."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "aagm" / "docs" / "foundry.md").read_text(encoding="utf-8")
SIMULATOR = ROOT / "foundry" / "simulator"
PROFILES = (SIMULATOR / "profiles.js").read_text(encoding="utf-8")
SCENARIO = re.compile(r'\bid: "([\w-]+)", fact: "[\d., ]+", mark: "([A-Z])"')


def rows(section: str) -> set[str]:
    """Take the first column of the first table below a heading or a sentence."""
    below = PAGE.partition(section)[2].partition("\n## ")[0]
    table = re.search(r"\n\|---.*\n((?:\|.*\n)+)", below)
    assert table, section
    return set(re.findall(r"^\| `([\w-]+)` \|", table[1], re.MULTILINE))


def marked(mark: str) -> set[str]:
    """Collect the scenarios that have a mark."""
    texts = [
        path.read_text(encoding="utf-8")
        for path in (SIMULATOR / "conformance").glob("scenarios-*.js")
    ]
    found = [each for text in texts for each in SCENARIO.findall(text)]
    assert len(found) == sum(text.count("    id: ") for text in texts)
    return {name for name, its in found if its == mark}


def test_every_assumption_is_listed():
    """Each scenario without a source has its row, and no other has one."""
    assert rows("## What is assumed") == marked("I")


def test_every_switch_is_listed():
    """Each answer that can be switched has its row."""
    facts = PROFILES.partition("export const FACTS = {")[2].partition("}")[0]
    assert rows("The switches are in") == set(
        re.findall(r"^  (\w+):", facts, re.MULTILINE)
    )


def test_the_switches_that_random_programs_throw_come_first():
    """The page says that it is the first six."""
    world = ROOT / "foundry" / "tests" / "programs" / "world.mjs"
    thrown = world.read_text(encoding="utf-8").partition("OTHER_ANSWERS = {")[2]
    table = PAGE.partition("The switches are in")[2]
    first = re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE)[:6]
    assert first == re.findall(r"(\w+):", thrown.partition("}")[0])


def test_the_versions_are_the_simulators():
    """A profile that answers as another release changes the page, too."""
    versions = PROFILES.partition("export const VERSIONS = {")[2].partition("}")[0]
    found = re.findall(r'"([\d.]+)"', versions)
    assert len(found) == 3
    assert [each for each in found if each not in PAGE] == []


@pytest.mark.parametrize("path", sorted(set(re.findall(r"foundry/[\w/.-]+", PAGE))))
def test_what_the_page_names_exists(path):
    """A file that moved is found here."""
    assert (ROOT / path.rstrip(".")).exists()


@pytest.mark.parametrize(
    ("path", "title"), re.findall(r"`(foundry/[\w/.-]+)::([^`]+)`", PAGE)
)
def test_the_tests_the_page_names_exist(path, title):
    """By the title that stands in the file."""
    assert f'"{title}"' in (ROOT / path).read_text(encoding="utf-8")


def test_the_probe_saves_and_says_what_the_page_tells():
    """The file's name, and the words a comparison prints."""
    macro = (SIMULATOR / "conformance" / "probe-macro.js").read_text(encoding="utf-8")
    compare = (SIMULATOR / "conformance" / "compare.js").read_text(encoding="utf-8")
    assert '"aagm-probe-" + report.version + ".json"' in macro
    assert "AAGM probe" in macro
    for word in ("as simulated", "DIVERGES"):
        assert f"`{word}`" in PAGE
        assert f"`{word} " in compare
