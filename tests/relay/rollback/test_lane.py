"""The lane: one write at a time, and who may go first."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred
from twisted.logger import capturedLogs

from aagm.errors import CallerLeft, Internal, LaneBusy
from aagm.relay.rollback.lane import LONGEST_QUEUE, WriteLane


@pytest.fixture
def lane():
    """An empty lane."""
    return WriteLane()


def enter(lane, *, by="agent", label="a write", recheck=lambda: None):
    """Queue a write that ends when its gate is fired."""
    gate = Deferred()
    begun = []

    async def work(ticket):
        begun.append(ticket)
        return await gate

    ticket = lane.enter(work, by=by, label=label, recheck=recheck)
    ticket.copy().addBoth(lambda r: came.append(getattr(r, "value", r)))
    came = []
    return ticket, gate, begun, came


def test_writes_have_their_turn_in_the_order_of_arrival(lane):
    """The second begins when the first has ended."""
    _, first, begun1, came1 = enter(lane)
    _, second, begun2, came2 = enter(lane)
    assert (len(begun1), len(begun2)) == (1, 0)
    first.callback("one")
    assert (came1, len(begun2)) == (["one"], 1)
    second.callback("two")
    assert came2 == ["two"]
    assert lane.holder is None


def test_the_gm_goes_before_what_agents_queued(lane):
    """Ten queued agent writes are refused; the GM's rollback comes next."""
    _, running, _, _ = enter(lane)
    queued = [enter(lane) for _ in range(10)]
    _, gm, begun, came = enter(lane, by="gm", label="rollback")

    for _, _, _, refused in queued:
        assert isinstance(refused[0], LaneBusy)
        assert "the GM asked first: rollback" in str(refused[0])
    running.callback(None)
    assert len(begun) == 1
    gm.callback("done")
    assert came == ["done"]


def test_a_gm_does_not_refuse_another_gm(lane):
    """Two rollbacks of the GM's run one after the other."""
    enter(lane)
    _, _, _, first = enter(lane, by="gm")
    enter(lane, by="gm")
    assert first == []


def test_a_running_write_goes_on_when_the_gm_comes(lane):
    """What has its turn ends as it would."""
    _, gate, _, came = enter(lane)
    enter(lane, by="gm")
    assert came == []
    gate.callback("done")
    assert came == ["done"]


def test_a_caller_that_leaves_in_the_queue_takes_its_write_along(lane):
    """The write never begins, and the next one has its turn."""
    _, running, _, _ = enter(lane)
    ticket, _, begun, came = enter(lane)
    _, _, begun_next, _ = enter(lane)
    ticket.leave()
    assert isinstance(came[0], CallerLeft)
    running.callback(None)
    assert (begun, len(begun_next)) == ([], 1)


def test_a_caller_that_leaves_after_the_send_only_detaches(lane):
    """The write goes on and keeps the lane until it has ended."""
    ticket, gate, _, came = enter(lane)
    ticket.is_sent = True
    ticket.leave()
    ticket.check()
    assert lane.holder is ticket
    gate.callback("done")
    assert came == ["done"]
    assert lane.holder is None


def test_a_caller_that_leaves_before_the_send_stops_the_write(lane):
    """Its turn had come, nothing was sent: the next check ends it."""
    ticket, *_ = enter(lane)
    ticket.leave()
    with pytest.raises(CallerLeft):
        ticket.check()


def test_a_cancelled_copy_leaves_the_write_and_the_other_copies_alone(lane):
    """Each waiter has a Deferred of its own."""
    ticket, gate, _, came = enter(lane)
    other = ticket.copy()
    gone = []
    other.addErrback(gone.append)
    other.cancel()
    gate.callback("done")
    assert (len(gone), came) == (1, ["done"])


def test_the_answer_may_come_before_the_turn_ends(lane):
    """After a broken socket the caller knows at once, and nobody else writes yet."""
    ticket, gate, _, came = enter(lane)
    ticket.refuse_now(LaneBusy("the tab left"))
    _, _, begun, _ = enter(lane)
    assert (str(came[0]), begun) == ("the tab left", [])
    gate.callback("too late")
    assert len(begun) == 1
    assert len(came) == 1


def test_what_is_asked_again_at_the_turn_is_the_answer_instead(lane):
    """The mode changed while the write waited: it is not begun."""
    _, running, _, _ = enter(lane)
    refusal = {"refused": True}
    _, _, begun, came = enter(lane, recheck=lambda: refusal)
    running.callback(None)
    assert (begun, came) == ([], [refusal])
    assert lane.holder is None


def test_more_than_32_do_not_wait(lane):
    """The 33rd waiting write is refused at once; the GM's is not."""
    enter(lane)
    for _ in range(LONGEST_QUEUE):
        enter(lane)
    with pytest.raises(LaneBusy):
        enter(lane)
    enter(lane, by="gm")


def test_a_place_in_the_queue_can_be_told(lane):
    """One runs and one waits: two are ahead of the third."""
    enter(lane)
    enter(lane)
    ticket, *_ = enter(lane)
    assert lane.ahead_of(ticket) == 2


def test_a_bug_in_a_write_does_not_hold_the_lane(lane):
    """Its text is not for the caller; the next write has its turn."""

    async def work(_ticket):
        raise ZeroDivisionError("a path of somebody's")

    with capturedLogs() as logs:
        ticket = lane.enter(work, by="agent", label="a write")
    came = []
    ticket.copy().addErrback(lambda f: came.append(f.value))
    assert isinstance(came[0], Internal)
    assert "path" not in str(came[0])
    assert any("log_failure" in event for event in logs)
    assert lane.holder is None
