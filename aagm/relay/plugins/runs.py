"""Run a plug-in recorded, and take back at once what it may not have written.

The turn in the lane is held by whoever calls.
Source: Plug-in API 1.0 section 3, steps 3 and 4; WIRE section 4.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import define, frozen
from twisted.logger import Logger

from aagm.errors import AagmError
from aagm.relay.plugins.scope import is_covered, outside
from aagm.relay.rollback.index import Index
from aagm.relay.rollback.lane import Ticket
from aagm.relay.rollback.points import ROLLED_BACK
from aagm.relay.rollback.undo import Undo, UndoRequest
from aagm.relay.rollback.writes import RecordedWrites, Write
from aagm.wire.jsonrpc import Json

OUTSIDE = "wrote outside declared scope: "
VIA = "plugin"


@frozen
class Breach:
    """A run wrote what it may not, and what became of it."""

    types: tuple[str, ...]
    is_undone: bool
    why_not: str = ""

    @property
    def says(self) -> str:
        """Say it in the family's words."""
        said = f"{OUTSIDE}{', '.join(self.types)}"
        return said if self.is_undone else f"{said}; {self.why_not}"


@frozen
class Ran:
    """What a recorded run came to."""

    result: Json
    point: dict[str, Any] | None  # the brief; None when a read touched nothing
    breach: Breach | None
    is_saved: bool = True


@define(eq=False)
class RecordedRuns:
    """Run, wait for the end of the recording, judge, undo."""

    _log = Logger()

    _writes: RecordedWrites
    _undo: Undo
    _index: Index

    async def run(self, ticket: Ticket, write: Write, allowed: Sequence[str]) -> Ran:
        """Do *write*; only documents of the *allowed* types may be touched.

        Raises:
            AagmError: The run did not end; what it wrote outside its scope until then
                is undone, and the error says so.
        """
        try:
            written = await self._writes.run(ticket, write)
        except AagmError as e:
            raise await self._failed(ticket, write, e, allowed) from e
        point = written.point
        if point is None:
            return Ran(written.result, None, None, is_saved=written.is_saved)
        breach = await self._judge(ticket, write, point["id"], allowed)
        return Ran(
            written.result,
            self._writes.brief(point["id"]),
            breach,
            is_saved=written.is_saved,
        )

    async def _failed(
        self, ticket: Ticket, write: Write, error: AagmError, allowed: Sequence[str]
    ) -> AagmError:
        point = error.data.get("rollbackPoint")
        if not isinstance(point, dict):
            return error
        breach = await self._judge(ticket, write, point["id"], allowed)
        if breach is None:
            return error
        data = error.data | {"rollbackPoint": self._writes.brief(point["id"])}
        undone = " (undone)" if breach.is_undone else ""
        message = f"{error}; it {breach.says}{undone}"
        return type(error)(message, fix=error.fix, data=data)

    async def _judge(
        self, ticket: Ticket, write: Write, point_id: str, allowed: Sequence[str]
    ) -> Breach | None:
        point = self._index.find(point_id)
        if point is None or not (types := outside(point, allowed)):
            return None
        why_not = await self._take_back(ticket, write, point_id)
        ticket.point_id = point_id
        if not why_not and not is_covered(point):
            why_not = "some of it no rollback point can hold"
        return Breach(types, not why_not, why_not)

    async def _take_back(self, ticket: Ticket, write: Write, point_id: str) -> str:
        """Undo the point alone; says why it could not be, or nothing."""
        request = UndoRequest(
            point_id, only=True, keeps_redo=False, tab_id=write.tab_id, via=VIA
        )
        try:
            answer = await self._undo.run(ticket, request)
        except AagmError as e:
            return f"it could not be taken back: {e}"
        if answer.get("refused"):
            return f"it was not taken back: {answer['reason']}"
        if any(row["state"] != ROLLED_BACK for row in answer["rolledBack"]):
            return "it could not be taken back whole: look at its rollback point"
        return ""
