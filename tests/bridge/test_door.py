"""What the session log says of those who were sent away."""

from __future__ import annotations

from twisted.logger import globalLogPublisher

from aagm.bridge.door import Door
from aagm.bridge.roster import Roster
from aagm.loopback import Arrival, Denial
from aagm.relay.ports import Reason, each_whole


def make(log, refusals=each_whole):
    """A door that tells *log*."""

    def audit(event, /, **fields):
        log.append((event, fields))

    return Door(
        frozenset(), None, Roster(), lambda: "ws://127.0.0.1:7898", audit, refusals
    )


def test_a_refused_hello_is_logged_with_its_reason():
    """Why the GM's tab is not in stands in the log; coming in is no refusal."""
    log = []
    door = make(log)
    door.note(Reason("not_gm", "The user is no GM.", "Log in as the GM."))
    door.note(None)
    assert log == [
        ("hello.reject", {"code": "not_gm", "message": "The user is no GM."})
    ]


def test_a_refused_page_is_logged_by_its_origin_only():
    """Whatever else a stranger sends does not reach the log."""
    log = []
    door = make(log)
    arrival = Arrival("127.0.0.1:7898", "https://evil.example/?<b>", frozenset())
    door.deny(arrival, Denial(403, "a foreign page"))
    door.deny(None, Denial(400, "not HTTP"))
    assert log == [
        ("ws.reject", {"status": 403, "origin": "an unreadable origin"}),
        ("ws.reject", {"status": 400, "origin": None}),
    ]


def test_what_is_only_counted_is_logged_nowhere_and_the_gm_hears_of_it():
    """A page that knocks for ever fills neither log, and stands in the window."""
    log, lines = [], []
    door = make(log, lambda _event, *_kind: False)
    page = Arrival("127.0.0.1:7898", "https://evil.example", frozenset())
    globalLogPublisher.addObserver(lines.append)
    door.deny(page, Denial(403, "a foreign page"))
    logged = door.note(Reason("not_gm", "The user is no GM.", "Log in as the GM."))
    globalLogPublisher.removeObserver(lines.append)
    assert (logged, log, lines) == (False, [], [])
    assert door.why_not().code == "not_gm"
    told = {"origin": "https://evil.example", "count": 1}
    assert door._pages.take_unreported() == [told]
