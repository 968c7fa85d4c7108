"""What the box in Foundry is told of points, and what its buttons ask.

Source: WIRE sections 2.4 (family) and 5; DESIGN section 4.
"""

from __future__ import annotations

from typing import Any

from attrs import define

from aagm.errors import BadParams
from aagm.relay.ports import Bridge, TabLink
from aagm.relay.rollback.recording import Recording
from aagm.relay.rollback.refusals import LIST
from aagm.relay.rollback.undo import Undo, UndoRequest
from aagm.relay.rollback.writes import RecordedWrites
from aagm.wire.jsonrpc import ID_LONGEST, Json, Params

CARD = "aagm.rollback"


@define(eq=False)
class Cards:
    """Keep the box's cards as the points are."""

    _bridge: Bridge
    _writes: RecordedWrites
    _undo: Undo

    def saved(self, recording: Recording, is_saved: bool) -> None:
        """Show a point that is new, or is another than what was shown."""
        if recording.is_kept or recording.is_hidden or not recording.is_answered:
            return
        point = self._writes.brief(recording.id)
        if point is None:
            return
        looks = {k: v for k, v in point.items() if k not in ("state", "ts")}
        if looks == recording.shown:
            return
        recording.shown = looks
        params: dict[str, Any] = {"event": "point", "point": point}
        if not is_saved:
            params["unsaved"] = True
        self._bridge.notify(CARD, params)

    def changed(self, event: str, point: dict[str, Any], via: str | None) -> None:
        """Show that a point was undone, or came back."""
        self._bridge.notify(CARD, {"event": event, "point": point, "via": via})

    def restated(self, point_id: str) -> None:
        """Show a point whose state is another since a broken rollback has ended."""
        if (point := self._writes.brief(point_id)) is not None:
            self._bridge.notify(CARD, {"event": "point", "point": point})

    def sync(self, link: TabLink, params: Params) -> None:  # noqa: ARG002
        """Answer `aagm.status.request`: every card anew."""
        link.notify(CARD, {"event": "sync", "points": self._undo.briefs()})

    async def requested(self, link: TabLink, params: Params) -> Json:  # noqa: ARG002
        """Answer `aagm.rollback.request`: a card's button, answered like the tool.

        Raises:
            BadParams: No action that a card has.
        """
        request = UndoRequest(
            point_id=_text(params, "pointId"),
            action="redo" if params.get("action") == "redo" else "rollback",
            force=params.get("force") is True,
            keep=params.get("keep") is True,
            only=params.get("only") is True,
            own=params.get("own") is True,
            via="box",
        )
        match params.get("action"):
            case "check":
                return await self._undo.look(request)
            case "details":
                return self._undo.details(request.point_id)
            case "rollback" | "redo":
                return await self._undo.queue(request, by="gm").copy()
        raise BadParams("action must be rollback, redo, check or details")


def _text(params: Params, key: str) -> str | None:
    value = params.get(key)
    if value is not None and not isinstance(value, str):
        raise BadParams(f"{key} must be a string")
    if value is not None and len(value) > ID_LONGEST:
        raise BadParams(
            f"{key} has {len(value)} characters; it may have {ID_LONGEST}", fix=LIST
        )
    return value
