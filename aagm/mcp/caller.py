"""Who waits for an answer: whether it is still there, and what it is told meanwhile."""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field
from twisted.logger import Logger

from aagm.wire.jsonrpc import Json, Params

LEVELS = (
    "debug",
    "info",
    "notice",
    "warning",
    "error",
    "critical",
    "alert",
    "emergency",
)

Tell = Callable[[str, Params], None]  # sends a notification before the answer


def _say_nothing(method: str, params: Params) -> None:
    """Drop a notification: there is nobody to tell."""


@define(eq=False)
class Caller:
    """One waiting client, as a tool sees it.

    The transport drives it: at most one of `cut` and `cancel`, then `settle` once.
    """

    _log = Logger()

    session: str  # of the call; made up for a client without one
    _tell: Tell = _say_nothing
    _progress_token: str | int | None = None
    _level: str | None = None  # the least that it wants to hear; None: nothing
    since: float | None = None  # seconds, on the clock; None: it came just now
    is_cancelled: bool = field(default=False, init=False)
    # The connection ended before the answer was handed to the transport.
    is_cut: bool = field(default=False, init=False)
    _delivered: bool | None = field(default=None, init=False)
    _progress: float | None = field(default=None, init=False)
    _on_left: list[Callable[[], None]] = field(factory=list, init=False)
    _on_delivered: list[Callable[[bool], None]] = field(factory=list, init=False)

    @property
    def has_left(self) -> bool:
        """Whether no answer can reach the client any more."""
        return self.is_cut or self.is_cancelled

    @property
    def wants_receipt(self) -> bool:
        """Whether anybody asked to know if the answer arrived."""
        return bool(self._on_delivered)

    def on_left(self, f: Callable[[], None]) -> None:
        """Call *f* once when the client leaves before its answer; now if it has."""
        if self.has_left:
            f()
        else:
            self._on_left.append(f)

    def on_delivered(self, f: Callable[[bool], None]) -> None:
        """Call *f* once with whether the answer arrived; now if that is known."""
        if self._delivered is None:
            self._on_delivered.append(f)
        else:
            f(self._delivered)

    def progress(self, done: float, total: float | None, message: str) -> None:
        """Tell how far the work is; nothing when it did not ask or *done* shrank."""
        if self._progress_token is None or not self._advances(done):
            return
        params: Params = {"progressToken": self._progress_token, "progress": done}
        if total is not None:
            params["total"] = total
        if message:
            params["message"] = message
        self._tell("notifications/progress", params)

    def message(self, level: str, data: Json, logger: str) -> None:
        """Send a log message, when it is one that the client wants to hear."""
        if self._level is None or LEVELS.index(level) < LEVELS.index(self._level):
            return
        params = {"level": level, "logger": logger, "data": data}
        self._tell("notifications/message", params)

    def cut(self) -> None:
        """Take note that the connection ended before the answer was handed over."""
        self.is_cut = True
        self._leave()

    def cancel(self) -> None:
        """Take note that the client does not want the answer any more."""
        self.is_cancelled = True
        self._leave()

    def settle(self, *, delivered: bool) -> None:
        """Take note of the answer's fate; only the first time counts."""
        if self._delivered is not None:
            return
        self._delivered = delivered
        self._tell = _say_nothing
        self._on_left.clear()
        each, self._on_delivered = self._on_delivered, []
        for f in each:
            self._guarded(f, delivered)

    def _leave(self) -> None:
        each, self._on_left = self._on_left, []
        for f in each:
            self._guarded(f)
        self.settle(delivered=False)

    def _guarded(self, f: Callable[..., None], *args: object) -> None:
        try:
            f(*args)
        except Exception:  # noqa: BLE001 - the next one must be told too
            self._log.failure("telling how a call ended")

    def _advances(self, done: float) -> bool:
        if self._progress is not None and done <= self._progress:
            return False
        self._progress = done
        return True
