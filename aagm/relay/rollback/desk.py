"""The rollback parts, joined: what the composition root makes and hooks in."""

from __future__ import annotations

from pathlib import Path

from attrs import frozen

from aagm.members import Member
from aagm.relay.inbound import Inbound
from aagm.relay.ports import Bridge, Clock, Disk, Now
from aagm.relay.rollback.cards import Cards
from aagm.relay.rollback.chain import Chain
from aagm.relay.rollback.index import Index
from aagm.relay.rollback.intake import Intake
from aagm.relay.rollback.journal import Journals
from aagm.relay.rollback.lane import WriteLane
from aagm.relay.rollback.limits import Limits
from aagm.relay.rollback.recordings import Recordings
from aagm.relay.rollback.survivors import Survivors
from aagm.relay.rollback.undo import Undo
from aagm.relay.rollback.writes import RecordedWrites

POINTS = "Rollback Points"
JOURNALS = Path("state") / "journal"


@frozen
class RollbackDesk:
    """Everything that writes need; `start` once, `join` to the inbound tables."""

    lane: WriteLane
    index: Index
    recordings: Recordings
    writes: RecordedWrites
    undo: Undo
    intake: Intake
    cards: Cards
    survivors: Survivors

    def start(self) -> None:
        """Read the points, and what a killed relay left.

        Raises:
            DiskFault: The folder of points cannot be read.
        """
        self.index.load()
        self.survivors.load(self.recordings.recover())

    def stop(self) -> None:
        """Leave no timer behind."""
        self.recordings.stop()

    def join(self, inbound: Inbound) -> None:
        """Take what tabs tell and ask of rollback.

        ``aagm.status.request`` is not taken: its answers have an order, and who
        composes them calls ``cards.sync`` last.
        """
        inbound.on_accepted += [self.intake.accepted, self.writes.accepted]
        inbound.on_gone.append(self.intake.gone)
        inbound.notifications["rollback.entry"] = self.intake.entry
        inbound.notifications["rollback.closed"] = self.intake.closed
        inbound.notifications["rollback.uncovered"] = self.intake.uncovered
        inbound.requests["aagm.rollback.request"] = self.cards.requested


def set_up(
    clock: Clock,
    now: Now,
    disk: Disk,
    bridge: Bridge,
    *,
    folder: Path,
    limits: Limits,
    member: Member,
) -> RollbackDesk:
    """Join the parts over a data folder."""
    lane = WriteLane()
    index = Index(disk, folder / POINTS, now)
    journals = Journals(disk, folder / JOURNALS, index)
    recordings = Recordings(clock, disk, index, journals, limits)
    writes = RecordedWrites(
        clock, bridge, lane, index, recordings, limits, member=member.key
    )
    chain = Chain(clock, bridge, writes, recordings, limits)
    undo = Undo(bridge, lane, index, recordings, chain, limits)
    cards = Cards(bridge, writes, undo)
    recordings.on_saved.append(cards.saved)
    recordings.on_restated.append(cards.restated)
    undo.on_changed.append(cards.changed)
    intake = Intake(clock, index, journals, recordings, lane, writes.stray_head)
    recordings.on_caught_up.append(intake.caught_up)
    survivors = Survivors(index, recordings, writes.brief)
    return RollbackDesk(lane, index, recordings, writes, undo, intake, cards, survivors)
