"""What the point of a rollback or of a redo is called."""

from __future__ import annotations

import re

# Points on disk may have a redo's earlier label, "Redo to before rp-0a1b2c: ".
_LABEL = re.compile(r"((Rollback|Redo) to before rp-[0-9a-f]+: |Redone: )+")


def labelled(direction: str, target: str, summary: str) -> str:
    """Name the point that taking back *target* leaves; the change is named once.

    Args:
        direction: undo or redo.
        target: The point's id.
        summary: The point's summary, maybe a label itself.
    """
    start = "Redone" if direction == "redo" else f"Rollback to before {target}"
    return f"{start}: {unlabelled(summary)}"


def unlabelled(summary: str) -> str:
    """Give the change that *summary* is about, without what a label adds."""
    label = _LABEL.match(summary)
    return summary[label.end() :] if label else summary
