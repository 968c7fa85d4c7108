"""What the guard says of one eval."""

from __future__ import annotations

from typing import Literal

from attrs import frozen

Kind = Literal["read", "unproven", "write", "delete", "side-effect", "protected"]

SEVERITY: dict[Kind, int] = {
    "read": 0,
    "unproven": 1,
    "write": 2,
    "delete": 3,
    "side-effect": 4,
    "protected": 5,
}

LONGEST = 64 * 1024  # bytes of UTF-8 that are looked at


@frozen
class Verdict:
    """One class for a whole eval, and the place that decided it.

    ``line`` counts from 1 and ``column`` from 0, in characters. A syntax error
    is `unproven` here, and says so in ``syntax_error``. ``too_long`` is code
    over `LONGEST`, which nobody looked at; ``unfinished`` means that the time
    was up, so that the same code may get a better verdict on a quieter machine.
    """

    kind: Kind
    reason: str
    line: int = 1
    column: int = 0
    syntax_error: bool = False
    too_long: bool = False
    unfinished: bool = False

    @property
    def place(self) -> str:
        """Name the place as a person reads it."""
        return f"line {self.line}, column {self.column}"
