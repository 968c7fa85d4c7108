"""The page on the chat window says what window and relay know."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from aagm.foundry import module_folder
from aagm.members import MEMBERS
from aagm.relay.chat.commands import PLAIN
from aagm.relay.chat.kit_files import LISTEN, TAB_AGENT
from aagm.relay.chat.lease import LEASE

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "aagm" / "docs" / "chat.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
TEXTS = json.loads((module_folder() / "lang" / "en.json").read_text(encoding="utf-8"))
MACROS = (module_folder() / "scripts" / "ui" / "macros.js").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", [*PLAIN, "/rollback", "/log"])
def test_every_command_of_the_box_is_listed(word):
    """A game master finds there what the relay carries out itself."""
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert any(f"`{word}`" in row.split("|")[1] for row in rows)


def test_every_label_is_one_that_is_shown():
    """What stands in italics can be looked for on the screen, word by word."""
    labels = set(re.findall(r"(?<!\*)\*([A-Z][^*]+)\*(?!\*)", PAGE))
    shown = set(TEXTS.values())
    assert len(labels) > 20
    assert labels - shown == {"Configure Settings → AAGM"}


def test_every_tool_and_prompt_is_one_that_there_is():
    """An agent can be told what stands there."""
    tools = set(re.findall(r"`(foundry_\w+)", PAGE))
    assert tools
    assert tools <= set(re.findall(r"^\| `(foundry_\w+)`", README, re.MULTILINE))
    for name in (LISTEN, TAB_AGENT):
        assert f"the MCP prompt `{name}`" in PAGE


def test_the_macros_and_the_wait_are_the_true_ones():
    """Their names come from the member's, the seconds from the lease."""
    assert "`Open ${memberName} Chat`" in MACROS
    for member in MEMBERS.values():
        assert f"`Open {member.title} Chat`" in PAGE
    assert f"for {LEASE:.0f} seconds more" in PAGE
