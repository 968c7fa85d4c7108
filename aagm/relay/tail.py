"""Listen to the tab's console: several listeners, one subscription.

The tab is subscribed while anybody listens, again when it comes back, and never longer.

Source: PROTOCOL_FACTS sections 1.4, 2.2 and 16.1 (13); WIRE section 8.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.errors import AagmError
from aagm.relay.console import Filter, Line, from_wire
from aagm.relay.inbound import Inbound
from aagm.relay.ports import Bridge, Clock, TabLink
from aagm.relay.start import start
from aagm.wire.jsonrpc import Params

__all__ = ["ConsoleTail", "Tail"]

MOST = 2000  # lines that one listener keeps
MOST_TAILS = 16

Heard = Callable[[Line], None]


@define(eq=False)
class Tail:
    """One listener: it keeps the lines that it wants until its time is over."""

    seconds: float
    _filter: Filter
    _heard: Heard
    _over: Callable[[Tail], None]
    _lines: list[Line] = field(factory=list, init=False)
    _left_out: int = field(default=0, init=False)
    _failed: AagmError | None = field(default=None, init=False)
    is_over: bool = field(default=False, init=False)
    _timer: IDelayedCall | None = field(default=None, init=False)
    _waiters: list[Deferred[None]] = field(factory=list, init=False)

    @property
    def levels(self) -> frozenset[str] | None:
        """The levels wanted; None for all."""
        return self._filter.levels

    def take(self) -> Params:
        """Give the lines kept since this was asked last.

        Raises:
            AagmError: Why this listener ended early.
        """
        if self._failed is not None:
            raise self._failed
        lines, self._lines = self._lines, []
        left_out, self._left_out = self._left_out, 0
        answer: Params = {
            "durationSeconds": self.seconds,
            "count": len(lines),
            "entries": [line.to_json() for line in lines],
        }
        return answer | ({"leftOut": left_out} if left_out else {})

    def when_over(self) -> Deferred[None]:
        """Wait for the end; cancelling only stops waiting."""
        waiter: Deferred[None] = Deferred(self._waiters.remove)
        if self.is_over:
            waiter.callback(None)
        else:
            self._waiters.append(waiter)
        return waiter

    def end(self) -> None:
        """Listen no more."""
        if self.is_over:
            return
        self.is_over = True
        if self._timer is not None and self._timer.active():
            self._timer.cancel()
        self._over(self)
        while self._waiters:
            self._waiters.pop(0).callback(None)

    def last(self, clock: Clock) -> None:
        """Begin the time that this listener has."""
        self._timer = clock.callLater(self.seconds, self.end)

    def hear(self, line: Line) -> None:
        """Keep *line* if it is wanted."""
        try:
            if self.is_over or not self._filter.wants(line):
                return
        except AagmError as e:
            self._failed = e
            self.end()
            return
        if len(self._lines) < MOST:
            self._lines.append(line)
        else:
            self._left_out += 1
        self._heard(line)


@frozen
class _Subscription:
    """What a tab was last asked for."""

    link: TabLink
    levels: frozenset[str] | None  # None: all

    def covers(self, other: _Subscription) -> bool:
        """Say whether what *other* asks for is told already."""
        if self.link is not other.link:
            return False
        if self.levels is None:
            return True
        return other.levels is not None and other.levels <= self.levels


@define(eq=False)
class ConsoleTail:
    """Keep the tab subscribed while anybody listens.

    Args:
        read_seconds: How long the tab may take to answer.
    """

    _log = Logger()

    _clock: Clock
    _bridge: Bridge
    _read_seconds: float
    _tails: list[Tail] = field(factory=list, init=False)
    _now: _Subscription | None = field(default=None, init=False)
    _is_leaving: bool = field(default=False, init=False)

    def listen_to(self, inbound: Inbound) -> None:
        """Take what the tabs tell."""
        inbound.notifications["logs.entry"] = self._entry
        inbound.on_accepted.append(self._accepted)
        inbound.on_gone.append(self._gone)

    async def open(self, seconds: float, wants: Filter, heard: Heard) -> Tail:
        """Begin to listen for so many *seconds*; *heard* is told each line wanted.

        Raises:
            AagmError: The tab cannot be subscribed.
        """
        tail = Tail(seconds, wants, heard, self._tails_over)
        self._tails.append(tail)
        try:
            await self._subscribe()
        except BaseException:
            tail.end()
            raise
        tail.last(self._clock)
        return tail

    @property
    def is_full(self) -> bool:
        """Whether as many listen as may."""
        return len(self._tails) >= MOST_TAILS

    def stop(self) -> None:
        """End every listener and leave no timer behind."""
        for tail in self._tails[:]:
            tail.end()

    def _wanted(self) -> _Subscription | None:
        owner = self._bridge.owner
        if owner is None or not self._tails:
            return None
        each = [tail.levels for tail in self._tails]
        some = [levels for levels in each if levels is not None]
        whole = None if len(some) < len(each) else frozenset().union(*some)
        return _Subscription(owner, whole)

    async def _subscribe(self) -> None:
        """Ask the tab for all that is wanted.

        Raises:
            AagmError: The tab refuses, or there is none.
        """
        wanted, before = self._wanted(), self._now
        if wanted is not None and before is not None and before.covers(wanted):
            return
        levels = None if wanted is None else wanted.levels
        params = {} if levels is None else {"levels": sorted(levels)}
        self._now = wanted  # it is, as soon as it is sent
        try:
            await self._bridge.call("logs.subscribe", params, limit=self._read_seconds)
        except AagmError:
            self._now = before
            raise

    def _tails_over(self, tail: Tail) -> None:
        self._tails.remove(tail)
        if not self._tails:
            self._unsubscribe()

    def _unsubscribe(self) -> None:
        now, self._now = self._now, None
        if now is None or now.link is not self._bridge.owner or self._is_leaving:
            return
        start(self._leave(), self._log, "ending the console's subscription")

    async def _leave(self) -> None:
        self._is_leaving = True
        try:
            await self._bridge.call("logs.unsubscribe", {}, limit=self._read_seconds)
        except AagmError as e:
            self._log.warn("the tab did not end its subscription: {why}", why=str(e))
        finally:
            self._is_leaving = False

    async def _return(self) -> None:
        try:
            await self._subscribe()
        except AagmError as e:
            self._log.warn("the tab is not listened to again: {why}", why=str(e))

    def _accepted(self, _link: TabLink) -> Params:
        """Subscribe a tab that came, once its hello is answered."""
        if self._tails:
            self._clock.callLater(0, self._again)
        return {}

    def _again(self) -> None:
        if self._wanted() is not None:
            start(self._return(), self._log, "listening again")

    def _gone(self, link: TabLink, _reason: str) -> None:
        if self._now is not None and self._now.link is link:
            self._now = None  # the module drops it by itself
            self._clock.callLater(0, self._again)

    def _entry(self, link: TabLink, params: Params) -> None:
        if not link.is_owner:
            return
        if not self._tails:  # a subscription that was answered too late
            self._now = _Subscription(link, None)
            self._unsubscribe()
        elif (line := from_wire(params)) is not None:
            for tail in self._tails[:]:
                tail.hear(line)
