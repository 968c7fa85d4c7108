"""``foundry_eval``: run JavaScript in the world.

Source: PROTOCOL_FACTS section 1.4; DESIGN sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aagm.errors import HandlerThrew
from aagm.mcp.registry import Call, Tool
from aagm.mcp.writing import WriteCalls
from aagm.relay.evals import (
    Block,
    Decision,
    Record,
    Refuse,
    Run,
    SyntaxFault,
    decide,
    first_line,
)
from aagm.relay.guard.verdicts import Verdict
from aagm.relay.ports import Bridge
from aagm.relay.rollback.lane import Recheck, Ticket
from aagm.relay.rollback.writes import RecordedWrites, Write
from aagm.wire.jsonrpc import Json, Params

INTENTS = ("read", "write", "destructive")
READ_SECONDS = 30.0
WRITE_SECONDS = 300.0
TOLD_WAIT = 0.1  # seconds; a shorter wait is not worth a word

Judge = Callable[[Params], Awaitable[Decision]]  # of the tool's arguments


def guarded(
    classify: Callable[[str], Awaitable[Verdict]],
    *,
    read_seconds: float = READ_SECONDS,
    write_seconds: float = WRITE_SECONDS,
) -> Judge:
    """Decide by what the guard finds in the code and by what the agent declared."""

    async def judge(given: Params) -> Decision:
        return decide(
            await classify(given["code"]),
            code=given["code"],
            intent=given.get("intent", "read"),
            summary=given.get("summary", ""),
            await_result=given.get("awaitResult", True),
            read_seconds=read_seconds,
            write_seconds=write_seconds,
        )

    return judge


def unguarded(read_seconds: float = READ_SECONDS) -> Judge:
    """Send every eval down the write road: where there is no guard."""

    async def judge(given: Params) -> Decision:
        intent = given.get("intent", "read")
        is_read = intent == "read"
        return Record(
            kind="destructive eval" if intent == "destructive" else "eval",
            summary=given.get("summary", "").strip() or first_line(given["code"]),
            seconds=read_seconds if is_read else WRITE_SECONDS,
            read_declared=is_read,
        )

    return judge


def eval_tools(
    bridge: Bridge,
    writes: RecordedWrites,
    calls: WriteCalls,
    judge: Judge | None = None,
    *,
    read_seconds: float = READ_SECONDS,
) -> list[Tool]:
    """Make the tool; *judge* decides which road the code takes."""
    decides = judge or unguarded(read_seconds)

    async def run(call: Call) -> Json:
        match await decides(call.arguments):
            case Block() | Refuse() as no:
                return no.as_json()
            case SyntaxFault() as fault:
                at = f"line {fault.line}, column {fault.column}"
                said = f"eval: {fault.reason} ({at}); nothing was run"
                fix = f"Mend the code at {at}; the world is as it was."
                raise HandlerThrew(said, fix=fix)
            case Run() as read:
                params = _params(call.arguments)
                if not read.await_result:
                    params["awaitResult"] = False
                return await bridge.call("eval", params, limit=read.seconds)
            case Record() as record:
                tickets: list[Ticket] = []
                queue = _queue(call.arguments, record, tickets)
                return _told(await calls.run(call, queue), record, tickets)

    def _queue(
        given: Params, record: Record, tickets: list[Ticket]
    ) -> Callable[[Recheck], Ticket]:
        write = Write(
            method="eval",
            params=_params(given),
            kind=record.kind,
            summary=record.summary,
            tab_id=given.get("tabId"),
            via="tool",
            is_read=record.read_declared,
        )

        def queue(recheck: Recheck) -> Ticket:
            tickets.append(writes.queue(write, recheck=recheck))
            return tickets[0]

        return queue

    return [
        Tool(
            name="foundry_eval",
            description=(
                "Run JavaScript in the game master's Foundry client and get what it "
                "returns. The code is the body of an async function with Foundry's "
                "globals (game, canvas, ui, fromUuid): return what you want to see. "
                "What it changes is recorded, and rollbackPoint names the point that "
                "foundry_rollback takes back. Say intent 'write' (or 'destructive') "
                "and give a summary when it changes anything. blocked is final: tell "
                "the game master, do not try it another way."
            ),
            schema=_SCHEMA,
            run=run,
            read_only=False,
            destructive=True,
        )
    ]


def _told(answer: Json, record: Record, tickets: list[Ticket]) -> Json:
    """Say why code declared a read was recorded, and how long it waited for that."""
    if not record.unproven or not isinstance(answer, dict):
        return answer
    recorded = f"not proven a read: {record.unproven}"
    waited = tickets[0].waited if tickets else 0.0
    if waited >= TOLD_WAIT:
        recorded += f"; it waited {waited:.1f} s for the write before it"
    return {**answer, "recorded": recorded}


def _params(given: Params) -> Params:
    return {key: given[key] for key in ("code", "captureConsole") if key in given}


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
            "maxLength": 200,
            "description": "What it changes, for the game master's card.",
        },
        "awaitResult": {
            "type": "boolean",
            "description": "False: do not wait for a promise; for reads only.",
        },
        "captureConsole": {
            "type": "boolean",
            "description": "True: give console lines, too.",
        },
        "tabId": {
            "type": "string",
            "minLength": 1,
            "description": "The prompt's tabId.",
        },
    },
    "required": ["code"],
    "additionalProperties": False,
}
