"""List the plug-ins of a world, with what is wrong with each.

A macro is run only when its source carries the marker, and again only when the source
is another.
Source: Plug-in API 1.0 section 6.
"""

from __future__ import annotations

from typing import Any

from attrs import define

from aagm.errors import ProtectedDocument, TimeLimit
from aagm.relay.plugins import page
from aagm.relay.plugins.manifest import Refused
from aagm.relay.plugins.manifests import Key, Known, Manifests, refused_macros
from aagm.relay.plugins.page import Listed
from aagm.relay.ports import Bridge
from aagm.relay.rollback.lane import By, Recheck, Ticket, WriteLane
from aagm.wire.jsonrpc import Json


@define(eq=False)
class Catalog:
    """Know what plug-ins there are."""

    _bridge: Bridge
    _lane: WriteLane
    _manifests: Manifests
    _read_seconds: float

    async def look(self) -> list[Listed]:
        """List the macros that mean to be plug-ins; none is run.

        Raises:
            NoModule: No tab is connected.
        """
        answer = await self._bridge.call(
            "eval", page.list_all(), limit=self._read_seconds
        )
        return sorted(page.read_list(answer), key=lambda each: each.name)

    def told(self, rows: list[Listed]) -> Json | None:
        """Answer from what is known; None when a macro must be run first."""
        known = [(row, self._kept(row)) for row in rows]
        if any(each is None for _, each in known):
            return None
        return _shaped([(row, each) for row, each in known if each is not None])

    def queue(
        self,
        *,
        by: By = "agent",
        recheck: Recheck = lambda: None,
        refresh: bool = False,
    ) -> Ticket:
        """Queue the bare runs that are needed; the ticket gives the list.

        Raises:
            LaneBusy: Too many wait.
        """

        async def work(ticket: Ticket) -> Json:
            rows = await self.look()
            return _shaped(
                [(row, await self._read(ticket, row, refresh=refresh)) for row in rows]
            )

        label = "look at the plug-ins"
        return self._lane.enter(work, by=by, label=label, recheck=recheck)

    def _key(self, row: Listed) -> Key:
        # A name is part of what was judged, and no part of the source.
        world = self._manifests.world()
        return (world, f"{row.macro.id}/{row.macro.hash}", row.name)

    def _kept(self, row: Listed) -> Known | Refused | None:
        if len(row.ids) > 1:
            return refused_macros(row.name, tuple({"id": id_} for id_ in row.ids))
        return self._manifests.kept(self._key(row))

    async def _read(
        self, ticket: Ticket, row: Listed, *, refresh: bool
    ) -> Known | Refused:
        kept = self._kept(row)
        if kept is not None and not (refresh and len(row.ids) == 1):
            return kept
        try:
            known = await self._manifests.read(ticket, row.name)
        except (TimeLimit, ProtectedDocument) as e:
            # One that misbehaves must not hide the others.
            known = Refused(f"{row.name} is not a plug-in: {e}", e.fix)
        self._manifests.keep(self._key(row), known)
        return known


def _shaped(known: list[tuple[Listed, Known | Refused]]) -> dict[str, Any]:
    return {"plugins": [_row(row, each) for row, each in known]}


def _row(row: Listed, known: Known | Refused) -> dict[str, Any]:
    if isinstance(known, Refused):
        problem = {"error": known.reason, "fix": known.fix}
        return {
            "name": row.name,
            "id": row.macro.id,
            "usable": False,
            "problems": [problem],
        }
    problems = [{"error": said} for said in known.manifest.hints()]
    return {
        **known.manifest.as_json(),
        "id": row.macro.id,
        "usable": True,
        "problems": problems,
    }
