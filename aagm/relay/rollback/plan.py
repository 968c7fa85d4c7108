"""What a rollback takes back, point by point: pure.

Source: WIRE section 5, "Chain".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from attrs import define, field, frozen

from aagm.relay.rollback.changes import after, before, covers, fold, read, same
from aagm.relay.rollback.entries import Entry, is_void
from aagm.relay.rollback.liveness import Liveness, Place
from aagm.relay.rollback.overlap import Overlaps, is_structural
from aagm.relay.rollback.points import Digest, Point

Load = Callable[[str], Point | None]  # None: its file cannot be read


class Unreadable(Exception):
    """The file of a point that must be taken back cannot be read."""

    def __init__(self, point_id: str) -> None:
        """Keep which point it is."""
        super().__init__(point_id)
        self.point_id = point_id


@frozen
class Step:
    """Entries of one point that are to be taken back, in order of seq."""

    point: Point
    entries: tuple[Entry, ...]


@frozen
class Plan:
    """A rollback before it is checked against the world."""

    target: Digest
    steps: tuple[Step, ...]  # newest first
    returning: tuple[str, ...] = ()  # points of which something comes back
    left_alone: tuple[Entry, ...] = ()  # what the GM may have done by hand
    blockers: tuple[str, ...] = ()  # later points on the same place, with `only`
    history: tuple[Entry, ...] = ()  # of every point since the target, oldest first

    @property
    def direction(self) -> str:
        """Say what the redo point of this rollback is: an undo, or a redo."""
        return "redo" if self.target.head.direction == "undo" else "undo"


def plan(
    digests: Sequence[Digest],
    target_id: str,
    load: Load,
    *,
    only: bool = False,
    own: bool = False,
) -> Plan:
    """Work out what goes back to before *target_id*.

    Args:
        digests: Every point of the open world, newest first, down to the target.
        target_id: The point to go back to before; one of *digests*.
        load: Gives a point with its entries, or None when its file cannot be read.
        only: Take back the target alone.
        own: Take back also what the GM may have done by hand meanwhile.

    Raises:
        Unreadable: The file of a point in the chain cannot be read.
    """
    newest_first = list(digests)
    ids = [each.id for each in newest_first]
    chain = newest_first[: ids.index(target_id) + 1]
    planning = _Planning(chain, load, own=own)
    return planning.only() if only else planning.chain()


@define
class _Planning:
    chain_digests: list[Digest]
    load: Load
    own: bool = field(kw_only=True)
    _liveness: Liveness = field(factory=Liveness)
    _left_alone: list[Entry] = field(factory=list)
    _steps: list[Step] = field(factory=list)

    def chain(self) -> Plan:
        """Take back everything from the newest point to the target."""
        for each in self.chain_digests:
            self._pass(each, taking=True)
        return self._plan(())

    def only(self) -> Plan:
        """Take back the target alone; says which later points stand in the way."""
        *later, target = self.chain_digests
        standing: list[tuple[Digest, list[Entry]]] = []
        for each in later:
            point = self._read(each)
            staying = self._staying(each, point)
            self._liveness.pass_over(each)
            left = [e for e in self._in_world(each, point) if e["seq"] not in staying]
            standing.append((each, left))
        self._pass(target, taking=True)
        mine = Overlaps.of(e for step in self._steps for e in step.entries)
        return self._plan(
            each.id for each, left in standing if any(_any(mine, e) for e in left)
        )

    def _read(self, of: Digest) -> Point:
        if (point := self.load(of.id)) is None:
            raise Unreadable(of.id)
        return point

    def _in_world(self, of: Digest, point: Point) -> list[Entry]:
        seqs = {s for s in of.seqs if not self._liveness.is_out(of.id, s)}
        return [e for e in point.entries if e["seq"] in seqs]

    def _pass(self, of: Digest, *, taking: bool) -> None:
        point = self._read(of)
        entries = {e["seq"]: e for e in point.entries}
        staying = self._staying(of, point)
        own = {seq for seq, e in entries.items() if e.get("own") and not self.own}

        def takes(seq: int) -> bool:
            return taking and seq not in staying and seq not in own

        taken = self._liveness.pass_over(of, takes=takes)
        self._left_alone += [
            entries[seq] for seq in own if not self._liveness.is_out(of.id, seq)
        ]
        if taken:
            in_order = tuple(entries[seq] for seq in sorted(taken))
            self._steps.append(Step(point, in_order))

    def _staying(self, of: Digest, point: Point) -> set[int]:
        """Find the redo's entries that cancel out with what they took back.

        So does what took back a point whose file cannot be read: nobody could take
        that point back a second time.
        """
        staying: set[int] = set()
        if self.own:
            return staying
        for undone in of.undoes:
            if self.load(undone.id) is None:
                staying.update(seq for own in undone.own for seq in own)
        entries = {e["seq"]: e for e in point.entries}
        order = {each.id: at for at, each in enumerate(reversed(self.chain_digests))}
        for group in groups(of, self.load):
            if any(id_ not in order for id_, _ in group.took):
                continue
            own = [entries[seq] for seq in group.own if seq in entries]
            taken = sorted(group.took, key=lambda place: (order[place[0]], place[1]))
            if left_exactly(own, [group.took[place] for place in taken]):
                staying |= group.own
        return staying

    def _plan(self, blockers: Iterable[str]) -> Plan:
        target = self.chain_digests[-1]
        taken = {(s.point.id, e["seq"]) for s in self._steps for e in s.entries}
        returning = {
            undone.id
            for step in self._steps
            for undone in step.point.undoes
            for seq, own in zip(undone.seqs, undone.own, strict=True)
            if (undone.id, seq) not in taken
            and any((step.point.id, each) in taken for each in own)
        }
        return Plan(
            target=target,
            steps=tuple(self._steps),
            returning=tuple(sorted(returning)),
            left_alone=tuple(self._left_alone),
            blockers=tuple(blockers),
            history=tuple(
                entry
                for each in reversed(self.chain_digests)
                for entry in self._read(each).entries
                if entry["seq"] not in each.annulled
            ),
        )


def _any(overlaps: Overlaps, entry: Entry) -> bool:
    return any(True for _ in overlaps.touching(entry))


@define(eq=False)
class Group:
    """Entries of a redo point, and the entries that they stand for."""

    own: set[int] = field(factory=set)
    took: dict[Place, Entry] = field(factory=dict)


def groups(of: Digest, load: Load) -> list[Group]:
    """Split a redo point into what can only stay or go together.

    That is what shares an entry of the redo point, and what was taken back of one
    place: together it may have come to nothing, as a create and a delete do.
    """
    joining = _Joining()
    places = Overlaps()
    for undone in of.undoes:
        point = load(undone.id)
        entries = {entry["seq"]: entry for entry in point.entries} if point else {}
        for seq, own in zip(undone.seqs, undone.own, strict=True):
            if (entry := entries.get(seq)) is not None:
                others = [id(other) for other in places.touching(entry)]
                joining.add((undone.id, seq), entry, own, others)
                places.add(entry)
    return joining.groups()


@define(eq=False)
class _Joining:
    _by_own: dict[int, Group] = field(factory=dict)
    _by_entry: dict[int, Group] = field(factory=dict)  # by the entry's identity

    def add(
        self, place: Place, entry: Entry, own: Iterable[int], touching: Iterable[int]
    ) -> None:
        near = [self._by_own[seq] for seq in own if seq in self._by_own]
        near += [self._by_entry[each] for each in touching]
        group, *others = {id(each): each for each in near}.values() or [Group()]
        for other in others:
            group.own |= other.own
            group.took |= other.took
            self._by_own |= dict.fromkeys(other.own, group)
            self._by_entry |= dict.fromkeys(map(id, other.took.values()), group)
        group.own.update(own)
        group.took[place] = entry
        self._by_own |= dict.fromkeys(own, group)
        self._by_entry[id(entry)] = group

    def groups(self) -> list[Group]:
        return list({id(each): each for each in self._by_entry.values()}.values())


def left_exactly(own: Iterable[Entry], taken: Sequence[Entry]) -> bool:
    """Say whether a redo's *own* entries left what was before *taken* (oldest first).

    A document that was deleted again, or made again, counts as exact: the module
    verified it, and doing it once more would leave no other.
    """
    made_or_removed = {e["uuid"] for e in taken if is_structural(e)}
    net: dict[str, list[dict[str, object]]] = {}
    for entry in taken:
        net[entry["uuid"]] = fold(net.get(entry["uuid"], []), entry.get("changes", []))
    for entry in own:
        if is_void(entry) or entry["uuid"] in made_or_removed:
            continue
        if "changes" not in entry or is_structural(entry):
            return False
        for change in entry["changes"]:
            if not _is_before(change, net.get(entry["uuid"], [])):
                return False
    return True


def _is_before(change: dict[str, object], net: list[dict[str, object]]) -> bool:
    path = str(change["path"])
    for each in net:
        other = str(each["path"])
        if path == other:
            return same(after(change), before(each))
        if covers(other, path):
            return same(after(change), read(before(each), path[len(other) + 1 :]))
    return False
