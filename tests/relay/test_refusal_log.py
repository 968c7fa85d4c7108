"""What the logs say when somebody is turned away again and again."""

from __future__ import annotations

import pytest
from attrs import define, field
from twisted.internet.task import Clock
from twisted.logger import formatEvent, globalLogPublisher

from aagm.relay.refusal_log import KINDS, MINUTE, WHOLE, RefusalLog


@define(eq=False)
class Bench:
    """The log of refusals, its clock, and what reached the session log."""

    clock: Clock = field(factory=Clock)
    told: list = field(factory=list)
    log: RefusalLog = field(init=False)

    @log.default
    def _make(self):
        return RefusalLog(self.clock, self.audit)

    def audit(self, event, /, **fields):
        """Keep an event."""
        self.told.append((event, fields))


@pytest.fixture
def bench():
    """A minute in which nobody was refused yet."""
    return Bench()


def test_the_first_are_logged_whole_and_the_rest_is_told_in_one_line(bench):
    """A page that asks for ever costs a few lines a minute."""
    whole = [bench.log("ws.reject", "403", "https://evil.example") for _ in range(1000)]
    assert whole == [True] * WHOLE + [False] * (1000 - WHOLE)
    bench.clock.advance(MINUTE - 0.1)
    assert bench.told == []
    bench.clock.advance(0.1)
    counts = {"ws.reject 403 https://evil.example": 1000 - WHOLE}
    assert bench.told == [("refusals.more", {"seconds": MINUTE, "counts": counts})]
    assert bench.clock.getDelayedCalls() == []


def test_another_kind_is_logged_whole(bench):
    """A tab that is not let in stands in the log, however many pages knock."""
    for _ in range(1000):
        bench.log("ws.reject", "403", "https://evil.example")
    assert bench.log("ws.reject", "421", "https://evil.example")
    assert bench.log("ws.reject", "403", "https://game.example")
    assert bench.log("hello.reject", "not_gm", "A player.")


def test_the_next_minute_begins_anew(bench):
    """Who still knocks is seen to."""
    for _ in range(WHOLE):
        bench.log("mcp.reject", "https://evil.example")
    bench.clock.advance(MINUTE)
    assert bench.told == []
    assert bench.log("mcp.reject", "https://evil.example")


def test_made_up_kinds_have_no_end_and_their_lines_do(bench):
    """A program may send any origin; what is kept and logged of them is limited."""
    whole = [bench.log("mcp.reject", f"https://{n}.example") for n in range(5000)]
    assert sum(whole) == KINDS
    assert bench.log("hello.reject", "not_gm", "A player.")
    bench.clock.advance(MINUTE)
    [(_, told)] = bench.told
    assert told["counts"] == {"mcp.reject others": 5000 - KINDS}


def test_a_relay_that_stops_tells_the_rest_at_once(bench):
    """Nothing is lost with it, and no timer is left, whoever still knocks."""
    for _ in range(WHOLE + 2):
        bench.log("mcp.reject", "https://evil.example")
    bench.log.stop()
    assert bench.told[0][1]["counts"] == {"mcp.reject https://evil.example": 2}
    bench.log("mcp.reject", "https://evil.example")
    assert bench.clock.getDelayedCalls() == []


def test_the_terminal_hears_how_many_more(bench):
    """It says the number, and names nobody."""
    lines = []
    globalLogPublisher.addObserver(lines.append)
    for _ in range(WHOLE + 7):
        bench.log("mcp.reject", "https://evil.example")
    bench.clock.advance(MINUTE)
    globalLogPublisher.removeObserver(lines.append)
    assert [formatEvent(each) for each in lines] == ["7 more were refused"]
