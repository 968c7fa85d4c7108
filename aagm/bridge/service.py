"""The Foundry side as a service: what the composition root makes.

Source: DESIGN sections 3 and 9; WIRE sections 1 to 3.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import define, field
from twisted.application.service import Service
from twisted.internet.defer import Deferred
from twisted.logger import Logger
from typing_extensions import override

from aagm.bridge.admission import Close
from aagm.bridge.calls import require_capable
from aagm.bridge.connection import Connection
from aagm.bridge.door import Door
from aagm.bridge.pairing import Pairing
from aagm.bridge.protocol import AutobahnWire, BridgeFactory
from aagm.bridge.reception import Reception
from aagm.bridge.roster import Roster
from aagm.bridge.settings import BridgeSettings
from aagm.bridge.tab import Tab
from aagm.bridge.visit import Visit
from aagm.errors import NoModule
from aagm.relay.ports import (
    Audit,
    BridgeEvents,
    Clock,
    Late,
    Now,
    Reason,
    Refusals,
    TabLink,
    each_whole,
    unheard,
)
from aagm.wire.jsonrpc import Json, Params


async def _at_once(_: TabLink) -> None:
    """Wait for nothing."""


@define(eq=False)
class BridgeService(Service):
    """Let Foundry tabs in, and ask the one that owns (`aagm.relay.ports.Bridge`).

    Who listens hands connections to `factory`; sockets are taken while the service
    runs, and closed with 1001 when it stops.

    Args:
        clock: What every limit runs on.
        now: For dates that a person reads.
        settings: What the bridge was told.
        events: Who hears of tabs.
        pairing: None when pairing is off.
        dial: Says which address the module should dial.
        when_written: Waits until no write of a tab's is recorded any more.
        audit: Keeps the session log.
        refusals: Says which refusals are logged.
    """

    _log = Logger()

    _clock: Clock
    _now: Now
    _settings: BridgeSettings
    _events: BridgeEvents
    _pairing: Pairing | None
    _dial: Callable[[], str]
    _when_written: Callable[[TabLink], Awaitable[object]] = _at_once
    _audit: Audit = unheard
    _refusals: Refusals = each_whole
    factory: BridgeFactory = field(init=False)
    _reception: Reception = field(init=False)
    _roster: Roster = field(factory=Roster, init=False)
    _visits: set[Visit] = field(factory=set, init=False)
    _empty: list[Deferred[None]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        """Join the parts."""
        door = Door(
            self._settings.allow_origins,
            self._pairing,
            self._roster,
            self._dial,
            self._audit,
            self._refusals,
            self._settings.page,
        )
        self._reception = Reception(
            self._clock,
            self._now,
            self._settings,
            self._events,
            self._pairing,
            door,
            self._roster,
            self._when_written,
        )
        self.factory = BridgeFactory(self._clock, self._settings, door, self._receive)

    @property
    def owner(self) -> Tab | None:
        """The tab that requests go to."""
        return self._roster.owner

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """Every accepted tab, in the order in which they came."""
        return tuple(self._roster.tabs)

    def why_not(self) -> Reason:
        """Say why there is no owner."""
        return self._reception.door.why_not()

    async def call(
        self, method: str, params: Params, *, limit: float, late: Late | None = None
    ) -> Json:
        """Ask the owner's tab; see `aagm.relay.ports.Bridge`."""
        require_capable(method)
        if (tab := self._roster.owner) is None:
            reason = self.why_not()
            data = {"reason": reason.code}
            raise NoModule(reason.message, fix=reason.fix, data=data)
        return await tab.calls.call(method, params, limit=limit, late=late)

    def notify(self, method: str, params: Params) -> None:
        """Tell the owner's tab; dropped when there is none."""
        if self._roster.owner is not None:
            self._roster.owner.notify(method, params)

    def page_refused(self, origin: str) -> None:
        """Tell the GM of a page that another port of ours refused; see `Door`."""
        self._reception.door.page_refused(origin)

    @override
    def stopService(self) -> Deferred[None]:
        """Close every socket; fires when all are gone."""
        super().stopService()
        if self._pairing is not None:
            self._pairing.close_window()
        gone: Deferred[None] = Deferred()
        self._empty.append(gone)
        for visit in list(self._visits):
            visit.dismiss(Close.GOING_AWAY, "the relay stops")
        self._tell_empty()
        return gone

    def _receive(self, wire: AutobahnWire) -> Visit | None:
        if not self.running:
            return None
        connection = Connection(
            self._clock,
            wire,
            outgoing=self._settings.outgoing,
            ping_seconds=self._settings.ping_seconds,
            pong_seconds=self._settings.pong_seconds,
            close_seconds=self._settings.close_seconds,
        )
        visit = Visit(self._reception, connection, self._ended)
        self._visits.add(visit)
        return visit

    def _ended(self, visit: Visit) -> None:
        self._visits.discard(visit)
        self._tell_empty()

    def _tell_empty(self) -> None:
        if self._visits:
            return
        empty, self._empty = self._empty, []
        for each in empty:
            each.callback(None)
