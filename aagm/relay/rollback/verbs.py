"""What the ``aagm points`` command asks of a running relay.

Source: WIRE section 7.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable

from aagm.errors import BadParams
from aagm.relay.rollback.desk import RollbackDesk
from aagm.relay.rollback.points import encode
from aagm.relay.rollback.refusals import LIST
from aagm.relay.rollback.undo import UndoRequest
from aagm.wire.jsonrpc import Json, Params

Verb = Callable[[Params], Awaitable[Json]]


def point_verbs(desk: RollbackDesk) -> dict[str, Verb]:
    """Give the verbs ``points``, ``point`` and ``rollback`` by name."""

    async def points(params: Params) -> Json:  # noqa: ARG001
        return {"points": desk.undo.briefs(), "skipped": desk.undo.skipped()}

    async def point(params: Params) -> Json:
        point_id = _id(params)
        if (found := desk.index.find(point_id)) is None:
            raise BadParams(f"unknown point {point_id}", fix=LIST)
        state = desk.undo.state(point_id) or "live"
        return json.loads(encode(found, state))

    async def rollback(params: Params) -> Json:
        request = UndoRequest(
            point_id=_id(params),
            force=params.get("force") is True,
            dry_run=params.get("dryRun") is True,
            only=params.get("only") is True,
            via="command",
        )
        if request.dry_run:
            return await desk.undo.look(request)
        return await desk.undo.queue(request, by="gm").copy()

    return {"points": points, "point": point, "rollback": rollback}


def _id(params: Params) -> str:
    point_id = params.get("id")
    if not isinstance(point_id, str):
        raise BadParams("id must name a rollback point")
    return point_id
