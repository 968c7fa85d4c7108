"""Rollback and redo: which point, what is in the way, what was done.

Source: DESIGN section 4, "Undo"; WIRE section 5.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Literal

from attrs import define, field, frozen
from twisted.logger import Logger

from aagm.errors import DiskFault, MethodUnknown, NoModule, NotCapable
from aagm.relay.ports import Bridge, TabLink
from aagm.relay.refusals import refused
from aagm.relay.rollback import refusals
from aagm.relay.rollback.chain import Chain, is_redo_of_undo, with_result
from aagm.relay.rollback.details import details
from aagm.relay.rollback.expectation import Expectation
from aagm.relay.rollback.findings import Findings, read_answer, unchecked
from aagm.relay.rollback.index import Index
from aagm.relay.rollback.lane import By, Recheck, Ticket, WriteLane
from aagm.relay.rollback.limits import Limits
from aagm.relay.rollback.plan import Plan, Unreadable, plan
from aagm.relay.rollback.points import (
    LIVE,
    PARTIAL,
    ROLLED_BACK,
    Digest,
    Head,
    brief,
    is_foreign,
)
from aagm.relay.rollback.recording import Recording
from aagm.relay.rollback.recordings import Recordings
from aagm.relay.rollback.refusals import Refusal
from aagm.relay.rollback.told import left_out, preview, rolled_back
from aagm.relay.rollback.undone import Outcome, is_exact
from aagm.wire.jsonrpc import Json

CHECK = "check"  # the feature of a tab that compares before it overwrites
Changed = Callable[[str, dict[str, Any], str | None], None]


@frozen
class UndoRequest:
    """What is to be undone, and how."""

    point_id: str | None = None
    action: Literal["rollback", "redo"] = "rollback"
    force: bool = False
    keep: bool = False  # leave what somebody changed since, and take back the rest
    dry_run: bool = False
    only: bool = False
    own: bool = False  # also what the GM may have done by hand
    keeps_redo: bool = True  # False: nothing brings it back, if all of it went
    tab_id: str | None = None
    via: str | None = None


@frozen
class _Checked:
    plan: Plan
    findings: Findings
    digests: dict[str, Digest]
    states: dict[str, str]  # before
    is_checked: bool
    skipped: list[str]  # files that may hold a point of the chain

    def preview(self) -> dict[str, Any]:
        said = preview(
            self.plan,
            self.findings.conflicts,
            self.digests,
            is_checked=self.is_checked,
        )
        return said | left_out(self.skipped)


@define(eq=False)
class Undo:
    """Take points back, and list them."""

    _log = Logger()

    _bridge: Bridge
    _lane: WriteLane
    _index: Index
    _recordings: Recordings
    _chain: Chain
    _limits: Limits
    on_changed: list[Changed] = field(factory=list)

    def briefs(self) -> list[dict[str, Any]]:
        """List the points in memory, newest first."""
        states = self._recordings.states()
        owner = self._bridge.owner
        world = owner.hello.world if owner is not None else None
        return [
            brief(each, states[each.id], world) for each in self._index.newest_first()
        ]

    def skipped(self) -> list[str]:
        """Name the files among the points that are none."""
        return list(self._index.skipped)

    def queue(
        self, request: UndoRequest, *, by: By, recheck: Recheck = lambda: None
    ) -> Ticket:
        """Queue a rollback or a redo; its ticket gives the answer.

        Raises:
            LaneBusy: Too many wait.
        """

        async def work(ticket: Ticket) -> Json:
            return await self.run(ticket, request)

        label = request.action if request.point_id is None else request.point_id
        return self._lane.enter(work, by=by, label=label, recheck=recheck)

    async def look(self, request: UndoRequest) -> dict[str, Any]:
        """Say what *request* would do; nothing is written, and no turn is needed."""
        try:
            checked = await self._checked(request)
        except Refusal as refusal:
            return refusal.answer
        return {"dryRun": True, **checked.preview()}

    def details(self, point_id: str | None) -> dict[str, Any]:
        """Say what a point changed, path by path."""
        try:
            point = None if point_id is None else self._index.find(point_id)
        except DiskFault as e:
            return refused(str(e), fix=e.fix)
        if point is None:
            return refusals.unknown(point_id).answer
        return details(point)

    async def run(self, ticket: Ticket, request: UndoRequest) -> dict[str, Any]:
        """Do *request* in a turn that is held already."""
        await self._recordings.when_quiet()
        ticket.check()
        try:
            checked = await self._checked(request)
        except Refusal as refusal:
            return refusal.answer
        conflicts = checked.findings.conflicts
        if conflicts and not (request.force or request.keep):
            said = "; ".join(c.says() for c in conflicts[:5])
            return refusals.conflict(said, request.via, checked.preview()).answer
        ticket.check()
        outcomes, redo = await self._chain.run(
            ticket,
            checked.plan,
            checked.findings,
            force=request.force,
            kept=() if request.force else conflicts,
            via=request.via,
            tab_id=request.tab_id,
            is_hidden=not request.keeps_redo,
        )
        if redo.is_hidden and redo.is_answered:
            outcomes = await self._annul(outcomes, redo)
        answer = await self._told(checked, outcomes, redo, request)
        if not redo.is_answered:
            # The tab may still be applying: answer, and hold the lane.
            ticket.answer(answer)
            await self._recordings.when_ended(redo)
        return answer

    async def _annul(self, outcomes: list[Outcome], redo: Recording) -> list[Outcome]:
        """Write an undo into the points it undid, and leave no redo point.

        Not when a row failed, or when the undo set something else going besides:
        then the redo point is the record of it.
        """
        await self._recordings.when_ended(redo)
        left = self._index.find(redo.id)
        if left is not None and not is_exact(left, outcomes):
            self._recordings.show(redo)
            return outcomes
        annulled = [outcome.annulled() for outcome in outcomes]
        for each in annulled:
            await self._recordings.rewrite(each.point, ROLLED_BACK)
        self._recordings.discard(redo)
        return annulled

    async def _checked(self, request: UndoRequest) -> _Checked:
        owner = self._bridge.owner
        if owner is None:
            reason = self._bridge.why_not()
            data = {"reason": reason.code}
            raise NoModule(reason.message, fix=reason.fix, data=data)
        try:
            target = self._target(request)
            digests = self._since(target)
        except DiskFault as e:
            raise refusals.unreadable_target(e) from e
        made = self._plan(digests, target, request)
        by_id = {each.id: each for each in [*self._index.newest_first(), *digests]}
        if made.blockers:
            heads = [by_id[id_].head for id_ in made.blockers]
            raise refusals.overlapped(heads, request.via)
        states = self._recordings.states_of(self._reach(target, *made.returning))
        expectation = Expectation(made.steps, made.history)
        try:
            found = await self._ask(expectation, owner)
        except (MethodUnknown, NotCapable):
            found = None
        findings = (
            unchecked(made.steps) if found is None else read_answer(expectation, found)
        )
        skipped = self._index.skipped_since(made.target.head.date)
        return _Checked(made, findings, by_id, states, found is not None, skipped)

    async def _ask(
        self, expectation: Expectation, owner: TabLink
    ) -> list[dict[str, Any]] | None:
        """Ask the tab what differs; None when it is one that cannot say."""
        if CHECK not in owner.hello.features:
            return None
        if not expectation.rows:
            return []
        answer = await self._bridge.call(
            "rollback.check",
            {"expected": expectation.rows},
            limit=self._limits.read_seconds,
        )
        found = answer.get("found") if isinstance(answer, dict) else None
        return [row for row in found or [] if isinstance(row, dict) and "uuid" in row]

    def _plan(self, digests: list[Digest], target: str, request: UndoRequest) -> Plan:
        load = cache(self._index.readable)
        lost = [each.id for each in digests[-1].undoes if load(each.id) is None]
        if lost:
            raise refusals.unreadable_return(lost[0])
        try:
            return plan(digests, target, load, only=request.only, own=request.own)
        except Unreadable as e:
            raise refusals.unreadable_between(e.point_id) from e

    def _since(self, target: str) -> list[Digest]:
        owner = self._bridge.owner
        world = owner.hello.world if owner is not None else None
        digests = self._index.since(target)
        if digests is None:
            raise refusals.unknown(target)
        if is_foreign(digests[-1].head, world):
            where = digests[-1].head.world
            title = where.title if where else "another world"
            raise refusals.elsewhere(target, title)
        here = [each for each in digests if not is_foreign(each.head, world)]
        running = set(self._recordings.running())
        for each in here:
            if each.id in running:
                raise refusals.running(each.id)
        return here

    def _target(self, request: UndoRequest) -> str:
        if request.action == "redo":
            return self._redo_target(request.point_id)
        named = request.point_id
        if named is None:
            return self._default_target()
        state = self.state(named)
        if state == ROLLED_BACK:
            raise refusals.gone(named)
        return named

    def _default_target(self) -> str:
        """Choose the newest live write, but none that the world has lost already."""
        stuck: list[Head] = []
        for each in self._here():
            if each.is_redo or self.state(each.id) != LIVE:
                continue
            if not each.is_stuck:
                return each.id
            stuck.append(each.head)
        if stuck:
            raise refusals.only_stuck(stuck)
        raise refusals.nothing_live()

    def _redo_target(self, named: str | None) -> str:
        newer: list[Head] = []
        for each in self._here():
            state = self.state(each.id)
            if state not in (LIVE, PARTIAL):
                continue
            if is_redo_of_undo(each) and named in (None, each.id):
                if newer:
                    raise refusals.newer(newer)
                return each.id
            if not each.is_redo:
                newer.append(each.head)
        raise refusals.no_redo(named)

    def _here(self) -> list[Digest]:
        owner = self._bridge.owner
        world = owner.hello.world if owner is not None else None
        return [
            each
            for each in self._index.newest_first()
            if not is_foreign(each.head, world)
        ]

    def state(self, point_id: str) -> str | None:
        """Derive the state of a point, in memory or older; None if it is unknown."""
        states = self._recordings.states()
        if point_id in states:
            return states[point_id]
        # Older than what memory holds: derived with everything since.
        if (digests := self._index.since(point_id)) is None:
            return None
        return self._recordings.states_of(digests)[point_id]

    def _reach(self, *point_ids: str) -> list[Digest]:
        """List every point down to the oldest of those, newest first."""
        return max((self._index.since(id_) or [] for id_ in point_ids), key=len)

    async def _tell_returned(
        self,
        checked: _Checked,
        digests: list[Digest],
        states: dict[str, str],
        request: UndoRequest,
    ) -> None:
        """Write and show anew the points whose state is another by what came back."""
        undone = {step.point.id for step in checked.plan.steps}
        for each in digests:
            was, now = checked.states.get(each.id), states[each.id]
            if was is None or was == now or each.id in undone:
                continue
            if (point := self._index.readable(each.id)) is not None:
                await self._recordings.rewrite(point, now)
            self._tell("point", brief(each, now), request.via)

    def _tell(self, event: str, told: dict[str, Any], via: str | None) -> None:
        for each in self.on_changed:
            each(event, told, via)

    async def _told(
        self,
        checked: _Checked,
        outcomes: list[Outcome],
        redo: Recording,
        request: UndoRequest,
    ) -> dict[str, Any]:
        digests = self._reach(checked.plan.target.id, *checked.plan.returning)
        states = self._recordings.states_of(digests)
        rows = []
        for outcome in outcomes:
            state = states[outcome.point.id]
            await self._recordings.rewrite(with_result(outcome.point, outcome), state)
            rows.append(rolled_back(outcome, state))
            told = brief(checked.digests[outcome.point.id], state)
            self._tell("rolled-back", told, request.via)
        await self._tell_returned(checked, digests, states, request)
        is_saved = self._recordings.is_saved(redo)
        known = self._index.get(redo.id)
        is_void = known is None or not known.docs
        answer: dict[str, Any] = {
            "rolledBack": rows,
            "target": checked.plan.target.id,
            "via": request.via,
            "redoPoint": None if is_void or not is_saved else redo.id,
        }
        if not checked.is_checked:
            answer["conflicts"] = "not checked"
        if not is_saved:
            answer["unsaved"] = True
        if checked.plan.left_alone:
            answer["leftAlone"] = checked.preview()["leftAlone"]
        return answer | left_out(checked.skipped)
