"""Long polls that wait: one Deferred each, no timer that looks around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from attrs import define, field
from twisted.internet.defer import Deferred

from aagm.relay.ports import Clock


class Caller(Protocol):
    """Who waits for an answer; `aagm.mcp.registry.Call` is one."""

    def left(self) -> bool:
        """Say whether the caller is gone or has cancelled."""

    def on_left(self, f: Callable[[], None]) -> None:
        """Call *f* when it leaves before its answer; at once if it has."""

    def on_delivered(self, f: Callable[[bool], None]) -> None:
        """Call *f* with whether the answer reached a live connection."""


@define(eq=False)
class Polls:
    """Let calls wait until there is something to say."""

    _clock: Clock
    _waiting: list[Deferred[None]] = field(factory=list, init=False)
    is_over: bool = field(default=False, init=False)  # the relay ends

    def __len__(self) -> int:
        """Count those that wait."""
        return len(self._waiting)

    async def wait(self, seconds: float, caller: Caller) -> None:
        """Wait until woken, until *seconds* are over or until the caller leaves."""
        waiter: Deferred[None] = Deferred()
        self._waiting.append(waiter)

        def release() -> None:
            if not waiter.called:
                waiter.callback(None)

        timer = self._clock.callLater(seconds, release)
        caller.on_left(release)
        try:
            await waiter
        finally:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            if timer.active():
                timer.cancel()

    def wake(self) -> None:
        """Wake one: the newest, since a client that repeats a poll left the older."""
        if self._waiting:
            self._waiting.pop().callback(None)

    def end(self) -> None:
        """Wake all that wait; nobody waits any more."""
        self.is_over = True
        self.wake_all()

    def wake_all(self) -> None:
        """Wake all that wait now."""
        for waiter in reversed(self._waiting[:]):
            if not waiter.called:
                waiter.callback(None)
