"""Which entries are in the world: derived, never stored: pure.

An entry is in the world unless some redo point took it back and that redo's own
entries for it are in the world. A redo is always later than what it took back, so
one pass from the newest point to the oldest settles everything.
Source: WIRE section 5.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field

from aagm.relay.rollback.entries import NO_DOCUMENTS
from aagm.relay.rollback.points import (
    EMPTY,
    LIVE,
    OPEN,
    PARTIAL,
    ROLLED_BACK,
    Digest,
)

Place = tuple[str, int]  # (point id, seq)
Takes = Callable[[int], bool]


@define
class Liveness:
    """Tell what is in the world, going from the newest point to the oldest."""

    _out: set[Place] = field(factory=set)
    _covers: dict[str, dict[int, list[list[Place]]]] = field(factory=dict, init=False)
    _states: dict[str, str] = field(factory=dict, init=False)

    def pass_over(self, of: Digest, *, takes: Takes | None = None) -> list[int]:
        """Settle one point; the later ones must have been settled before.

        Args:
            of: The point.
            takes: Whether a planned undo takes that entry back, should it be in the
                world; from then on it counts as gone.

        Returns:
            The seqs that were in the world and are taken, in order.
        """
        here = self._here(of)
        taken = [] if takes is None else [seq for seq in here if takes(seq)]
        self._out.update((of.id, seq) for seq in taken)
        for undone in of.undoes:
            rows = self._covers.setdefault(undone.id, {})
            for seq, own in zip(undone.seqs, undone.own, strict=True):
                rows.setdefault(seq, []).append([(of.id, each) for each in own])
        self._states[of.id] = _state(of, len(here))
        return taken

    def _here(self, of: Digest) -> Sequence[int]:
        """Give the entries that are in the world, and keep in mind the others."""
        if of.family_state == ROLLED_BACK:
            self._out.update((of.id, seq) for seq in of.seqs)
            return ()
        rows = self._covers.get(of.id, {})
        if not (rows or of.annulled):
            return of.seqs
        annulled = frozenset(of.annulled)
        here = []
        for seq in of.seqs:
            if seq in annulled or self._is_covered(rows.get(seq, ())):
                self._out.add((of.id, seq))
            else:
                here.append(seq)
        return here

    def _is_covered(self, stands: Iterable[list[Place]]) -> bool:
        return any(own and self._out.isdisjoint(own) for own in stands)

    def is_out(self, point_id: str, seq: int) -> bool:
        """Say whether a settled entry is out of the world."""
        return (point_id, seq) in self._out

    def state(self, point_id: str) -> str:
        """Name the state of a settled point, before anything planned."""
        return self._states[point_id]


def _state(of: Digest, here: int) -> str:
    if of.captured == NO_DOCUMENTS:
        return EMPTY
    if here == len(of.seqs):
        return LIVE
    return PARTIAL if here else ROLLED_BACK


def states(digests: Iterable[Digest], still_open: Iterable[str] = ()) -> dict[str, str]:
    """Derive the state of every point; *digests* come newest first."""
    liveness = Liveness()
    running = frozenset(still_open)
    derived = {}
    for each in digests:
        liveness.pass_over(each)
        derived[each.id] = OPEN if each.id in running else liveness.state(each.id)
    return derived
