"""A tool learns once how its call ended, and may speak only while somebody hears."""

from __future__ import annotations

import pytest

from aagm.mcp.caller import Caller


@pytest.fixture
def told():
    """What the client heard."""
    return []


@pytest.fixture
def caller(told):
    """A caller that wants progress and warnings."""
    return Caller("s", lambda *said: told.append(said), "token", "warning")


@pytest.mark.parametrize("way", ["cut", "cancel"])
def test_leaving_is_told_once_and_means_not_delivered(caller, way):
    """A call that is cut or cancelled had no answer."""
    seen = []
    caller.on_left(lambda: seen.append("left"))
    caller.on_delivered(seen.append)
    getattr(caller, way)()
    caller.settle(delivered=True)
    assert seen == ["left", False]
    assert caller.has_left
    assert (caller.is_cut, caller.is_cancelled) == (way == "cut", way == "cancel")


def test_who_asks_too_late_is_told_at_once(caller):
    """A tool that asks after the end does not wait for ever."""
    caller.cut()
    seen = []
    caller.on_left(lambda: seen.append("left"))
    caller.on_delivered(seen.append)
    assert seen == ["left", False]


def test_an_answer_that_arrived_is_no_leaving(caller):
    """After a delivered answer nobody hears that the caller left."""
    seen = []
    caller.on_left(lambda: seen.append("left"))
    caller.on_delivered(seen.append)
    assert caller.wants_receipt
    caller.settle(delivered=True)
    assert seen == [True]
    assert not caller.has_left


def test_one_listener_that_fails_does_not_stop_the_next(caller, captured):
    """A bug in one part is logged; the other still hears of the end."""
    seen = []
    caller.on_left(lambda: 1 / 0)
    caller.on_left(lambda: seen.append("left"))
    caller.cut()
    assert seen == ["left"]
    assert [e["log_failure"].type for e in captured] == [ZeroDivisionError]


def test_progress_must_grow(caller, told):
    """A value that does not grow is not sent, as the spec demands."""
    caller.progress(1, None, "")
    caller.progress(1, 3, "again")
    caller.progress(2, 3, "two")
    assert told == [
        ("notifications/progress", {"progressToken": "token", "progress": 1}),
        (
            "notifications/progress",
            {"progressToken": "token", "progress": 2, "total": 3, "message": "two"},
        ),
    ]


def test_progress_needs_a_token(told):
    """A client that did not ask is not told."""
    Caller("s", lambda *said: told.append(said)).progress(1, None, "")
    assert told == []


def test_log_messages_below_the_level_are_not_sent(caller, told):
    """A client hears what it asked for, and nothing without asking."""
    caller.message("info", "quiet", "foundry")
    caller.message("error", "loud", "foundry")
    Caller("s", lambda *said: told.append(said)).message("error", "x", "foundry")
    params = {"level": "error", "logger": "foundry", "data": "loud"}
    assert told == [("notifications/message", params)]


def test_nothing_is_said_after_the_end(caller, told):
    """No progress follows the result."""
    caller.settle(delivered=True)
    caller.progress(1, None, "")
    caller.message("error", "late", "foundry")
    assert told == []
