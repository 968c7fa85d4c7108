"""What the box in Foundry asks of other parts."""

from __future__ import annotations

from attrs import frozen

from aagm.relay.log_files import LogFiles
from aagm.relay.rollback.undo import Undo, UndoRequest
from aagm.wire.jsonrpc import Json


@frozen
class BoxRollbacks:
    """What the box's commands ask of the rollback core (`chat.orders.Rollbacks`)."""

    _undo: Undo

    async def rollback(self, target: str | None, *, via: str) -> Json:
        """Undo to before a point, the newest live one without *target*."""
        return await self._asked(UndoRequest(point_id=target, via=via))

    async def redo(self, *, via: str) -> Json:
        """Take the newest rollback back."""
        return await self._asked(UndoRequest(action="redo", via=via))

    async def points(self) -> Json:
        """List the points, newest first."""
        return {"points": self._undo.briefs()}

    async def _asked(self, request: UndoRequest) -> Json:
        return await self._undo.queue(request, by="gm").copy()


@frozen
class BoxLogs:
    """What the box's ``/log`` asks of the session logs (`chat.orders.Logs`)."""

    _logs: LogFiles

    async def tail(self, name: str | None, lines: int) -> str:
        """Give the last *lines* lines of a log."""
        return self._logs.tail(name, lines).text
