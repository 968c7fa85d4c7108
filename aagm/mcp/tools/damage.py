"""``foundry_apply_damage``: hurt actors and tokens by their system's rule.

Source: PROTOCOL_FACTS sections 1.4 and 9; DESIGN section 4.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from aagm.mcp.holding import Hold
from aagm.mcp.registry import Call, Tool
from aagm.mcp.writing import WriteCalls
from aagm.relay import audit, damage
from aagm.relay.ports import Bridge
from aagm.relay.rollback.lane import Recheck, Ticket, WriteLane
from aagm.relay.rollback.writes import RecordedWrites, Write
from aagm.wire.jsonrpc import Json

PLAN_SECONDS = 120  # as long as the family waits for a plan


def damage_tools(
    bridge: Bridge,
    lane: WriteLane,
    writes: RecordedWrites,
    calls: WriteCalls,
    *,
    hold: Hold,
) -> list[Tool]:
    """Make the tool: a plan and its commit share one turn of *lane*.

    A plan alone takes no turn; *hold* says how long its call is held.
    """

    async def planned(call: Call) -> Json:
        asked = damage.request(call.arguments, commit=False)
        return await bridge.call("damage", asked, limit=PLAN_SECONDS)

    async def run(call: Call) -> Json:
        given = call.arguments
        if (refused := damage.refusal(given["amount"])) is not None:
            return refused
        if given.get("dryRun"):
            looking = Deferred.fromCoroutine(planned(call))
            call.on_left(looking.cancel)
            return await hold(looking)

        async def work(ticket: Ticket) -> Json:
            plan = await planned(call)
            if not damage.is_resolved(plan):
                return plan

            def relabel(result: Json) -> str:
                lethal = damage.is_lethal(damage.with_plan(result, plan))
                return damage.label(given["summary"], lethal=lethal)

            write = Write(
                method="damage",
                params=damage.request(given, commit=True),
                kind=damage.KIND,
                summary=relabel(plan),
                tab_id=given.get("tabId"),
                via="tool",
                relabel=relabel,
            )
            answer = (await writes.run(ticket, write)).shaped()
            return damage.with_plan(answer, plan)

        def queue(recheck: Recheck) -> Ticket:
            label = damage.label(given["summary"], lethal=False)
            return lane.enter(work, by="agent", label=label, recheck=recheck)

        return await calls.run(call, queue)

    return [
        Tool(
            name="foundry_apply_damage",
            description=(
                "Deal damage to actors or tokens: temporary hit points first, then by "
                "the game system's own rule. The amount is final: no resistances are "
                "applied. A target is an actor's name, id or uuid or a token's uuid; a "
                "token that is not linked needs its uuid, for a name means the world "
                "actor. Nothing is written when a target is unknown or ambiguous: "
                "candidates lists whom it may mean. lethal says whether "
                "somebody died. rollbackPoint takes it back."
            ),
            schema=_SCHEMA,
            run=run,
            read_only=False,
            destructive=True,
        )
    ]


_SCHEMA = {
    "type": "object",
    "properties": {
        "targets": {
            "type": "array",
            "items": {"type": "string", "minLength": 1},
            "minItems": 1,
            "description": "Names, ids or uuids.",
        },
        "amount": {
            "type": "integer",
            "maximum": damage.MOST,
            "description": "Points of damage, above 0, to each target.",
        },
        "summary": {
            "type": "string",
            "maxLength": 200,
            "pattern": r"\S",
            "description": "What happens, for the game master's card.",
        },
        "note": {
            "type": "string",
            "maxLength": audit.LONGEST,
            "description": "Kept in the session log.",
        },
        "dryRun": {"type": "boolean", "description": "True: write nothing."},
        "tabId": {
            "type": "string",
            "minLength": 1,
            "description": "The prompt's tabId.",
        },
    },
    "required": ["targets", "amount", "summary"],
    "additionalProperties": False,
}
