"""``foundry_ping``: is a tab connected, and if not, why.

Source: PROTOCOL_FACTS 1.4; DESIGN section 4 ("Answers").
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from aagm.errors import NoModule
from aagm.mcp.health import Connection
from aagm.mcp.registry import Call, Tool
from aagm.wire.jsonrpc import Json

State = Callable[[], dict[str, Json]]  # members that another part adds to the answer


def ping_tools(
    connection: Connection, *, dial: str, limit: float, states: Iterable[State] = ()
) -> list[Tool]:
    """Make the tool.

    Args:
        connection: The tab, and since when the relay is up.
        dial: The address that the module must dial.
        limit: Seconds that the tab has to answer.
        states: What the relay knows besides: mode, settings, parked prompts, log.
    """
    states = tuple(states)

    async def ping(_call: Call) -> Json:
        answer = connection.status() | {"dial": dial}
        if answer["connected"]:
            try:
                pong = await connection.bridge.call("ping", {}, limit=limit)
                answer |= pong | {"pong": True}
            except NoModule:  # it left meanwhile
                answer = connection.status() | {"dial": dial}
        for state in states:
            answer |= state()
        return {"pong": False} | answer

    return [
        Tool(
            name="foundry_ping",
            description=(
                "Say whether a Foundry tab is connected, which world it shows, and in"
                " which mode the relay is. Without a tab the answer has"
                " connected:false and reason {code, message, fix}: tell the game"
                " master what fix says."
            ),
            schema={"type": "object", "properties": {}, "additionalProperties": False},
            run=ping,
            read_only=True,
        )
    ]
