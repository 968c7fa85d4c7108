"""A rollback point: what is kept of one write, its file and its short form: pure.

Source: WIRE section 5; PROTOCOL_FACTS sections 8.3 and 8.4.
"""

from __future__ import annotations

import json
import re
from array import array
from collections.abc import Iterable, Sequence
from datetime import MAXYEAR, MINYEAR, datetime
from io import BytesIO
from typing import Any

from attrs import field, frozen

from aagm.errors import UnknownVersion, Unparseable
from aagm.relay.rollback.entries import (
    DOCS,
    Entry,
    captured,
    docs,
    is_void,
    kept,
    may_exist,
)
from aagm.relay.rollback.lost import LOST, has_lost, without_lost
from aagm.wire.hello import World

VERSION = 1
NAME = re.compile(r"rp-[0-9a-f]{6}\Z")
FILE = re.compile(r"(rp-[0-9a-f]+)\.json\Z")

LIVE, PARTIAL, ROLLED_BACK = "live", "partial", "rolled-back"
OPEN, EMPTY = "open", "empty"
REDO = "redo"  # the kind of a point that holds what a rollback changed


class Stands(Sequence[tuple[int, ...]]):
    """Rows of seqs, packed: memory keeps them for thousands of entries."""

    def __init__(self, rows: Iterable[Iterable[int]]) -> None:
        """Pack *rows*."""
        self._flat, self._ends = array("q"), array("q")
        for row in rows:
            self._flat.extend(row)
            self._ends.append(len(self._flat))

    def __len__(self) -> int:
        """Count the rows."""
        return len(self._ends)

    def __getitem__(self, at: Any) -> Any:
        """Give one row."""
        start = self._ends[at - 1] if at else 0
        return tuple(self._flat[start : self._ends[at]])

    def __eq__(self, other: object) -> bool:
        """Compare row by row."""
        return isinstance(other, Stands) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]


def _packed(seqs: Iterable[int]) -> array[int]:
    return array("q", seqs)


@frozen
class Undone:
    """Entries of one point that a redo point took back.

    ``own[i]`` are the redo point's entries that stand for ``seqs[i]``: while they are
    in the world, that entry is not.
    """

    id: str
    seqs: Sequence[int] = field(converter=_packed)
    own: Sequence[tuple[int, ...]] = field(converter=Stands)


@frozen
class Head:
    """What is known of a point before its write has run."""

    id: str
    ts: str  # ISO, UTC, strictly later than every earlier point's
    date: str  # the day's folder, local
    summary: str
    tab_id: str | None
    kind: str
    via: str | None = None
    direction: str | None = None  # of a redo point: undo | redo
    suspect: str | None = None  # the runaway that lived while this was recorded
    world: World | None = None
    member: str | None = None

    @property
    def file(self) -> str:
        """Name the point's file, below the folder of points."""
        return f"{self.date}/{self.id}.json"


@frozen
class Point:
    """What one write did."""

    head: Head
    entries: tuple[Entry, ...] = ()
    uncovered: tuple[dict[str, Any], ...] = ()
    undoes: tuple[Undone, ...] = ()
    annulled: tuple[int, ...] = ()  # seqs taken back without a redo point
    failed: str | None = None
    result: dict[str, Any] | None = None  # of its undo: {applied, error?}
    last_seq: int = 0
    family_state: str | None = None  # what a family relay's file says

    @property
    def id(self) -> str:
        """Name the point."""
        return self.head.id


@frozen
class Digest:
    """What memory keeps of a point: no document body."""

    head: Head
    captured: str
    docs: tuple[str, ...]
    # Packed, so that no entry that is long gone keeps its memory occupied.
    seqs: Sequence[int] = field(converter=_packed)  # entries that can be undone
    undoes: tuple[Undone, ...] = ()
    annulled: tuple[int, ...] = ()
    failed: str | None = None
    last_seq: int = 0
    family_state: str | None = None
    marks: dict[str, Any] = field(factory=dict)  # tail, own, mayExist, moreDocs, …
    is_stuck: bool = False  # its last rollback took nothing back, as rows say

    @property
    def id(self) -> str:
        """Name the point."""
        return self.head.id

    @property
    def is_redo(self) -> bool:
        """Say whether the point holds what a rollback changed."""
        return self.head.kind == REDO


def digest(point: Point) -> Digest:
    """Keep of a point what lists and liveness need."""
    entries = point.entries
    counts = {
        "tail": sum(bool(e.get("tail")) for e in entries),
        "own": sum(bool(e.get("own")) for e in entries),
        "mayExist": sum(may_exist(e) for e in entries),
        "moreDocs": sum(not is_void(e) and not may_exist(e) for e in entries) - DOCS,
    }
    marks: dict[str, Any] = {name: count for name, count in counts.items() if count > 0}
    if uncovered := without_lost(point.uncovered):
        marks["uncovered"] = uncovered[:12]
        marks["uncoveredCount"] = len(uncovered)
    if has_lost(point.uncovered):
        marks["lost"] = LOST
    return Digest(
        head=point.head,
        captured=captured(entries),
        docs=docs(entries),
        seqs=tuple(e["seq"] for e in entries if not may_exist(e)),
        undoes=point.undoes,
        annulled=point.annulled,
        failed=point.failed,
        last_seq=point.last_seq,
        family_state=point.family_state,
        marks=marks,
        is_stuck=_is_stuck(point.result),
    )


def _is_stuck(result: Any) -> bool:
    match result:
        case {"error": _}:
            return False  # the connection broke, the world has said nothing
        case {"applied": [_, *_] as rows}:
            return not any(isinstance(row, dict) and row.get("ok") for row in rows)
    return False


def brief(of: Digest, state: str, world: World | None = None) -> dict[str, Any]:
    """Shape a point for tools and the box; *world* is the one that is open."""
    head = of.head
    shaped: dict[str, Any] = {
        "id": head.id,
        "ts": head.ts,
        "summary": head.summary,
        "tabId": head.tab_id,
        "kind": head.kind,
        "state": state,
        "via": head.via,
        "captured": of.captured,
        "docs": list(of.docs),
        "file": head.file,
    }
    if of.failed:
        shaped["failed"] = of.failed
    if of.is_stuck and state == LIVE:
        shaped["stuck"] = True  # no rollback takes it without its id
    if head.direction:
        shaped["direction"] = head.direction
    if of.undoes:
        shaped["undoes"] = [each.id for each in of.undoes]
    if head.suspect:
        shaped["suspect"] = head.suspect
    if is_foreign(head, world):
        shaped["otherWorld"] = head.world.title if head.world else None
    return shaped | of.marks


def is_foreign(head: Head, world: World | None) -> bool:
    """Say whether the point was made in another world than the open one."""
    return head.world is not None and world is not None and head.world.id != world.id


def encode(point: Point, state: str) -> bytes:
    """Write a point as its file has it: one entry a line, key order kept."""
    members = encode_head(point.head)
    members["state"] = state
    members |= {
        "failed": point.failed,
        "result": point.result,
        "lastSeq": point.last_seq,
        "uncovered": list(point.uncovered) or None,
        "undoes": [_undone(each) for each in point.undoes] or None,
        "annulled": list(point.annulled) or None,
    }
    lines = [
        f" {json.dumps(key)}: {_compact(value)},"
        for key, value in members.items()
        if value is not None or key == "tabId"
    ]
    out = BytesIO()  # not one text after the other: there may be thousands of entries
    out.write("\n".join(["{", *lines, ' "entries": ']).encode("ascii"))
    between = "[\n"
    for entry in point.entries:
        out.write(f"{between}  {_compact(entry)}".encode("ascii"))
        between = ",\n"
    out.write(b"\n ]\n}\n" if point.entries else b"[]\n}\n")
    return out.getvalue()


def encode_head(head: Head) -> dict[str, Any]:
    """Shape what is known before the write has run."""
    world = head.world and {"id": head.world.id, "title": head.world.title}
    return {
        "version": VERSION,
        "id": head.id,
        "ts": head.ts,
        "date": head.date,
        "summary": head.summary,
        "tabId": head.tab_id,
        "kind": head.kind,
        "via": head.via,
        "direction": head.direction,
        "suspect": head.suspect,
        "world": world,
        "member": head.member,
    }


def _undone(undone: Undone) -> dict[str, Any]:
    own = [list(seqs) for seqs in undone.own]
    return {"id": undone.id, "seqs": list(undone.seqs), "own": own}


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def decode(data: bytes) -> Point:
    """Read a point's file, ours or a family relay's (which has no version).

    Raises:
        UnknownVersion: A version that this relay does not know.
        Unparseable: No point at all.
    """
    try:
        body = json.loads(data)
    except (ValueError, RecursionError) as e:
        raise Unparseable(f"no JSON: {e}") from e
    if not isinstance(body, dict):
        raise Unparseable("no JSON object")
    version = body.get("version")
    if version not in (None, VERSION) or isinstance(version, bool):
        raise UnknownVersion(f"point files of version {version!r} are unknown here")
    try:
        return _point(body)
    except (KeyError, TypeError, AttributeError, ValueError) as e:
        raise Unparseable(f"no rollback point: {e!r}") from e


# What a file's members hold, where they are there at all.
_MEMBERS: dict[str, Any] = {
    "date": str,
    "summary": str | None,
    "tabId": str | None,
    "kind": str,
    "state": str,
    "via": str | None,
    "direction": str | None,
    "suspect": str | None,
    "member": str | None,
    "failed": str | None,
    "result": dict | None,
    "world": dict | None,
    "lastSeq": int,
    "undoes": list,
    "annulled": list,
    "uncovered": list,
}


def _point(body: dict[str, Any]) -> Point:
    for key, kind in _MEMBERS.items():
        if key in body and not isinstance(body[key], kind):
            raise TypeError(f"{key} is {body[key]!r}")
    entries = kept(_typed(body["entries"], list))
    last = max((entry["seq"] for entry in entries), default=0)
    return Point(
        head=decode_head(body),
        entries=tuple(entries),
        uncovered=tuple(_typed(row, dict) for row in body.get("uncovered", [])),
        undoes=tuple(
            Undone(_typed(u["id"], str), u["seqs"], u["own"])
            for u in body.get("undoes", [])
        ),
        annulled=tuple(_packed(body.get("annulled", []))),
        failed=body.get("failed"),
        result=body.get("result"),
        last_seq=max(last, body.get("lastSeq", 0)),
        family_state=None if "version" in body else str(body.get("state", LIVE)),
    )


def decode_head(body: dict[str, Any]) -> Head:
    """Read what is known before the write has run.

    Raises:
        KeyError, TypeError, ValueError: A member is missing or damaged.
    """
    world = body.get("world")
    ts = _typed(body["ts"], str)
    if not MINYEAR < datetime.fromisoformat(ts).year < MAXYEAR:  # others come after
        raise ValueError(f"{ts} is no time of a write")
    return Head(
        id=_typed(body["id"], str),
        ts=ts,
        date=str(body.get("date") or ts[:10]),
        summary=str(body.get("summary") or ""),
        tab_id=body.get("tabId"),
        kind=str(body.get("kind") or "eval"),
        via=body.get("via"),
        direction=body.get("direction"),
        suspect=body.get("suspect"),
        world=None if world is None else _world(world),
        member=body.get("member"),
    )


def _world(shape: dict[str, Any]) -> World:
    return World(_typed(shape["id"], str), _typed(shape["title"], str))


def _typed(value: Any, kind: type) -> Any:
    if not isinstance(value, kind):
        raise TypeError(f"{value!r} is no {kind.__name__}")
    return value
