"""``foundry_search``: find documents by name and text.

Ours, beyond the family: a family module does not know the method.
"""

from __future__ import annotations

from twisted.internet.defer import Deferred

from aagm.errors import MethodUnknown
from aagm.mcp.registry import Call, Tool
from aagm.relay.ports import Bridge
from aagm.relay.refusals import refused
from aagm.wire.jsonrpc import Json

MOST = 100  # documents of one answer


def search_tools(bridge: Bridge, *, limit: float) -> list[Tool]:
    """Make the tool; it asks the owner's tab and waits *limit* seconds."""

    async def search(call: Call) -> Json:
        work = bridge.call("search", call.arguments, limit=limit)
        asked = Deferred.fromCoroutine(work)
        call.on_left(asked.cancel)
        try:
            return await asked
        except MethodUnknown:
            return refused(
                "the module in this world is the family's 2.0 and cannot search",
                fix="Use the query tools: they find a document by its exact name.",
            )

    return [
        Tool(
            name="foundry_search",
            description=(
                "Find documents by words of their name or text, in the world and in "
                "the compendiums' indexes, best first. Query tools take their uuid."
            ),
            schema=_SCHEMA,
            run=search,
            read_only=True,
        )
    ]


_SCHEMA = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "minLength": 1,
            "maxLength": 200,
            "description": "Words to find.",
        },
        "type": {
            "type": "string",
            "minLength": 1,
            "description": "Only this kind, such as Actor, or sub-type.",
        },
        "where": {
            "type": "string",
            "enum": ["all", "world", "compendiums"],
            "description": "All by default.",
        },
        "limit": {
            "type": "integer",
            "minimum": 1,
            "maximum": MOST,
            "description": "20 by default.",
        },
        "cursor": {"type": "string", "description": "The cursor of the page before."},
    },
    "required": ["query"],
    "additionalProperties": False,
}
