"""One recording: what the tab sent of it so far, and the point that comes of it.

No disk and no clock here; `aagm.relay.rollback.recordings` keeps them.
Source: WIRE section 4.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from attrs import define, evolve, field
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall

from aagm.relay.ports import TabLink
from aagm.relay.rollback.entries import (
    Entry,
    Raw,
    confirmed,
    is_raw,
    is_void,
    join_parts,
    merge,
    numbered,
    resolve,
)
from aagm.relay.rollback.points import REDO, Head, Point, Undone
from aagm.relay.rollback.undone import Apply, undoing

STREAM = "stream"  # the feature of a tab that sends its entries while it writes


@define(eq=False)
class Recording:
    """A point that is being made, or added to."""

    head: Head
    base: Point | None = None  # what its file held when it was opened again
    key: str | None = None  # of the call that it is of
    link: TabLink | None = None  # the tab that runs it, while it is connected
    tab_instance: str | None = None
    user_id: str | None = None
    streams: bool = True
    vanishes: bool = False  # leaves no point when it touched nothing
    is_sent: bool = False  # the tab was asked to record it, at least once
    is_asked: bool = False  # the tab owes an answer
    is_kept: bool = False  # its writer has more to send under the same id
    is_answered: bool = False
    is_stray: bool = False  # a tab told of it, and nobody here knows why
    is_done: bool = False  # closed, saved, forgotten
    is_hidden: bool = False  # no card shows it: it may leave no point yet
    failed: str | None = None
    is_broken: bool = False  # it failed by a lost connection alone: it may yet be whole
    runaway: bool = False
    suspect: str | None = None
    applies: list[Apply] = field(factory=list)
    result: dict[str, Any] | None = None
    annulled: tuple[int, ...] = ()  # taken back without a redo point
    awaited: int = 0  # the last seq that an answer spoke of
    closed_seq: int | None = None
    last_seq: int = 0  # every seq up to it is here
    until: float = 0.0  # seconds on the clock: nobody waits for it any longer
    timer: IDelayedCall | None = None
    waiters: list[Deferred[None]] = field(factory=list)
    shown: dict[str, Any] | None = None  # the card that the box was told
    filed: tuple[Point, str] | None = None  # what its file holds, and as which state
    outside: list[Raw] = field(factory=list)  # what came after it, uncovered
    _raw: dict[int, Raw] = field(factory=dict)
    _ahead: set[int] = field(factory=set)  # seqs that are here, past a gap
    _parts: dict[int, dict[int, str]] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        """Go on where the point's file ended."""
        if self.base is not None:
            self.last_seq = self.base.last_seq
            self.failed = self.base.failed
            self.result = self.base.result
            self.annulled = self.base.annulled

    @property
    def id(self) -> str:
        """Name the point."""
        return self.head.id

    @property
    def is_closed(self) -> bool:
        """Say whether the tab has closed it, and everything up to there is here."""
        return (
            self.closed_seq is not None
            and not self.is_asked
            and self.closed_seq >= self.awaited
            and (self.is_stray or self.last_seq >= self.closed_seq)
        )

    def take(self, items: Iterable[Any]) -> list[Raw]:
        """Take raw entries in.

        Returns:
            Those that are new, for the journal; a piece of one counts as one.
        """
        return [item for item in items if is_raw(item) and self._is_new(item)]

    def _is_new(self, item: Raw) -> bool:
        seq = item["seq"]
        if seq <= self.last_seq or seq in self._ahead:
            return False
        if "part" not in item:
            self._keep(item)
        else:
            parts = self._parts.setdefault(seq, {})
            if item["part"] in parts:
                return False
            parts[item["part"]] = item["json"]
            if len(parts) < item["parts"]:
                return True
            whole = join_parts(self._parts.pop(seq)) or {"drops": []}
            self._keep({**whole, "seq": seq})
        self._ahead.add(seq)
        while self.last_seq + 1 in self._ahead:
            self.last_seq += 1
            self._ahead.remove(self.last_seq)
        return True

    def _keep(self, item: Raw) -> None:
        """Keep an entry; a confirmation goes into its intent at once, to save room."""
        intent = self._raw.get(item.get("confirms", 0))
        if intent is not None and "op" in intent:
            self._raw[intent["seq"]] = confirmed(intent, item)
        else:
            self._raw[item["seq"]] = item

    def take_family(self, entries: Iterable[Any]) -> list[Raw]:
        """Take in the entries of an answer: of a module that does not stream."""
        after = max([self.last_seq, *self._ahead])
        return self.take(numbered(entries, after))

    def rest(self, frozen_seqs: Collection[int] = frozenset()) -> None:
        """Keep what is here as it would be filed now; what comes later stays beside it.

        Args:
            frozen_seqs: As of `point`.
        """
        self.base = self.point(frozen_seqs)
        self._raw, self.outside = {}, []

    def point(self, frozen_seqs: Collection[int] = frozenset()) -> Point:
        """Make the point of what is here.

        Args:
            frozen_seqs: Entries that an undo names: they stay as they are.
        """
        base = self.base or Point(self.head)
        own = [each for each in base.entries if not is_void(each)]
        kept_voids = [each for each in base.entries if is_void(each)]
        resolved = resolve([*own, *self._raw.values()])
        entries = merge(resolved.entries, frozen_seqs)
        undoes, voids = self._undoing(base, entries, kept_voids)
        return Point(
            head=evolve(self.head, suspect=self.suspect or self.head.suspect),
            entries=tuple(sorted([*voids, *entries], key=lambda e: int(e["seq"]))),
            uncovered=(*base.uncovered, *resolved.uncovered, *self.outside),
            undoes=undoes,
            annulled=self.annulled,
            failed=self.failed,
            result=self.result,
            last_seq=self.last_seq,
            family_state=base.family_state,
        )

    def _undoing(
        self, base: Point, entries: list[Entry], kept_voids: list[Entry]
    ) -> tuple[tuple[Undone, ...], Iterable[Entry]]:
        if self.head.kind != REDO or not self.applies:
            return base.undoes, kept_voids
        told = undoing(self.applies, entries)
        return told.undoes, told.voids
