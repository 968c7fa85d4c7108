"""Which entries are in the world: derived, never stored: pure.

An entry is in the world unless some redo point took it back and that redo's own
entries for it are in the world. A redo is always later than what it took back, so
one pass from the newest point to the oldest settles everything.
Source: WIRE section 5.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable

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


@define
class Liveness:
    """Tell what is in the world, going from the newest point to the oldest."""

    _out: set[Place] = field(factory=set)
    _covers: dict[Place, list[list[Place]]] = field(
        factory=lambda: defaultdict(list), init=False
    )
    _states: dict[str, str] = field(factory=dict, init=False)

    def pass_over(
        self, of: Digest, *, takes: Callable[[int], bool] = lambda _: False
    ) -> list[int]:
        """Settle one point; the later ones must have been settled before.

        Args:
            of: The point.
            takes: Whether a planned undo takes that entry back, should it be in the
                world; from then on it counts as gone.

        Returns:
            The seqs that were in the world and are taken, in order.
        """
        taken = []
        here = 0
        for seq in of.seqs:
            if not self._is_here(of, seq):
                self._out.add((of.id, seq))
                continue
            here += 1
            if takes(seq):
                taken.append(seq)
                self._out.add((of.id, seq))
        for undone in of.undoes:
            for seq, own in zip(undone.seqs, undone.own, strict=True):
                self._covers[undone.id, seq].append([(of.id, each) for each in own])
        self._states[of.id] = _state(of, here)
        return taken

    def is_out(self, point_id: str, seq: int) -> bool:
        """Say whether a settled entry is out of the world."""
        return (point_id, seq) in self._out

    def state(self, point_id: str) -> str:
        """Name the state of a settled point, before anything planned."""
        return self._states[point_id]

    def _is_here(self, of: Digest, seq: int) -> bool:
        if of.family_state == ROLLED_BACK:
            return False
        return not any(
            own and all(each not in self._out for each in own)
            for own in self._covers.get((of.id, seq), ())
        )


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
