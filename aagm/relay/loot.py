"""What a restore of lost loot is called, and the macro that it needs: pure.

Source: PROTOCOL_FACTS section 10.5; DESIGN section 4.
"""

from __future__ import annotations

from typing import Any

from aagm.wire.jsonrpc import Json

KIND = "loot.restore"
LONGEST = 80  # characters of what a label names


def setup_macro(member: str) -> str:
    """Name the macro that makes the Rescue Log, as the module calls it."""
    return f"{member} Loot Watchdog Setup"


def label(member: str) -> str:
    """Name the point of a restore before anything is known of it."""
    return f"{member} Loot Watchdog: restore"


def label_of(member: str, result: Json) -> str:
    """Name the point of a restore by what was granted."""
    rows = result.get("restored") if isinstance(result, dict) else None
    if not isinstance(rows, list):
        return label(member)
    granted = ", ".join(_goods(row) for row in rows if isinstance(row, dict))
    if not granted:
        return f"{label(member)}, nothing granted"
    if len(granted) > LONGEST:
        granted = f"{granted[: LONGEST - 1]}…"
    return f"{label(member)} {granted}"


def _goods(row: dict[str, Any]) -> str:
    return f"{row.get('qty')} × {row.get('item')} to {row.get('recipient')}"  # noqa: RUF001 - a multiplication sign is meant
