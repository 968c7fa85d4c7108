"""``foundry_loot_pending`` and ``foundry_restore_loot``: what a pile lost, given back.

Source: PROTOCOL_FACTS sections 1.4 and 10.5; DESIGN section 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from twisted.internet.defer import Deferred

from aagm.errors import HandlerThrew
from aagm.mcp.registry import Call, Tool
from aagm.mcp.writing import WriteCalls
from aagm.relay import loot
from aagm.relay.ports import Bridge
from aagm.relay.rollback.lane import Recheck, Ticket
from aagm.relay.rollback.writes import RecordedWrites, Write
from aagm.wire.jsonrpc import Json

NOT_SET_UP = "there is no Rescue Log"  # how the module's sentence begins


def loot_tools(
    bridge: Bridge,
    writes: RecordedWrites,
    calls: WriteCalls,
    *,
    member: str,
    limit: float = 30,
) -> list[Tool]:
    """Make the two tools.

    Args:
        bridge: Where the list is.
        writes: The road of a restore.
        calls: Holds the calls that write.
        member: What the member is called, for the point's label and its macros.
        limit: Seconds that the list may take.
    """
    return [_pending(bridge, member, limit), _restore(writes, calls, member)]


@contextmanager
def _set_up_by(member: str) -> Iterator[None]:
    """Name the macro of *member* that makes what the tab finds missing."""
    try:
        yield
    except HandlerThrew as e:
        if not str(e).startswith(NOT_SET_UP):
            raise
        macro = loot.setup_macro(member)
        fix = f"Ask the game master to run the macro {macro} once; then call again."
        raise HandlerThrew(str(e), fix=fix, data=e.data) from e


def _pending(bridge: Bridge, member: str, limit: float) -> Tool:
    async def run(call: Call) -> Json:
        asked = Deferred.fromCoroutine(bridge.call("loot.pending", {}, limit=limit))
        call.on_left(asked.cancel)
        with _set_up_by(member):
            return await asked

    return Tool(
        name="foundry_loot_pending",
        description=(
            "List what the Loot Watchdog saw getting lost from Item Piles piles: what, "
            "how much, from where, for whom. phantoms were no loot or are out of "
            "reach; they can only be acknowledged. armed says whether it watches now."
        ),
        schema={"type": "object", "properties": {}, "additionalProperties": False},
        run=run,
        read_only=True,
    )


def _restore(writes: RecordedWrites, calls: WriteCalls, member: str) -> Tool:
    async def run(call: Call) -> Json:
        given = call.arguments
        write = Write(
            method="loot.restore",
            params={key: given[key] for key in _IDS if key in given},
            kind=loot.KIND,
            summary=loot.label(member),
            tab_id=given.get("tabId"),
            via="tool",
            relabel=partial(loot.label_of, member),
        )

        def queue(recheck: Recheck) -> Ticket:
            return writes.queue(write, recheck=recheck)

        with _set_up_by(member):
            return await calls.run(call, queue)

    return Tool(
        name="foundry_restore_loot",
        description=(
            "Give lost loot back: the recorded item, the missing amount, to the "
            "recorded recipient, never anything else and never twice. "
            "rollbackPoint takes the items away again."
        ),
        schema=_SCHEMA,
        run=run,
        read_only=False,
    )


def _ids(description: str) -> dict[str, Any]:
    item = {"type": "string", "minLength": 1}
    return {"type": "array", "items": item, "description": description}


_IDS = {
    "eventIds": _ids("Events of foundry_loot_pending; all pending when absent."),
    "ackPhantoms": _ids("Phantoms that the game master has seen: off the list."),
}
_SCHEMA = {
    "type": "object",
    "properties": {
        **_IDS,
        "tabId": {
            "type": "string",
            "minLength": 1,
            "description": "The prompt's tabId.",
        },
    },
    "additionalProperties": False,
}
