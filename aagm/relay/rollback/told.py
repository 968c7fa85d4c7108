"""What a rollback did or would do, in words a GM understands: pure.

Source: DESIGN section 4, "Undo"; PROTOCOL_FACTS section 1.4.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from aagm.relay.rollback.entries import Entry, is_void
from aagm.relay.rollback.findings import Conflict
from aagm.relay.rollback.lost import LOST, has_lost
from aagm.relay.rollback.plan import Plan
from aagm.relay.rollback.points import Digest
from aagm.relay.rollback.undone import Outcome

NOTHING = "nothing of it could be taken back"
LEFT_OUT = (
    "these files among the points, of that day or later, cannot be read: what they "
    "changed is left as it is, and may be what a conflict lays to somebody else; mend "
    "them and start the relay again, or move them away"
)
LISTED = 40  # documents named a point

_DONE = {"update": "put back", "create": "deleted again", "delete": "made again"}


def rolled_back(outcome: Outcome, state: str) -> dict[str, Any]:
    """Say what became of one point."""
    head = outcome.point.head
    names = {entry["seq"]: entry for entry in outcome.entries}
    rows = [
        _document(names[row["seq"]], row)
        for row in outcome.rows
        if not is_void(names[row["seq"]])
    ]
    said: dict[str, Any] = {
        "id": head.id,
        "summary": head.summary,
        "state": state,
        "failed": outcome.failed,
        "documents": rows[:LISTED],
    }
    if outcome.rows and outcome.failed == len(outcome.rows):
        said["says"] = NOTHING
    if len(rows) > LISTED:
        said["moreDocuments"] = len(rows) - LISTED
    if has_lost(outcome.point.uncovered):
        said["lost"] = LOST
    if outcome.error is not None:
        said["error"] = outcome.error
    return said


def _document(entry: Entry, row: Mapping[str, Any]) -> dict[str, Any]:
    said: dict[str, Any] = {"uuid": entry["uuid"], "name": entry.get("name")}
    kind = entry.get("documentName")
    name = entry.get("name") or entry["uuid"]
    if not row["ok"]:
        return said | {"says": f"{kind} {name}: {row['error']}", "ok": False}
    note = f" ({row['note']})" if row.get("note") else ""
    return said | {"says": f"{kind} {name} {_DONE[entry['op']]}{note}", "ok": True}


def preview(
    plan: Plan,
    conflicts: Iterable[Conflict],
    digests: Mapping[str, Digest],
    *,
    is_checked: bool,
) -> dict[str, Any]:
    """Name what else would be undone, what would come back, and what is in the way."""
    others = [
        _named(digests[step.point.id])
        for step in plan.steps
        if step.point.id != plan.target.id
    ]
    tabs = sorted({row["tabId"] for row in others if row["tabId"]})
    said: dict[str, Any] = {
        "target": plan.target.id,
        "direction": plan.direction,
        "undoes": _named(plan.target),
        "alsoUndoes": others,
        "bringsBack": [_named(digests[id_]) for id_ in plan.returning],
        "also": also(len(others), tabs),
        "conflicts": [c.shaped() for c in conflicts] if is_checked else "not checked",
    }
    if plan.left_alone:
        said["leftAlone"] = [_own(entry) for entry in plan.left_alone[:LISTED]]
    return said


def left_out(skipped: Sequence[str]) -> dict[str, Any]:
    """Name the files of which nobody knows what they would have added."""
    return {"skipped": list(skipped), "skippedWhy": LEFT_OUT} if skipped else {}


def also(count: int, tabs: list[str]) -> str:
    """Say, for the card, what else would be undone; empty when nothing."""
    if not count:
        return ""
    changes = "1 later change" if count == 1 else f"{count} later changes"
    if not tabs:
        return f"also {changes}"
    return f"also {changes}, {'tab' if len(tabs) == 1 else 'tabs'} {enumerated(tabs)}"


def enumerated(words: list[str]) -> str:
    """Join words, one at least, as a sentence does."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last


def _named(of: Digest) -> dict[str, Any]:
    head = of.head
    said = {
        "id": head.id,
        "summary": head.summary,
        "tabId": head.tab_id,
        "kind": head.kind,
        "captured": of.captured,
    }
    if (told := of.marks.get("lost")) is not None:
        said["lost"] = told
    return said


def _own(entry: Entry) -> dict[str, Any]:
    return {
        "uuid": entry["uuid"],
        "name": entry.get("name"),
        "says": f"{entry.get('name') or entry['uuid']}: the GM may have done this",
    }
