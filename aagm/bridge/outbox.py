"""Frames on their way out: what a slow reader does not take waits here, to a limit.

autobahn's ``sendMessage`` writes without looking back: a tab that does not read
would cost as much memory as is sent to it. The transport asks us to pause instead.
Source: MCP_FACTS section 11.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from attrs import define, field
from twisted.internet.interfaces import IPushProducer
from zope.interface import implementer


def _nothing() -> None:
    """Do nothing at the end."""


@implementer(IPushProducer)
@define(eq=False)
class Outbox:
    """Write frames as fast as the other side reads them.

    Args:
        write: Gives one frame to the transport.
        limit: Bytes that may wait.
        overflowed: Called once when more would wait; nothing is written after it.
    """

    _write: Callable[[bytes], None]
    _limit: int  # bytes
    _overflowed: Callable[[], None]
    waiting: int = field(default=0, init=False)  # bytes
    _frames: deque[bytes] = field(factory=deque, init=False)
    _is_paused: bool = field(default=False, init=False)
    _is_over: bool = field(default=False, init=False)
    _emptied: Callable[[], None] = field(default=_nothing, init=False)

    def send(self, frame: bytes) -> None:
        """Write *frame*, or keep it until the other side reads on."""
        if self._is_over:
            return
        if not self._is_paused:
            self._write(frame)
            return
        self._frames.append(frame)
        self.waiting += len(frame)
        if self.waiting > self._limit:
            self.stop()
            self._overflowed()

    def finish(self, emptied: Callable[[], None]) -> None:
        """Take no more frames; call *emptied* when the last was written."""
        if self._is_over:
            return
        self._is_over = True
        self._emptied = emptied
        if not self._frames:
            emptied()

    def stop(self) -> None:
        """Forget what waits and take no more."""
        self._is_over = True
        self._frames.clear()
        self.waiting = 0

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted calls it
        """Keep frames from now on."""
        self._is_paused = True

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted calls it
        """Write what waited, until paused again."""
        self._is_paused = False
        had_frames = bool(self._frames)
        while self._frames and not self._is_paused:
            frame = self._frames.popleft()
            self.waiting -= len(frame)
            self._write(frame)
        if had_frames and self._is_over and not self._frames:
            self._emptied()

    def stopProducing(self) -> None:  # noqa: N802 - Twisted calls it
        """Forget everything: the connection is gone."""
        self.stop()
