"""The one lane of all writes: one write at a time, in the order of arrival.

The lane owns each write; whoever asked for it waits on a copy and may leave. A GM's
rollback goes to the head, and refuses what agents had queued before it.
Source: DESIGN section 4; STYLE section 5.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from typing import Any, Literal

from attrs import define, field, frozen
from twisted.internet.defer import CancelledError, Deferred, DeferredLock
from twisted.logger import Logger
from twisted.python.failure import Failure

from aagm.errors import AagmError, CallerLeft, Internal, LaneBusy
from aagm.wire.codes import INTERNAL_MESSAGE
from aagm.wire.jsonrpc import Json

By = Literal["agent", "gm", "relay"]

LONGEST_QUEUE = 32


Work = Callable[["Ticket"], Coroutine[Deferred[Any], Any, Json]]
Recheck = Callable[[], Json | None]
Turn = Literal["start", "end"]


@frozen
class CallRecheck:
    """A `Recheck` that says, too, which call the write is of."""

    key: str  # equal for a call and its repetition
    _ask: Recheck

    def __call__(self) -> Json | None:
        """Ask what speaks against going on."""
        return self._ask()


@define(eq=False)
class Ticket:
    """One write's place in the lane: it waits, has its turn, is answered.

    Steps inside a write share its ticket; none of them takes the lane again.
    """

    by: By
    label: str
    key: str | None = None  # of the call that it is of
    point_id: str | None = field(default=None, init=False)  # once it is open
    is_waiting: bool = field(default=True, init=False)
    waited: float = field(default=0.0, init=False)  # seconds, until its turn came
    is_sent: bool = field(default=False, init=False)  # the world may have changed
    has_left: bool = field(default=False, init=False)
    _refused: AagmError | None = field(default=None, init=False)
    _outcome: Json | Failure = field(default=None, init=False)
    is_answered: bool = field(default=False, init=False)
    _copies: list[Deferred[Json]] = field(factory=list, init=False)
    _owned: Deferred[None] | None = field(default=None, init=False)

    def copy(self) -> Deferred[Json]:
        """Give one more waiter a Deferred of its own; cancelling it only detaches."""

        def detach(cancelled: Deferred[Json]) -> None:
            self._copies.remove(cancelled)

        copy: Deferred[Json] = Deferred(detach)
        if self.is_answered:
            _fire(copy, self._outcome)
        else:
            self._copies.append(copy)
        return copy

    def leave(self) -> None:
        """Take note that the caller is gone: what was not sent is not done."""
        self.has_left = True
        if not self.is_sent:
            self.refuse(CallerLeft("the caller left before the write was begun"))

    def refuse(self, error: AagmError) -> None:
        """Turn a waiting write away; one that has its turn is let go on."""
        if self.is_waiting and self._refused is None:
            self._refused = error
            if self._owned is not None:
                self._owned.cancel()

    def refuse_now(self, error: AagmError) -> None:
        """Give everybody who waits the error, while the turn goes on."""
        self.answer(Failure(error))

    def check(self) -> None:
        """Raise what speaks against going on, last asked before anything is sent."""
        if self._refused is not None:
            raise self._refused
        if self.has_left and not self.is_sent:
            raise CallerLeft("the caller left before the write was begun")

    def answer(self, outcome: Json | Failure) -> None:
        """Answer everybody who waits, once; the turn may last longer."""
        if self.is_answered:
            return
        self.is_answered, self._outcome = True, outcome
        copies, self._copies = self._copies, []
        for copy in copies:
            _fire(copy, outcome)


def _fire(copy: Deferred[Json], outcome: Json | Failure) -> None:
    if isinstance(outcome, Failure):
        copy.errback(outcome)
    else:
        copy.callback(outcome)


@define(eq=False)
class WriteLane:
    """Let one write at a time have its turn."""

    _log = Logger()

    # Told when a write's turn begins and ends.
    on_turn: list[Callable[[Turn, Ticket], None]] = field(factory=list, init=False)
    _lock: DeferredLock = field(factory=DeferredLock, init=False)
    _waiting: list[Ticket] = field(factory=list, init=False)
    _holder: Ticket | None = field(default=None, init=False)

    @property
    def holder(self) -> Ticket | None:
        """The write that has its turn."""
        return self._holder

    def ahead_of(self, ticket: Ticket) -> int:
        """Count the writes that come before a waiting one."""
        if ticket not in self._waiting:
            return 0
        return self._waiting.index(ticket) + (self._holder is not None)

    def enter(
        self,
        work: Work,
        *,
        by: By,
        label: str,
        recheck: Recheck = lambda: None,
    ) -> Ticket:
        """Queue *work*; it is started when its turn comes.

        Args:
            work: Does the write; the lane is held until it ends.
            by: Who asked: a GM's rollback goes before what agents queued.
            label: What a person calls it.
            recheck: Asked when the turn starts; what it gives is the answer instead.

        Raises:
            LaneBusy: Too many wait.
        """
        if by == "gm":
            self._refuse_agents(label)
        if len(self._waiting) >= LONGEST_QUEUE:
            raise LaneBusy(
                f"{LONGEST_QUEUE} writes wait already",
                fix="Wait for the running writes to end.",
            )
        key = recheck.key if isinstance(recheck, CallRecheck) else None
        ticket = Ticket(by, label, key)
        self._waiting.append(ticket)
        ticket._owned = Deferred.fromCoroutine(self._own(ticket, work, recheck))  # noqa: SLF001
        return ticket

    def _refuse_agents(self, label: str) -> None:
        for ticket in [each for each in self._waiting if each.by == "agent"]:
            ticket.refuse(LaneBusy(f"the GM asked first: {label}"))

    async def _own(self, ticket: Ticket, work: Work, recheck: Recheck) -> None:
        try:
            ticket.answer(await self._run(ticket, work, recheck))
        except CancelledError:
            refused = ticket._refused or LaneBusy("the relay is stopping")  # noqa: SLF001
            ticket.answer(Failure(refused))
        except AagmError:
            ticket.answer(Failure())
        except Exception:  # noqa: BLE001 - last stop: a bug must not hold the lane
            self._log.failure("in the write {label}", label=ticket.label)
            ticket.answer(Failure(Internal(INTERNAL_MESSAGE)))
        finally:
            if ticket in self._waiting:
                self._waiting.remove(ticket)

    async def _run(self, ticket: Ticket, work: Work, recheck: Recheck) -> Json:
        async with self._lock:
            self._waiting.remove(ticket)
            ticket.check()
            ticket.is_waiting = False
            self._holder = ticket
            self._tell("start", ticket)
            try:
                if (instead := recheck()) is not None:
                    return instead
                return await work(ticket)
            finally:
                self._holder = None
                self._tell("end", ticket)

    def _tell(self, turn: Turn, ticket: Ticket) -> None:
        for each in self.on_turn:
            each(turn, ticket)
