"""A manifest is read as the specification has it, or refused with reason and fix."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aagm.relay.plugins import manifests, results
from aagm.relay.plugins.manifest import Manifest, Refused, is_manifest, read

GOOD = {
    "api": "aagm-plugin/1.0",
    "name": "Eel Forge",
    "version": "1.4.0",
    "description": "Makes an eel.",
    "args": {"type": "object", "additionalProperties": False},
    "writes": ["Item"],
    "modes": ["run", "read"],
}


def without(*keys, **more):
    """Leave members out of the good manifest, or change them."""
    return {k: v for k, v in (GOOD | more).items() if k not in keys}


def test_a_manifest_is_read():
    """All of it is known."""
    manifest = read(GOOD, "Eel Forge")
    assert isinstance(manifest, Manifest)
    assert manifest.as_json() == GOOD
    assert manifest.hints() == []


def test_a_later_minor_version_is_taken():
    """What counts is the number before the dot."""
    assert isinstance(read(without(api="aagm-plugin/1.7"), "Eel Forge"), Manifest)


def test_the_page_that_helps_is_named_where_it_lies():
    """Neither in a checkout nor installed does it lie below docs."""
    found = [re.search(r"See (.+\.md), step 2\.", read({}, "Eel Forge").fix)]
    found += [re.search(r"see (.+\.md), step 2\.", manifests._BARE)]
    found += [re.search(r"mended: (.+\.md) says", results.BROKEN)]
    assert [Path(each[1]).is_file() for each in found] == [True] * 3
    assert all(Path(each[1]).is_absolute() for each in found)


def test_modes_are_optional():
    """Without them there is run alone."""
    assert read(without("modes"), "Eel Forge").modes == ("run",)


def test_an_empty_list_of_writes_means_read_only():
    """Nothing at all may be written."""
    assert read(without(writes=[]), "Eel Forge").only_reads


def test_taking_any_name_is_a_hint():
    """The specification recommends to refuse unknown ones."""
    [hint] = read(without(args={"type": "object"}), "Eel Forge").hints()
    assert "additionalProperties" in hint


@pytest.mark.parametrize(
    "value", [None, 5, "aagm-plugin/1.0", [], {}, {"ok": True}, {"api": 1}]
)
def test_what_is_no_manifest_is_no_plug_in(value):
    """Diagnostics, numbers, nothing."""
    refused = read(value, "Eel Forge")
    assert isinstance(refused, Refused)
    assert "is not a plug-in" in refused.reason
    assert refused.fix


@pytest.mark.parametrize(
    ("value", "says"),
    [
        (without(api="aagm-plugin/2.0"), "keeps to aagm-plugin/2.0"),
        (without(api="other/1.0"), "keeps to other/1.0"),
        (without("name"), "name must be"),
        (without(name="Eel forge"), "it says that it is called 'Eel forge'"),
        (without("version"), "version must be"),
        (without(version=1), "version must be"),
        (without("description"), "description must be"),
        (without("args"), "args must be"),
        (without(args=[]), "args must be"),
        (without(args={"type": "nonsense"}), "no valid JSON Schema"),
        (without(args={"properties": {"actor": {}}}), "Foundry keeps that name"),
        (without("writes"), "writes must be"),
        (without(writes="Item"), "writes must be"),
        (without(writes=[1]), "no document type"),
        (without(writes=["item stuff"]), "no document type"),
        (without(modes="read"), "modes must be"),
        (without(modes=["fast"]), "modes must be"),
    ],
)
def test_a_manifest_that_cannot_be_used_is_refused(value, says):
    """The reason names the member."""
    refused = read(value, "Eel Forge")
    assert isinstance(refused, Refused)
    assert says in refused.reason
    assert refused.fix
    answer = refused.as_json()
    assert (answer["ok"], answer["refused"]) == (False, True)
    assert answer["error"] == refused.reason


def test_any_version_of_a_manifest_is_one():
    """A result that looks like one is none."""
    assert is_manifest({"api": "aagm-plugin/9"})
    assert not is_manifest({"ok": True, "api": "x"})
    assert not is_manifest([])
