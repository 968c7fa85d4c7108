"""Which entries concern the same place in the world: pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from attrs import define, field

from aagm.relay.rollback.changes import covers, prefixes
from aagm.relay.rollback.entries import Entry


def is_structural(entry: Entry) -> bool:
    """Say whether the entry makes or removes a document."""
    return bool(entry["op"] != "update")


def touch(a: Entry, b: Entry) -> bool:
    """Say whether two entries of one document, or of one above the other, overlap.

    Two updates of one document overlap where their paths do; a create or a delete
    overlaps with whatever happens to that document or below it.
    """
    if is_structural(a) or is_structural(b):
        upper, lower = sorted((a, b), key=lambda each: len(each["uuid"]))
        if upper["uuid"] == lower["uuid"]:
            return True
        return is_structural(upper) and covers(upper["uuid"], lower["uuid"])
    if a["uuid"] != b["uuid"]:
        return False
    if not a.get("changes") or not b.get("changes"):
        return True  # a family entry, or a void: the whole document
    return any(
        covers(x["path"], y["path"]) or covers(y["path"], x["path"])
        for x in a["changes"]
        for y in b["changes"]
    )


@define
class Overlaps:
    """Find, among many entries, those that touch a given one."""

    _by_uuid: dict[str, list[Entry]] = field(factory=lambda: defaultdict(list))
    _below: dict[str, list[Entry]] = field(factory=lambda: defaultdict(list))

    @classmethod
    def of(cls, entries: Iterable[Entry]) -> Overlaps:
        """Take in *entries*."""
        overlaps = cls()
        for entry in entries:
            overlaps.add(entry)
        return overlaps

    def add(self, entry: Entry) -> None:
        """Take in one more."""
        if (uuid := entry["uuid"]) is None:
            return
        self._by_uuid[uuid].append(entry)
        for above in prefixes(uuid):
            self._below[above].append(entry)

    def touching(self, entry: Entry) -> Iterator[Entry]:
        """Give the entries that overlap with *entry*."""
        if (uuid := entry["uuid"]) is None:
            return
        near = self._below if is_structural(entry) else self._by_uuid
        seen = near.get(uuid, [])
        yield from (other for other in seen if touch(entry, other))
        for above in prefixes(uuid):
            if above != uuid:
                yield from (
                    other
                    for other in self._by_uuid.get(above, ())
                    if is_structural(other)
                )
