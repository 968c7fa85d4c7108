"""What the page is asked, and how its answers are read."""

from __future__ import annotations

import json

import pytest

from aagm.relay.plugins import page
from aagm.relay.plugins.page import (
    Bare,
    Changed,
    Found,
    Listed,
    Macro,
    Returned,
    Threw,
    Unreadable,
)

MACRO = Macro("m1", "abcd")


def told(value):
    """Wrap a value as an eval's result does."""
    return {"ok": True, "valueType": "Object", "value": value}


def test_arguments_travel_as_a_string_that_is_parsed():
    """Nothing in them can be code, whatever it looks like."""
    args = {"text": '"); evil(); ("', "line": "\u2028", "mark": "`${evil()}`"}
    code = page.full_run("Eel", args, MACRO)["code"]
    first, _, rest = code.partition("\n")
    assert first.startswith("const given = JSON.parse(")
    assert "evil" not in rest
    inner = first.removeprefix("const given = JSON.parse(").removesuffix(");")
    assert json.loads(json.loads(inner)) == {
        "name": "Eel",
        "args": args,
        "id": "m1",
        "hash": "abcd",
    }
    assert first.isascii()


def test_a_bare_run_passes_no_scope():
    """As the specification has it."""
    assert "macro.execute();" in page.bare_run("Eel")["code"]


def test_a_run_does_not_depend_on_the_selected_token():
    """A speaker without a token is given."""
    code = page.full_run("Eel", {"a": 1}, MACRO)["code"]
    assert "execute({ ...given.args, speaker })" in code


def test_looking_runs_nothing():
    """Neither does listing."""
    assert "execute" not in page.look("Eel")["code"]
    assert "execute" not in page.list_all()["code"]


@pytest.mark.parametrize(
    ("ended", "is_read_as"),
    [
        ({"pieces": ['{"ok"', ":true}"]}, Returned({"ok": True})),
        ({"pieces": ["{}"], "characters": 9000}, Returned({}, 9000)),
        ({"threw": "boom"}, Threw("boom")),
        ({"nothing": "undefined"}, Unreadable("it returned undefined")),
        (
            {"unclear": "cyclic"},
            Unreadable("what it returned is no JSON: cyclic"),
        ),
        ({"pieces": ["{"]}, Unreadable("what it returned is no JSON that can be read")),
        (
            {"pieces": ["NaN"]},
            Unreadable("what it returned is no JSON that can be read"),
        ),
        (
            {"pieces": ["[" * 500 + "]" * 500]},
            Unreadable("what it returned lies more than 32 levels deep"),
        ),
        (
            {"pieces": ["[" * 90_000 + "]" * 90_000]},
            Unreadable("what it returned is no JSON that can be read"),
        ),
        (None, Unreadable("the tab answered None")),
    ],
)
def test_what_a_run_came_to_is_read(ended, is_read_as):
    """Results, errors, and what is neither."""
    assert page.read_full(told({"ended": ended})) == is_read_as
    bare = {"id": "m1", "hash": "abcd", "ended": ended}
    assert page.read_bare(told(bare)) == Bare(MACRO, is_read_as)


def test_macros_that_are_not_one_script_are_told():
    """None, several, or a chat macro."""
    rows = [{"id": "m1", "type": "chat"}]
    assert page.read_bare(told({"found": rows})) == Found(tuple(rows))
    assert page.read_full(told({"found": []})) == Found(())
    assert page.read_look(told({"found": rows})) == Found(tuple(rows))


def test_a_macro_that_was_changed_is_told():
    """It was not run."""
    assert page.read_full(told({"changed": True})) == Changed()


def test_a_look_and_a_list_are_read():
    """Id and hash of each."""
    assert page.read_look(told({"id": "m1", "hash": "abcd"})) == MACRO
    row = {"id": "m1", "name": "Eel", "hash": "abcd", "ids": ["m1"]}
    assert page.read_list(told([row])) == [Listed(MACRO, "Eel", ("m1",))]


def test_a_strange_answer_is_no_crash():
    """A tab of another make may answer anything."""
    assert isinstance(page.read_full("x"), Unreadable)
    assert page.read_list(told(None)) == []
    assert page.read_look(told(5)) == Found(())
