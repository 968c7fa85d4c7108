"""Who may take which prompts: the rules, and nothing that acts.

Source: DESIGN section 2, the rows "how an interrupt arrives" and ``/ext``.
"""

from __future__ import annotations

from aagm.members import ExternalPolicy
from aagm.relay.chat.prompt import Prompt, Queued
from aagm.relay.chat.room import Room
from aagm.relay.chat.tab import MAIN_TAB
from aagm.wire.jsonrpc import dumps

BATCH = 12_000  # bytes of prompts in one answer, so that no answer is cut


def for_poll(room: Room, policy: ExternalPolicy, *, is_external: bool) -> list[Prompt]:
    """List what a poll may take: all, or what tells of closed tabs alone."""
    queued = room.placed(Queued)
    if is_external and not policy.keeps_prompts:
        return [p for p in queued if p.is_close]
    return queued


def for_tab(
    room: Room, policy: ExternalPolicy, tab: str, *, is_external: bool
) -> list[Prompt]:
    """List what a look for the interrupts of *tab* may take."""
    return [
        p
        for p in for_poll(room, policy, is_external=is_external)
        if p.tab == tab and (p.is_interrupt or p.is_close)
    ]


def for_call(
    room: Room, tab: str | None, *, is_external: bool, multitasking: bool
) -> list[Prompt]:
    """List what may ride on the answer of a tool call.

    Args:
        room: The chat.
        tab: The tab that the call names. A call that names none is an outside agent's:
            it takes what was typed while external, as long as that holds. Where there
            is but one tab to work for, it takes that tab's. It never takes what is
            another tab's worker's.
        is_external: Whether the session is external now.
        multitasking: Whether several tabs work at a time.
    """
    mine = tab if tab or multitasking else _only(room)
    return [
        p
        for p in room.placed(Queued)
        if (p.tab == mine and (p.is_interrupt or p.is_close))
        or (tab is None and is_external and p.is_external)
    ]


def first_batch(prompts: list[Prompt]) -> list[Prompt]:
    """Take from the front what fits into one answer, at least one."""
    size = 0
    for count, p in enumerate(prompts):
        size += len(dumps(p.to_listener()))
        if size > BATCH and count:
            return prompts[:count]
    return prompts


def _only(room: Room) -> str:
    return next(iter(room.tabs)) if len(room.tabs) == 1 else MAIN_TAB
