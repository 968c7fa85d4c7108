"""What the world's answer says about a rollback: pure.

A path that already equals its ``before`` is done; anything else that differs is a
conflict. What nobody confirmed is resolved here, too.
Source: WIRE section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from attrs import define, evolve, field, frozen

from aagm.relay.rollback.changes import (
    MISSING,
    Change,
    Value,
    after,
    before,
    covers,
    prefixes,
    read,
    same,
)
from aagm.relay.rollback.entries import Entry, is_void
from aagm.relay.rollback.expectation import Document, Expectation
from aagm.relay.rollback.liveness import Place
from aagm.relay.rollback.overlap import is_structural
from aagm.relay.rollback.plan import Step


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

    def standing(self) -> Entry:
        """Write it as an entry that touches what must stay when this stays.

        A changed document stays as a whole; one that is gone, or is there when it
        should not be, with all that lies in it.
        """
        op = "update" if self.kind == "changed" else "delete"
        return {"op": op, "uuid": self.uuid}

    def says(self) -> str:
        """Say it in a GM's words."""
        name = self.name or self.uuid
        match self.kind:
            case "changed":
                return f"{name}: {self.path} was changed by somebody since"
            case "gone":
                return f"{name} is gone: with force the rest is taken back"
            case "exists":
                return f"{name} was deleted, and is there again"
        return f"{name} was edited or put to use after it was created"


@frozen
class Findings:
    """What the world says about a plan."""

    steps: tuple[Step, ...]  # what is still to be sent, newest first
    settled: frozenset[Place] = frozenset()  # taken back without a write
    conflicts: tuple[Conflict, ...] = ()


def read_answer(expectation: Expectation, found: Iterable[dict[str, Any]]) -> Findings:
    """Read the answer of `rollback.check`: done, in conflict, still to do."""
    reading = _Reading(expectation.steps, expectation.documents, expectation.rows)
    return reading.read(found)


@define
class _Befores:
    """What was at the paths of a document before writes that nobody confirmed."""

    _older: Sequence[Change]  # what was confirmed before them
    _by_path: dict[str, list[Value]] = field(factory=dict)

    def add(self, changes: Iterable[Change]) -> None:
        """Take in an entry newer than all before."""
        for change in changes:
            path = change["path"]
            if path not in self._by_path:
                self._by_path[path] = [
                    read({"at": before(older)}, f"at{path[len(older['path']) :]}")
                    for older in self._older
                    if covers(older["path"], path)
                ]
            self._by_path[path].append(before(change))

    def has(self, path: str, value: Value) -> bool:
        """Say whether *value* was there before one of them."""
        return any(same(value, each) for each in self._by_path[path])


@define
class _Reading:
    _steps: Sequence[Step]
    _documents: Mapping[str, Document]
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

    def _judge(self, document: Document) -> None:
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

    def _judge_guesses(self, document: Document) -> list[Entry]:
        """Resolve what nobody confirmed: current equals before, nothing happened.

        An older before will do, too: what was written upon a write that never
        happened, or is back already, was not written either.
        """
        happened = []
        befores = _Befores(document.changes)
        for place, guess in reversed(document.guesses):
            changes = guess.get("changes", [])
            befores.add(changes)
            if guess["op"] == "delete":
                # Made by the chain and gone: nothing is left to do of either.
                is_made = document.ends is not None and document.ends["op"] == "create"
                is_never = document.uuid in self._there or is_made
            else:
                is_never = all(
                    befores.has(c["path"], self._now(document, c)) for c in changes
                )
            if is_never:
                self._never.add(place)
            else:
                happened.append(guess)
        for guess in happened:
            self._judge_guess(document, guess, befores)
        return happened

    def _now(self, document: Document, change: Change) -> Value:
        """Give what is there; unless the world says so, it is what was left."""
        # The same leaf may have been asked about for what came before, too.
        return self._leaves.get((document.uuid, change["path"]), after(change))

    def _judge_guess(self, document: Document, guess: Entry, befores: _Befores) -> None:
        if document.uuid in self._gone and guess["op"] == "update":
            self._say(document, "gone")
            return
        for change in guess.get("changes", []):
            now, path = self._now(document, change), change["path"]
            if not befores.has(path, now) and not any(
                same(now, after(other))
                for _, guess in document.guesses
                for other in guess.get("changes", [])
                if other["path"] == path
            ):
                self._say(document, "changed", path)

    def _judge_path(
        self, document: Document, change: Change, guessed: set[str]
    ) -> None:
        path = change["path"]
        key = (document.uuid, path)
        now = self._now(document, change)
        if same(now, before(change)):
            self._done.add(key)
            return
        is_seam = path in document.seams
        # The leaf may be known only because a guess expected something else there.
        is_other = not same(now, after(change)) and not any(
            covers(path, other) or covers(other, path) for other in guessed
        )
        if is_seam or is_other:
            self._say(document, "changed", path)

    def _say(self, document: Document, kind: str, path: str | None = None) -> None:
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
                to_do = None if place in self._never else self._left_of(place, entry)
                if to_do is None:
                    settled.add(place)
                else:
                    left.append(to_do)
            steps.append(evolve(step, entries=tuple(left)))
        return Findings(tuple(steps), frozenset(settled), tuple(self._conflicts))

    def _left_of(self, place: Place, entry: Entry) -> Entry | None:
        """Take from an entry what is done already; None when that is all of it."""
        if is_void(entry):
            return None
        document = self._documents[entry["uuid"]]
        if place not in document.places:
            return entry  # of an earlier life of the document
        if self._is_gone_anyway(entry):
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
        if len(changes) == len(entry["changes"]):
            return entry
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
