"""Decide what becomes of one `foundry_eval`: run it, record it, or refuse it.

Source: PROTOCOL_FACTS section 1.4; DESIGN section 5; WIRE section 8.
"""

from __future__ import annotations

from typing import Any, Literal

from attrs import frozen

from aagm.errors import ProtectedDocument
from aagm.relay.guard.verdicts import Verdict
from aagm.relay.refusals import blocked, refused

Intent = Literal["read", "write", "destructive"]
EvalKind = Literal["eval", "destructive eval"]

_LABEL = 80  # characters of a label made from the code
_NEED_SUMMARY = (
    "a write needs a summary: one sentence that the GM reads beside Roll back"
)
_SAY_WHAT = "Call again with intent write and a summary of what it changes."
_SHORTER = "Send it in several evals, each shorter."
_LEAVE = ProtectedDocument.usual_fix
_BY_HAND = (
    "Tell the game master, who can do it by hand in Foundry; do not try it another way."
)


@frozen
class Run:
    """Run on the read road: at once, unrecorded."""

    seconds: float
    await_result: bool


@frozen
class Record:
    """Run on the write road, recorded.

    ``read_declared`` says that no point is kept when nothing was touched, and
    that the answer is then a read's; ``unproven`` says why it is recorded at all.
    """

    kind: EvalKind
    summary: str
    seconds: float
    read_declared: bool
    unproven: str = ""


@frozen
class Refuse:
    """Do not run; the agent can ask again with what is missing."""

    reason: str
    fix: str

    def as_json(self) -> dict[str, Any]:
        """Give the tool's answer."""
        return refused(self.reason, fix=self.fix)


@frozen
class Block:
    """Do not run: no point could take it back, or it is protected."""

    reason: str
    fix: str
    line: int
    column: int

    def as_json(self) -> dict[str, Any]:
        """Give the tool's answer, with the place in the code."""
        place = {"line": self.line, "column": self.column}
        return blocked(self.reason, fix=self.fix, **place)


@frozen
class SyntaxFault:
    """The code is no JavaScript; nothing was sent."""

    reason: str
    line: int
    column: int


Decision = Run | Record | Refuse | Block | SyntaxFault


def decide(  # noqa: PLR0911 - one return a decision
    verdict: Verdict,
    *,
    code: str,
    intent: Intent = "read",
    summary: str = "",
    await_result: bool = True,
    read_seconds: float = 30,
    write_seconds: float = 300,
) -> Decision:
    """Join what the guard found with what the agent declared; the stricter wins.

    Args:
        verdict: What the guard says of *code*.
        code: The eval, for its first line.
        intent: What the agent says it is.
        summary: What the agent says it does, for the GM.
        await_result: Counts for a proven read alone: what is recorded is awaited.
        read_seconds: How long a read may take.
        write_seconds: How long a write may take.
    """
    if verdict.syntax_error:
        return SyntaxFault(verdict.reason, verdict.line, verdict.column)
    if verdict.too_long:
        return Refuse(verdict.reason, _SHORTER)
    if verdict.kind in ("protected", "side-effect"):
        reason = f"{verdict.reason} ({verdict.place})"
        fix = _LEAVE if verdict.kind == "protected" else _BY_HAND
        return Block(reason, fix, verdict.line, verdict.column)
    if intent == "read" and verdict.kind == "read":
        return Run(read_seconds, await_result)
    label = " ".join(summary.split())
    if intent == "read" and verdict.kind == "unproven":
        return Record(
            "eval",
            label or first_line(code),
            read_seconds,
            read_declared=True,
            unproven=f"{verdict.reason} ({verdict.place})",
        )
    if not label:
        if verdict.kind in ("write", "delete"):
            reason = f"{verdict.reason} ({verdict.place}); {_NEED_SUMMARY}"
            return Refuse(reason, _SAY_WHAT)
        return Refuse(_NEED_SUMMARY, _SAY_WHAT)
    is_destructive = intent == "destructive" or verdict.kind == "delete"
    kind: EvalKind = "destructive eval" if is_destructive else "eval"
    return Record(kind, label, write_seconds, read_declared=False)


def first_line(code: str) -> str:
    """Make a label of the first line that says something."""
    for line in code.splitlines():
        text = " ".join(line.split())
        if text:
            return text if len(text) <= _LABEL else f"{text[: _LABEL - 1]}…"
    return "empty eval"
