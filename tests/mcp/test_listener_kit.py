"""What a client is told about listening, as prompts and as files."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

from aagm.mcp.instructions import instructions
from aagm.mcp.listener_kit import listener_prompts
from aagm.mcp.prompts import Prompts
from aagm.mcp.tools.chat import chat_tools
from aagm.members import MEMBERS

EVERYBODY = pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS)


def text_of(member, name, **arguments):
    """Read a prompt as a client does."""
    got = Prompts(listener_prompts(member)).get(name, arguments)
    return got["messages"][0]["content"]["text"]


@EVERYBODY
def test_the_listener_is_told_all_and_can_pass_the_brief_on(member):
    """One prompt holds the loop, the member's own rules and the sub-agent's brief."""
    text = text_of(member, "listen")
    for word in ("foundry_get_prompts", "terminate", "-33005", "closedTabs"):
        assert word in text
    assert member.title in text
    assert f"# Work for one tab ({member.title})" in text
    assert ("hold: true" in text) == member.external.holds_polls
    assert ("interrupted: true" in text) == member.interrupts.rides_calls
    assert ("are\ncancelled" in text) != member.external.keeps_prompts


@EVERYBODY
def test_the_brief_names_the_tab_it_is_for(member):
    """A listener can ask for the brief with what it is about."""
    given = {"tabId": "t-1", "promptId": "p-1", "text": "Hurt the innkeeper"}
    text = text_of(member, "tab_agent", **given)
    assert text.endswith("tabId: t-1\npromptId: p-1\ntext: Hurt the innkeeper")


@EVERYBODY
def test_every_tool_of_a_listener_is_explained(member):
    """No tool of ours is left out, and none is named that a listener should not use."""
    named = set(re.findall(r"foundry_[a-z_]+", text_of(member, "listen")))
    own = {tool.name for tool in chat_tools(None)}
    assert own - named == {"foundry_set_interaction_mode"}


def test_every_member_has_both_texts_as_files():
    """A new member without its texts is noticed here."""
    found = {path.name for path in (files("aagm.relay.chat") / "kit").iterdir()}
    assert found == {
        f"{key}-{n}.md" for key in MEMBERS for n in ("listen", "tab_agent")
    }


@EVERYBODY
def test_the_server_s_own_instructions_fit_what_clients_keep(member):
    """They are cut at 2 KB by some clients."""
    assert len(instructions(member).encode()) < 2048
