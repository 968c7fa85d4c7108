"""Call plug-ins: manifest, arguments, run, scope, result, all in one turn of the lane.

Source: Plug-in API 1.0 section 3; DESIGN section 4.
"""

from __future__ import annotations

from typing import Any

from attrs import define, field, frozen

from aagm.errors import HandlerThrew
from aagm.relay.plugins import page, results
from aagm.relay.plugins.arguments import Wrong
from aagm.relay.plugins.manifest import READ, RUN, Refused
from aagm.relay.plugins.manifests import KIND, Known, Manifests
from aagm.relay.plugins.results import failure, label, shaped
from aagm.relay.plugins.runs import Ran, RecordedRuns
from aagm.relay.rollback.lane import By, Recheck, Ticket, WriteLane
from aagm.relay.rollback.writes import Write
from aagm.wire.jsonrpc import Json

MODE = "mode"


@frozen
class Asked:
    """One call of a plug-in."""

    name: str
    args: dict[str, Any] = field(factory=dict)
    session: str = ""
    tab_id: str | None = None
    via: str | None = None
    refresh: bool = False


@frozen
class _Scope:
    """The arguments: what the schema judges, and what the macro gets."""

    judged: dict[str, Any]
    given: dict[str, Any]
    mode: str


@define(eq=False)
class Plugins:
    """Run plug-ins; each call has one turn of *lane*."""

    _lane: WriteLane
    _manifests: Manifests
    _runs: RecordedRuns

    def queue(
        self, asked: Asked, *, by: By = "agent", recheck: Recheck = lambda: None
    ) -> Ticket:
        """Queue one call; its ticket gives the tool's answer.

        Raises:
            LaneBusy: Too many wait.
        """

        async def work(ticket: Ticket) -> Json:
            return await self.run(ticket, asked)

        name = label(asked.name, asked.args)
        return self._lane.enter(work, by=by, label=name, recheck=recheck)

    async def run(self, ticket: Ticket, asked: Asked) -> dict[str, Any]:
        """Do one call in a turn that is held already.

        Raises:
            NoModule: No tab is connected, or it left.
            TimeLimit: The run did not end; the error names its point.
        """
        known = await self._known(ticket, asked)
        if isinstance(known, Refused):
            return known.as_json()
        scope = _scope(asked.args, known)
        if (wrong := _wrong(scope, known)) is not None:
            more = {"schemaPath": wrong.schema_path}
            return failure(wrong.error, fix=results.WRONG, **more)
        return await self._called(ticket, asked, known, scope)

    async def _known(self, ticket: Ticket, asked: Asked) -> Known | Refused:
        key = (self._manifests.world(), asked.session, asked.name)
        kept = None if asked.refresh else self._manifests.kept(key)
        if kept is not None and await self._manifests.is_current(kept, asked.name):
            return kept
        known = await self._manifests.read(ticket, asked.name, tab_id=asked.tab_id)
        if isinstance(known, Known):
            self._manifests.keep(key, known)
        return known

    async def _called(
        self, ticket: Ticket, asked: Asked, known: Known, scope: _Scope
    ) -> dict[str, Any]:
        is_read = scope.mode == READ or known.manifest.only_reads
        write = Write(
            method="eval",
            params=page.full_run(asked.name, scope.given, known.macro),
            kind=KIND,
            summary=label(asked.name, asked.args),
            tab_id=asked.tab_id,
            via=asked.via,
            is_read=is_read,
            waits_for_close=True,
        )
        allowed = () if is_read else known.manifest.writes
        try:
            ran = await self._runs.run(ticket, write, allowed)
        except HandlerThrew as e:
            answer = failure(str(e), fix=e.fix)
            return _with_point(answer, e.data.get("rollbackPoint"))
        match page.read_full(ran.result):
            case page.Changed() | page.Found():
                # Between two messages, that is: the next call reads it anew.
                said = "the macro was changed just now: ask again"
                return _answer(failure(said, fix=results.CHANGED), ran)
            case ended:
                return _answer(shaped(ended), ran)


def _scope(args: dict[str, Any], known: Known) -> _Scope:
    """Take the mode out of the arguments, where it is the manifest's and not its own.

    ``mode: "read"`` reaches the macro, which has to know; ``mode: "run"`` is what a
    call without a mode is.
    """
    modes = known.manifest.modes
    mode = args.get(MODE)
    rest = {key: value for key, value in args.items() if key != MODE}
    if READ in modes and mode == READ:
        return _Scope(rest, args, READ)
    declared = known.manifest.args.get("properties", {})
    if mode == RUN and RUN in modes and MODE not in declared:
        return _Scope(rest, rest, RUN)
    return _Scope(args, args, RUN)


def _wrong(scope: _Scope, known: Known) -> Wrong | None:
    if scope.mode not in known.manifest.modes:
        return Wrong(f'it has no mode but read: give mode "{READ}"', "#")
    if (wrong := known.manifest.rules.check(scope.judged)) is not None:
        return wrong
    if not scope.given:
        return Wrong("without arguments a plug-in does not act: give at least one", "#")
    return None


def _answer(answer: dict[str, Any], ran: Ran) -> dict[str, Any]:
    if ran.breach is not None:
        more = {"undone": ran.breach.is_undone}
        answer = failure(ran.breach.says, fix=results.OUTSIDE, **more)
    answer = _with_point(answer, ran.point)
    return answer if ran.is_saved else answer | {"unsaved": True}


def _with_point(answer: dict[str, Any], point: Any) -> dict[str, Any]:
    return answer if point is None else answer | {"rollbackPoint": point}
