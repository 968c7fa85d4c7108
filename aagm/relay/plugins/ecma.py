"""Patterns of JSON Schema, which are ECMA-262's, in the dialect of `regex`.

Pure. What the two read differently is rewritten; what only one of them knows is
refused, so that a pattern never means something else here than in the browser.
Source: JSON Schema draft 2020-12, "Regular Expressions"; docs/plugins.md lists what
is left of the difference.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import regex
from attrs import define, field

Pattern = regex.Pattern[str]

LONGEST = 2000  # characters of a pattern
LONGEST_REPEAT = 10_000  # atoms that a pattern may come to, repeats multiplied
_SHOWN = 80  # characters of a pattern that is repeated

_REPEAT = re.compile(r"\{(\d+)(,(\d*))?\}")
_GROUP = re.compile(r"\((\?(?:[:=!]|<[=!]|<[A-Za-z_]\w*>))?", re.ASCII)
_NAMED = re.compile(r"\\k<([A-Za-z_]\w*)>", re.ASCII)
_NUMBERED = re.compile(r"\\[1-9]\d*", re.ASCII)
_CLASSES = {
    "d": "0-9",
    "w": "A-Za-z0-9_",
    "D": r"\x00-/:-\U0010FFFF",
    "W": r"\x00-/:-@\[-\^`{-\U0010FFFF",
}
_NEWLINES = r"\n\r\u2028\u2029"
_SPECIAL_IN_CLASS = frozenset("[&~|")  # sets of `regex`


class NotEcma(Exception):
    """The pattern is none, or is one that cannot be read alike here."""


def compile_pattern(pattern: str) -> Pattern:
    """Compile a pattern of JSON Schema.

    Raises:
        NotEcma: With what is wrong, in words.
    """
    if len(pattern) > LONGEST:
        raise NotEcma(f"{_cut(pattern)}: longer than {LONGEST} characters")
    try:
        return regex.compile(_Reading(pattern).translated(), regex.VERSION0)
    except (regex.error, RecursionError) as e:
        why = "nested too deeply" if isinstance(e, RecursionError) else e
        raise NotEcma(f"{_cut(pattern)} is no pattern: {why}") from e


def _cut(pattern: str) -> str:
    return pattern if len(pattern) <= _SHOWN else f"{pattern[:_SHOWN]}…"


@define
class _Reading:
    """Read a pattern from left to right."""

    pattern: str
    _at: int = 0
    _out: list[str] = field(factory=list)
    _weights: list[int] = field(factory=lambda: [0])  # of each open group
    _last: int = 0  # weight of the atom that a quantifier would repeat; 0: none

    def translated(self) -> str:
        while self._at < len(self.pattern):
            self._atom()
        if len(self._weights) > 1:
            raise NotEcma(f"{_cut(self.pattern)}: a group is not closed")
        if self._weights[0] > LONGEST_REPEAT:
            raise NotEcma(f"{_cut(self.pattern)}: it repeats too much")
        return "".join(self._out)

    def _atom(self) -> None:
        char = self.pattern[self._at]
        match char:
            case "\\":
                self._put(self._escape(), 1)
            case "[":
                self._put(self._class(), 1)
            case "(":
                self._open()
            case ")":
                self._close()
            case "*" | "+" | "?":
                self._at += 1
                self._quantify(char, 1)
            case "{" if (found := _REPEAT.match(self.pattern, self._at)) is not None:
                self._at = found.end()
                bounds = [int(each) for each in found.group(1, 3) if each]
                self._quantify(found.group(), max(1, *bounds))
            case "$":
                self._step(r"\Z", 0)
            case "^" | "|":
                self._step(char, 0)
            case ".":
                self._step(f"[^{_NEWLINES}]", 1)
            case _:
                self._step(regex.escape(char, literal_spaces=True), 1)

    def _step(self, text: str, weight: int) -> None:
        self._at += 1
        self._put(text, weight)

    def _put(self, text: str, weight: int) -> None:
        self._out.append(text)
        self._last = weight
        self._weights[-1] += weight

    def _quantify(self, text: str, times: int) -> None:
        if not self._last:
            raise NotEcma(f"{_cut(self.pattern)}: nothing to repeat before {text}")
        is_lazy = self.pattern.startswith("?", self._at)
        self._at += is_lazy
        self._out.append(f"{text}?" if is_lazy else text)
        self._weights[-1] += self._last * (times - 1)
        self._last = 0

    def _open(self) -> None:
        found = _GROUP.match(self.pattern, self._at)
        head = found.group() if found is not None else "("
        self._at += len(head)
        if head == "(" and self.pattern.startswith("?", self._at):
            raise NotEcma(f"{_cut(self.pattern)}: no such group in ECMA-262")
        self._out.append(head)
        self._weights.append(0)
        self._last = 0

    def _close(self) -> None:
        if len(self._weights) == 1:
            raise NotEcma(f"{_cut(self.pattern)}: a bracket closes nothing")
        self._at += 1
        self._put(")", max(1, self._weights.pop()))

    def _escape(self) -> str:
        """Read an escape outside a class."""
        name = self.pattern[self._at + 1 : self._at + 2]
        if name in _CLASSES:
            self._at += 2
            return f"[{_CLASSES[name]}]"
        if name in ("b", "B"):
            self._at += 2
            return f"\\{name}"
        if (found := _NAMED.match(self.pattern, self._at)) is not None:
            self._at = found.end()
            return f"(?P={found.group(1)})"
        if (found := _NUMBERED.match(self.pattern, self._at)) is not None:
            self._at = found.end()
            return f"(?:{found.group()})"
        return self._character()

    def _character(self) -> str:
        """Read an escape that stands for characters, in a class and outside."""
        rest = self.pattern[self._at :]
        for shape, write in _ESCAPES:
            if (found := shape.match(rest)) is not None:
                self._at += found.end()
                return write(found)
        raise NotEcma(f"{_cut(self.pattern)}: no escape {rest[:2]} in ECMA-262")

    def _class(self) -> str:
        start = self._at
        self._at += 1
        negated = self.pattern.startswith("^", self._at)
        self._at += negated
        parts: list[str] = []
        while not self.pattern.startswith("]", self._at):
            if self._at >= len(self.pattern):
                raise NotEcma(f"{_cut(self.pattern[start:])}: a class is not closed")
            parts.append(self._member())
        self._at += 1
        if not parts:
            return r"[\s\S]" if negated else r"(?!)"
        return f"[{'^' if negated else ''}{''.join(parts)}]"

    def _member(self) -> str:
        char = self.pattern[self._at]
        if char != "\\":
            self._at += 1
            return f"\\{char}" if char in _SPECIAL_IN_CLASS else char
        name = self.pattern[self._at + 1 : self._at + 2]
        if name in _CLASSES:
            self._at += 2
            if not self.pattern.startswith("-", self._at):
                return _CLASSES[name]
            self._at += 1  # a class begins no range: the dash is one
            return f"{_CLASSES[name]}\\-"
        if name == "b":
            self._at += 2
            return r"\x08"
        return self._character()


def _code(digits: str) -> str:
    return f"\\U{int(digits, 16):08X}"


_ESCAPES: list[tuple[re.Pattern[str], Callable[[re.Match[str]], str]]] = [
    (re.compile(r"\\([sSnrtfv])"), lambda found: found.group()),
    (re.compile(r"\\0(?!\d)"), lambda _: r"\x00"),
    (re.compile(r"\\x([0-9A-Fa-f]{2})"), lambda found: _code(found.group(1))),
    (re.compile(r"\\u([0-9A-Fa-f]{4})"), lambda found: _code(found.group(1))),
    (re.compile(r"\\u\{0*([0-9A-Fa-f]{1,6})\}"), lambda found: _code(found.group(1))),
    (
        re.compile(r"\\c([A-Za-z])"),
        lambda found: f"\\x{ord(found.group(1)) % 32:02x}",
    ),
    (re.compile(r"\\[pP]\{\^?[\w=]+\}", re.ASCII), lambda found: found.group()),
    (
        re.compile(r"\\([^A-Za-z0-9])", re.DOTALL),
        lambda found: regex.escape(found.group(1)),
    ),
]
