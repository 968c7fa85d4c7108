"""Classify an eval: parse it, walk it, and take the gravest finding."""

from __future__ import annotations

import sys
import time

from attrs import define, field

from aagm.relay.guard import (  # noqa: F401 - they fill the tables of the walk
    assignments,
    borrowed,
    builtins,
    expressions,
    foundry,
    invocations,
    live_methods,
    members,
    objects,
    reading_functions,
    reading_statements,
    statements,
    thing_methods,
)
from aagm.relay.guard.parsing import (
    PARSE_SECONDS,
    Budget,
    Clock,
    Doubt,
    NotJavaScript,
    OutOfTime,
    encoded,
    parse,
    where,
)
from aagm.relay.guard.passes import Passes
from aagm.relay.guard.pauses import no_collection
from aagm.relay.guard.protected import Protected
from aagm.relay.guard.reading import read_program
from aagm.relay.guard.verdicts import LONGEST, SEVERITY, Verdict
from aagm.relay.guard.walk import Finding, Walk

# A thread's own time; Windows counts it in steps of 15.6 ms, too coarse for us.
CLOCK: Clock = time.perf_counter if sys.platform == "win32" else time.thread_time
WALK_SECONDS = 0.015  # besides the parser's
_DEEPEST_TEXT = 2  # evals inside an eval


def classify(
    code: str,
    protected: Protected,
    *,
    clock: Clock = CLOCK,
) -> Verdict:
    """Say what *code*, the body of an async function, may do to the world.

    Args:
        code: What `foundry_eval` is given.
        protected: What is out of bounds.
        clock: This thread's own time, where there is such a clock, so that a busy
            machine changes no verdict.
    """
    with no_collection():
        return _classify(code, protected, clock)


def _classify(code: str, protected: Protected, clock: Clock) -> Verdict:
    source = encoded(code)
    if len(source) > LONGEST:
        text = f"longer than {LONGEST // 1024} KB: not looked at"
        return Verdict("unproven", text, too_long=True)
    budget = Budget(clock, clock() + PARSE_SECONDS + WALK_SECONDS)
    look = _Look(protected, budget)
    try:
        look.at(source)
    except NotJavaScript as fault:
        line, column = where(source, fault.place)
        text = f"syntax error: {fault.reason}"
        return Verdict("unproven", text, line, column, syntax_error=True)
    return _gravest(list(look.findings.values()), source, look.is_cut_short)


@define(eq=False)
class _Look:
    """One look at one eval, with the evals inside it."""

    protected: Protected
    budget: Budget
    judged: set[str] = field(factory=set)  # texts inside
    findings: dict[object, Finding] = field(factory=dict)
    is_cut_short: bool = False

    def at(self, source: bytes, depth: int = 0, place: int | None = None) -> None:
        """Parse and walk *source*; a *place* is where the text inside stands."""
        walk = Walk(self.protected, self.budget)

        def judge(text: str) -> None:
            if depth < _DEEPEST_TEXT and text not in self.judged:
                self.judged.add(text)
                self._inside(text, depth + 1, walk.inside)

        walk.judge = judge
        try:
            program = read_program(parse(source, self.budget), source, self.budget)
            Passes(walk).run(program)
        except OutOfTime:
            self.is_cut_short = True
            walk.find("unproven", "takes too long to look at", 0)
        except Doubt as doubt:
            walk.find("unproven", doubt.reason, doubt.place)
        except RecursionError:
            walk.find("unproven", "nested too deeply to be looked at", 0)
        finally:
            walk.judge = None  # else the walk would hold itself
        for (where_found, kind), finding in walk.findings.items():
            at = where_found if place is None else place
            self.findings.setdefault((at, kind), Finding(kind, finding.reason, at))

    def _inside(self, text: str, depth: int, place: int) -> None:
        try:
            self.at(encoded(text)[:LONGEST], depth, place)
        except NotJavaScript:
            return  # it throws when it runs


def _gravest(findings: list[Finding], source: bytes, is_cut_short: bool) -> Verdict:
    if not findings:
        return Verdict("read", "everything it calls is known to be harmless")
    worst = min(findings, key=lambda f: (-SEVERITY[f.kind], f.place))
    line, column = where(source, worst.place)
    unfinished = is_cut_short and worst.kind == "unproven"
    return Verdict(worst.kind, worst.reason, line, column, unfinished=unfinished)
