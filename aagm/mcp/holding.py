"""Hold a call as long as a client waits; what takes longer is had with a cursor.

Source: WIRE section 8; DESIGN section 4, "Answers".
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import frozen
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.relay.ports import Clock
from aagm.wire.jsonrpc import Json

__all__ = ["CallHold", "Hold", "rest_of"]

Hold = Callable[[Deferred[Json]], Awaitable[Json]]


def rest_of(seconds: float, caller: Caller, clock: Clock) -> float:
    """Say what is left of *seconds*, counted from when *caller* came; never below 0."""
    if caller.since is None:
        return seconds
    return max(0.0, caller.since + seconds - clock.seconds())


@frozen
class CallHold:
    """Wait for work that is no write, and no longer than a call may be held."""

    _clock: Clock
    _answers: Answers
    _seconds: float

    async def __call__(self, work: Deferred[Json]) -> Json:
        """Give what *work* gives, or ``{running:true, cursor}`` when it takes long.

        *work* goes on by itself when the caller leaves.
        """
        first: Deferred[Json] = Deferred()
        later: Deferred[Json] = Deferred()

        def came(result: Json | Failure) -> None:
            (later if first.called else first).callback(result)

        work.addBoth(came)
        timer = self._clock.callLater(self._seconds, first.callback, _LATER)
        try:
            result = await first
        finally:
            if timer.active():
                timer.cancel()
        if result is _LATER:
            cursor = self._answers.pending(later)
            return {"running": True, "cursor": cursor}
        return result


_LATER = object()
