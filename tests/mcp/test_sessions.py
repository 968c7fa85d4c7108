"""A client's session outlives our restarts, and never grows our memory."""

from __future__ import annotations

import pytest
from twisted.internet.task import Clock

from aagm.mcp import sessions as module
from aagm.mcp.sessions import IDLE, Sessions


@pytest.fixture
def clock():
    """Time as the test says."""
    return Clock()


@pytest.fixture
def sessions(clock):
    """No sessions yet."""
    return Sessions(clock)


def test_a_session_is_found_again(sessions):
    """The id that a handshake gave out leads to its session."""
    session = sessions.open("2025-06-18")
    assert sessions.find(session.id) is session
    assert sessions.open("2025-06-18").id != session.id


def test_an_unknown_id_is_adopted(sessions):
    """A client that outlived our restart goes on as if nothing had happened."""
    session = sessions.find("from-before-the-restart")
    assert session.id == "from-before-the-restart"
    assert sessions.find(session.id) is session


@pytest.mark.parametrize("id_", ["", "two words", "Anführer", "x" * 201, "a\tb"])
def test_what_is_no_id_is_not_adopted(sessions, id_):
    """Only visible ASCII of a sane length is an id."""
    assert sessions.find(id_) is None
    assert len(sessions) == 0


def test_an_ended_session_stays_ended(sessions):
    """A client that ended its session is told to shake hands again."""
    session = sessions.open("2025-11-25")
    assert sessions.end(session.id) is True
    assert sessions.find(session.id) is None
    assert sessions.end(session.id) is False


def test_the_ended_are_forgotten_some_day(sessions):
    """Ended ids do not pile up."""
    first = sessions.open("2025-11-25").id
    sessions.end(first)
    for _ in range(module._ENDED_KEPT):
        sessions.end(sessions.open("2025-11-25").id)
    assert len(sessions._ended) == module._ENDED_KEPT
    assert first not in sessions._ended


def test_idle_sessions_go(sessions, clock):
    """Half an hour after its last call a session may go; a busy one may not."""
    idle, busy = sessions.open("2025-11-25"), sessions.open("2025-11-25")
    busy.began(1, list)
    clock.advance(IDLE + 1)
    sessions.open("2025-11-25")
    sessions.open("2025-11-25")
    assert idle.id not in sessions._by_id
    assert sessions.find(busy.id) is busy


def test_a_flood_of_ids_is_bounded(sessions, monkeypatch):
    """Whoever makes ids up pushes out the longest unused, no more."""
    monkeypatch.setattr(module, "MOST", 3)
    first = sessions.find("a1")
    for id_ in ("b2", "c3", "d4"):
        sessions.find(id_)
    assert len(sessions) == 3
    assert sessions.find("a1") is not first


def test_a_cancellation_meets_its_own_call(sessions):
    """1 and "1" are two calls; another session's call is out of reach."""
    mine, other = sessions.open("2025-11-25"), sessions.open("2025-11-25")
    seen = []
    mine.began(1, lambda: seen.append("number"))
    mine.began("1", lambda: seen.append("text"))
    other.began(1, lambda: seen.append("other"))
    mine.cancel("1")
    mine.cancel("1")
    mine.cancel(99)
    assert seen == ["text"]


def test_a_repeated_id_belongs_to_the_newer_call(sessions):
    """The end of an older call with the same id leaves the newer one to cancel."""
    session = sessions.open("2025-11-25")
    seen = []

    def old():
        seen.append("old")

    def new():
        seen.append("new")

    session.began(1, old)
    session.began(1, new)
    session.ended(1, old)
    session.cancel(1)
    assert seen == ["new"]
    assert session.is_idle
