"""``foundry_eval``: run JavaScript in the world.

Source: PROTOCOL_FACTS section 1.4; DESIGN sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from aagm.mcp.registry import Call, Tool
from aagm.mcp.writing import WriteCalls
from aagm.relay.ports import Bridge
from aagm.relay.rollback.lane import Recheck, Ticket
from aagm.relay.rollback.writes import RecordedWrites, Write, label_of
from aagm.wire.jsonrpc import Json, Params

INTENTS = ("read", "write", "destructive")


@frozen
class Blocked:
    """The code is not run: what to answer instead."""

    answer: Json


@frozen
class Read:
    """The code is proven to read only: it needs no point and no turn."""


@frozen
class Recorded:
    """The code goes down the write road."""

    kind: str = "eval"
    is_read: bool = False  # declared a read, and not proven one


Road = Blocked | Read | Recorded
Judge = Callable[[str, str], Road]  # the code, the intent that was declared


def unguarded(code: str, intent: str) -> Road:  # noqa: ARG001
    """Send every eval down the write road: where there is no guard."""
    kind = "destructive eval" if intent == "destructive" else "eval"
    return Recorded(kind, is_read=intent == "read")


def eval_tools(
    bridge: Bridge,
    writes: RecordedWrites,
    calls: WriteCalls,
    judge: Judge = unguarded,
    *,
    read_seconds: float = 30,
) -> list[Tool]:
    """Make the tool; *judge* decides which road the code takes."""

    async def run(call: Call) -> Json:
        given = call.arguments
        road = judge(given["code"], given.get("intent", "read"))
        match road:
            case Blocked(answer=answer):
                return answer
            case Read():
                params = _params(given, may_return_early=True)
                return await bridge.call("eval", params, limit=read_seconds)
        write = Write(
            method="eval",
            params=_params(given, may_return_early=False),
            kind=road.kind,
            summary=label_of(given["code"], given.get("summary")),
            tab_id=given.get("tabId"),
            via="tool",
            is_read=road.is_read,
        )

        def queue(recheck: Recheck) -> Ticket:
            return writes.queue(write, recheck=recheck)

        return await calls.run(call, queue)

    return [
        Tool(
            name="foundry_eval",
            description=(
                "Run JavaScript in the game master's Foundry client and get what it "
                "returns. The code is the body of an async function with Foundry's "
                "globals (game, canvas, ui, fromUuid …): return what you want to see. "
                "What it changes is recorded, and rollbackPoint names the point that "
                "foundry_rollback takes back. Say intent 'write' (or 'destructive') "
                "and give a summary when it changes anything. blocked or refused is "
                "final: tell the game master, do not try it another way. running:true "
                "gives a cursor for foundry_more."
            ),
            schema=_SCHEMA,
            run=run,
            read_only=False,
            destructive=True,
        )
    ]


def _params(given: Params, *, may_return_early: bool) -> Params:
    params: Params = {"code": given["code"]}
    if "captureConsole" in given:
        params["captureConsole"] = given["captureConsole"]
    if may_return_early and "awaitResult" in given:
        params["awaitResult"] = given["awaitResult"]
    return params


_SCHEMA = {
    "type": "object",
    "properties": {
        "code": {
            "type": "string",
            "minLength": 1,
            "description": "The body of an async function.",
        },
        "intent": {
            "type": "string",
            "enum": list(INTENTS),
            "description": "What the code does; 'read' by default.",
        },
        "summary": {
            "type": "string",
            "description": "What it changes, in words for the game master's card.",
        },
        "awaitResult": {
            "type": "boolean",
            "description": "False: do not wait for a promise; for reads only.",
        },
        "captureConsole": {
            "type": "boolean",
            "description": "True: give what the code wrote to the console, too.",
        },
        "tabId": {
            "type": "string",
            "minLength": 1,
            "description": "The tabId of the prompt you work on.",
        },
    },
    "required": ["code"],
    "additionalProperties": False,
}
