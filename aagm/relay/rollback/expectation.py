"""What a rollback expects to find in the world, and what differs: pure.

The net expectation of a chain: the newest entry a document and path, for a created
document the newest hash and the children that are known.
Source: WIRE section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from aagm.relay.rollback.changes import (
    MISSING,
    Change,
    Value,
    after,
    before,
    covers,
    fold,
    prefixes,
    same,
)
from aagm.relay.rollback.entries import Entry, is_void
from aagm.relay.rollback.overlap import is_structural
from aagm.relay.rollback.plan import Step

Place = tuple[str, int]  # (point id, seq)


@frozen
class Conflict:
    """Somebody changed what a rollback would overwrite."""

    uuid: str
    name: str | None
    kind: str  # changed | gone | exists | edited-after-create
    path: str | None = None

    def shaped(self) -> dict[str, Any]:
        """Shape it for an answer."""
        row: dict[str, Any] = {"uuid": self.uuid, "name": self.name}
        if self.path is not None:
            row["path"] = self.path
        return row | {"kind": self.kind, "says": self.says()}

    def says(self) -> str:
        """Say it in a GM's words."""
        name = self.name or self.uuid
        match self.kind:
            case "changed":
                return f"{name}: {self.path} was changed by somebody since"
            case "gone":
                return f"{name} is gone"
            case "exists":
                return f"{name} was deleted, and is there again"
        return f"{name} was edited after it was created"


@define
class _Document:
    """What the chain did to one document; entries come newest first."""

    uuid: str
    name: str | None
    changes: list[Change] = field(factory=list)
    seams: list[str] = field(factory=list)  # paths somebody wrote in between
    ends: Entry | None = None  # its newest create or delete; older ones do not count
    hash: str | None = None
    is_hash_known: bool = True
    is_gone: bool = False  # the chain left no such document
    guesses: list[tuple[Place, Entry]] = field(factory=list)  # unconfirmed

    def add(self, place: Place, entry: Entry) -> None:
        self.name = self.name or entry.get("name")
        if entry.get("confirmed") is False:
            self.guesses.append((place, entry))
            return
        if self.ends is not None:
            return
        if self.hash is None and self.is_hash_known:
            self.hash = entry.get("hash")
            self.is_hash_known = self.hash is not None
        if is_structural(entry):
            self.ends = entry
            return
        older = entry.get("changes", [])
        self.seams += seams(older, self.changes)
        self.changes = fold(older, self.changes, keep_same=True)


def seams(older: Iterable[Change], newer: Iterable[Change]) -> list[str]:
    """Name the paths whose older ``after`` is not the newer ``before``."""
    left = {change["path"]: change for change in older}
    return [
        change["path"]
        for change in newer
        if change["path"] in left
        and not same(after(left[change["path"]]), before(change))
    ]


@frozen
class Findings:
    """What the world says about a plan."""

    steps: tuple[Step, ...]  # what is still to be sent, newest first
    settled: frozenset[Place] = frozenset()  # taken back without a write
    conflicts: tuple[Conflict, ...] = ()


@define
class Expectation:
    """Ask the world about a chain, and read its answer."""

    _steps: Sequence[Step]
    rows: list[dict[str, Any]] = field(factory=list, init=False)
    _documents: dict[str, _Document] = field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        """Work out what the chain left."""
        for step in self._steps:
            for entry in reversed(step.entries):
                if (uuid := entry["uuid"]) is not None and not is_void(entry):
                    document = self._documents.get(uuid)
                    if document is None:
                        document = _Document(uuid, entry.get("name"))
                        self._documents[uuid] = document
                    document.add((step.point.id, entry["seq"]), entry)
        for document in self._documents.values():
            document.is_gone = self._is_gone(document)
            self.rows += self._rows_of(document)

    def _rows_of(self, document: _Document) -> list[dict[str, Any]]:
        uuid, ends = document.uuid, document.ends
        rows: list[dict[str, Any]] = []
        for _, guess in document.guesses:
            if guess["op"] == "delete":
                rows.append({"uuid": uuid, "exists": False})
            rows += [_leaf(uuid, change) for change in guess.get("changes", [])]
        if document.is_gone:
            return [*rows, {"uuid": uuid, "exists": False}, *self._parent(document)]
        rows += [_leaf(uuid, change) for change in document.changes]
        if ends is not None:
            rows.append(self._whole(document, ends))
        return rows or [{"uuid": uuid, "exists": True}]

    def _is_gone(self, document: _Document) -> bool:
        """Say whether the chain left no such document: it, or one above, went last."""
        ends = (
            self._documents[above].ends
            for above in prefixes(document.uuid)
            if above in self._documents
        )
        return any(each is not None and each["op"] == "delete" for each in ends)

    def _parent(self, document: _Document) -> list[dict[str, Any]]:
        parent = (document.ends or {}).get("parentUuid")
        if not parent or parent in self._documents:
            return []
        return [{"uuid": parent, "exists": True}]

    def _whole(self, document: _Document, created: Entry) -> dict[str, Any]:
        row: dict[str, Any] = {"uuid": document.uuid}
        if document.hash is not None:
            row["hash"] = document.hash
            children = self._children(created)
            if children is not None:
                row["children"] = children
        return {**row, "exists": True}

    def _children(self, created: Entry) -> list[dict[str, Any]] | None:
        if (listed := created.get("children")) is None:
            return None
        hashes = {child["uuid"]: child.get("hash") for child in listed}
        for uuid, document in self._documents.items():
            if uuid == created["uuid"] or not covers(created["uuid"], uuid):
                continue
            if self._is_gone(document):
                hashes.pop(uuid, None)
            elif document.ends is not None or uuid in hashes:
                hashes[uuid] = document.hash
                for child in (document.ends or {}).get("children", []):
                    hashes.setdefault(child["uuid"], child.get("hash"))
        if any(value is None for value in hashes.values()):
            return None  # a child's state is not known well enough to compare
        return [{"uuid": uuid, "hash": value} for uuid, value in hashes.items()]

    def read(self, found: Iterable[dict[str, Any]]) -> Findings:
        """Read the answer: what is done, what is in conflict, what is still to do."""
        return _Reading(self._steps, self._documents, self.rows).read(found)


def _leaf(uuid: str, change: Change) -> dict[str, Any]:
    row: dict[str, Any] = {"uuid": uuid, "path": change["path"]}
    value = {"value": change["after"]} if "after" in change else {"absent": True}
    return {**row, **value, "exists": True}


@define
class _Reading:
    _steps: Sequence[Step]
    _documents: dict[str, _Document]
    _rows: list[dict[str, Any]]
    _leaves: dict[tuple[str, str], Value] = field(factory=dict, init=False)
    _gone: dict[str, str | None] = field(factory=dict, init=False)  # uuid → name
    _there: dict[str, str | None] = field(factory=dict, init=False)
    _edited: dict[str, str | None] = field(factory=dict, init=False)
    _conflicts: list[Conflict] = field(factory=list, init=False)
    _done: set[tuple[str, str]] = field(factory=set, init=False)  # (uuid, path)
    _never: set[Place] = field(factory=set, init=False)  # was not written at all

    def read(self, found: Iterable[dict[str, Any]]) -> Findings:
        for row in found:
            self._take(row)
        for uuid, name in self._gone.items():
            if uuid not in self._documents:  # the parent of something deleted
                self._conflicts.append(Conflict(uuid, name, "gone"))
        for document in self._documents.values():
            self._judge(document)
        return self._findings()

    def _take(self, row: dict[str, Any]) -> None:
        uuid, name = row["uuid"], row.get("name")
        asked = self._asked(row)
        if row.get("exists") is False:
            self._gone[uuid] = name
        elif asked is not None and asked.get("exists") is False:
            self._there[uuid] = name
        elif (path := row.get("path")) is not None:
            self._leaves[uuid, path] = row.get("value", MISSING)
        else:
            self._edited[uuid] = name

    def _asked(self, row: dict[str, Any]) -> dict[str, Any] | None:
        index = row.get("index")
        if isinstance(index, int) and 0 <= index < len(self._rows):
            return self._rows[index]
        return next(
            (
                asked
                for asked in self._rows
                if asked["uuid"] == row["uuid"] and asked.get("path") == row.get("path")
            ),
            None,
        )

    def _judge(self, document: _Document) -> None:
        uuid, ends = document.uuid, document.ends
        happened = self._judge_guesses(document)
        if any(guess["op"] == "delete" for guess in happened):
            return
        if document.is_gone:
            if uuid in self._there:
                self._say(document, "exists")
            return
        if uuid in self._gone:
            if ends is None and document.changes:
                self._say(document, "gone")
            return
        guessed = {c["path"] for guess in happened for c in guess.get("changes", [])}
        for change in document.changes:
            self._judge_path(document, change, guessed)
        if uuid in self._edited:
            self._say(document, "edited-after-create")

    def _judge_guesses(self, document: _Document) -> list[Entry]:
        """Resolve what nobody confirmed: current equals before, nothing happened."""
        happened = []
        for place, guess in document.guesses:
            if guess["op"] == "delete":
                is_never = document.uuid in self._there
            else:
                is_never = all(
                    same(self._leaves.get((document.uuid, c["path"]), after(c)), b)
                    for c in guess.get("changes", [])
                    for b in [before(c)]
                )
            if is_never:
                self._never.add(place)
            else:
                happened.append(guess)
                self._judge_guess(document, guess)
        return happened

    def _judge_guess(self, document: _Document, guess: Entry) -> None:
        if document.uuid in self._gone and guess["op"] == "update":
            self._say(document, "gone")
            return
        for change in guess.get("changes", []):
            now = self._leaves.get((document.uuid, change["path"]), MISSING)
            is_known = (document.uuid, change["path"]) in self._leaves
            if is_known and not same(now, before(change)):
                self._say(document, "changed", change["path"])

    def _judge_path(
        self, document: _Document, change: Change, guessed: set[str]
    ) -> None:
        path = change["path"]
        key = (document.uuid, path)
        now = self._leaves.get(key, after(change))
        if same(now, before(change)):
            self._done.add(key)
            return
        is_seam = path in document.seams
        is_other = key in self._leaves and not any(
            covers(path, other) or covers(other, path) for other in guessed
        )
        if is_seam or is_other:
            self._say(document, "changed", path)

    def _say(self, document: _Document, kind: str, path: str | None = None) -> None:
        name = self._names().get(document.uuid) or document.name
        conflict = Conflict(document.uuid, name, kind, path)
        if conflict not in self._conflicts:
            self._conflicts.append(conflict)

    def _names(self) -> dict[str, str | None]:
        return self._gone | self._there | self._edited

    def _findings(self) -> Findings:
        settled: set[Place] = set()
        steps = []
        for step in self._steps:
            left = []
            for entry in step.entries:
                place = (step.point.id, entry["seq"])
                to_do = None if place in self._never else self._left_of(entry)
                if to_do is None:
                    settled.add(place)
                else:
                    left.append(to_do)
            steps.append(evolve(step, entries=tuple(left)))
        return Findings(tuple(steps), frozenset(settled), tuple(self._conflicts))

    def _left_of(self, entry: Entry) -> Entry | None:
        """Take from an entry what is done already; None when that is all of it."""
        if is_void(entry) or self._is_gone_anyway(entry):
            return None
        if "changes" not in entry or is_structural(entry):
            return entry
        changes = [
            change
            for change in entry["changes"]
            if not any(
                (entry["uuid"], path) in self._done for path in prefixes(change["path"])
            )
        ]
        return {**entry, "changes": changes} if changes else None

    def _is_gone_anyway(self, entry: Entry) -> bool:
        """Say whether the document was to be deleted and somebody did so already."""
        for above in prefixes(entry["uuid"]):
            document = self._documents.get(above)
            ends = document.ends if document is not None else None
            if ends is not None and ends["op"] == "create" and above in self._gone:
                return True
        return False


def unchecked(steps: Sequence[Step]) -> Findings:
    """Take a plan as it is: the tab cannot be asked."""
    settled = {
        (step.point.id, e["seq"]) for step in steps for e in step.entries if is_void(e)
    }
    kept = tuple(
        evolve(step, entries=tuple(e for e in step.entries if not is_void(e)))
        for step in steps
    )
    return Findings(kept, frozenset(settled))
