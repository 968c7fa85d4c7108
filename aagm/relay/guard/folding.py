"""Compute with constants, so that a name put together is still a name."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote

from aagm.relay.guard.literals import shown
from aagm.relay.guard.values import (
    PRIM,
    Value,
    just,
)

LONGEST = 512  # characters; nobody spells a name in more
MOST = 8  # alternatives of one text

_DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"


def joined(parts: list[Value]) -> Value:
    """Concatenate as `+` and template strings do, as far as texts are known."""
    found = [""]
    for part in parts:
        options = [as_text(atom) for atom in part]
        if not options or None in options or len(options) * len(found) > MOST:
            return PRIM
        found = [
            left + right for left in found for right in options if right is not None
        ]
        if len(found[0]) > LONGEST:
            return PRIM
    return frozenset(found)


def as_text(atom: Any) -> str | None:
    """Give the text that JavaScript makes of a constant."""
    if type(atom) is str:
        return atom
    if type(atom) is int or type(atom) is float:
        return shown(atom)
    return None


def method(text: str, name: str, args: list[Any]) -> Value | None:
    """Call the method *name* of a text with constants; None when it is unknown."""
    fold = _METHODS.get(name)
    if fold is None or len(text) > LONGEST:
        return None
    try:
        answer = fold(text, *args)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if type(answer) is str and len(answer) > LONGEST:
        return None
    return just(answer)


def _index(value: Any, length: int) -> int:
    place = int(value)
    return max(0, place + length) if place < 0 else min(place, length)


def _slice(text: str, start: float = 0, end: float | None = None) -> str:
    last = len(text) if end is None else _index(end, len(text))
    return text[_index(start, len(text)) : last]


def _substring(text: str, start: float, end: float | None = None) -> str:
    last = len(text) if end is None else end
    ends = sorted(max(0, min(int(x), len(text))) for x in (start, last))
    return text[ends[0] : ends[1]]


def _substr(text: str, start: float, count: float | None = None) -> str:
    first = _index(start, len(text))
    return text[first:] if count is None else text[first : first + max(0, int(count))]


def _at(text: str, index: float = 0) -> str:
    return text[int(index)]


def _char_at(text: str, index: float = 0) -> str:
    return text[int(index)] if 0 <= index < len(text) else ""


def _replace(text: str, old: str, new: str) -> str:
    if type(old) is not str or type(new) is not str or "$" in new:
        raise ValueError
    return text.replace(old, new, 1)


def _replace_all(text: str, old: str, new: str) -> str:
    if type(old) is not str or type(new) is not str or "$" in new:
        raise ValueError
    return text.replace(old, new)


def _repeat(text: str, count: float) -> str:
    if count * len(text) > LONGEST:
        raise ValueError
    return text * int(count)


def _pad_start(text: str, width: float, fill: str = " ") -> str:
    missing = min(int(width), LONGEST) - len(text)
    return (fill * max(0, missing))[: max(0, missing)] + text


def _pad_end(text: str, width: float, fill: str = " ") -> str:
    missing = min(int(width), LONGEST) - len(text)
    return text + (fill * max(0, missing))[: max(0, missing)]


def _concat(text: str, *more: Any) -> str:
    parts = [as_text(part) for part in more]
    if None in parts:
        raise ValueError
    return text + "".join(part for part in parts if part is not None)


_METHODS: dict[str, Callable[..., Any]] = {
    "at": _at,
    "charAt": _char_at,
    "charCodeAt": lambda text, index=0: ord(text[int(index)]),
    "codePointAt": lambda text, index=0: ord(text[int(index)]),
    "concat": _concat,
    "normalize": lambda text: text,
    "padEnd": _pad_end,
    "padStart": _pad_start,
    "repeat": _repeat,
    "replace": _replace,
    "replaceAll": _replace_all,
    "slice": _slice,
    "substr": _substr,
    "substring": _substring,
    "toLocaleLowerCase": str.lower,
    "toLocaleUpperCase": str.upper,
    "toLowerCase": str.lower,
    "toString": lambda text: text,
    "toUpperCase": str.upper,
    "trim": str.strip,
    "trimEnd": str.rstrip,
    "trimStart": str.lstrip,
    "valueOf": lambda text: text,
}


def pieces(text: str, separator: Any) -> list[str] | None:
    """Split a text as `split` does."""
    if type(separator) is not str or len(text) > LONGEST:
        return None
    return text.split(separator) if separator else list(text)


def number_text(value: float, radix: Any = 10) -> str | None:
    """Write a whole number to a base, as `toString(radix)` does."""
    if type(radix) is not int or not 2 <= radix <= 36:  # noqa: PLR2004
        return None
    if radix == 10:  # noqa: PLR2004
        return shown(value)
    rest = int(value)
    if rest != value or rest < 0:
        return None
    digits = ""
    while rest or not digits:
        rest, digit = divmod(rest, radix)
        digits = _DIGITS[digit] + digits
    return digits


def decoded(path: str, text: str) -> str | None:
    """Decode a text as `atob` or `decodeURIComponent` does."""
    if len(text) > LONGEST:
        return None
    if path == "atob":
        try:
            return base64.b64decode(text + "=" * (-len(text) % 4)).decode("latin-1")
        except (binascii.Error, ValueError):
            return None
    return unquote(text)
