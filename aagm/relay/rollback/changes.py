"""Leaf changes of one document: comparing, folding, and what lies above what.

A change is ``{path, before?, after?}``; an absent ``before`` means the key did not
exist, an absent ``after`` that it is gone. The module does the same in JavaScript.
Source: WIRE section 4.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from typing import Any, Final

Change = dict[str, Any]
Value = Any  # JSON, or MISSING


class _Missing:
    """The value of a key that is not there."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()


def before(change: Change) -> Value:
    """Give what was at the path, or `MISSING`."""
    return change.get("before", MISSING)


def after(change: Change) -> Value:
    """Give what the write left at the path, or `MISSING`."""
    return change.get("after", MISSING)


def same(a: Value, b: Value) -> bool:
    """Compare as JSON: key order does not matter, ``true`` is not 1, 1 is 1.0."""
    if a is b:
        return True
    if isinstance(a, bool) or isinstance(b, bool):
        return False
    if isinstance(a, dict):
        return (
            isinstance(b, dict)
            and a.keys() == b.keys()
            and all(same(value, b[key]) for key, value in a.items())
        )
    if isinstance(a, list):
        return (
            isinstance(b, list)
            and len(a) == len(b)
            and all(same(x, y) for x, y in zip(a, b, strict=True))
        )
    return bool(a == b)


def covers(above: str, below: str) -> bool:
    """Say whether one path (or uuid) is the other, or above it."""
    return below == above or below.startswith(above + ".")


def prefixes(path: str) -> Iterator[str]:
    """Give the path itself, then what lies above it, nearest first."""
    yield path
    while (dot := path.rfind(".")) >= 0:
        path = path[:dot]
        yield path


def fold(
    older: Iterable[Change], newer: Iterable[Change], *, keep_same: bool = False
) -> list[Change]:
    """Take two lists of changes as one: earliest ``before``, latest ``after``.

    A path above or below another counts as the same place.

    Args:
        older: What happened first.
        newer: What happened then.
        keep_same: Keep also what came back to its ``before``.
    """
    by_path = {change["path"]: dict(change) for change in older}
    for change in newer:
        for path in prefixes(change["path"]):
            if path in by_path:
                by_path[path] = _with_after(by_path[path], change)
                break
        else:
            by_path[change["path"]] = _widened(by_path, change)
    folded = list(by_path.values())
    if keep_same:
        return folded
    return [c for c in folded if not same(before(c), after(c))]


def seams(older: Iterable[Change], newer: Iterable[Change]) -> list[str]:
    """Name the paths whose older ``after`` is not the newer ``before``.

    Somebody else wrote there in between.
    """
    left = {change["path"]: change for change in older}
    return [
        change["path"]
        for change in newer
        if change["path"] in left
        and not same(after(left[change["path"]]), before(change))
    ]


def _with_after(known: Change, change: Change) -> Change:
    if known["path"] != change["path"]:
        inner = change["path"][len(known["path"]) + 1 :]
        whole = write(known.get("after", {}), inner, after(change))
        return {**known, "after": whole}
    wide = {key: value for key, value in known.items() if key != "after"}
    return wide | ({"after": change["after"]} if "after" in change else {})


def _widened(by_path: dict[str, Change], change: Change) -> Change:
    """Take in what is known below the path: it belongs into the whole's before."""
    wide = dict(change)
    for path in [p for p in by_path if covers(change["path"], p)][::-1]:
        below = by_path.pop(path)
        inner = path[len(change["path"]) + 1 :]
        wide["before"] = write(wide.get("before", {}), inner, before(below))
    return wide


def read(source: Any, path: str) -> Value:
    """Read a path in a stored source; a part that meets a list names an ``_id``."""
    at = source
    for part in path.split("."):
        if isinstance(at, list):
            at = next((item for item in at if _id_of(item) == part), MISSING)
        elif isinstance(at, dict) and part in at:
            at = at[part]
        else:
            return MISSING
    return at


def write(source: Any, path: str, value: Value) -> Any:
    """Give a copy of *source* with *value* at the path, or without it if `MISSING`."""
    whole = copy.deepcopy(source) if isinstance(source, dict | list) else {}
    *parts, last = path.split(".")
    at = whole
    for part in parts:
        inner = read(at, part)
        if not isinstance(inner, dict | list):
            if value is MISSING:
                return whole
            inner = {"_id": part} if isinstance(at, list) else {}
            _put(at, part, inner)
        at = inner
    _put(at, last, value)
    return whole


def _put(at: Any, key: str, value: Value) -> None:
    if not isinstance(at, list):
        at.pop(key, None) if value is MISSING else at.update({key: value})
        return
    place = next((i for i, item in enumerate(at) if _id_of(item) == key), None)
    if place is None:
        if value is not MISSING:
            at.append(value)
    elif value is MISSING:
        del at[place]
    else:
        at[place] = value


def _id_of(item: Any) -> Any:
    return item.get("_id") if isinstance(item, dict) else None
