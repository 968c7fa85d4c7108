"""What a run touched, against what its plug-in declared: pure.

Source: Plug-in API 1.0 section 3, step 4.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from aagm.relay.rollback.entries import Entry, is_void
from aagm.relay.rollback.points import Point

# Changes that no entry holds and that the run itself made.
_ITS_OWN = ("noHook", "server", "protected")


def touched(point: Point) -> tuple[str, ...]:
    """Name the types of document that a run touched, in order.

    A child that was written by itself counts under its own type; one that came or
    went with its parent is part of the parent. What the GM did by hand meanwhile does
    not count.
    """
    return tuple(dict.fromkeys([*_recorded(point.entries), *_uncovered(point)]))


def _recorded(entries: Iterable[Entry]) -> Iterator[str]:
    for entry in entries:
        if not (entry.get("own") or is_void(entry)):
            yield from entry.get("types") or [str(entry.get("documentName"))]


def _uncovered(point: Point) -> Iterator[str]:
    for each in point.uncovered:
        if each.get("why") in _ITS_OWN:
            yield str(each.get("documentName"))


def outside(point: Point, writes: Iterable[str]) -> tuple[str, ...]:
    """Name the types that a run touched and *writes* does not list."""
    allowed = frozenset(writes)
    return tuple(each for each in touched(point) if each not in allowed)


def is_covered(point: Point) -> bool:
    """Say whether undoing the point takes back all that the run did."""
    return not any(_uncovered(point))
