"""The members of the family as frozen values; nothing else knows a member's name.

Source: DESIGN section 2. A third member is one more value here, and its texts for
listeners in ``aagm/relay/chat/kit``.
"""

from __future__ import annotations

from datetime import datetime

from attrs import frozen

_MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


@frozen
class ExternalPolicy:
    """What ``/ext`` does, and what holds until ``/int``."""

    keeps_prompts: bool  # parks queued prompts and queues new ones; else cancelled
    holds_polls: bool  # a poll answers ``hold`` and frees the slot; else it waits on
    settles_tabs: bool  # working tabs become done
    suspends_workers: bool  # replies, and writes naming a tab, are refused


@frozen
class InterruptPolicy:
    """Which prompts are interrupts, and whether they ride on tool calls."""

    while_in_flight: bool  # also what is typed while a tool call runs
    while_external: bool  # also what is typed while the session is external
    rides_calls: bool  # the next tool call answers with them instead of working

    def marks(self, *, is_working: bool, in_flight: bool, is_external: bool) -> bool:
        """Say whether a prompt that arrives now is an interrupt.

        Args:
            is_working: Its own tab works.
            in_flight: Some tool call runs, whichever tab it names.
            is_external: The session is external.
        """
        return (
            is_working
            or (in_flight and self.while_in_flight)
            or (is_external and self.while_external)
        )


CANCELS = ExternalPolicy(
    keeps_prompts=False, holds_polls=False, settles_tabs=True, suspends_workers=True
)
PARKS = ExternalPolicy(
    keeps_prompts=True, holds_polls=True, settles_tabs=False, suspends_workers=False
)

POLLED = InterruptPolicy(while_in_flight=False, while_external=False, rides_calls=False)
RIDING = InterruptPolicy(while_in_flight=True, while_external=True, rides_calls=True)


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
    external: ExternalPolicy
    interrupts: InterruptPolicy
    has_log_command: bool  # ``/log [name]`` in the box is the relay's
    prefixes_status: bool  # the status line begins with the mode
    logs_milliseconds: bool  # the log's file name holds them

    def log_name(self, started: datetime) -> str:
        """Name the session log of a relay that *started* at that local time."""
        name = f"{_MONTHS[started.month - 1]} {started.day} {started:%H.%M.%S}"
        if self.logs_milliseconds:
            name += f".{started.microsecond // 1000:03d}"
        return f"{name}.md"


KIMI = Member(
    key="kimi",
    title="AAGM-K",
    slug="aagm-k",
    bridge_port=7898,
    mcp_port=7899,
    external=CANCELS,
    interrupts=POLLED,
    has_log_command=False,
    prefixes_status=False,
    logs_milliseconds=False,
)
GROK = Member(
    key="grok",
    title="AAGM-G",
    slug="aagm-g",
    bridge_port=7890,
    mcp_port=7891,
    external=PARKS,
    interrupts=RIDING,
    has_log_command=True,
    prefixes_status=True,
    logs_milliseconds=True,
)

MEMBERS = {member.key: member for member in (KIMI, GROK)}
