"""What becomes of an eval: the table of verdict, intent and summary."""

from __future__ import annotations

import pytest

from aagm.relay.evals import (
    Block,
    Record,
    Refuse,
    Run,
    SyntaxFault,
    decide,
    first_line,
)
from aagm.relay.guard import Verdict

CODE = "\n\n  const a = game.actors.size;\nreturn a;"


def verdict(kind, **more) -> Verdict:
    """Make a verdict of *kind* that points at line 2, column 4."""
    return Verdict(kind, f"it is a {kind}", 2, 4, **more)


UNPROVEN = "it is a unproven (line 2, column 4)"  # as the verdict below says


@pytest.mark.parametrize(
    ("kind", "intent", "summary", "expected"),
    [
        ("read", "read", "", Run(30, await_result=True)),
        ("read", "read", "look", Run(30, await_result=True)),
        ("read", "write", "x", Record("eval", "x", 300, read_declared=False)),
        (
            "read",
            "destructive",
            "x",
            Record("destructive eval", "x", 300, read_declared=False),
        ),
        (
            "unproven",
            "read",
            "",
            Record("eval", "const a = game.actors.size;", 30, True, UNPROVEN),
        ),
        ("unproven", "read", "x", Record("eval", "x", 30, True, UNPROVEN)),
        ("unproven", "write", "x", Record("eval", "x", 300, read_declared=False)),
        ("write", "read", "x", Record("eval", "x", 300, read_declared=False)),
        ("write", "write", " x\n y ", Record("eval", "x y", 300, read_declared=False)),
        (
            "write",
            "destructive",
            "x",
            Record("destructive eval", "x", 300, read_declared=False),
        ),
        (
            "delete",
            "read",
            "x",
            Record("destructive eval", "x", 300, read_declared=False),
        ),
        (
            "delete",
            "write",
            "x",
            Record("destructive eval", "x", 300, read_declared=False),
        ),
    ],
)
def test_the_stricter_of_found_and_declared_wins(kind, intent, summary, expected):
    """A declared write is one although the guard sees a read, and the other way."""
    found = decide(verdict(kind), code=CODE, intent=intent, summary=summary)
    assert found == expected


@pytest.mark.parametrize("intent", ["read", "write", "destructive"])
@pytest.mark.parametrize("kind", ["side-effect", "protected"])
def test_what_no_point_can_take_back_is_blocked_with_its_place(kind, intent):
    """Neither intent nor summary opens the way; the agent reads why, and where."""
    found = decide(verdict(kind), code=CODE, intent=intent, summary="x")
    assert isinstance(found, Block)
    answer = found.as_json()
    assert "tell the game master" in answer.pop("fix").lower()
    assert answer == {
        "blocked": True,
        "reason": f"it is a {kind} (line 2, column 4)",
        "line": 2,
        "column": 4,
    }


@pytest.mark.parametrize("summary", ["", "  \n "])
@pytest.mark.parametrize(
    ("kind", "intent"),
    [
        ("write", "read"),
        ("write", "write"),
        ("delete", "read"),
        ("delete", "destructive"),
        ("read", "write"),
        ("unproven", "write"),
        ("unproven", "destructive"),
    ],
)
def test_a_known_write_needs_a_summary(kind, intent, summary):
    """The GM's card has a sentence; without one the write is refused, and says why."""
    found = decide(verdict(kind), code=CODE, intent=intent, summary=summary)
    assert isinstance(found, Refuse)
    assert found.as_json()["refused"] is True
    assert "needs a summary" in found.reason
    if kind in ("write", "delete"):
        assert f"it is a {kind} (line 2, column 4)" in found.reason


def test_a_syntax_error_is_answered_with_its_place():
    """Nothing is sent to the tab, whatever was declared."""
    wrong = Verdict("unproven", "syntax error: x", 3, 1, syntax_error=True)
    for intent in ("read", "write"):
        found = decide(wrong, code=CODE, intent=intent, summary="x")
        assert found == SyntaxFault("syntax error: x", 3, 1)


def test_code_that_nobody_looked_at_is_refused():
    """Over the limit an eval is refused, not run unseen."""
    long = Verdict("unproven", "longer than 64 KB: not looked at", too_long=True)
    found = decide(long, code=CODE)
    assert isinstance(found, Refuse)
    assert found.reason == "longer than 64 KB: not looked at"
    assert "shorter" in found.fix


def test_only_a_proven_read_may_go_unawaited():
    """What is recorded is always awaited, so that its point holds what it did."""
    assert decide(verdict("read"), code=CODE, await_result=False) == Run(
        30, await_result=False
    )
    assert isinstance(
        decide(verdict("unproven"), code=CODE, await_result=False), Record
    )


def test_the_limits_are_configuration():
    """Reads, and the unproven that were declared reads, have the read's limit."""
    limits = {"read_seconds": 7, "write_seconds": 70}
    read = decide(verdict("read"), code=CODE, **limits)
    unproven = decide(verdict("unproven"), code=CODE, **limits)
    write = decide(verdict("write"), code=CODE, summary="x", **limits)
    assert [read.seconds, unproven.seconds, write.seconds] == [7, 7, 70]


@pytest.mark.parametrize(
    ("code", "label"),
    [
        ("return 1;", "return 1;"),
        ("\n  // look   around\nreturn 1;", "// look around"),
        ("x" * 80, "x" * 80),
        ("x" * 81, "x" * 79 + "…"),
        (" \n ", "empty eval"),
    ],
)
def test_an_eval_without_a_summary_is_labelled_by_its_first_line(code, label):
    """The label is one line of at most 80 characters."""
    assert first_line(code) == label
