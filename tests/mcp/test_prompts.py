"""A client can ask for the listener's instructions by name."""

from __future__ import annotations

import pytest

from aagm.errors import BadParams
from aagm.mcp.prompts import Prompt, PromptArgument, Prompts

TAB = Prompt(
    name="tab_agent",
    description="Work on one tab.",
    write=lambda given: f"You work on tab {given['tabId']}.",
    arguments=(
        PromptArgument("tabId", "The tab.", required=True),
        PromptArgument("tone", "How to speak."),
    ),
)


def test_a_prompt_is_filled_and_given():
    """The text comes as one message of the user."""
    got = Prompts([TAB]).get("tab_agent", {"tabId": "t-2"})
    text = {"type": "text", "text": "You work on tab t-2."}
    assert got["messages"] == [{"role": "user", "content": text}]


def test_prompts_are_listed_with_their_arguments():
    """A client can show a form."""
    (listed,) = Prompts([TAB]).listed()
    assert listed["name"] == "tab_agent"
    assert [a["required"] for a in listed["arguments"]] == [True, False]


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("nope", {}, "Unknown prompt: nope"),
        ("tab_agent", {}, "missing tabId"),
        ("tab_agent", {"tabId": "t", "x": "y"}, "unknown argument x"),
    ],
)
def test_what_does_not_fit_is_named(name, arguments, said):
    """A wrong request is told what is wrong."""
    with pytest.raises(BadParams, match=said):
        Prompts([TAB]).get(name, arguments)
