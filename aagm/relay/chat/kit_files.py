"""The texts that ship for listeners, one of each kind a member, as files.

``kit/<member>-listen.md`` instructs a listener, ``kit/<member>-tab_agent.md`` is the
brief that it gives to an agent that works for one tab.
"""

from __future__ import annotations

from importlib.resources import files

from aagm.members import Member

LISTEN, TAB_AGENT = "listen", "tab_agent"


def kit_text(member: Member, name: str) -> str:
    """Read one text of *member*'s kit."""
    path = files("aagm.relay.chat") / "kit" / f"{member.key}-{name}.md"
    return path.read_text(encoding="utf-8")


def listen_text(member: Member) -> str:
    """Write the whole that a listener is told: how to listen, and the brief."""
    brief = kit_text(member, TAB_AGENT)
    return f"{kit_text(member, LISTEN)}\n---\n\nThe brief, to pass on:\n\n{brief}"
