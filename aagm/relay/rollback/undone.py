"""Which entries a rollback took back, told from what its applies did: pure.

Source: WIRE section 5, "Liveness is derived" and "Chain".
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from attrs import define, evolve, field, frozen

from aagm.relay.rollback.changes import MISSING, after, before, prefixes, read, same
from aagm.relay.rollback.entries import Entry, is_void, void
from aagm.relay.rollback.overlap import Overlaps, is_structural, touch
from aagm.relay.rollback.plan import left_exactly
from aagm.relay.rollback.points import Point, Undone

Row = dict[str, Any]  # {seq, uuid, op, ok, error?, note?}


@define(eq=False)
class Apply:
    """One point's part of a rollback: what was sent, and what became of it."""

    point_id: str
    sent: tuple[Entry, ...]
    settled: tuple[Entry, ...] = ()  # needed no write
    rows: list[Row] | None = None  # None: no answer, or not yet

    def taken(self, own: Overlaps) -> list[Entry]:
        """Give the entries that are out of the world now, in order of seq.

        Without an answer it is told from what the rollback's recording holds.
        """
        if self.rows is None:
            gone = [entry for entry in self.sent if _was_reversed(entry, own)]
        else:
            ok = {row["seq"] for row in self.rows if row["ok"]}
            gone = [entry for entry in self.sent if entry["seq"] in ok]
        return sorted([*gone, *self.settled], key=lambda entry: int(entry["seq"]))


def _was_reversed(entry: Entry, own: Overlaps) -> bool:
    # One that nobody confirmed may never have come; if it did, the world will show it.
    own_entries = [e for e in own.touching(entry) if e.get("confirmed") is not False]
    if is_structural(entry) or "changes" not in entry:
        wanted = {"create": "delete", "delete": "create"}.get(entry["op"], "update")
        return any(each["op"] == wanted for each in own_entries)
    left: dict[str, Any] = {}
    for each in own_entries:
        for change in each.get("changes", []):
            left[change["path"]] = after(change)
    return bool(left) and all(
        same(_value_at(left, change["path"]), before(change))
        for change in entry["changes"]
    )


def _value_at(left: dict[str, Any], path: str) -> Any:
    for above in prefixes(path):
        if above in left:
            if above == path:
                return left[above]
            return read(left[above], path[len(above) + 1 :])
    return MISSING


@frozen
class Outcome:
    """What became of one point of a chain."""

    point: Point
    entries: tuple[Entry, ...]
    rows: tuple[Row, ...]
    error: str | None = None

    @property
    def failed(self) -> int:
        """Count the entries that could not be taken back."""
        return sum(not row["ok"] for row in self.rows)

    def annulled(self) -> Outcome:
        """Have the point itself say what was taken back."""
        seqs = {*self.point.annulled, *(entry["seq"] for entry in self.entries)}
        return evolve(self, point=evolve(self.point, annulled=tuple(sorted(seqs))))


def is_exact(left: Point, outcomes: Iterable[Outcome]) -> bool:
    """Say whether a rollback, whose point is *left*, did all it should and no more."""
    done = list(outcomes)
    if any(outcome.failed or outcome.error is not None for outcome in done):
        return False
    taken = [entry for outcome in reversed(done) for entry in outcome.entries]
    return left_exactly(left.entries, taken) and not left.uncovered


@frozen
class Undoing:
    """What a redo point says it took back, and the marks it needs for that."""

    undoes: tuple[Undone, ...]
    voids: tuple[Entry, ...]


def undoing(applies: Iterable[Apply], own: Iterable[Entry]) -> Undoing:
    """Match what was taken back with the redo point's *own* entries.

    What was so already has no entry of its own; a void stands for it, so that undoing
    the redo point brings that entry back too. Voids count downwards from -1: a tab
    counts upwards.
    """
    overlaps = Overlaps.of(each for each in own if not is_void(each))
    found: list[Undone] = []
    voids: list[Entry] = []
    count = 0
    for apply in applies:
        rows: dict[int, tuple[int, ...]] = defaultdict(tuple)
        for entry in apply.taken(overlaps):
            count += 1
            stands = tuple(sorted({each["seq"] for each in overlaps.touching(entry)}))
            if not stands:
                voids.append(void(-count, entry))
                stands = (-count,)
            rows[entry["seq"]] = stands
        if rows:
            found.append(Undone(apply.point_id, tuple(rows), tuple(rows.values())))
    return Undoing(tuple(found), tuple(voids))


@frozen
class Blocked:
    """What cannot be taken back since a later change of the same place was not."""

    blocked: tuple[Entry, ...] = ()
    left: tuple[Entry, ...] = ()

    @classmethod
    def of(cls, entries: Iterable[Entry], failed: list[Entry]) -> Blocked:
        """Split *entries* by whether one that *failed* lies above them."""
        blocked: list[Entry] = []
        left: list[Entry] = []
        for entry in entries:
            is_blocked = any(touch(entry, other) for other in failed)
            (blocked if is_blocked else left).append(entry)
        return cls(tuple(blocked), tuple(left))


@define
class Rows:
    """Read the rows of an answer, a family module's too."""

    _sent: tuple[Entry, ...]
    _rows: list[Row] = field(factory=list)

    def read(self, applied: Any) -> list[Row]:
        """Give one row an entry that was sent; one that is missing is not ok."""
        given = [row for row in applied if isinstance(row, dict)] if applied else []
        by_seq = {row["seq"]: row for row in given if isinstance(row.get("seq"), int)}
        by_place: dict[tuple[Any, Any], list[Row]] = defaultdict(list)
        for row in given:
            by_place[row.get("uuid"), row.get("op")].append(row)
        return [self._row(entry, by_seq, by_place) for entry in self._sent]

    def _row(
        self,
        entry: Entry,
        by_seq: dict[int, Row],
        by_place: dict[tuple[Any, Any], list[Row]],
    ) -> Row:
        row = by_seq.get(entry["seq"])
        if row is None:
            # A family module names no seq, and goes from the last to the first.
            same_place = by_place[entry["uuid"], entry["op"]]
            row = same_place.pop() if same_place else None
        head = {"seq": entry["seq"], "uuid": entry["uuid"], "op": entry["op"]}
        if row is None:
            return {**head, "ok": False, "error": "the module did not say"}
        said = {key: row[key] for key in ("error", "note") if row.get(key)}
        return {**head, "ok": row.get("ok") is True, **said}
