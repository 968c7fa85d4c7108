"""The five ``foundry_query_`` tools: read one thing from the world.

Source: PROTOCOL_FACTS 1.4 and 2.2.
"""

from __future__ import annotations

from attrs import frozen
from twisted.internet.defer import Deferred

from aagm.errors import BadParams, ProtectedDocument
from aagm.mcp.registry import Call, Run, Tool
from aagm.relay.ports import Bridge
from aagm.relay.refusals import blocked
from aagm.wire.jsonrpc import Json


@frozen
class _Query:
    """What is special about one of the five."""

    kind: str  # the last word of the tool's name and of the wire method
    description: str
    properties: dict[str, Json]
    required: tuple[str, ...] = ()
    one_of: tuple[str, ...] = ()  # at least one of these must be given


def _text(description: str) -> dict[str, Json]:
    return {"type": "string", "minLength": 1, "description": description}


_QUERIES = (
    _Query(
        kind="actor",
        description=(
            "Read an actor's data: of the world, of a compendium or of a token. Give"
            " fields to get only those paths, such as system.attributes.hp; the whole"
            " source is long. What is not stored but worked out is named in derived."
        ),
        properties={
            "actorId": _text("An _id, or the uuid of an actor or a token."),
            "fields": {
                "type": "array",
                "items": {"type": "string", "minLength": 1},
                "description": "Dot paths to read; everything when absent.",
            },
        },
        required=("actorId",),
    ),
    _Query(
        kind="scene",
        description=(
            "Read a scene: size, grid, darkness, and its tokens with their places."
            " A token's uuid is Scene.<sceneId>.Token.<id>."
        ),
        properties={"sceneId": _text("An _id or uuid; the active scene when absent.")},
    ),
    _Query(
        kind="macro",
        description="Read a macro and its command, by id, uuid or exact name.",
        properties={
            "macroId": _text("An _id or uuid."),
            "name": _text("The macro's exact name."),
        },
        one_of=("macroId", "name"),
    ),
    _Query(
        kind="journal",
        description=(
            "Read a journal entry and its pages, by id, uuid or exact name; one page"
            " when pageId or pageName is given. A protected journal answers"
            " blocked:true: pass the reason on."
        ),
        properties={
            "journalId": _text("An _id or uuid."),
            "name": _text("The journal entry's exact name."),
            "pageId": _text("The _id of one page."),
            "pageName": _text("The exact name of one page."),
        },
        one_of=("journalId", "name"),
    ),
    _Query(
        kind="user",
        description=(
            "List the world's users with role, character and presence, or read one"
            " by id."
        ),
        properties={"userId": _text("The user's _id; all users when absent.")},
    ),
)


def query_tools(bridge: Bridge, *, limit: float = 30) -> list[Tool]:
    """Make the tools; each asks the owner's tab and waits *limit* seconds."""
    return [
        Tool(
            name=f"foundry_query_{query.kind}",
            description=query.description,
            schema={
                "type": "object",
                "properties": query.properties,
                **({"required": list(query.required)} if query.required else {}),
                "additionalProperties": False,
            },
            run=_asking(query, bridge, limit),
            read_only=True,
        )
        for query in _QUERIES
    ]


def _asking(query: _Query, bridge: Bridge, limit: float) -> Run:
    """Make what one tool does: hand its arguments on, and stop when nobody waits."""

    async def ask(call: Call) -> Json:
        if query.one_of and not any(name in call.arguments for name in query.one_of):
            raise BadParams(
                f"{call.tool}: give {' or '.join(query.one_of)}",
                fix="An id is sure; a name must be exact.",
            )
        method = f"query.{query.kind}"
        asked = Deferred.fromCoroutine(bridge.call(method, call.arguments, limit=limit))
        call.on_left(asked.cancel)
        try:
            return await asked
        except ProtectedDocument as e:
            return blocked(str(e), fix=e.fix)

    return ask
