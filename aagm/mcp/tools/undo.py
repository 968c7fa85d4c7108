"""``foundry_rollback_points`` and ``foundry_rollback``: list points, take them back.

Source: PROTOCOL_FACTS section 1.4; DESIGN section 4, "Undo"; WIRE section 5.
"""

from __future__ import annotations

from typing import Any

from aagm.mcp.registry import Call, Tool
from aagm.mcp.writing import WriteCalls
from aagm.relay.rollback.intake import Intake
from aagm.relay.rollback.lane import Recheck, Ticket
from aagm.relay.rollback.undo import Undo, UndoRequest
from aagm.wire.jsonrpc import Json, Params


def undo_tools(undo: Undo, intake: Intake, calls: WriteCalls) -> list[Tool]:
    """Make the two tools."""
    return [_points(undo, intake), _rollback(undo, calls)]


def _points(undo: Undo, intake: Intake) -> Tool:
    async def run(call: Call) -> Json:  # noqa: ARG001
        answer: dict[str, Any] = {"points": undo.briefs()}
        if skipped := undo.skipped():
            answer["skipped"] = skipped
        if intake.outside:
            answer["uncovered"] = list(intake.outside)
        return answer

    return Tool(
        name="foundry_rollback_points",
        description=(
            "List the rollback points, newest first: what each write touched and "
            "whether it is still in the world. state: live, rolled-back, partial, open "
            "(still running) or empty. The newest 200 are listed; older ones can be "
            "named by id."
        ),
        schema={"type": "object", "properties": {}, "additionalProperties": False},
        run=run,
        read_only=True,
    )


def _rollback(undo: Undo, calls: WriteCalls) -> Tool:
    async def run(call: Call) -> Json:
        request = request_of(call.arguments, via="tool")
        if request.dry_run:
            return await undo.look(request)

        def queue(recheck: Recheck) -> Ticket:
            return undo.queue(request, by="agent", recheck=recheck)

        return await calls.run(call, queue)

    return Tool(
        name="foundry_rollback",
        description=(
            "Take the world back to before a rollback point: it and every later live "
            "point are undone, newest first. "
            "What somebody changed since is never overwritten: the call is refused and "
            "lists the conflicts; ask the game master before you repeat it with force."
        ),
        schema=_SCHEMA,
        run=run,
        read_only=False,
        destructive=True,
    )


def request_of(given: Params, via: str) -> UndoRequest:
    """Read the arguments of a rollback."""
    return UndoRequest(
        point_id=given.get("rollbackId"),
        action="redo" if given.get("redo") else "rollback",
        force=given.get("force", False),
        dry_run=given.get("dryRun", False),
        only=given.get("only", False),
        own=given.get("own", False),
        tab_id=given.get("tabId"),
        via=via,
    )


def _flag(description: str) -> dict[str, Any]:
    return {"type": "boolean", "description": description}


_SCHEMA = {
    "type": "object",
    "properties": {
        "rollbackId": {
            "type": "string",
            "pattern": "^rp-[0-9a-f]+$",
            "description": "The point to go back to before; the newest by default.",
        },
        "redo": _flag("True: bring back what the last rollback undid."),
        "dryRun": _flag("True: only say what would happen."),
        "force": _flag("True: overwrite what others changed since."),
        "only": _flag("True: undo this point alone, when no later one overlaps."),
        "own": _flag("True: undo also what the game master may have done by hand."),
        "tabId": {
            "type": "string",
            "minLength": 1,
            "description": "The prompt's tabId.",
        },
    },
    "additionalProperties": False,
}
