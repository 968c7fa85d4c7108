"""The recordings that are open: kept on disk, ended, and found again after a kill.

Source: DESIGN section 4; WIRE section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

from attrs import define, evolve, field
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.errors import DiskFault
from aagm.relay.ports import Clock, Disk, TabLink
from aagm.relay.rollback.index import Index
from aagm.relay.rollback.journal import Journals
from aagm.relay.rollback.limits import GRACE, Limits
from aagm.relay.rollback.liveness import states
from aagm.relay.rollback.points import Digest, Head, Point, encode
from aagm.relay.rollback.recording import STREAM, Recording
from aagm.relay.rollback.recovery import head_line, recovered
from aagm.relay.start import start

RETRY = 5.0  # seconds until a disk that refused is tried again
TAB_SILENT = "the tab that ran it did not come back"


@define(eq=False)
class Recordings:
    """Keep every open recording until its point is whole and on disk."""

    _log = Logger()

    _clock: Clock
    _disk: Disk
    _index: Index
    _journals: Journals
    _limits: Limits
    on_saved: list[Callable[[Recording, bool], None]] = field(factory=list)
    on_restated: list[Callable[[str], None]] = field(factory=list)  # of points
    on_caught_up: list[Callable[[Recording], None]] = field(factory=list)
    _open: dict[str, Recording] = field(factory=dict, init=False)
    _saving: dict[str, list[Deferred[None]]] = field(factory=dict, init=False)
    _lagging: dict[str, Recording] = field(factory=dict, init=False)
    _behind: dict[str, Recording] = field(factory=dict, init=False)  # journals
    _retry: IDelayedCall | None = field(default=None, init=False)
    _states: dict[str, str] = field(factory=dict, init=False)  # as last derived
    _states_at: tuple[object, ...] = field(default=(), init=False)

    def get(self, point_id: str) -> Recording | None:
        """Find an open recording."""
        return self._open.get(point_id)

    def all(self) -> list[Recording]:
        """List the open recordings."""
        return list(self._open.values())

    def running(self) -> list[str]:
        """Name the points whose write may still go on: no undo may target them."""
        return [each.id for each in self._open.values() if not each.is_answered]

    def states(self) -> dict[str, str]:
        """Derive the state of every point in memory."""
        key = (self._index.version, *self.running())
        if key != self._states_at:
            self._states = self.states_of(self._index.newest_first())
            self._states_at = key
        return self._states

    def states_of(self, digests: list[Digest]) -> dict[str, str]:
        """Derive the state of points that are given newest first, without a gap."""
        return states(digests, self.running())

    def begin(
        self,
        head: Head,
        link: TabLink | None,
        *,
        must_save: bool = True,
        vanishes: bool = False,
        key: str | None = None,
    ) -> Recording:
        """Open a recording; its journal is on disk before anything is sent.

        Args:
            head: What is known of the point.
            link: The tab that is to run it.
            must_save: Whether a disk that refuses forbids the write.
            vanishes: Whether it leaves no point when it touches nothing.
            key: What the call that it is of can be known by, also after a restart.

        Raises:
            DiskFault: The journal cannot be written.
        """
        recording = Recording(head, vanishes=vanishes, key=key)
        self._belongs(recording, link)
        recording.until = self._clock.seconds() + self._limits.write_seconds
        try:
            self._journals.open(head.id, head_line(recording))
        except DiskFault:
            if must_save:
                raise
            self._journals.append(head.id, [head_line(recording)])
        else:
            self._catch_up()
        self._open[head.id] = recording
        self._index.hold(recording.point())
        return recording

    @staticmethod
    def _belongs(recording: Recording, link: TabLink | None) -> None:
        recording.link = link
        if link is not None:
            recording.tab_instance = link.hello.tab_instance
            recording.user_id = link.hello.user_id
            recording.streams = STREAM in link.hello.features

    def reopen(self, point_id: str) -> Recording | None:
        """Open the recording of a point that was closed; None if it is unknown."""
        if (base := self._index.readable(point_id)) is None:
            return None
        recording = Recording(base.head, base=base, is_answered=True)
        recording.until = self._clock.seconds() + self._limits.write_seconds
        self._journals.append(point_id, [head_line(recording)])
        self._open[point_id] = recording
        return recording

    def adopt(self, head: Head, link: TabLink) -> Recording:
        """Open a recording that a tab tells of and nobody here knows."""
        recording = Recording(
            head, is_sent=True, is_answered=True, is_stray=True, vanishes=True
        )
        self._belongs(recording, link)
        recording.until = self._clock.seconds() + self._limits.write_seconds
        self._journals.append(head.id, [head_line(recording)])
        self._open[head.id] = recording
        return recording

    def note(self, recording: Recording, line: dict[str, Any]) -> None:
        """Journal what became of a recording."""
        self.journal(recording, [line])

    def relabel(self, recording: Recording, summary: str) -> None:
        """Call a recording's point what its answer makes of it."""
        if summary != recording.head.summary:
            recording.head = evolve(recording.head, summary=summary)
            self.note(recording, {"summary": summary})

    def journal(self, recording: Recording, raw: list[dict[str, Any]]) -> bool:
        """Journal raw entries; False when they are only in memory yet."""
        if self._journals.append(recording.id, raw):
            return True
        self._behind[recording.id] = recording
        self._retry_later()
        return False

    def _retry_later(self) -> None:
        if self._retry is None:
            self._retry = self._clock.callLater(RETRY, self._retry_now)

    def _retry_now(self) -> None:
        """Write what the disk refused; what it refuses again is tried later again."""
        self._retry = None
        behind, self._behind = self._behind, {}
        for recording in behind.values():
            if recording.is_done or self.journal(recording, []):
                self._tell_caught_up(recording)
        self._catch_up()

    def _tell_caught_up(self, recording: Recording) -> None:
        if self.is_saved(recording):
            for each in self.on_caught_up:
                each(recording)

    def is_journaled(self, recording: Recording) -> bool:
        """Say whether everything that came of a recording is in its journal."""
        return self._journals.is_saved(recording.id)

    def is_saved(self, recording: Recording) -> bool:
        """Say whether everything of a recording is on disk."""
        return (
            self._journals.is_saved(recording.id) and recording.id not in self._lagging
        )

    async def save(self, recording: Recording) -> bool:
        """Write the point's file; False when the disk refuses, it is kept in memory."""
        while (queue := self._saving.get(recording.id)) is not None:
            turn: Deferred[None] = Deferred()
            queue.append(turn)
            await turn
        self._saving[recording.id] = []
        try:
            return await self._save(recording)
        finally:
            for turn in self._saving.pop(recording.id):
                turn.callback(None)

    async def _save(self, recording: Recording) -> bool:
        point = recording.point(self._frozen(recording))
        self._index.hold(point)
        state = self.states().get(point.id, "live")
        is_saved = recording.filed == (point, state) or await self._file(point, state)
        if is_saved:
            recording.filed = (point, state)
            self._lagging.pop(point.id, None)
            self._index.let_go(point.id)
        else:
            recording.filed = None
            self._lagging[point.id] = recording
            self._retry_later()
        for each in self.on_saved:
            each(recording, is_saved)
        return is_saved

    async def _file(self, point: Point, state: str) -> bool:
        try:
            self._index.set_aside(point.head)
            path = self._index.path_of(point.head)
            await self._disk.replace(path, encode(point, state))
        except DiskFault as e:
            self._log.error("point {id} is not saved: {why}", id=point.id, why=str(e))
            return False
        return True

    def _frozen(self, recording: Recording) -> set[int]:
        return {*recording.annulled} | {
            seq
            for each in self._index.newest_first()
            for undone in each.undoes
            if undone.id == recording.id
            for seq in undone.seqs
        }

    def _catch_up(self) -> None:
        for recording in list(self._lagging.values()):
            start(self._save_again(recording), self._log, "saving a point again")

    async def _save_again(self, recording: Recording) -> None:
        if await self.save(recording):
            if recording.is_done:
                self._journals.remove(recording.id)
            self._tell_caught_up(recording)

    async def rewrite(self, point: Point, state: str) -> None:
        """Write a closed point's file again: its state is another, or its result."""
        if (recording := self._unsaved(point.id)) is not None:
            recording.result, recording.annulled = point.result, point.annulled
            await self.save(recording)
            return
        self._index.update(point)
        # Refused, it does not matter: the state is derived, the file's is a copy.
        await self._file(point, state)

    def rest(self, point_id: str) -> None:
        """Leave the entries of a point as they are: an undo names them from now on."""
        if (recording := self._unsaved(point_id)) is not None:
            recording.rest(self._frozen(recording))
            self.note(recording, {"rests": True})

    def _unsaved(self, point_id: str) -> Recording | None:
        return self._open.get(point_id) or self._lagging.get(point_id)

    def discard(self, recording: Recording) -> None:
        """Leave nothing of a point that has ended: another point says it all."""
        self._lagging.pop(recording.id, None)
        self._index.remove(recording.id)
        with suppress(DiskFault):  # found again, it says what its points say themselves
            self._disk.remove(self._index.path_of(recording.head))
        self._journals.remove(recording.id)

    def show(self, recording: Recording) -> None:
        """Tell of a point that was hidden until now."""
        recording.is_hidden = False
        for each in self.on_saved:
            each(recording, self.is_saved(recording))

    async def end(self, recording: Recording) -> None:
        """Close a recording: its point is whole, or nothing more will come."""
        if recording.is_done:
            return
        was_open = not recording.is_answered
        recording.is_done, recording.is_answered = True, True
        self._stop_timer(recording)
        if self.is_nothing(recording):
            self._index.remove(recording.id)
            self._journals.remove(recording.id)
        elif await self.save(recording):
            self._journals.remove(recording.id)
        self._open.pop(recording.id, None)
        if was_open:
            await self._restate([each.point_id for each in recording.applies])
        waiters, recording.waiters = recording.waiters, []
        for each in waiters:
            each.callback(None)

    async def _restate(self, point_ids: list[str]) -> None:
        """Write anew the points that a broken rollback reached: it has ended now."""
        for point_id in point_ids:
            if self._index.get(point_id) is not None:
                if (point := self._index.readable(point_id)) is not None:
                    await self.rewrite(point, self.states()[point_id])
                for each in self.on_restated:
                    each(point_id)

    @staticmethod
    def is_nothing(recording: Recording) -> bool:
        """Say whether a recording leaves no point, as things are."""
        if not recording.vanishes or recording.base is not None or recording.runaway:
            return False
        point = recording.point()
        return not (point.entries or point.uncovered)

    def drop(self, recording: Recording) -> None:
        """Forget a recording of which nothing was sent."""
        recording.is_done = True
        self._stop_timer(recording)
        self._open.pop(recording.id, None)
        self._index.remove(recording.id)
        self._journals.remove(recording.id)

    def when_ended(self, recording: Recording) -> Deferred[None]:
        """Wait for the end of a recording."""
        d: Deferred[None] = Deferred(recording.waiters.remove)
        if recording.is_done:
            d.callback(None)
        else:
            recording.waiters.append(d)
        return d

    async def when_quiet(self) -> None:
        """Wait until no answered write has a tail any more; seconds at most."""
        for recording in self.all():
            if recording.is_answered and recording.timer is not None:
                await self.when_ended(recording)

    def settle(self, recording: Recording) -> None:
        """Go on after an answer: end the recording now, or when its tail is over."""
        if recording.is_kept or recording.is_done:
            return
        is_over = recording.is_closed or not recording.is_sent
        if is_over or not recording.streams:
            start(self.end(recording), self._log, "ending a recording")
        else:
            self.wait(recording, self._limits.settle_max_ms / 1000 + 1, None)

    def finish_late(self, recording: Recording) -> None:
        """End a recording whose answer came after its limit."""
        start(self.end(recording), self._log, "ending a late recording")

    def settle_by_then(self, recording: Recording) -> None:
        """End a recording that its tab has closed, once the rest of it has come."""
        if not recording.is_asked:
            self.wait(recording, GRACE, recording.failed)

    def wait(
        self, recording: Recording, seconds: float, failed: str | None = TAB_SILENT
    ) -> None:
        """End a recording in so many seconds, if nothing has by then."""
        self._stop_timer(recording)

        def lapsed() -> None:
            recording.timer = None
            recording.failed = recording.failed or failed
            start(self.end(recording), self._log, "ending a recording")

        recording.timer = self._clock.callLater(max(0.0, seconds), lapsed)

    @staticmethod
    def _stop_timer(recording: Recording) -> None:
        if recording.timer is not None:
            recording.timer.cancel()
            recording.timer = None

    def stop(self) -> None:
        """Leave no timer behind; what is open is found at the next start."""
        if self._retry is not None:
            self._retry.cancel()
            self._retry = None
        for recording in self._open.values():
            self._stop_timer(recording)

    def recover(self) -> list[Recording]:
        """Find the recordings that a killed relay left; gives those not answered."""
        unanswered: list[Recording] = []
        for journal in list(self._journals.found()):
            recording = recovered(journal, self._index.readable)
            recording.until = self._clock.seconds() + self._limits.write_seconds
            self._open[recording.id] = recording
            if not recording.is_answered:
                unanswered.append(recording)
            self._index.hold(recording.point())
            if recording.is_closed:
                start(self.end(recording), self._log, "ending a found recording")
            else:
                self.wait(recording, self._limits.write_seconds)
        return unanswered
