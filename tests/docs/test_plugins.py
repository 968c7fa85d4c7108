"""The page on plug-ins says what the relay holds."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from aagm.foundry import plugins_folder
from aagm.mcp.tools.plugins import CONFORMS
from aagm.relay.plugins import arguments, ecma, page
from aagm.relay.plugins.names import TAKEN

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "aagm" / "docs" / "plugins.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    "said",
    [
        f"{page.LARGEST_MANIFEST:,} characters",
        f"over {page.LARGEST_RESULT:,} characters",
        f"{arguments.KEYWORDS:,} keywords",
        f"{arguments.DEEPEST} levels",
        f"over {ecma.LONGEST:,} characters",
        f"{ecma.LONGEST_REPEAT:,} repeated atoms",
        f"`{CONFORMS}`",
    ],
)
def test_every_number_is_the_one_that_holds(said):
    """A limit that changes changes here, too."""
    assert said in PAGE


def test_every_name_that_is_taken_is_listed():
    """Whoever writes a schema can look them up."""
    [listed] = re.findall(r"none of `([^`]+)`", PAGE)
    assert set(listed.split(", ")) == TAKEN


def test_every_shipped_plug_in_is_named():
    """By the exact name its macro must have."""
    names = [
        path.read_text(encoding="utf-8").split('name: "')[1].split('"')[0]
        for path in plugins_folder().glob("*.js")
    ]
    assert len(names) == 5
    assert [name for name in names if f"| `{name}` |" not in PAGE] == []


def test_the_readmes_tool_section_names_the_conformance_version():
    """As section 9 of the specification asks."""
    section = README.partition("## Tools")[2].partition("\n## ")[0]
    assert CONFORMS in section
