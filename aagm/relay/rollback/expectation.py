"""What a rollback expects to find in the world: pure.

The net expectation of a chain: the newest entry a document and path, for a created
document the newest hash and the children that are known.
Source: WIRE section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field

from aagm.relay.rollback.changes import Change, fold, prefixes, seams
from aagm.relay.rollback.entries import Entry, is_void
from aagm.relay.rollback.liveness import Place
from aagm.relay.rollback.overlap import is_structural
from aagm.relay.rollback.plan import Step


@define
class Document:
    """What the chain did to one document in the life that it has now."""

    uuid: str
    name: str | None = None
    changes: list[Change] = field(factory=list)
    seams: list[str] = field(factory=list)  # paths somebody wrote in between
    ends: Entry | None = None  # its newest create or delete
    is_gone: bool = False  # the chain left no such document
    places: set[Place] = field(factory=set)  # entries of this life
    guesses: list[tuple[Place, Entry]] = field(factory=list)  # unconfirmed ones

    def add(self, place: Place, entry: Entry) -> None:
        """Take in an entry older than all before."""
        self.name = self.name or entry.get("name")
        self.places.add(place)
        if entry.get("confirmed") is False:
            self.guesses.append((place, entry))
        elif is_structural(entry):
            self.ends = entry
        else:
            self._go_on_from(entry.get("changes", []))

    def _go_on_from(self, older: list[Change]) -> None:
        """Take in changes older than all before."""
        if not self.changes:
            self.changes = older  # thousands of documents have no more than these
            return
        self.seams += seams(older, self.changes)
        self.changes = fold(older, self.changes, keep_same=True)


@define
class Hashes:
    """The newest hash of each document that the points know of."""

    _known: dict[str, str | None] = field(factory=dict)
    _below: dict[str, set[str]] = field(factory=dict)

    def add(self, entry: Entry) -> None:
        """Take in an entry newer than all before."""
        uuid = entry["uuid"]
        if uuid is None or is_void(entry) or entry.get("confirmed") is False:
            return
        if entry["op"] == "delete":
            for each in [uuid, *self._below.pop(uuid, ())]:
                self._known.pop(each, None)
            return
        self._put(uuid, entry.get("hash"))
        if is_structural(entry):
            for child in entry.get("children", []):
                self._put(child["uuid"], child.get("hash"))

    def _put(self, uuid: str, value: str | None) -> None:
        self._known[uuid] = value
        for above in list(prefixes(uuid))[1:]:
            self._below.setdefault(above, set()).add(uuid)

    def of(self, uuid: str) -> str | None:
        """Give the newest hash, if the newest entry told one."""
        return self._known.get(uuid)

    def below(self, uuid: str) -> list[dict[str, Any]] | None:
        """List the descendants; None when one's state is not known."""
        known = {
            each: self._known[each]
            for each in sorted(self._below.get(uuid, ()))
            if each in self._known
        }
        if any(value is None for value in known.values()):
            return None
        return [{"uuid": each, "hash": value} for each, value in known.items()]


@define
class Expectation:
    """Ask the world about a chain.

    Args:
        steps: What is to be taken back, newest point first.
        history: Every entry of the points since the target, oldest first.
    """

    steps: Sequence[Step]
    history: Iterable[Entry] = ()
    rows: list[dict[str, Any]] = field(factory=list, init=False)
    documents: dict[str, Document] = field(factory=dict, init=False)
    _hashes: Hashes = field(factory=Hashes, init=False)

    def __attrs_post_init__(self) -> None:
        """Work out what the chain left."""
        for entry in self.history:
            self._hashes.add(entry)
        for step in self.steps:
            for entry in reversed(step.entries):
                if not is_void(entry):
                    self._add((step.point.id, entry["seq"]), entry)
        for document in self.documents.values():
            document.is_gone = self._is_gone(document)
            self.rows += self._rows_of(document)

    def _add(self, place: Place, entry: Entry) -> None:
        uuid = entry["uuid"]
        document = self.documents.setdefault(uuid, Document(uuid))
        if not any(True for _ in self._ends_above(uuid)):
            document.add(place, entry)

    def _ends_above(self, uuid: str) -> Iterable[Entry]:
        for above in prefixes(uuid):
            document = self.documents.get(above)
            if document is not None and document.ends is not None:
                yield document.ends

    def _is_gone(self, document: Document) -> bool:
        """Say whether the chain left no such document: it, or one above, went last."""
        return any(end["op"] == "delete" for end in self._ends_above(document.uuid))

    def _rows_of(self, document: Document) -> list[dict[str, Any]]:
        uuid = document.uuid
        rows: list[dict[str, Any]] = []
        for _, guess in document.guesses:
            if guess["op"] == "delete":
                rows.append({"uuid": uuid, "exists": False})
            rows += [_leaf(uuid, change) for change in guess.get("changes", [])]
        if document.is_gone:
            return [*rows, {"uuid": uuid, "exists": False}, *self._parent(document)]
        rows += [_leaf(uuid, change) for change in document.changes]
        if document.ends is not None:
            rows.append(self._whole(uuid))
        return rows or [{"uuid": uuid, "exists": True}]

    def _parent(self, document: Document) -> list[dict[str, Any]]:
        parent = (document.ends or {}).get("parentUuid")
        if not parent or parent in self.documents:
            return []
        return [{"uuid": parent, "exists": True}]

    def _whole(self, uuid: str) -> dict[str, Any]:
        row: dict[str, Any] = {"uuid": uuid}
        if (value := self._hashes.of(uuid)) is not None:
            row["hash"] = value
            if (children := self._hashes.below(uuid)) is not None:
                row["children"] = children
        return {**row, "exists": True}


def _leaf(uuid: str, change: Change) -> dict[str, Any]:
    row: dict[str, Any] = {"uuid": uuid, "path": change["path"]}
    value = {"value": change["after"]} if "after" in change else {"absent": True}
    return {**row, **value, "exists": True}
