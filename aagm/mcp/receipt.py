"""Did an answer arrive? TCP says only when it did not.

Source: WIRE section 6, "counts as delivered".
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field
from twisted.internet.error import ConnectionDone
from twisted.internet.interfaces import IDelayedCall
from twisted.python.failure import Failure

from aagm.mcp.channel import Channel
from aagm.relay.ports import Clock

WAIT = 5.0  # seconds without a reset after which an answer counts as delivered

# Turns of the reactor until our bytes were given to the system: one for the turn
# in which they were written, one for the next, which looks at the socket.
_TURNS = 2


@define(eq=False)
class Receipt:
    """Watch a connection for a while after an answer was written to it.

    A reset means that the answer was lost. A client that hangs up in order had read
    it, unless it hung up before our bytes were given to the system. Where we hang up
    ourselves, twisted.web does so after they were given.
    """

    _clock: Clock
    _channel: Channel
    _settle: Callable[[bool], None]  # called once, with whether the answer arrived
    _is_given: bool = field(init=False)
    _timer: IDelayedCall | None = field(default=None, init=False)

    @_is_given.default
    def _hangs_up(self) -> bool:
        return not self._channel.persistent

    def wait(self) -> None:
        """Begin."""
        self._channel.watch(self._lost)
        self._turn(_TURNS)

    def stop(self) -> None:
        """End without knowing; the answer then counts as lost."""
        self._end(arrived=False)

    def _turn(self, left: int) -> None:
        if left:
            self._timer = self._clock.callLater(0, self._turn, left - 1)
        else:
            self._is_given = True
            self._timer = self._clock.callLater(WAIT, self._kept)

    def _kept(self) -> None:
        self._timer = None
        self._end(arrived=True)

    def _lost(self, reason: Failure) -> None:
        in_order = reason.check(ConnectionDone) is not None
        self._end(arrived=in_order and self._is_given)

    def _end(self, *, arrived: bool) -> None:
        self._channel.unwatch(self._lost)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._settle(arrived)
