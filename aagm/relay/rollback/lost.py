"""What a damaged journal took from its point, and how that is told: pure.

A row among the point's uncovered changes says it, so that it stays in the file.
Source: WIRE sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

WHY = "journal-damaged"
LOST = (
    "part of its journal was damaged: changes may be missing from this point, and "
    "a rollback leaves those as they are"
)


def lost_row() -> dict[str, Any]:
    """Make the row that goes among a point's uncovered changes."""
    return {"why": WHY}


def without_lost(uncovered: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Leave out such a row: what is left are changes."""
    return [row for row in uncovered if row.get("why") != WHY]


def has_lost(uncovered: Iterable[dict[str, Any]]) -> bool:
    """Say whether a point's uncovered changes have such a row."""
    return any(row.get("why") == WHY for row in uncovered)
