"""Console lines of the Foundry tab, and the filter that one listener has: pure.

Source: PROTOCOL_FACTS sections 1.4 and 2.3.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from math import prod

import regex
from attrs import define, field, frozen

from aagm.errors import BadParams, TimeLimit
from aagm.wire.jsonrpc import Params

LEVELS = ("log", "info", "warn", "error", "debug")
LONGEST = 4000  # characters of one line
PATTERN_LONGEST = 500  # characters of a filter
PATIENCE = 0.02  # seconds that a filter may spend on one line
BUDGET = 1.0  # seconds that a filter may spend in all

# Counted repetitions are written out while a pattern is compiled, the nested ones
# multiplied; this many are still quick.
_REPEATS = re.compile(r"\{(\d+)(?:,(\d*))?\}")
_MOST_REPEATS = 10_000


@frozen
class Line:
    """One line of the console, or an error that nobody caught."""

    level: str
    timestamp: str | int | float
    source: str  # console, window.error, unhandledrejection
    message: str

    def to_json(self) -> Params:
        """Shape it as the family does."""
        return {
            "level": self.level,
            "timestamp": self.timestamp,
            "source": self.source,
            "message": self.message,
        }


def from_wire(params: Params) -> Line | None:
    """Read a ``logs.entry``; None when it is none."""
    match params:
        case {"level": str(level), "message": str(message)} if level in LEVELS:
            at, source = params.get("timestamp"), params.get("source")
            return Line(
                level=level,
                timestamp=at if isinstance(at, str | int | float) else "",
                source=source[:40] if isinstance(source, str) else "console",
                message=message[:LONGEST],
            )
    return None


@define(eq=False)
class Filter:
    """Which lines one listener wants.

    A pattern that takes too long ends its listener and nobody else's.

    Args:
        levels: The levels wanted; None for all.
        timer: Gives seconds, to measure the pattern by: of the thread's own work, so
            that a busy machine ends no listener.
    """

    levels: frozenset[str] | None
    _pattern: regex.Pattern[str] | None
    _timer: Callable[[], float] = time.thread_time  # no pause counts
    _left: float = field(default=BUDGET, init=False)  # seconds

    @classmethod
    def of(cls, levels: list[str] | None, pattern: str | None) -> Filter:
        """Make a filter of a tool's arguments.

        Raises:
            BadParams: The pattern is none, or would take too long to prepare.
        """
        return cls(frozenset(levels) if levels else None, _compiled(pattern))

    def wants(self, line: Line) -> bool:
        """Say whether the listener wants *line*.

        Raises:
            TimeLimit: The pattern takes too long.
        """
        if self.levels is not None and line.level not in self.levels:
            return False
        if self._pattern is None:
            return True
        began = self._timer()
        try:
            patience = min(PATIENCE, max(self._left, 0.001))
            found = self._pattern.search(line.message, timeout=patience) is not None
        except TimeoutError as e:
            raise self._too_slow() from e
        self._left -= self._timer() - began
        if self._left <= 0:
            raise self._too_slow()
        return found

    @staticmethod
    def _too_slow() -> TimeLimit:
        return TimeLimit(
            "the filter takes too long",
            fix="Use a simpler pattern: no repetition inside a repetition.",
        )


def _compiled(pattern: str | None) -> regex.Pattern[str] | None:
    if pattern is None:
        return None
    if len(pattern) > PATTERN_LONGEST:
        raise BadParams(f"the filter has more than {PATTERN_LONGEST} characters")
    counts = (int(most or least) for least, most in _REPEATS.findall(pattern))
    if prod(max(count, 1) for count in counts) > _MOST_REPEATS:
        raise BadParams("the filter repeats too much: count less, or use + and *")
    try:
        return regex.compile(pattern)
    except (regex.error, OverflowError, RecursionError) as e:
        why = "nested too deeply" if isinstance(e, RecursionError) else e
        raise BadParams(
            f"the filter is no regular expression: {why}",
            fix="Write it as in JavaScript, without the slashes around it.",
        ) from e
