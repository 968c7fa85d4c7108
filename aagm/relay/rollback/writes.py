"""Recorded writes: open the point, send, file what came back.

Source: DESIGN section 4; WIRE sections 4 and 8; PROTOCOL_FACTS section 8.5.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen
from twisted.logger import Logger

from aagm.errors import AagmError, BridgeLost, NoModule, TimeLimit
from aagm.relay.ports import Bridge, Clock, TabLink
from aagm.relay.rollback.index import Index
from aagm.relay.rollback.lane import By, Recheck, Ticket, WriteLane
from aagm.relay.rollback.limits import GRACE, Limits
from aagm.relay.rollback.points import Head, brief
from aagm.relay.rollback.recording import Recording
from aagm.relay.rollback.recordings import Recordings
from aagm.wire.jsonrpc import Json, Params

SUMMARY_LONGEST = 80  # characters of a label made from code

Relabel = Callable[[Json], str]


@frozen
class Write:
    """A request that changes the world."""

    method: str
    params: Params
    kind: str  # eval, destructive eval, damage, mirror.restore, loot.restore, plugin
    summary: str
    tab_id: str | None = None
    via: str | None = None
    is_read: bool = False  # declared a read: a read's limit, no point when it was one
    waits_for_close: bool = False  # the result is judged with its tail
    relabel: Relabel | None = None  # the point's summary, from the module's result


@frozen
class Written:
    """What a write came to."""

    result: Json  # the module's, without its `rollback`
    point: dict[str, Any] | None  # the brief; None when a read touched nothing
    is_saved: bool = True

    def shaped(self) -> dict[str, Any]:
        """Shape it as a tool's answer."""
        result = (
            self.result if isinstance(self.result, dict) else {"value": self.result}
        )
        answer = dict(result)
        if self.point is not None:
            answer["rollbackPoint"] = self.point
        if not self.is_saved:
            answer["unsaved"] = True
        return answer


@define(eq=False)
class RecordedWrites:
    """The road that every write takes, and no other."""

    _log = Logger()

    _clock: Clock
    _bridge: Bridge
    _lane: WriteLane
    _index: Index
    _recordings: Recordings
    _limits: Limits
    member: str
    on_late: list[Callable[[str, Json | AagmError], None]] = field(factory=list)
    # Calls past their limit that may still write, each with the tab that runs it.
    _runaways: dict[str, Recording] = field(factory=dict, init=False)

    def queue(
        self, write: Write, *, by: By = "agent", recheck: Recheck = lambda: None
    ) -> Ticket:
        """Queue one write; its ticket gives the tool's answer.

        Raises:
            LaneBusy: Too many wait.
        """
        came = self._clock.seconds()

        async def work(ticket: Ticket) -> Json:
            ticket.waited = self._clock.seconds() - came
            return (await self.run(ticket, write)).shaped()

        return self._lane.enter(work, by=by, label=write.summary, recheck=recheck)

    async def run(self, ticket: Ticket, write: Write) -> Written:
        """Do one write in a turn that is held already.

        Raises:
            DiskFault: The journal cannot be written; nothing was sent.
            NoModule: No tab is connected, or it left: the error names the point.
            TimeLimit: No answer in time; the error names the point.
            AagmError: What the module answered; the error names the point, if any.
        """
        recording = self._begin(ticket, write)
        ticket.is_sent, ticket.point_id = True, recording.id
        recording.is_asked = recording.is_sent = True
        try:
            result = await self._send(recording, write)
        except AagmError as e:
            recording.is_asked = False
            raise await self._failed(ticket, recording, e, write) from e
        recording.is_asked = False
        result = self._take_answer(recording, result, write.relabel)
        return await self._file(recording, result, write)

    def _begin(self, ticket: Ticket, write: Write) -> Recording:
        if self._bridge.owner is None:
            reason = self._bridge.why_not()
            data = {"reason": reason.code}
            raise NoModule(reason.message, fix=reason.fix, data=data)
        ticket.check()
        head = self.head(write.summary, write.kind, tab_id=write.tab_id, via=write.via)
        return self._recordings.begin(
            head, self._bridge.owner, vanishes=write.is_read, key=ticket.key
        )

    def head(
        self,
        summary: str,
        kind: str,
        *,
        tab_id: str | None = None,
        via: str | None = None,
        direction: str | None = None,
    ) -> Head:
        """Make the head of a new point of the world that is open."""
        ts, date = self._index.new_time()
        owner = self._bridge.owner
        return Head(
            id=self._index.new_id(),
            ts=ts,
            date=date,
            summary=summary,
            tab_id=tab_id,
            kind=kind,
            via=via,
            direction=direction,
            suspect=next(iter(self._runaways), None),
            world=owner.hello.world if owner is not None else None,
            member=self.member,
        )

    def stray_head(self, point_id: str, link: TabLink) -> Head:
        """Make the head of a point that only a tab knows of."""
        ts, date = self._index.new_time()
        return Head(
            id=point_id,
            ts=ts,
            date=date,
            summary="a write found in the tab",
            tab_id=None,
            kind="eval",
            world=link.hello.world,
            member=self.member,
        )

    async def _send(self, recording: Recording, write: Write) -> Json:
        rp: Params = {"id": recording.id}
        seconds = self._limits.write_seconds
        if write.is_read:
            seconds = self._limits.read_seconds
            rp["limitSeconds"] = seconds
        return await self._bridge.call(
            write.method,
            {**write.params, "rp": rp},
            limit=seconds + GRACE,
            late=self.late(recording.id, write.relabel),
        )

    def late(
        self, point_id: str, relabel: Relabel | None = None
    ) -> Callable[[Json | AagmError], None]:
        """Give what takes an answer that comes after its limit."""

        def came(answer: Json | AagmError) -> None:
            self._runaways.pop(point_id, None)
            recording = self._recordings.get(point_id)
            if recording is None:
                recording = self._recordings.reopen(point_id)
            if recording is not None:
                if isinstance(answer, AagmError):
                    self.take_part(recording, answer.data.get("rollback"))
                else:
                    self._take_answer(recording, answer, relabel)
                self._recordings.finish_late(recording)
            for each in self.on_late:
                each(point_id, answer)

        return came

    def _take_answer(
        self, recording: Recording, result: Json, relabel: Relabel | None = None
    ) -> Json:
        recording.is_answered = True
        if isinstance(result, dict) and "rollback" in result:
            self.take_part(recording, result["rollback"])
            rest = {key: value for key, value in result.items() if key != "rollback"}
            result = rest["value"] if list(rest) == ["value"] else rest
        if relabel is not None:
            self._recordings.relabel(recording, relabel(result))
        return result

    def take_part(self, recording: Recording, part: Any) -> None:
        """Take in what an answer, or an error, says of its recording."""
        if not isinstance(part, dict):
            return
        if isinstance(part.get("suspect"), str):
            recording.suspect = part["suspect"]
        if isinstance(part.get("streamed"), int):
            recording.awaited = max(recording.awaited, part["streamed"])
        if isinstance(part.get("entries"), list):
            new = recording.take_family(part["entries"])
            if new:
                self._recordings.journal(recording, new)

    async def _file(self, recording: Recording, result: Json, write: Write) -> Written:
        self._recordings.note(recording, {"answered": recording.failed})
        await self._settle(recording, write)
        if self._recordings.is_nothing(recording):
            return Written(result, None, is_saved=self._recordings.is_saved(recording))
        return Written(
            result, self.brief(recording.id), self._recordings.is_saved(recording)
        )

    async def _settle(self, recording: Recording, write: Write) -> None:
        """File the point now, or once its tail is in, and let the recording end."""
        if write.waits_for_close and recording.streams:
            self._recordings.settle(recording)
            await self._recordings.when_ended(recording)
        else:
            await self._keep(recording)
        self._recordings.settle(recording)

    async def _keep(self, recording: Recording) -> None:
        """File what there is; nothing is not even listed."""
        if self._recordings.is_nothing(recording):
            self._index.remove(recording.id)
        else:
            await self._recordings.save(recording)

    def brief(self, point_id: str) -> dict[str, Any] | None:
        """Shape a point in memory as it is now; None if it left none."""
        if (known := self._index.get(point_id)) is None:
            return None
        owner = self._bridge.owner
        world = owner.hello.world if owner is not None else None
        return brief(known, self._recordings.states()[point_id], world)

    async def _failed(
        self, ticket: Ticket, recording: Recording, error: AagmError, write: Write
    ) -> AagmError:
        """Keep what the write touched; give the error that names its point."""
        if isinstance(error, NoModule) and not isinstance(error, BridgeLost):
            self._recordings.drop(recording)
            return error
        self.take_part(recording, error.data.get("rollback"))
        recording.failed = str(error)
        if isinstance(error, BridgeLost):
            return await self._broken(ticket, recording, error)
        recording.is_answered = True
        self._recordings.note(recording, {"answered": recording.failed})
        if isinstance(error, TimeLimit):
            recording.runaway = True
            self._runaways[recording.id] = recording
            await self._recordings.end(recording)
        else:
            recording.vanishes = True
            await self._settle(recording, write)
        return self._naming(recording, error)

    async def _broken(
        self, ticket: Ticket, recording: Recording, error: AagmError
    ) -> AagmError:
        """Answer at once; hold the lane while the tab may still be writing."""
        recording.is_broken = True
        self._recordings.note(recording, {"failed": recording.failed})
        self._index.hold(recording.point())
        named = self._naming(recording, error)
        ticket.refuse_now(named)
        if recording.streams:
            left = recording.until - self._clock.seconds()
            self._recordings.wait(recording, left)
            await self._recordings.when_ended(recording)
        else:
            await self._recordings.end(recording)
        return named

    def _naming(self, recording: Recording, error: AagmError) -> AagmError:
        point = self.brief(recording.id)
        data = {k: v for k, v in error.data.items() if k != "rollback"}
        if point is None:
            return type(error)(str(error), fix=error.fix, data=data)
        data["rollbackPoint"] = point
        if not self._recordings.is_saved(recording):
            data["unsaved"] = True
        said = "is still open" if point["state"] == "open" else point["captured"]
        message = f"{error} (rollback point {recording.id}: {said})"
        return type(error)(message, fix=error.fix, data=data)

    def accepted(self, link: TabLink) -> Params:
        """Take note of a page: the runaway calls of the page before it are gone."""
        hello = link.hello
        self._runaways = {
            id_: recording
            for id_, recording in self._runaways.items()
            if recording.user_id != hello.user_id
            or recording.tab_instance == hello.tab_instance
        }
        return {}
