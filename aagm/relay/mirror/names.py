"""File names that are safe and distinct on Linux, macOS and Windows: pure.

Source: PROTOCOL_FACTS section 11; FIELD_LESSONS 75, 76, 78.
"""

from __future__ import annotations

import re
import unicodedata

LONGEST = 180  # bytes of UTF-8, so that " (<id>).js.bkp" and a temporary name still fit

_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f\ud800-\udfff]')
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$", "clock$"}
    | {f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"}
)


def safe_name(name: str) -> str:
    """Turn any name into one that is a file or folder name everywhere."""
    text = _FORBIDDEN.sub("_", unicodedata.normalize("NFC", name)).strip()
    text = _shorten(text).rstrip(". ")
    if not text:
        return "untitled"
    if text.split(".", 1)[0].rstrip().lower() in _DEVICES:
        return f"_{text}"
    return text


def key_of(name: str) -> str:
    """Give what two names share when some file system holds them for one.

    Case does not count, nor how an accent is written.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFKC", name).casefold())


def sort_key(name: str) -> str:
    """Give the form in which contextual sort compares folder names.

    Leading characters that are neither letter nor digit do not count.
    """
    text = unicodedata.normalize("NFKC", name).casefold()
    start = next((n for n, c in enumerate(text) if c.isalnum()), len(text))
    return text[start:].strip()


def _shorten(text: str) -> str:
    """Cut *text* to `LONGEST` bytes, between two characters."""
    data = text.encode()
    if len(data) <= LONGEST:
        return text
    return data[:LONGEST].decode(errors="ignore")
