"""The listener's slot: the lease, kept by calls and by polls in flight."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from math import inf

from attrs import define, evolve, field
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.errors import ListenerOccupied
from aagm.relay.chat.lease import LEASE, Held, LeaseState, Vacant, claim
from aagm.relay.ports import Clock


@define(eq=False)
class ListenerSlot:
    """Hold one lease, and say when its holder comes or goes.

    Args:
        changed: Called when the slot was taken or became free.
        refused: Called once for each competitor that a holder keeps out.
    """

    _log = Logger()

    _clock: Clock
    _changed: Callable[[], None]
    _refused: Callable[[], None]
    _state: LeaseState = field(factory=Vacant, init=False)
    _polls: int = field(default=0, init=False)  # the holder's, in flight
    _tenure: int = field(default=0, init=False)  # how many leases ended
    _turned_away: set[str] = field(factory=set, init=False)
    _timer: IDelayedCall | None = field(default=None, init=False)

    @property
    def holder(self) -> str | None:
        """Who listens."""
        return self._state.by if isinstance(self._state, Held) else None

    def claim(self, by: str) -> bool:
        """Take or renew the lease for *by*.

        Returns:
            Whether *by* is new in the slot.

        Raises:
            ListenerOccupied: Another listener holds it.
        """
        try:
            held = claim(self._state, by, now=self._clock.seconds())
        except ListenerOccupied:
            if by not in self._turned_away:
                self._turned_away.add(by)
                self._log.info("listener turned away: the slot is taken")
                self._refused()
            raise
        is_new = self.holder != by
        self._hold(held)
        if is_new:
            self._turned_away.clear()
            self._changed()
        return is_new

    def renew_for(self, tab: str) -> None:
        """Renew the lease if *tab* was handed to its holder."""
        if isinstance(self._state, Held) and tab in self._state.tabs:
            self._renew()

    def hand(self, tabs: Iterable[str]) -> None:
        """Take note that the holder was handed prompts of *tabs*."""
        if isinstance(self._state, Held):
            self._state = evolve(self._state, tabs=self._state.tabs.union(tabs))

    @contextmanager
    def polling(self) -> Iterator[None]:
        """Keep the lease as long as a poll of its holder is in flight."""
        tenure = self._tenure
        self._polls += 1
        self._renew()
        try:
            yield
        finally:
            if self._tenure == tenure:
                self._polls -= 1
                self._renew()

    def free(self) -> None:
        """End the lease."""
        self._rest()
        if isinstance(self._state, Held):
            self._state = Vacant()
            self._polls = 0
            self._tenure += 1
            self._changed()

    def stop(self) -> None:
        """Leave no timer behind."""
        self._rest()
        self._state = Vacant()

    def _renew(self) -> None:
        if isinstance(self._state, Held):
            self._hold(claim(self._state, self._state.by, now=self._clock.seconds()))

    def _hold(self, held: Held) -> None:
        if self._polls:
            self._state = evolve(held, until=inf)
            self._rest()
            return
        self._state = held
        if self._timer is None:
            self._timer = self._clock.callLater(LEASE, self._lapse)
        else:
            self._timer.reset(LEASE)

    def _rest(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _lapse(self) -> None:
        self._timer = None
        self._log.info("the listener was quiet for {quiet:g} s", quiet=LEASE)
        self.free()
