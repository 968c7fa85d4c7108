"""The prompts ``listen`` and ``tab_agent``: how to be a listener, for any client.

Source: DESIGN section 6; PROTOCOL_FACTS section 5.7.
"""

from __future__ import annotations

from collections.abc import Mapping

from aagm.mcp.prompts import Prompt, PromptArgument
from aagm.members import Member
from aagm.relay.chat.kit_files import LISTEN, TAB_AGENT, kit_text, listen_text

_ARGUMENTS = (
    PromptArgument("tabId", "The tab to work for."),
    PromptArgument("promptId", "The prompt to answer."),
    PromptArgument("text", "What the game master typed."),
)


def listener_prompts(member: Member) -> list[Prompt]:
    """Make *member*'s two prompts."""
    return [
        Prompt(
            name=LISTEN,
            description="Listen to the chat box inside Foundry and do what is typed.",
            write=lambda _: listen_text(member),
        ),
        Prompt(
            name=TAB_AGENT,
            description="Work for one tab of the chat box: the brief for a sub-agent.",
            write=lambda given: _brief(member, given),
            arguments=_ARGUMENTS,
        ),
    ]


def _brief(member: Member, given: Mapping[str, str]) -> str:
    """Write the brief, and what it is about where that was given."""
    about = [f"{a.name}: {given[a.name]}" for a in _ARGUMENTS if a.name in given]
    return "\n".join([kit_text(member, TAB_AGENT), *about])
