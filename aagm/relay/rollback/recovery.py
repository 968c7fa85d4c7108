"""What a journal begins with, and a recording made anew from one.

Source: DESIGN section 4; WIRE sections 4 and 5.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import evolve

from aagm.relay.rollback.entries import is_raw
from aagm.relay.rollback.journal import Journal, Line
from aagm.relay.rollback.lost import has_lost, lost_row
from aagm.relay.rollback.points import REDO, Point, decode_head, encode_head
from aagm.relay.rollback.recording import Recording
from aagm.relay.rollback.undone import Apply

KILLED = "the relay was stopped while the write ran"

Find = Callable[[str], Point | None]


def head_line(recording: Recording) -> Line:
    """Write what a journal begins with."""
    return {
        **encode_head(recording.head),
        "tabInstance": recording.tab_instance,
        "userId": recording.user_id,
        "streams": recording.streams,
        "vanishes": recording.vanishes,
        "key": recording.key,
        "baseSeq": recording.base.last_seq if recording.base else None,
    }


def recovered(journal: Journal, find: Find) -> Recording:
    """Play a journal's lines; *find* gives the points that a rollback applied."""
    head = decode_head(journal.head)
    base = None
    if journal.head.get("baseSeq") is not None:
        base = find(head.id)
    recording = Recording(
        head,
        base=base,
        key=journal.head.get("key"),
        tab_instance=journal.head.get("tabInstance"),
        user_id=journal.head.get("userId"),
        streams=journal.head.get("streams") is not False,
        vanishes=journal.head.get("vanishes") is True,
        is_answered=base is not None,
        is_sent=True,
        failed=KILLED,
        is_broken=True,
    )
    is_damaged = journal.is_damaged
    for line in journal.lines:
        try:
            _replay(recording, line, find)
        except ValueError:
            is_damaged = True
    if is_damaged and not has_lost(recording.point().uncovered):
        recording.outside.append(lost_row())
    return recording


def _replay(recording: Recording, line: Line, find: Find) -> None:
    match line:
        case {"answered": failed}:
            recording.is_answered, recording.failed = True, failed
            recording.is_broken = False
        case {"summary": str(summary)}:
            recording.head = evolve(recording.head, summary=summary)
        case {"failed": str(failed)}:
            recording.failed = failed
        case {"closed": int(seq)}:
            recording.closed_seq = seq
            recording.failed = line.get("why", recording.failed)
        case {"applying": str(point_id)} if recording.head.kind == REDO:
            recording.applies.append(_apply(point_id, line, find))
        case {"applied": str(), "rows": list(rows)} if recording.applies:
            recording.applies[-1].rows = rows
        case {"rests": True}:
            recording.rest()
        case {"outside": dict(told)}:
            recording.outside.append(told)
        case {"seq": int()} if is_raw(line):
            recording.take([line])
        case _:
            raise ValueError("no line of a journal")


def _apply(point_id: str, line: Line, find: Find) -> Apply:
    point = find(point_id)
    entries = {e["seq"]: e for e in point.entries} if point else {}
    sent, settled = (
        tuple(entries[seq] for seq in line.get(key, []) if seq in entries)
        for key in ("sent", "settled")
    )
    return Apply(point_id, sent, settled)
