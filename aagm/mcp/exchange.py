"""One POST that waits for its answer: JSON, or a stream once something was said.

Source: MCP_FACTS section 5 and section 12, pitfalls 3, 4, 6 and 7.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field
from twisted.internet.interfaces import IDelayedCall, IPushProducer
from twisted.python.failure import Failure
from twisted.web.server import Request
from zope.interface import implementer

from aagm.errors import TimeLimit
from aagm.limits import ANSWERED
from aagm.mcp.caller import Caller
from aagm.mcp.channel import Channel
from aagm.mcp.receipt import Receipt
from aagm.mcp.replies import write_json
from aagm.mcp.revisions import CANCELLED
from aagm.relay.ports import Clock
from aagm.wire.codes import to_error
from aagm.wire.jsonrpc import Json, Params, dumps

QUIET = 15.0  # seconds after which a silent call shows that it lives

_STREAM_HEADERS = {
    b"content-type": b"text/event-stream",
    b"cache-control": b"no-cache, no-transform",
    b"x-accel-buffering": b"no",
}


@implementer(IPushProducer)
@define(eq=False)
class Exchange:
    """One request whose answer is awaited, and the connection it came by."""

    _clock: Clock
    _request: Request
    _id: str | int
    _session: str
    _done: Callable[[Exchange], None]  # called when nothing is left to wait for
    _progress_token: str | int | None = None
    _level: str | None = None
    caller: Caller = field(init=False)
    is_over: bool = field(default=False, init=False)
    _until: float = field(init=False)  # seconds, on the clock
    _streams: bool = field(default=False, init=False)
    _is_slow: bool = field(default=False, init=False)  # the client does not read
    _timer: IDelayedCall | None = field(default=None, init=False)
    _receipt: Receipt | None = field(default=None, init=False)

    @caller.default
    def _waiting(self) -> Caller:
        return Caller(
            self._session,
            self.tell,
            self._progress_token,
            self._level,
            since=self._clock.seconds(),
        )

    @_until.default
    def _longest(self) -> float:
        return self._clock.seconds() + ANSWERED

    def wait(self) -> None:
        """Watch the connection while the answer is worked on."""
        self._request.notifyFinish().addErrback(self._lost)
        self._timer = self._clock.callLater(QUIET, self._stay_alive)

    def tell(self, method: str, params: Params) -> None:
        """Send a notification ahead of the answer.

        A client that does not keep up with reading misses it: nothing is queued.
        """
        if self.is_over:
            return
        self._stream()
        if not self._is_slow:
            self._request.write(_event({"method": method, "params": params}))

    def succeed(self, result: Json, **headers: str) -> None:
        """Send the result; nothing when the client is gone or was answered."""
        if not self.is_over:
            for name, value in headers.items():
                self._request.setHeader(name.replace("_", "-"), value)
            self._answer({"id": self._id, "result": result}, 200)

    def fail(self, error: dict[str, Any], status: int = 200) -> None:
        """Send an error; nothing when the client is gone or was answered."""
        if not self.is_over:
            self._answer({"id": self._id, "error": error}, status)

    def cancel(self) -> None:
        """End the call at its client's wish; its POST is answered, so that it ends."""
        if not self.is_over:
            error = {"code": CANCELLED, "message": "Request cancelled"}
            self._give_up(self.caller.cancel, error)

    def stop(self) -> None:
        """End because the relay stops: the answer counts as lost."""
        if self._receipt is not None:
            self._receipt.stop()
        elif not self.is_over:
            self._end()
            self.caller.cut()
            self._done(self)

    def pauseProducing(self) -> None:  # noqa: N802
        """Take note that the client does not read."""
        self._is_slow = True

    def resumeProducing(self) -> None:  # noqa: N802
        """Take note that the client reads again."""
        self._is_slow = False

    def stopProducing(self) -> None:  # noqa: N802
        """Take note that the connection is being closed."""

    def _give_up(self, leave: Callable[[], None], error: dict[str, Any]) -> None:
        """Let the work be told that nobody waits; what it gives then is no answer."""
        self._end()
        leave()
        self._answer({"id": self._id, "error": error}, 200)

    def _answer(self, message: dict[str, Json], status: int) -> None:
        self._end()
        channel = self._request.channel
        if self._streams:
            self._request.unregisterProducer()
            self._request.write(_event(message))
            self._request.finish()
        else:
            write_json(self._request, status, dumps({"jsonrpc": "2.0", **message}))
        if self.caller.wants_receipt and isinstance(channel, Channel):
            self._receipt = Receipt(self._clock, channel, self._settle)
            self._receipt.wait()
        else:
            self._settle(arrived=True)

    def _settle(self, arrived: bool) -> None:
        self._receipt = None
        self.caller.settle(delivered=arrived)
        self._done(self)

    def _stream(self) -> None:
        """Commit to a stream of events, if the answer is not one yet."""
        if self._streams:
            return
        self._streams = True
        for name, value in _STREAM_HEADERS.items():
            self._request.setHeader(name, value)
        self._request.registerProducer(self, True)
        self._request.write(b"")

    def _stay_alive(self) -> None:
        """Write a comment, so that nobody between takes the silence for an end."""
        self._timer = None
        rest = self._until - self._clock.seconds()
        if rest <= 0:
            error = to_error(TimeLimit(f"the call had no answer for {ANSWERED:g} s"))
            self._give_up(self.caller.cut, error)
            return
        self._timer = self._clock.callLater(min(QUIET, rest), self._stay_alive)
        self._stream()
        if not self._is_slow:
            self._request.write(b": waiting\r\n\r\n")

    def _lost(self, _reason: Failure) -> None:
        if not self.is_over:
            self._end()
            self.caller.cut()
            self._done(self)

    def _end(self) -> None:
        self.is_over = True
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _event(message: dict[str, Json]) -> bytes:
    """Write *message* as one server-sent event."""
    data = dumps({"jsonrpc": "2.0", **message})
    return b"event: message\r\ndata: " + data + b"\r\n\r\n"
