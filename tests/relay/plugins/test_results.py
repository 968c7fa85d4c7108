"""Callers get one object with ok, whatever the plug-in returned."""

from __future__ import annotations

import pytest

from aagm.relay.plugins.page import Returned, Threw, Unreadable
from aagm.relay.plugins.results import LABEL, THREW, label, shaped


def test_the_plug_ins_object_is_passed_on():
    """With everything that is in it."""
    value = {"ok": True, "uuid": "Item.a", "warnings": ["damp"]}
    assert shaped(Returned(value)) == value


def test_a_failure_keeps_its_error():
    """In the plug-in's words."""
    value = {"ok": False, "error": "no eel", "duplicate": True}
    assert shaped(Returned(value)) == value


def test_a_failure_without_an_error_gets_one():
    """The game master is told something."""
    assert shaped(Returned({"ok": False}))["error"]
    assert shaped(Returned({"ok": False, "error": ""}))["error"]


def test_a_throw_is_a_failure():
    """Throwing is allowed."""
    assert shaped(Threw("boom")) == {"ok": False, "error": "boom", "fix": THREW}


@pytest.mark.parametrize(
    "value", [{"uuid": "x"}, {"ok": "yes"}, {"ok": 1}, [], None, 5]
)
def test_a_result_without_a_boolean_ok_is_an_error_that_says_so(value):
    """Truthy is not enough."""
    answer = shaped(Returned(value))
    assert answer["ok"] is False
    assert "no boolean ok" in answer["error"]


def test_a_result_that_is_a_manifest_is_an_error_that_says_so():
    """The macro did not look at its scope."""
    answer = shaped(Returned({"api": "aagm-plugin/1.0", "ok": True}))
    assert answer["ok"] is False
    assert "manifest instead of acting" in answer["error"]


def test_nothing_is_an_error():
    """A macro must return."""
    assert (
        "it returned undefined" in shaped(Unreadable("it returned undefined"))["error"]
    )


def test_a_cut_result_says_so():
    """What matters of it is there."""
    answer = shaped(Returned({"ok": True, "uuid": "Item.a"}, 10_000_000))
    assert answer == {
        "ok": True,
        "uuid": "Item.a",
        "truncated": True,
        "characters": 10_000_000,
    }


def test_a_plug_in_cannot_name_its_own_point():
    """The relay does."""
    assert "rollbackPoint" not in shaped(Returned({"ok": True, "rollbackPoint": "x"}))


def test_a_label_is_the_name_and_one_line_of_the_arguments():
    """For the game master's card."""
    args = {"uuid": "Actor.a", "n": 2, "data": {"a": [1]}, "text": "two\nlines"}
    assert (
        label("Eel", args) == 'Eel: uuid=Actor.a, n=2, data={"a": [1]}, text=two lines'
    )
    assert len(label("Eel", {"x": "y" * 500})) == len("Eel: ") + LABEL
