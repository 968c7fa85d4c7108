"""What a recording sent, made into what a write did: pure.

Raw entries are intents, confirmations, drops, uncovered rows and pieces of entries
too big for a frame. An entry is kept as the JSON it came as: its reader is the
module, and a family module's has other members than ours.
Source: WIRE section 4; PROTOCOL_FACTS section 8.2.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from typing import Any

from attrs import define, field, frozen

from aagm.errors import Unparseable
from aagm.relay.rollback.changes import fold, prefixes, seams
from aagm.wire.jsonrpc import loads

Entry = dict[str, Any]
Raw = dict[str, Any]

OPS = ("update", "create", "delete")
DOCS = 12  # documents that a brief names
NO_DOCUMENTS = "no documents touched"


@frozen
class Resolved:
    """Entries with their confirmations folded in, in order of seq."""

    entries: list[Entry]
    uncovered: list[Raw]


def resolve(raw: Iterable[Raw]) -> Resolved:
    """Apply confirmations and drops to their intents."""
    by_seq: dict[int, Entry] = {}
    uncovered = []
    for item in sorted(raw, key=lambda each: each["seq"]):
        if "uncovered" in item:
            uncovered.append(item["uncovered"])
        elif "drops" in item:
            for seq in item["drops"]:
                by_seq.pop(seq, None)
        elif "confirms" in item:
            if (intent := by_seq.get(item["confirms"])) is not None:
                by_seq[intent["seq"]] = confirmed(intent, item)
        else:
            by_seq[item["seq"]] = item
    return Resolved([by_seq[seq] for seq in sorted(by_seq)], uncovered)


def confirmed(intent: Entry, news: Raw) -> Entry:
    """Fold a confirmation into its intent."""
    kept = {key: value for key, value in intent.items() if key != "confirmed"}
    added = {k: v for k, v in news.items() if k not in ("seq", "confirms")}
    return kept | added


def is_raw(item: Any) -> bool:
    """Say whether *item* has the shape of a raw entry or of a piece of one."""
    match item:
        case {"seq": bool()}:
            return False
        case {"seq": int(), "uncovered": dict()}:
            return True
        case {"seq": int(), "drops": list(seqs)}:
            return all(isinstance(seq, int) for seq in seqs)
        case {"seq": int(), "confirms": int()}:
            return _has_shape(item)
        case {"seq": int(), "part": int(), "parts": int(), "json": str()}:
            return True
    return isinstance(item, dict) and isinstance(item.get("seq"), int) and _is_op(item)


# What the members that are read here hold, where they are there at all.
_SHAPES: dict[str, Any] = {
    "uuid": str | None,
    "documentName": str | None,
    "parentUuid": str | None,
    "pack": str | None,
    "hash": str | None,
    "confirmed": bool,
    "data": dict | None,
    "changes": list,
    "children": list,
    "types": list,
}


def _is_op(item: Entry) -> bool:
    op = item.get("op")
    return isinstance(op, str) and op in OPS and "uuid" in item and _has_shape(item)


def _has_shape(item: Raw) -> bool:
    return (
        all(isinstance(item[key], _SHAPES[key]) for key in _SHAPES.keys() & item.keys())
        and _each_names(item.get("changes", ()), "path")
        and _each_names(item.get("children", ()), "uuid")
        and all(isinstance(each, str) for each in item.get("types", ()))
    )


def _each_names(rows: Iterable[Any], key: str) -> bool:
    return all(isinstance(row, dict) and isinstance(row.get(key), str) for row in rows)


def join_parts(parts: dict[int, str]) -> Raw | None:
    """Put the pieces of one entry together; None when it makes no entry."""
    try:
        whole = loads("".join(parts[place] for place in sorted(parts)))
    except Unparseable:
        return None
    return whole if is_raw(whole) else None


def numbered(entries: Iterable[Any], after: int) -> list[Entry]:
    """Number the entries of a family module, which have no seq; skip what is none."""
    shaped = [entry for entry in entries if isinstance(entry, dict) and _is_op(entry)]
    return [
        entry if "seq" in entry else {"seq": after + place, **entry}
        for place, entry in enumerate(shaped, 1)
    ]


def kept(entries: list[Any]) -> list[Entry]:
    """Read the entries of a point's file; a family relay's have no seq.

    Raises:
        ValueError: One is damaged, so that the point is not what was written.
    """
    given = numbered(entries, 0)
    if len(given) < len(entries):
        whole = [isinstance(each, dict) and _is_op(each) for each in entries]
        raise ValueError(f"entry {whole.index(False) + 1} is damaged")
    if not all(is_raw(entry) for entry in given):
        raise ValueError("an entry's seq is no number")
    if len({entry["seq"] for entry in given}) < len(given):
        raise ValueError("two entries have one seq")
    return given


def may_exist(entry: Entry) -> bool:
    """Say whether the entry is a create that nobody confirmed.

    It is shown and never undone: a rollback deletes only what its point created.
    """
    is_sure = entry["uuid"] is not None and entry.get("confirmed") is not False
    return bool(entry["op"] == "create" and not is_sure)


def is_void(entry: Entry) -> bool:
    """Say whether the entry is a redo's mark of what it found done already."""
    return entry.get("void", False) is True


def void(seq: int, entry: Entry) -> Entry:
    """Mark, as entry *seq* of a redo point, that *entry* needed no write to undo."""
    kept = ("uuid", "documentName", "name", "parentUuid", "pack")
    head = {key: entry.get(key) for key in kept}
    return {"seq": seq, "op": "update", **head, "changes": [], "void": True}


def merge(
    entries: Iterable[Entry], frozen_seqs: Collection[int] = frozenset()
) -> list[Entry]:
    """Fold the entries into one a document and life of it.

    What was created and deleted again leaves nothing. An unconfirmed entry, one of
    *frozen_seqs* (an undo names it already) and a family entry take no further ones;
    nor does one whose document somebody else changed meanwhile, at the same path:
    folded, his value would be in neither, and an undo could not ask.
    """
    folding = _Folding(frozen_seqs)
    for entry in entries:
        folding.add(entry)
    return folding.merged()


@define
class _Folding:
    frozen_seqs: Collection[int]
    _kept: dict[int, Entry] = field(factory=dict)  # by seq
    _open: dict[tuple[str, bool], int] = field(factory=dict)  # who takes more
    _below: dict[str, set[str]] = field(factory=lambda: defaultdict(set))

    def add(self, entry: Entry) -> None:
        uuid, seq, op = entry["uuid"], entry["seq"], entry["op"]
        takes_more = (
            entry.get("confirmed") is not False
            and seq not in self.frozen_seqs
            and ("changes" in entry or op != "update")
        )
        key = (uuid, bool(entry.get("own")))
        known = self._open.get(key) if takes_more else None
        if op == "update":
            if known is not None and self._goes_on(self._kept[known], entry):
                self._kept[known] = _updated(self._kept[known], entry)
                return
        elif uuid is not None:
            if op == "delete" and known is not None and self._was_created(known):
                self._forget(uuid, known)
                return
            self._close(uuid)
        self._kept[seq] = entry
        if uuid is None:
            return
        self._open.pop(key, None)
        if takes_more and op != "delete":
            self._open[key] = seq
        for above in prefixes(uuid):
            self._below[above].add(uuid)

    def merged(self) -> list[Entry]:
        kept = (self._kept[seq] for seq in sorted(self._kept))
        return [e for e in kept if e.get("changes") != [] or is_void(e)]

    @staticmethod
    def _goes_on(known: Entry, update: Entry) -> bool:
        return not seams(known.get("changes", ()), update.get("changes", ()))

    def _was_created(self, seq: int) -> bool:
        return bool(self._kept[seq]["op"] == "create")

    def _close(self, uuid: str) -> None:
        """What lived below *uuid* lives no more, or anew."""
        for below in self._below.pop(uuid, ()):
            self._open.pop((below, False), None)
            self._open.pop((below, True), None)

    def _forget(self, uuid: str, created: int) -> None:
        within = self._below.get(uuid, set())
        self._close(uuid)
        self._kept = {
            seq: entry
            for seq, entry in self._kept.items()
            if seq < created or entry["uuid"] not in within
        }


def _updated(known: Entry, update: Entry) -> Entry:
    news = dict(known)
    if "changes" in known:
        news["changes"] = fold(known["changes"], update["changes"])
    if known["op"] == "create" or "hash" in update:
        # A hash of before the update is none of the document any more.
        news.pop("hash", None)
        news |= {key: update[key] for key in ("hash", "children") if key in update}
    for mark in ("tail", "partner"):
        if mark not in update:
            news.pop(mark, None)
    if "types" in update:
        types = [*known.get("types", []), *update["types"]]
        news["types"] = list(dict.fromkeys(types))
    return news


def captured(entries: Iterable[Entry]) -> str:
    """Count what was captured, as ``1 update, 1 create, 1 delete``."""
    counts = Counter(e["op"] for e in entries if not is_void(e) and not may_exist(e))
    named = [f"{counts[op]} {op}" for op in OPS if counts[op]]
    return ", ".join(named) or NO_DOCUMENTS


def docs(entries: Iterable[Entry]) -> tuple[str, ...]:
    """Name the first documents, as ``update Actor Mirelda``."""
    named = (
        f"{e['op']} {e.get('documentName')} {e.get('name') or e['uuid']}"
        for e in entries
        if not is_void(e) and not may_exist(e)
    )
    return tuple(name for name, _ in zip(named, range(DOCS), strict=False))
