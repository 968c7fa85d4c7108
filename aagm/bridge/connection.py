"""One WebSocket as the bridge uses it: sending within bounds, pings, an end.

autobahn's own timers run on the global reactor and in steps of a second, so they are
switched off, and ours run on the clock that was passed in.
"""

from __future__ import annotations

from typing import Protocol

from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.bridge.outbox import Outbox
from aagm.relay.ports import Clock


class Wire(Protocol):
    """What a `Connection` asks of autobahn's protocol."""

    def trust(self) -> None:
        """Take frames up to the full size, and log what goes wrong."""

    def write_frame(self, frame: bytes) -> None:
        """Send one text message; dropped when the WebSocket is not open."""

    def write_ping(self) -> None:
        """Send a ping; dropped when the WebSocket is not open."""

    def write_close(self, code: int, reason: str) -> None:
        """Begin to close."""

    def cut(self) -> None:
        """Drop the TCP connection now."""


@define(eq=False)
class Connection:
    """Send, ping and close one WebSocket.

    Args:
        clock: What pings and limits run on.
        wire: autobahn's side.
        outgoing: Bytes that may wait for a slow reader.
        ping_seconds: From one ping to the next.
        pong_seconds: How long silence may last after a ping.
        close_seconds: How long the other side may take to close.
    """

    _log = Logger()

    _clock: Clock
    _wire: Wire
    _outgoing: int
    _ping_seconds: float
    _pong_seconds: float
    _close_seconds: float
    outbox: Outbox = field(init=False)
    _is_heard: bool = field(default=False, init=False)
    _is_lost: bool = field(default=False, init=False)
    _ping_timer: IDelayedCall | None = field(default=None, init=False)
    _end_timer: IDelayedCall | None = field(default=None, init=False)
    _probes: list[Deferred[bool]] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        """Join the outbox to the wire."""
        self.outbox = Outbox(self._wire.write_frame, self._outgoing, self._overflowed)

    def trust(self) -> None:
        """Take note that the hello was accepted: the peer is no stranger."""
        self._wire.trust()

    def send(self, frame: bytes) -> None:
        """Send one frame."""
        self.outbox.send(frame)

    def watch(self) -> None:
        """Ping from now on, and cut the connection when nothing is heard."""
        self._ping_timer = self._clock.callLater(self._ping_seconds, self._ping)

    def heard(self) -> None:
        """Take note that something came from the other side."""
        self._is_heard = True
        probes, self._probes = self._probes, []
        for probe in probes:
            probe.callback(True)

    async def is_alive(self, within: float) -> bool:
        """Ping once, and say whether anything is heard *within* so many seconds."""
        if self._is_lost:
            return False
        probe: Deferred[bool] = Deferred()
        self._probes.append(probe)
        timer = self._clock.callLater(within, self._give_up, probe)
        self._wire.write_ping()
        try:
            return await probe
        finally:
            if timer.active():
                timer.cancel()

    def close(self, code: int, reason: str) -> None:
        """Close once everything sent before is out; cut it when that takes long."""
        self.closing()
        self.outbox.finish(lambda: self._wire.write_close(code, reason))

    def closing(self) -> None:
        """See that the connection ends soon, whoever began to close it."""
        if self._end_timer is None and not self._is_lost:
            self._end_timer = self._clock.callLater(self._close_seconds, self.cut)

    def cut(self) -> None:
        """Drop the connection now."""
        self.outbox.stop()
        self._wire.cut()

    def lost(self) -> None:
        """Stop every timer: the connection is gone."""
        self._is_lost = True
        self.outbox.stop()
        for timer in (self._ping_timer, self._end_timer):
            if timer is not None and timer.active():
                timer.cancel()
        for probe in list(self._probes):
            self._give_up(probe)

    def _ping(self) -> None:
        self._is_heard = False
        self._wire.write_ping()
        self._ping_timer = self._clock.callLater(self._pong_seconds, self._judge)

    def _judge(self) -> None:
        if self._is_heard:
            rest = max(0.0, self._ping_seconds - self._pong_seconds)
            self._ping_timer = self._clock.callLater(rest, self._ping)
            return
        self._log.warn("no pong within {within} s; dropped", within=self._pong_seconds)
        self.cut()

    def _give_up(self, probe: Deferred[bool]) -> None:
        if probe in self._probes:
            self._probes.remove(probe)
            probe.callback(False)

    def _overflowed(self) -> None:
        self._log.warn("a tab does not read what is sent; dropped")
        self.cut()
