"""One verdict: its place, its limits, and what is no JavaScript."""

from __future__ import annotations

import itertools

import pytest

from aagm.relay.guard import Protected, classify
from aagm.relay.guard.verdicts import LONGEST


def judged(code: str):
    """Classify *code* with the default list."""
    return classify(code, Protected())


def test_the_place_is_the_method_that_acts():
    """Line counts from 1, column from 0, in characters."""
    verdict = judged('const a = game.actors.getName("Mïra 🐉");\n  "é"; a.delete();')
    assert (verdict.kind, verdict.line, verdict.column) == ("delete", 2, 9)
    assert verdict.place == "line 2, column 9"


def test_the_gravest_finding_decides():
    """A side effect after a write refuses the whole, at its own place."""
    verdict = judged("actor.update({});\nChatMessage.create({});")
    assert (verdict.kind, verdict.line) == ("side-effect", 2)


@pytest.mark.parametrize(
    ("code", "reason", "line", "column"),
    [
        ("return {a: 1", '"{" is never closed', 1, 7),
        ("return a);", '")" opens nowhere', 1, 8),
        ("f([1);", '")" where "]" is due', 1, 4),
        ("let x = ;", 'unexpected "="', 1, 6),
        ("x();\nlet y = 5 5;", 'unexpected "5"', 2, 10),
        ("[1].map(x => { await x; });", "a function that is not async", 1, 15),
        ("function f() { yield 1; }", "a function that is no generator", 1, 15),
        ("import x from 'y';", "import cannot stand in an eval", 1, 0),
        ("return <b>x</b>;", '"<" stands where a value is due', 1, 7),
    ],
)
def test_a_syntax_error_has_its_place(code, reason, line, column):
    """The agent is told what is wrong and where; the class is unproven."""
    verdict = judged(code)
    assert verdict.syntax_error
    assert verdict.kind == "unproven"
    assert verdict.reason.startswith("syntax error: ")
    assert reason in verdict.reason
    assert (verdict.line, verdict.column) == (line, column)


@pytest.mark.parametrize(
    "code",
    [
        "#!x\nreturn 1;",
        "class A { @b c() {} }",
        "with (a) { b }",
        "export const a = 1;",
    ],
)
def test_what_an_eval_cannot_hold_is_a_syntax_error(code):
    """What only a module or a script may hold is said to be an error."""
    assert judged(code).syntax_error


@pytest.mark.parametrize(
    "code",
    [
        "await (async () => { return 1; })();",
        "const r = await (await fromUuid('a')).toObject(); return r;",
        "let i = 3; while (i-->0) {} return i;",
        "return '<!-- a -->'.length;",
        "\ufeffreturn 1;\u00a0",
        "let async = 1, of = 2, get = 3; return async + of + get;",
        "'use strict'; return 1;",
        "return /[/]'/.test('a') && 1 / 2 / 3;",
        "// a comment\u2028return 1;",
        "return 1_000n ** 2n;",
        "label: { break label; }",
        "",
    ],
)
def test_odd_code_is_read_rightly(code):
    """What looks odd and is harmless runs as a read."""
    verdict = judged(code)
    assert (verdict.kind, verdict.syntax_error) == ("read", False)


@pytest.mark.parametrize(
    "code",
    [
        "let a = 1, x = 2; x <!--a + `\ngame.actors.contents[0].delete() //`",
        "await /'/; game.actors.contents[0].delete() //'",
        "const s = `\0`; game.actors.contents[0].frob();",
        "using x = game.actors.contents[0];",
        "{} /'/; game.actors.contents[0].delete() //'",
    ],
)
def test_what_may_be_read_in_two_ways_is_not_proven(code):
    """Where a browser may see other tokens, nothing is proven."""
    verdict = judged(code)
    assert verdict.kind in ("unproven", "delete")


def test_code_inside_code_is_looked_at():
    """Text given to eval, Function and timers is judged too."""
    assert judged("eval('ChatMessage.create({})')").kind == "side-effect"
    assert judged("new Function('return actor.delete()')").kind == "delete"
    assert judged("setTimeout('location.reload()')").kind == "side-effect"
    assert judged("eval('1 +')").kind == "unproven"
    assert judged("eval(\"eval('eval(1)')\")").kind == "unproven"


def test_code_over_64_kb_is_not_looked_at():
    """It is unproven and says so, however it begins."""
    verdict = judged("//" + "x" * LONGEST)
    assert verdict.too_long
    assert verdict.kind == "unproven"
    assert not judged("//" + "x" * (LONGEST - 2)).too_long


def test_time_out_while_parsing_is_unproven():
    """When the clock runs away, the parser is stopped and nothing is proven."""
    hours = itertools.count(step=3600)
    verdict = classify("a;" * 5000, Protected(), clock=lambda: next(hours))
    assert (verdict.kind, verdict.unfinished) == ("unproven", True)


def test_what_was_found_before_the_time_out_counts():
    """A side effect that was seen refuses the eval, also unfinished."""
    asked = itertools.count()

    def clock() -> float:
        return 0.0 if next(asked) < 60 else 3600.0

    code = "ChatMessage.create({});" + "f(game.actors.get(1).name);" * 2000
    verdict = classify(code, Protected(), clock=clock)
    assert verdict.kind in ("side-effect", "unproven")
    assert classify("ChatMessage.create({});", Protected()).kind == "side-effect"


@pytest.mark.parametrize(
    "code",
    ["(" * 3000 + "1" + ")" * 3000, "[" * 500 + "]" * 500, "a=>" * 400 + "1"],
)
def test_deep_nests_are_unproven(code):
    """Code nested too deeply is neither an error nor a read."""
    verdict = judged(code)
    assert verdict.kind == "unproven"
    assert not verdict.syntax_error


def test_long_sums_are_no_deep_nest():
    """Text put together of a thousand pieces is still a read."""
    assert judged("return " + " + ".join(["'a'"] * 1000) + ";").kind == "read"
