"""A long answer comes in parts that any client can take; a running one comes later."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import BadParams, HandlerThrew, Internal, TooLarge
from aagm.mcp import answers as module
from aagm.mcp.answers import KEPT, LIFE, LONGEST, PATIENCE, Answers, to_text
from aagm.mcp.caller import Caller


@pytest.fixture
def clock():
    """Time as the test says."""
    return Clock()


@pytest.fixture
def answers(clock):
    """Answers; at the end no timer is left."""
    answers = Answers(clock)
    yield answers
    answers.stop()
    assert clock.getDelayedCalls() == []


def more(answers, cursor, caller=None):
    """Ask for more; gives a Deferred."""
    return Deferred.fromCoroutine(answers.more(cursor, caller or Caller("s")))


def now(deferred):
    """Give what *deferred* has; fails when it has nothing."""
    (seen,) = deferred_results(deferred)
    if isinstance(seen, BaseException):
        raise seen
    return seen


def deferred_results(deferred):
    """Collect what *deferred* has so far."""
    seen = []
    deferred.addCallbacks(seen.append, lambda f: seen.append(f.value))
    return seen


def joined(answers, text):
    """Read an answer to its end."""
    head = json.loads(text)
    assert head["truncated"] is True
    parts, part = [head["part"]], head
    while "cursor" in part:
        part = now(more(answers, part["cursor"]))
        assert len(to_text(part).encode()) <= LONGEST
        parts.append(part["part"])
    assert head["chars"] == len("".join(parts))
    return json.loads("".join(parts))


def test_a_short_answer_is_itself(answers, clock):
    """What fits is sent whole, compact, and nothing is kept."""
    assert answers.fit({"a": [1, None], "b": "ü"}) == '{"a":[1,null],"b":"ü"}'
    assert clock.getDelayedCalls() == []


def test_a_lone_surrogate_survives():
    """Half an emoji in a name reaches the model as JSON writes it."""
    text = to_text({"name": "a\ud83d", "whole": "\U0001f600"})
    assert text == '{"name":"a\\ud83d","whole":"\U0001f600"}'
    assert json.loads(text)["name"] == "a\ud83d"


@pytest.mark.parametrize(
    "value",
    [
        {"data": "x" * 100_000},
        {"data": 'quote " and \\ back' * 5_000},
        {"data": "überall Umlaute äöü " * 4_000},
        {"data": "\U0001f600" * 20_000},
        {"data": "\ud83d" * 9_000},
        [{"id": n, "name": f"Goblin {n}"} for n in range(3_000)],
    ],
)
def test_a_long_answer_comes_whole_in_parts(answers, value):
    """Every part is small enough, and joined they are the answer."""
    text = answers.fit(value)
    assert len(text.encode()) <= LONGEST
    assert joined(answers, text) == value


def test_the_edge_is_exact(answers):
    """One byte more than fits is cut; the last that fits is not."""
    fits = "x" * (LONGEST - 2)
    assert answers.fit(fits) == f'"{fits}"'
    assert "cursor" in json.loads(answers.fit(f"{fits}x"))


def test_the_same_cursor_gives_the_same_part(answers):
    """A client that repeats its call after a broken connection loses nothing."""
    cursor = json.loads(answers.fit("x" * 60_000))["cursor"]
    first = now(more(answers, cursor))
    assert now(more(answers, cursor)) == first
    assert now(more(answers, first["cursor"])) != first


@pytest.mark.parametrize("cursor", ["", "nonsense", "0123456789ab.5", ".", "٣.٣"])
def test_an_unknown_cursor_is_an_error_with_a_cure(answers, cursor):
    """A model that made a cursor up is told to call the tool again."""
    answers.fit("x" * 60_000)
    with pytest.raises(BadParams) as e:
        now(more(answers, cursor))
    assert "again" in e.value.fix


@pytest.mark.parametrize("offset", ["999999", "-1", "x", "1.1", "²"])
def test_a_cursor_past_the_answer_is_an_error(answers, offset):
    """An offset that is none, or past the end, is no answer."""
    name = json.loads(answers.fit("x" * 60_000))["cursor"].partition(".")[0]
    with pytest.raises(BadParams):
        now(more(answers, f"{name}.{offset}"))


def test_an_answer_is_kept_ten_minutes(answers, clock):
    """After ten minutes it is gone, and so is the memory it took."""
    old = json.loads(answers.fit("x" * 60_000))["cursor"]
    clock.advance(LIFE / 2)
    young = json.loads(answers.fit("y" * 60_000))["cursor"]
    clock.advance(LIFE / 2)
    with pytest.raises(BadParams):
        now(more(answers, old))
    assert now(more(answers, young))["part"].startswith("y")
    clock.advance(LIFE / 2)
    assert (answers._kept, answers._used) == ({}, 0)
    assert clock.getDelayedCalls() == []


def test_the_oldest_of_too_many_goes(answers):
    """A hundred answers are kept, not more."""
    cursors = [json.loads(answers.fit("x" * 20_000))["cursor"] for _ in range(KEPT + 1)]
    with pytest.raises(BadParams):
        now(more(answers, cursors[0]))
    assert now(more(answers, cursors[1]))["part"]


def test_kept_answers_share_one_room(answers, monkeypatch):
    """Together they take no more memory than they may."""
    monkeypatch.setattr(module, "ROOM", 100_000)
    cursors = [json.loads(answers.fit("x" * 40_000))["cursor"] for _ in range(3)]
    assert answers._used <= 100_000
    with pytest.raises(BadParams):
        now(more(answers, cursors[0]))
    assert now(more(answers, cursors[2]))["part"]
    with pytest.raises(TooLarge) as e:
        answers.fit("x" * 200_000)
    assert "fields" in e.value.fix


def test_a_running_answer_is_waited_for(answers, clock):
    """A call on a running write waits, and gets the result when it comes."""
    work = Deferred()
    cursor = answers.pending(work)
    first, second = more(answers, cursor), more(answers, cursor)
    clock.advance(PATIENCE - 1)
    assert not first.called
    work.callback({"rollbackPoint": "rp-1"})
    assert now(first) == now(second) == {"rollbackPoint": "rp-1"}
    assert now(more(answers, cursor)) == {"rollbackPoint": "rp-1"}


def test_patience_ends_before_any_client_gives_up(answers, clock):
    """After 25 seconds the call says running again, with the same cursor."""
    work = Deferred()
    cursor = answers.pending(work)
    waiting = more(answers, cursor)
    clock.advance(PATIENCE)
    assert now(waiting) == {"running": True, "cursor": cursor}
    work.callback(7)
    assert now(more(answers, cursor)) == 7


def test_a_caller_that_leaves_stops_waiting(answers, clock):
    """Nothing waits on for a client that is gone."""
    cursor = answers.pending(Deferred())
    caller = Caller("s")
    waiting = more(answers, cursor, caller)
    caller.cut()
    assert now(waiting) == {"running": True, "cursor": cursor}
    assert len(clock.getDelayedCalls()) == 1  # what drops old answers


def test_an_error_is_given_to_whoever_asks(answers):
    """A running write that fails gives its error under its cursor, each time."""
    work = Deferred()
    cursor = answers.pending(work)
    work.errback(HandlerThrew("no such actor"))
    for _ in range(2):
        with pytest.raises(HandlerThrew):
            now(more(answers, cursor))


def test_a_bug_is_given_as_an_internal_error(answers, captured):
    """What a stranger's exception says stays in the log."""
    work, odd = Deferred(), Deferred()
    cursor, other = answers.pending(work), answers.pending(odd)
    work.errback(ZeroDivisionError("/home/secret"))
    odd.callback({"not": float("nan")})
    for each in (cursor, other):
        with pytest.raises(Internal) as e:
            now(more(answers, each))
        assert "secret" not in str(e.value)
    assert len(captured) == 2


def test_running_work_outlives_the_limits(answers, clock):
    """A write's result is found however long it ran and whatever came meanwhile."""
    work = Deferred()
    cursor = answers.pending(work)
    for _ in range(KEPT + 5):
        answers.fit("x" * 20_000)
    clock.advance(LIFE * 3)
    assert list(answers._kept) == [cursor]
    work.callback("done")
    assert now(more(answers, cursor)) == "done"


def test_work_that_is_done_already_is_found(answers):
    """A cursor for work that ended meanwhile leads to its result."""
    work = Deferred()
    work.callback([1])
    assert now(more(answers, answers.pending(work))) == [1]


def test_a_running_cursor_has_no_parts(answers):
    """Nobody reads parts of what is not there."""
    cursor = answers.pending(Deferred())
    with pytest.raises(BadParams):
        now(more(answers, f"{cursor}.0"))
