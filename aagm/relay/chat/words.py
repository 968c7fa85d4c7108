"""What the relay says in the box about rollbacks and points: sentences from answers.

Source: PROTOCOL_FACTS sections 1.4 and 8.4 (the shapes).
"""

from __future__ import annotations

from aagm.errors import AagmError
from aagm.relay.rollback.labels import unlabelled
from aagm.wire.jsonrpc import Json

MOST = 10  # points or conflicts that are named


def fault(error: AagmError) -> str:
    """Say what went wrong and what to do."""
    return f"{str(error).rstrip('.')}. {error.fix}".strip()


def rolled_back(answer: dict[str, Json]) -> str:
    """Say what a rollback did, or why it did nothing."""
    return _done(
        answer, "Rolled back", "/redo brings it back.", "Nothing had to be taken back."
    )


def brought_back(answer: dict[str, Json]) -> str:
    """Say what a redo did, or why it did nothing."""
    return _done(
        answer,
        "Brought back",
        "/rollback takes it back again.",
        "Nothing had to be brought back.",
    )


def _done(answer: dict[str, Json], did: str, reverse: str, nothing: str) -> str:
    if answer.get("refused") or "rolledBack" not in answer:
        return _refused(answer, f"Not {did.lower()}")
    points = answer["rolledBack"]
    if not points:
        return nothing
    lines = [f"{did}: {len(points)} {'point' if len(points) == 1 else 'points'}."]
    lines += [_undone(point, did) for point in points]
    if answer.get("redoPoint"):
        lines.append(reverse)
    return "\n".join(lines)


def points(answer: dict[str, Json]) -> str:
    """List the newest points."""
    found = answer.get("points", [])
    if not found:
        return "There is no rollback point."
    lines = [
        f"{p['id']} ({p['state']}): {p.get('summary', '')} [{p.get('captured', '')}]"
        for p in found[:MOST]
    ]
    if len(found) > MOST:
        lines.append(f"and {len(found) - MOST} older")
    return "\n".join(lines)


def _undone(point: dict[str, Json], did: str) -> str:
    # A redo takes a rollback's point back: what it brings back is the change itself.
    state, summary = point["state"], point.get("summary", "")
    if did == "Brought back":
        state = "brought back" if state == "rolled-back" else state
        summary = unlabelled(summary)
    line = f"{point['id']} ({state}): {summary}"
    if point.get("failed"):
        line += f"; {point['failed']} could not be restored"
    if point.get("error"):
        line += f"; {point['error']}"
    return line


def _refused(answer: dict[str, Json], not_done: str) -> str:
    lines = [f"{not_done}: {answer.get('reason', 'no reason was given')}"]
    if answer.get("fix"):
        lines = [f"{lines[0].rstrip('.')}. {answer['fix']}"]
    conflicts = answer.get("conflicts")
    if isinstance(conflicts, list):
        lines += [_conflict(each) for each in conflicts[:MOST]]
        if len(conflicts) > MOST:
            lines.append(f"and {len(conflicts) - MOST} more")
    return "\n".join(lines)


def _conflict(conflict: dict[str, Json]) -> str:
    what = conflict.get("name") or conflict.get("uuid", "a document")
    where = f", {conflict['path']}" if conflict.get("path") else ""
    return f"{what}{where}: {conflict.get('kind', 'changed')}"
