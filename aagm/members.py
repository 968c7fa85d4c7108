"""The members of the family as frozen values; nothing else knows a member's name."""

from __future__ import annotations

from attrs import frozen


@frozen
class Member:
    """One member of the family.

    Source: DESIGN section 2; PROTOCOL_FACTS section 0.2.
    """

    key: str  # what ``--member`` takes and the hello's answer calls ``member``
    title: str  # what a person reads
    slug: str  # MCP server name
    bridge_port: int
    mcp_port: int


KIMI = Member(
    key="kimi", title="AAGM-K", slug="aagm-k", bridge_port=7898, mcp_port=7899
)
GROK = Member(
    key="grok", title="AAGM-G", slug="aagm-g", bridge_port=7890, mcp_port=7891
)

MEMBERS = {member.key: member for member in (KIMI, GROK)}
