"""What a card unfolds: the documents of a point, path by path, cut to what is read.

Pure. The point's file has the whole.
"""

from __future__ import annotations

import json
from typing import Any

from aagm.relay.rollback.changes import Change
from aagm.relay.rollback.entries import Entry, is_void, may_exist
from aagm.relay.rollback.points import Point

DOCUMENTS = 40  # a point
CHANGES = 60  # a document
LONGEST = 400  # characters of a value's JSON


def details(point: Point) -> dict[str, Any]:
    """Shape ``{id, documents: [{op, uuid, documentName, name, changes?}]}``.

    A value longer than `LONGEST` comes as the beginning of its JSON, in ``beforeCut``
    or ``afterCut``. What is left out is counted in ``moreDocuments`` and
    ``moreChanges``.
    """
    shown = [e for e in point.entries if not is_void(e) and not may_exist(e)]
    said: dict[str, Any] = {
        "id": point.id,
        "documents": [_document(entry) for entry in shown[:DOCUMENTS]],
    }
    if len(shown) > DOCUMENTS:
        said["moreDocuments"] = len(shown) - DOCUMENTS
    return said


def _document(entry: Entry) -> dict[str, Any]:
    said = {key: entry.get(key) for key in ("op", "uuid", "documentName", "name")}
    changes = entry.get("changes") or []
    if changes:
        said["changes"] = [_change(change) for change in changes[:CHANGES]]
    if len(changes) > CHANGES:
        said["moreChanges"] = len(changes) - CHANGES
    return said


def _change(change: Change) -> Change:
    said: Change = {"path": change["path"]}
    for side in ("before", "after"):
        if side not in change:
            continue
        text = json.dumps(change[side], ensure_ascii=False, separators=(",", ":"))
        if len(text) > LONGEST:
            said[f"{side}Cut"] = text[:LONGEST]
        else:
            said[side] = change[side]
    return said
