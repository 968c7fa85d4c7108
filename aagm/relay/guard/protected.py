"""What nobody may read or change through an eval: names, ids and flags."""

from __future__ import annotations

import re
from typing import Any

from attrs import field, frozen

OWN_MODULE = "aagm"

# Our settings and flags, in a text: `aagm.relayUrl`, `flags.aagm`, `flags.-=aagm`.
_OWN_TEXT = re.compile(
    rf"(?:^{OWN_MODULE}\.|(?:^|\.)flags\.(?:[-=]=)?{OWN_MODULE}(?:\.|$))"
)
_OWN_REASON = "the settings and flags of AAGM itself are protected"

RESCUE_LOG_NAMES = ("ItemPile Rescue Log",)
RESCUE_LOG_FLAGS = (
    ("world", "aagm-k-loot-rescue"),
    ("world", "aagm-g-loot-rescue"),
)


@frozen
class Protected:
    """Journals that are out of bounds, known by id, by name or by a flag.

    A name is meant whole and in any case; with a ``*`` at its end it is what
    names begin with. Our own module's settings and flags are always protected.
    Source: WIRE section 8; PROTOCOL_FACTS section 7.4.
    """

    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = RESCUE_LOG_NAMES
    flags: tuple[tuple[str, str], ...] = RESCUE_LOG_FLAGS  # (scope, key)
    _whole: frozenset[str] = field(init=False, eq=False, repr=False)
    _starts: tuple[str, ...] = field(init=False, eq=False, repr=False)

    _telling: frozenset[str] = field(init=False, eq=False, repr=False)
    _any: re.Pattern[str] = field(init=False, eq=False, repr=False)  # worth a look

    @_telling.default
    def _choose_keys(self) -> frozenset[str]:
        return frozenset(key for _, key in self.flags if _is_telling(key))

    @_any.default
    def _join(self) -> re.Pattern[str]:
        parts = [OWN_MODULE, *self.ids, *(key for _, key in self.flags)]
        parts += [name.strip().rstrip("*").rstrip(" :-") for name in self.names]
        found = "|".join(re.escape(part) for part in parts if part)
        return re.compile(found, re.IGNORECASE)

    @_whole.default
    def _fold_names(self) -> frozenset[str]:
        return frozenset(
            name.strip().casefold() for name in self.names if not name.endswith("*")
        )

    @_starts.default
    def _fold_starts(self) -> tuple[str, ...]:
        starts = [
            name[:-1].lstrip().casefold() for name in self.names if name[-1:] == "*"
        ]
        return tuple(start for start in starts if start)

    def named_in(self, text: str) -> str | None:
        """Say why *text*, a string of the code, names something protected."""
        if not self._any.search(text):
            return None
        folded = text.strip().casefold()
        if folded in self._whole or (self._starts and folded.startswith(self._starts)):
            return f'"{text.strip()[:60]}" is a protected journal'
        if any(folded == start.rstrip(" :-") for start in self._starts):
            return f'"{text.strip()[:60]}" begins the name of protected journals'
        for known in self.ids:
            if known and known in text:
                return f"{known} is the id of a protected journal"
        for scope, key in self.flags:
            if f"{scope}.{key}" in text or (_is_telling(key) and key in text):
                return f"{scope}.{key} is the flag of protected journals"
        return _OWN_REASON if _OWN_TEXT.search(text) else None

    def named_in_pattern(self, pattern: str) -> str | None:
        """Say why a regular expression asks for something protected."""
        folded = pattern.casefold()
        for name in (*self._whole, *self._starts):
            if name and (name in folded or re.escape(name) in folded):
                return f'"{name}" is a protected journal'
        return self.named_in(pattern)

    def flag(self, scope: str, key: str | None) -> str | None:
        """Say why the flag *key* of *scope* is protected; None for any key."""
        if scope in (OWN_MODULE, f"-={OWN_MODULE}"):
            return _OWN_REASON
        if key is not None and (scope, key.partition(".")[0]) in self.flags:
            return f"{scope}.{key} is the flag of protected journals"
        return None

    def member(self, name: str) -> str | None:
        """Say why a property called *name* is protected, whatever it belongs to."""
        if name not in self._telling:
            return None
        return f"{name} is the flag of protected journals"

    def setting(self, namespace: str) -> str | None:
        """Say why the settings of *namespace* are protected."""
        return _OWN_REASON if namespace == OWN_MODULE else None

    def as_json(self) -> dict[str, Any]:
        """Give the shape that the hello's answer carries."""
        return {
            "ids": list(self.ids),
            "names": list(self.names),
            "flags": [{"scope": scope, "key": key} for scope, key in self.flags],
        }


def _is_telling(key: str) -> bool:
    """Whether *key* is odd enough to be nothing else wherever it stands."""
    return "-" in key or len(key) >= 10 or not key.islower()  # noqa: PLR2004
