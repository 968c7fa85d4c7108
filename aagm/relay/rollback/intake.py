"""What the tabs tell of their recordings: taken in, journaled, acknowledged.

Source: WIRE section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field
from twisted.logger import Logger

from aagm.relay.ports import Clock, TabLink
from aagm.relay.rollback.index import Index
from aagm.relay.rollback.journal import Journals
from aagm.relay.rollback.lane import Ticket, WriteLane
from aagm.relay.rollback.lost import has_lost, lost_row
from aagm.relay.rollback.points import NAME, Head
from aagm.relay.rollback.recording import Recording
from aagm.relay.rollback.recordings import Recordings
from aagm.relay.start import start
from aagm.wire.hello import Recording as Reported
from aagm.wire.jsonrpc import Json, Params

ACK = "rollback.entry.ack"
LOST = "the tab was closed or reloaded while the write ran"
KEPT = 50  # changes outside any recording that are remembered


@define(eq=False)
class Intake:
    """Take what tabs send, from any tab, by point and seq."""

    _log = Logger()

    _clock: Clock
    _index: Index
    _journals: Journals
    _recordings: Recordings
    _lane: WriteLane
    _head_of: Callable[[str, TabLink], Head]  # for a point nobody here knows
    outside: list[dict[str, Any]] = field(factory=list, init=False)
    _links: set[TabLink] = field(factory=set, init=False)

    def entry(self, link: TabLink, params: Params) -> None:
        """Take `rollback.entry`: journal what is new, then acknowledge."""
        match params:
            case {"pointId": str(point_id), "entries": list(entries)}:
                pass
            case _:
                self._log.warn("an entry frame of no known shape was dropped")
                return
        if (recording := self._find(link, point_id)) is None:
            return
        is_late = recording.is_answered and recording.base is not None
        new = recording.take(entries)
        if new:
            self._recordings.journal(recording, new)
        self._acknowledge(link, recording)
        if is_late:
            # No further `closed` follows a late confirmation.
            self._recordings.settle(recording)
            start(self._recordings.save(recording), self._log, "saving a late entry")

    def _find(self, link: TabLink, point_id: str) -> Recording | None:
        if NAME.match(point_id) is None:
            return None
        if (known := self._recordings.get(point_id)) is not None:
            known.link = known.link or link
            return known
        if (known := self._recordings.reopen(point_id)) is not None:
            known.link = link
        else:
            known = self._recordings.adopt(self._head_of(point_id, link), link)
        if point_id in self._journals.damaged:
            self._mark_lost(known)
        return known

    def _mark_lost(self, recording: Recording) -> None:
        """Have a point say that what its damaged journal held is not in it."""
        if not has_lost(recording.point().uncovered):
            recording.outside.append(lost_row())
            self._recordings.note(recording, {"outside": lost_row()})

    def _acknowledge(self, link: TabLink, recording: Recording) -> None:
        if self._recordings.is_journaled(recording):
            seq = recording.last_seq
            link.notify(ACK, {"pointId": recording.id, "seq": seq})

    def caught_up(self, recording: Recording) -> None:
        """Acknowledge what the disk had refused at first."""
        if recording.link is None:
            return
        self._acknowledge(recording.link, recording)
        if recording.closed_seq is not None:
            seq = recording.closed_seq
            self._acknowledge_closing(recording.link, recording.id, seq)

    def closed(self, link: TabLink, params: Params) -> None:
        """Take `rollback.closed`: the recording is over, its point is whole."""
        match params:
            case {"pointId": str(point_id), "lastSeq": int(last_seq)}:
                pass
            case _:
                self._log.warn("a closing frame of no known shape was dropped")
                return
        if (recording := self._recordings.get(point_id)) is None:
            self._closed_again(link, point_id, last_seq)
            return
        recording.closed_seq = last_seq
        failed = params.get("failed")
        if isinstance(failed, str):
            recording.failed = recording.failed or failed
        elif recording.is_broken and recording.is_closed:
            recording.failed = None  # the tab has told all of it after all
        if isinstance(params.get("suspect"), str):
            recording.suspect = params["suspect"]
        recording.runaway = recording.runaway or params.get("runaway") is True
        line = {"closed": last_seq, "why": recording.failed}
        if self._recordings.journal(recording, [line]):
            self._acknowledge_closing(link, point_id, last_seq)
        if recording.is_closed and not recording.is_kept:
            self._recordings.settle(recording)
        elif has_lost(recording.outside):
            self._recordings.settle_by_then(recording)  # a gap that nobody can fill

    def _closed_again(self, link: TabLink, point_id: str, last_seq: int) -> None:
        """Acknowledge what was closed before: the acknowledgement had been lost."""
        known = self._index.get(point_id)
        if known is not None and known.last_seq < last_seq:
            if (recording := self._find(link, point_id)) is not None:
                recording.is_stray = True
            self.closed(link, {"pointId": point_id, "lastSeq": last_seq})
            return
        self._acknowledge_closing(link, point_id, last_seq)

    @staticmethod
    def _acknowledge_closing(link: TabLink, point_id: str, seq: int) -> None:
        link.notify(ACK, {"pointId": point_id, "seq": seq, "closed": True})

    def uncovered(self, link: TabLink, params: Params) -> None:
        """Take `rollback.uncovered`: a change that no point could hold.

        That of a runaway call is noted in the point which that call left.
        """
        told = params.get("uncovered", params)
        if not isinstance(told, dict):
            return
        self.outside = [*self.outside[1 - KEPT :], told]
        suspect = told.get("suspect")
        if not isinstance(suspect, str) or self._index.get(suspect) is None:
            return
        recording = self._find(link, suspect)
        if recording is not None and len(recording.point().uncovered) < KEPT:
            recording.outside.append(told)
            self._recordings.note(recording, {"outside": told})
            if recording.base is not None:
                self._recordings.settle_by_then(recording)

    def accepted(self, link: TabLink) -> Params:
        """Compare what a tab says it records with what is here."""
        self._links.add(link)
        reported = {each.point_id for each in link.hello.recordings}
        for recording in self._recordings.all():
            if recording.id not in reported and self._is_lost(recording, link):
                self._lose(recording)
        resend = [
            ask
            for each in link.hello.recordings
            if (ask := self._compare(link, each)) is not None
        ]
        return {"resend": resend} if resend else {}

    def _is_lost(self, recording: Recording, link: TabLink) -> bool:
        """Say whether the tab that ran it has come back without it."""
        if recording.is_asked or recording.link in self._links - {link}:
            return False
        if recording.tab_instance == link.hello.tab_instance is not None:
            return True
        return recording.user_id == link.hello.user_id

    def _lose(self, recording: Recording) -> None:
        if not recording.is_answered:
            recording.failed = LOST
        start(self._recordings.end(recording), self._log, "ending a lost recording")

    def _compare(self, link: TabLink, told: Reported) -> Params | None:
        if NAME.match(told.point_id) is None:
            return None
        recording = self._recordings.get(told.point_id)
        if recording is None:
            known = self._index.get(told.point_id)
            is_whole = known is not None and known.last_seq >= told.last_seq
            if known is not None and is_whole and not told.running:
                return {"pointId": told.point_id, "fromSeq": known.last_seq + 1}
            recording = self._find(link, told.point_id)
        if recording is None:
            return None
        recording.link = link
        recording.tab_instance = link.hello.tab_instance
        if told.failed is not None:
            recording.failed = recording.failed or told.failed
        if told.running:
            self._hold_lane(recording)
        else:
            self._recordings.settle_by_then(recording)
        return {"pointId": told.point_id, "fromSeq": recording.last_seq + 1}

    def _hold_lane(self, recording: Recording) -> None:
        """Let nobody write while the tab still runs a write of before."""
        self._recordings.wait(recording, recording.until - self._clock.seconds())
        holder = self._lane.holder
        if holder is not None and holder.point_id == recording.id:
            return

        async def until_ended(ticket: Ticket) -> Json:
            ticket.point_id = recording.id
            await self._recordings.when_ended(recording)

        self._lane.enter(until_ended, by="relay", label=recording.head.summary)

    def gone(self, link: TabLink, reason: str) -> None:  # noqa: ARG002
        """Take note that a tab left: what it ran waits for its return."""
        self._links.discard(link)
        for recording in self._recordings.all():
            if recording.link is link:
                recording.link = None
