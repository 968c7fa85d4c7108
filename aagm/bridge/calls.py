"""Requests to one tab: each has its id, its limit and its caller.

One that hangs holds no other; when the tab goes, all fail at once.
Source: WIRE sections 1 and 3; PROTOCOL_FACTS sections 2.2, 2.5 and 3.3.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from uuid import uuid4

from attrs import define, field
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.errors import AagmError, BridgeLost, NotCapable, TimeLimit, TooLarge
from aagm.relay.ports import Clock, Late
from aagm.wire.jsonrpc import Json, Params, Request, encode

CAPABILITY_SET = "gm"
CAPABLE = frozenset(
    {
        "ping",
        "query.actor",
        "query.scene",
        "query.macro",
        "query.journal",
        "query.user",
        "logs.subscribe",
        "logs.unsubscribe",
        "eval",
        "damage",
        "loot.pending",
        "loot.restore",
        "mirror.list",
        "mirror.restore",
        "rollback.apply",
        "rollback.check",
        "search",
    }
)
KEPT_LATE = 64  # requests whose answer may still come


def require_capable(method: str) -> None:
    """Refuse a method outside the capability set.

    Raises:
        NotCapable: *method* is none of the set's.
    """
    if method not in CAPABLE:
        raise NotCapable(f"{method} is not in the capability set {CAPABILITY_SET}")


@define(eq=False)
class LateAnswers:
    """Who wants an answer that came after its limit; shared by all tabs.

    A page that reconnected answers on its new socket what was asked on the old one.
    """

    _wanted: OrderedDict[str, Late] = field(factory=OrderedDict, init=False)

    def __len__(self) -> int:
        """Count the requests whose answer may still come."""
        return len(self._wanted)

    def expect(self, id_: str, late: Late) -> None:
        """Keep *late* for the answer to *id_*; the oldest goes when there are many."""
        self._wanted[id_] = late
        if len(self._wanted) > KEPT_LATE:
            self._wanted.popitem(last=False)

    def take(self, id_: str) -> Late | None:
        """Give whoever wants the answer to *id_*, once."""
        return self._wanted.pop(id_, None)


@define(eq=False)
class _Waiting:
    method: str
    answer: Deferred[Json]
    timer: IDelayedCall
    late: Late | None


@define(eq=False)
class Calls:
    """Ask one tab, and settle what it answers.

    Args:
        clock: What limits run on.
        send: Sends a frame to the tab.
        largest: Bytes a frame may have.
        late_answers: Shared by all tabs.
        is_hidden: Whether the tab said that nobody sees it.
    """

    _log = Logger()

    _clock: Clock
    _send: Callable[[bytes], None]
    _largest: int
    _late_answers: LateAnswers
    _is_hidden: Callable[[], bool]
    _waiting: dict[str, _Waiting] = field(factory=dict, init=False)
    _lost: str | None = field(default=None, init=False)
    _idle: list[Deferred[None]] = field(factory=list, init=False)

    def __len__(self) -> int:
        """Count the requests that wait."""
        return len(self._waiting)

    async def call(
        self, method: str, params: Params, *, limit: float, late: Late | None
    ) -> Json:
        """Ask the tab; see `aagm.relay.ports.Bridge`."""
        if self._lost is not None:
            raise _lost(method, self._lost)
        id_ = f"req-{uuid4()}"
        frame = encode(Request(id_, method, params))
        if len(frame) > self._largest:
            raise TooLarge(
                f"{method} is {len(frame)} bytes long, and {self._largest} may be sent"
            )
        answer: Deferred[Json] = Deferred()
        timer = self._clock.callLater(limit, self._expire, id_, method, limit)
        self._waiting[id_] = _Waiting(method, answer, timer, late)
        self._send(frame)
        try:
            return await answer
        except CancelledError:  # the caller left; what was sent cannot be unsent
            self._take(id_)
            if late is not None:
                self._late_answers.expect(id_, late)
            self._tell_idle()
            raise

    def settle(self, id_: str | int | None, value: Json | AagmError) -> None:
        """Hand an answer to its caller, or to whoever still wants it."""
        waiting = self._take(str(id_))
        if waiting is not None:
            _give(waiting.answer, value)
            self._tell_idle()
        elif (late := self._late_answers.take(str(id_))) is not None:
            self._log.info("a late answer came to {id}", id=id_)
            late(value)
        else:
            self._log.info(
                "an answer came to {id}, which nobody asked", id=str(id_)[:80]
            )

    def lose(self, reason: str) -> None:
        """Fail everything that waits, and whatever is asked from now on."""
        self._lost = reason
        waiting, self._waiting = self._waiting, {}
        for id_, each in waiting.items():
            each.timer.cancel()
            if each.late is not None:
                self._late_answers.expect(id_, each.late)
            each.answer.errback(_lost(each.method, reason))
        self._tell_idle()

    def when_idle(self) -> Deferred[None]:
        """Fire when nothing waits any more."""
        idle: Deferred[None] = Deferred()
        if self._waiting:
            self._idle.append(idle)
        else:
            idle.callback(None)
        return idle

    def _expire(self, id_: str, method: str, limit: float) -> None:
        waiting = self._waiting.pop(id_)
        if waiting.late is not None:
            self._late_answers.expect(id_, waiting.late)
        waiting.answer.errback(_too_slow(method, limit, is_hidden=self._is_hidden()))
        self._tell_idle()

    def _take(self, id_: str) -> _Waiting | None:
        waiting = self._waiting.pop(id_, None)
        if waiting is not None and waiting.timer.active():
            waiting.timer.cancel()
        return waiting

    def _tell_idle(self) -> None:
        """Fire `when_idle`; after the caller has gone on with its answer."""
        if self._waiting:
            return
        idle, self._idle = self._idle, []
        for each in idle:
            each.callback(None)


def _give(answer: Deferred[Json], value: Json | AagmError) -> None:
    if isinstance(value, AagmError):
        answer.errback(value)
    else:
        answer.callback(value)


def _lost(what: str, reason: str) -> BridgeLost:
    return BridgeLost(f"{what} was not answered: {reason}")


def _too_slow(method: str, limit: float, *, is_hidden: bool) -> TimeLimit:
    message = f"{method} was not answered within {limit:g} s"
    if is_hidden:
        message += "; the Foundry tab is hidden, and browsers slow down hidden tabs"
    return TimeLimit(
        message, data={"method": method, "seconds": limit, "hidden": is_hidden}
    )
