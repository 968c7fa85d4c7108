"""What literals are worth: the cooked text of strings, the value of numbers."""

from __future__ import annotations

import re

_ESCAPE = re.compile(
    r"\\(?:u\{([0-9A-Fa-f]+)\}|u([0-9A-Fa-f]{4})|x([0-9A-Fa-f]{2})"
    r"|(\r\n|[\n\r\u2028\u2029])|([0-7]{1,3})|(.))",
    re.DOTALL,
)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_LAST = 0x10FFFF  # the last code point


def cooked(raw: str) -> str:
    """Give the text that *raw*, with its escapes, stands for."""
    if "\\" not in raw:
        return raw
    return _ESCAPE.sub(_unescape, raw)


def _unescape(found: re.Match[str]) -> str:
    point, four, two, line, octal, plain = found.groups()
    if line is not None:
        return ""
    if plain is not None:
        return _PLAIN.get(plain, plain)
    if octal is not None:
        return chr(int(octal, 8))
    value = int(point or four or two, 16)
    return chr(value) if value <= _LAST else "�"


def number(text: str) -> int | float | None:
    """Give the value of a number literal; None when it is a bigint or odd."""
    text = text.replace("_", "").lower()
    try:
        if text[:2] in ("0x", "0o", "0b"):
            return int(text, 0)
        value = float(text)
    except ValueError:
        return None
    return int(value) if value.is_integer() and abs(value) < 1e15 else value  # noqa: PLR2004


def shown(value: float) -> str:
    """Write a number as JavaScript does, for whole numbers and short fractions."""
    return str(int(value)) if float(value).is_integer() else repr(value)
