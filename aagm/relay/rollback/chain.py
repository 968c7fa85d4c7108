"""Take a plan to the world: one apply a point, newest first, one shared redo point.

Source: DESIGN section 4; WIRE section 5.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, evolve, field
from twisted.logger import Logger

from aagm.errors import AagmError, BridgeLost
from aagm.relay.ports import Bridge, Clock
from aagm.relay.rollback.entries import Entry
from aagm.relay.rollback.findings import Conflict, Findings
from aagm.relay.rollback.labels import labelled
from aagm.relay.rollback.lane import Ticket
from aagm.relay.rollback.limits import GRACE, Limits
from aagm.relay.rollback.overlap import touch
from aagm.relay.rollback.plan import Plan, Step
from aagm.relay.rollback.points import REDO, Digest, Point
from aagm.relay.rollback.recording import Recording
from aagm.relay.rollback.recordings import Recordings
from aagm.relay.rollback.undone import Apply, Blocked, Outcome, Row, Rows
from aagm.relay.rollback.writes import RecordedWrites
from aagm.wire.jsonrpc import Json, Params

KEPT = "left as it is, since somebody changed it"
BLOCKED = "a later change to it could not be taken back"
ALREADY = "was so already"
SUMMARY_LONGEST = 160  # characters
SILENT = "the module did not answer"


@define(eq=False)
class _Running:
    """A chain on its way."""

    redo: Recording
    force: bool
    kept: tuple[Entry, ...]  # what stands for the conflicts that are to stay
    outcomes: list[Outcome] = field(factory=list)
    failed: list[Entry] = field(factory=list)

    def why_not(self, entry: Entry) -> str:
        """Say why a blocked entry is not taken back."""
        return KEPT if any(touch(entry, each) for each in self.kept) else BLOCKED


@define(eq=False)
class Chain:
    """Run chains; the turn in the lane is held by whoever calls."""

    _log = Logger()

    _clock: Clock
    _bridge: Bridge
    _writes: RecordedWrites
    _recordings: Recordings
    _limits: Limits

    async def run(
        self,
        ticket: Ticket,
        plan: Plan,
        findings: Findings,
        *,
        force: bool = False,
        kept: Iterable[Conflict] = (),
        via: str | None = None,
        tab_id: str | None = None,
        is_hidden: bool = False,
    ) -> tuple[list[Outcome], Recording]:
        """Take back what *findings* left of *plan*, but nothing that is *kept*.

        Returns:
            What became of each point that was reached, and the redo point's recording.
        """
        redo = self._begin(plan, via=via, tab_id=tab_id, key=ticket.key)
        redo.is_hidden = is_hidden
        ticket.is_sent, ticket.point_id = True, redo.id
        running = _Running(redo, force, tuple(each.standing() for each in kept))
        originals = {step.point.id: step for step in plan.steps}
        broken = None
        for done, step in enumerate(findings.steps):
            self._progress(redo, done, len(findings.steps))
            original = originals[step.point.id]
            broken = await self._step(running, step, original, findings)
            if broken is not None:
                redo.failed = str(broken)
                break
        self._progress(redo, len(findings.steps), len(findings.steps))
        redo.is_kept, redo.is_answered = False, True
        self._recordings.note(redo, {"answered": redo.failed})
        await self._file(redo)
        if isinstance(broken, BridgeLost):
            redo.is_answered = False
            self._recordings.wait(redo, redo.until - self._clock.seconds())
        else:
            self._recordings.settle(redo)
        return running.outcomes, redo

    def _begin(
        self, plan: Plan, *, via: str | None, tab_id: str | None, key: str | None
    ) -> Recording:
        target = plan.target.head
        summary = labelled(plan.direction, target.id, target.summary)
        head = self._writes.head(
            summary[:SUMMARY_LONGEST],
            REDO,
            tab_id=tab_id,
            via=via,
            direction=plan.direction,
        )
        redo = self._recordings.begin(
            head, self._bridge.owner, must_save=False, key=key
        )
        redo.is_kept = True
        return redo

    def _progress(self, redo: Recording, done: int, total: int) -> None:
        """Tell the box how far a chain of several points is; at the end always."""
        if total > 1:
            params: Params = {"label": redo.head.summary, "done": done, "total": total}
            if redo.head.tab_id is not None:
                params["tabId"] = redo.head.tab_id
            self._bridge.notify("aagm.progress", params)

    async def _step(
        self, running: _Running, step: Step, original: Step, findings: Findings
    ) -> AagmError | None:
        """Take back one point; gives the error that stops the chain."""
        self._recordings.rest(step.point.id)
        settled = tuple(
            entry
            for entry in original.entries
            if (step.point.id, entry["seq"]) in findings.settled
        )
        split = Blocked.of(step.entries, [*running.kept, *running.failed])
        whole = {entry["seq"]: entry for entry in original.entries}
        apply = Apply(
            step.point.id,
            sent=split.left,
            settled=settled,
        )
        running.redo.applies.append(apply)
        self._recordings.note(
            running.redo,
            {
                "applying": step.point.id,
                "sent": [entry["seq"] for entry in apply.sent],
                "settled": [entry["seq"] for entry in settled],
            },
        )
        rows, error = await self._send(running, step, split.left)
        if error is None:
            apply.rows = rows
            line = {"applied": step.point.id, "rows": rows}
            self._recordings.note(running.redo, line)
        blocked = [_row(e, error=running.why_not(e)) for e in split.blocked]
        done = [_row(entry, note=ALREADY) for entry in settled]
        failed = {row["seq"] for row in rows if not row["ok"]}
        running.failed += [*split.blocked]
        running.failed += [whole[seq] for seq in failed]
        running.outcomes.append(
            Outcome(
                point=step.point,
                entries=original.entries,
                rows=(*rows, *blocked, *done),
                error=None if error is None else str(error),
            )
        )
        return error

    async def _send(
        self, running: _Running, step: Step, entries: Sequence[Entry]
    ) -> tuple[list[Row], AagmError | None]:
        if not entries:
            return [], None
        redo = running.redo
        params: Params = {
            "pointId": step.point.id,
            "entries": list(entries),
            "rp": {"id": redo.id, "seq": redo.last_seq},
        }
        if running.force:
            params["force"] = True
        redo.is_asked = redo.is_sent = True
        try:
            answer = await self._bridge.call(
                "rollback.apply",
                params,
                limit=self._limits.write_seconds + GRACE,
                late=self._writes.late(redo.id),
            )
        except AagmError as e:
            self._writes.take_part(redo, e.data.get("rollback"))
            return [_row(entry, error=SILENT) for entry in entries], e
        finally:
            redo.is_asked = False
        self._writes.take_part(redo, _member(answer, "rollback"))
        return Rows(tuple(entries)).read(_member(answer, "applied")), None

    async def _file(self, redo: Recording) -> None:
        redo.vanishes = not any(apply.sent or apply.settled for apply in redo.applies)
        if not self._recordings.is_nothing(redo):
            await self._recordings.save(redo)


def _member(answer: Json, key: str) -> Any:
    return answer.get(key) if isinstance(answer, dict) else None


def _row(entry: Entry, *, error: str = "", note: str = "") -> Row:
    row: Row = {"seq": entry["seq"], "uuid": entry["uuid"], "op": entry["op"]}
    row["ok"] = not error
    return row | ({"error": error} if error else {"note": note})


def with_result(point: Point, outcome: Outcome) -> Point:
    """Keep in the point what became of its undo."""
    result: dict[str, Any] = {"applied": list(outcome.rows)}
    if outcome.error is not None:
        result["error"] = outcome.error
    return evolve(point, result=result)


def is_redo_of_undo(of: Digest) -> bool:
    """Say whether the point is what `redo` takes: an undo's."""
    return of.is_redo and of.head.direction == "undo"
