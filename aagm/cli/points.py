"""``aagm points``: list rollback points, look into one, take one back."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any

from aagm.cli.reach import add_options, ask, choose
from aagm.relay.rollback.lost import LOST, has_lost, without_lost
from aagm.wire.jsonrpc import Json, Params

Ask = Callable[[str, Params], Json]

_VERBS = "{list,show,diff,rollback}"
LONGEST = 60  # characters of a value that `diff` prints


def main(argv: Sequence[str]) -> int:
    """Run one of the four; the exit status is 1 when a rollback is refused."""
    given = _parser().parse_args(argv)
    running = choose(given)

    def ask_it(verb: str, params: Params) -> Json:
        return ask(running, verb, params)

    status, lines = run(given, ask_it)
    sys.stdout.writelines(f"{line}\n" for line in lines)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="aagm points", description="List rollback points, and take them back."
    )
    add_options(parser)
    verbs = parser.add_subparsers(dest="verb", required=True, metavar=_VERBS)
    listing = verbs.add_parser("list", help="list the newest points, newest first")
    add_options(listing, again=True)
    for name, words in (
        ("show", "print a point as JSON"),
        ("diff", "print what a point changed, before → after"),
    ):
        _add(verbs, name, words)
    rollback = _add(verbs, "rollback", "take the world back to before a point")
    for flag, words in (
        ("--dry-run", "only say what would happen"),
        ("--force", "overwrite what others changed since"),
        ("--only", "undo this point alone"),
    ):
        rollback.add_argument(flag, action="store_true", help=words)
    return parser


def _add(verbs: Any, name: str, words: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=words)
    parser.add_argument("id", help="the point, as rp-3fa2c1")
    add_options(parser, again=True)
    return parser


def run(given: argparse.Namespace, ask_it: Ask) -> tuple[int, list[str]]:
    """Ask the relay and write its answer as lines."""
    match given.verb:
        case "list":
            return 0, listed(ask_it("points", {}))
        case "show":
            point = ask_it("point", {"id": given.id})
            return 0, [json.dumps(point, indent=2, ensure_ascii=False)]
        case "diff":
            return 0, list(diff(ask_it("point", {"id": given.id})))
    answer = ask_it(
        "rollback",
        {
            "id": given.id,
            "dryRun": given.dry_run,
            "force": given.force,
            "only": given.only,
        },
    )
    return int(bool(answer.get("refused"))), list(told(answer))


def listed(answer: Json) -> list[str]:
    """Write the points, one a line, and the files that are none."""
    lines = [
        "  ".join(
            (p["id"], _local(p["ts"]), f"{p['state']:11}", p["captured"], p["summary"])
        )
        for p in answer["points"]
    ]
    skipped = [f"skipped: {name}" for name in answer.get("skipped", [])]
    return [*(lines or ["there are no rollback points"]), *skipped]


def diff(point: dict[str, Any]) -> Iterator[str]:
    """Write what a point changed: path by path, before → after."""
    yield f"{point['id']}  {point['summary']}  ({point['state']})"
    for entry in point["entries"]:
        if entry.get("void"):
            continue
        mark = {"update": "~", "create": "+", "delete": "-"}[entry["op"]]
        name = entry.get("name") or ""
        notes = [key for key in ("tail", "own") if entry.get(key)]
        if entry.get("confirmed") is False:
            notes.append("unconfirmed")
        note = f"  [{', '.join(notes)}]" if notes else ""
        yield f"{mark} {entry.get('documentName')} {name} ({entry['uuid']}){note}"
        for change in entry.get("changes", []):
            before, after = (_value(change, key) for key in ("before", "after"))
            yield f"    {change['path']}: {before} → {after}"
    uncovered = point.get("uncovered", [])
    if has_lost(uncovered):
        yield f"! {LOST}"
    for row in without_lost(uncovered):
        yield f"! {row.get('op')} {row.get('uuid')} is not covered: {row.get('why')}"


def _value(change: dict[str, Any], key: str) -> str:
    if key not in change:
        return "(absent)"
    text = json.dumps(change[key], ensure_ascii=False)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def told(answer: dict[str, Any]) -> Iterator[str]:
    """Write what a rollback did, would do or may not do."""
    if answer.get("refused"):
        yield f"refused: {answer['reason']}"
        if answer.get("fix"):
            yield f"    {answer['fix']}"
    if answer.get("dryRun"):
        yield f"would undo {_point(answer['undoes'])}"
        yield from (f"would also undo {_point(p)}" for p in answer["alsoUndoes"])
        yield from (f"would bring back {_point(p)}" for p in answer["bringsBack"])
    conflicts = answer.get("conflicts", [])
    if isinstance(conflicts, str):
        yield f"conflicts: {conflicts}"
    else:
        reason = answer.get("reason", "")  # names the first of them
        rows = (row["says"] for row in conflicts)
        yield from (f"conflict: {says}" for says in rows if says not in reason)
    for row in answer.get("rolledBack", []):
        yield f"{row['id']}  {row['state']}  {row['summary']}"
        if row.get("lost"):
            yield f"    {row['lost']}"
        yield from (f"    {document['says']}" for document in row["documents"])
    if skipped := answer.get("skipped"):
        yield f"{answer['skippedWhy']}: {', '.join(skipped)}"
    if answer.get("redoPoint"):
        yield f"undo this with: aagm points rollback {answer['redoPoint']}"


def _point(point: dict[str, Any]) -> str:
    said = f"{point['id']} ({point['summary']}: {point['captured']})"
    return f"{said}; {point['lost']}" if point.get("lost") else said


def _local(ts: str) -> str:
    return f"{datetime.fromisoformat(ts).astimezone():%Y-%m-%d %H:%M:%S}"
