"""Tool calls that write: how long they are held, who leaves, who comes again.

Source: DESIGN section 4, steps 1 and 5 and "Repeated calls".
"""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from attrs import define, field, frozen
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from aagm.errors import AagmError
from aagm.mcp.answers import Answers
from aagm.mcp.holding import rest_of
from aagm.mcp.registry import Call
from aagm.relay.ports import Clock
from aagm.relay.rollback.lane import CallRecheck, Recheck, Ticket, WriteLane
from aagm.wire.jsonrpc import Json

REPEATABLE = 600.0  # seconds that a write whose caller was cut off may be adopted
KEPT = 100  # such writes that are remembered

Queue = Callable[[Recheck], Ticket]
Allows = Callable[[Call | None, str | None], Json | None]


def allow(call: Call | None, tab: str | None) -> Json | None:  # noqa: ARG001
    """Let every write go on: where nothing can speak against it."""
    return None


@frozen
class _Orphan:
    """A write that was sent and whose answer reached nobody."""

    key: str
    ticket: Ticket
    until: float  # seconds on the clock


@define(eq=False)
class WriteCalls:
    """Run write tools: each call waits on a copy of its write.

    Args:
        running_seconds: How long a call is held, whatever it did first, before it is
            told that its write goes on.
        allows: Asked at once, and again when the turn has come; what it gives is the
            answer instead. The call is None when it was answered already.
        is_hidden: Whether the tab is in the background, which makes writes slow.
        survivor: Gives the write of an earlier relay that a call's key stands for.
        brief: Shapes a point as it is now; None for one that is not known.
    """

    _clock: Clock
    _answers: Answers
    _lane: WriteLane
    _running_seconds: float
    _allows: Allows = allow
    _is_hidden: Callable[[], bool] = lambda: False
    _survivor: Callable[[str], Ticket | None] = lambda _key: None
    _brief: Callable[[str], Json | None] = lambda _id: None
    _orphans: list[_Orphan] = field(factory=list, init=False)

    async def run(self, call: Call, queue: Queue) -> Json:
        """Do the write that *call* asks for, or join the one it repeats.

        Args:
            call: The tool call.
            queue: Puts the write into the lane, with what asks again when the turn
                has come.
        """
        tab = call.arguments.get("tabId")
        key = _key(call)
        if (known := self._adopt(key) or self._survivor(key)) is not None:
            self._follow(call, known)
            return await self._wait(call, known, is_repeat=True)
        if (instead := self._allows(call, tab)) is not None:
            return instead
        told: list[bool] = []  # filled once the caller was told that it goes on

        def recheck() -> Json | None:
            return self._allows(None if told else call, tab)

        ticket = queue(CallRecheck(key, recheck))
        call.on_left(ticket.leave)
        self._follow(call, ticket)
        return await self._wait(call, ticket, is_repeat=False, told=told)

    def _follow(self, call: Call, ticket: Ticket) -> None:
        """Remember the write when its answer does not arrive."""
        key = _key(call)

        def arrived(delivered: bool) -> None:
            if delivered or call.is_cancelled or not ticket.is_sent:
                return
            until = self._clock.seconds() + REPEATABLE
            self._orphans = [*self._orphans[1 - KEPT :], _Orphan(key, ticket, until)]

        call.on_delivered(arrived)

    def _adopt(self, key: str) -> Ticket | None:
        """Take, once, a write that a call of that key repeats."""
        now = self._clock.seconds()
        self._orphans = [each for each in self._orphans if each.until > now]
        for each in self._orphans:
            if each.key == key:
                self._orphans.remove(each)
                return each.ticket
        return None

    async def _wait(
        self,
        call: Call,
        ticket: Ticket,
        *,
        is_repeat: bool,
        told: list[bool] | None = None,
    ) -> Json:
        first: Deferred[Json] = Deferred()
        copy = ticket.copy()

        def came(result: Json | Failure) -> None:
            if not first.called:
                first.callback(result)

        copy.addBoth(came)
        rest = rest_of(self._running_seconds, call.caller, self._clock)
        timer = self._clock.callLater(rest, first.callback, _LATER)
        try:
            result = await first
        except AagmError as e:
            raise self._repeated(e) if is_repeat else e from e
        finally:
            if timer.active():
                timer.cancel()
        if result is _LATER:
            if told is not None:
                told.append(True)
            return self._goes_on(ticket)
        return self._replayed(result) if is_repeat else result

    def _replayed(self, told: Json) -> Json:
        """Mark what is told a second time; its point may have been undone meanwhile."""
        if not isinstance(told, dict):
            return told
        again: dict[str, Json] = {**told, "replayed": True}
        match told.get("rollbackPoint"):
            case {"id": str(id_)} if (now := self._brief(id_)) is not None:
                again["rollbackPoint"] = now
        return again

    def _repeated(self, error: AagmError) -> AagmError:
        data: Any = self._replayed(error.data)
        return type(error)(str(error), fix=error.fix, data=data)

    def _goes_on(self, ticket: Ticket) -> Json:
        cursor = self._answers.pending(ticket.copy())
        answer: dict[str, Json] = {"running": True, "cursor": cursor}
        if self._is_hidden():
            answer["reason"] = _BACKGROUND
        if ticket.is_waiting:
            return answer | {"queued": self._lane.ahead_of(ticket)}
        point = None if ticket.point_id is None else {"id": ticket.point_id}
        return answer | {"rollbackPoint": point}


_LATER = object()
_BACKGROUND = "the Foundry tab is in the background, where browsers slow it down"


def _key(call: Call) -> str:
    """Write what a call and its repetition have in common, and no other call."""
    told = json.dumps([call.tool, call.arguments], sort_keys=True)
    return sha256(told.encode()).hexdigest()[:32]
