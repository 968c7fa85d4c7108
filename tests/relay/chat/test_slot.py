"""The listener's slot: who keeps it, who loses it, who is turned away."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import ListenerOccupied
from aagm.wire.codes import to_error


def status(world):
    """Name the state that the box shows."""
    world.clock.advance(0.06)
    return world.tab.told_of("aagm.status")[-1]["state"]


def test_a_second_listener_is_refused_and_the_gm_told_once(world):
    """It gets -33005 at once, and the GM one toast however often it tries."""
    world.poll()
    for _ in range(3):
        refused = world.poll("listener-b")
        assert isinstance(refused.error, ListenerOccupied)
        assert to_error(refused.error)["code"] == -33005
    assert len(world.tab.told_of("aagm.listener.refused")) == 1
    world.poll("listener-c")
    assert len(world.tab.told_of("aagm.listener.refused")) == 2


def test_after_45_s_of_quiet_the_second_takes_over(world):
    """A listener that says nothing loses the slot; the box shows it."""
    world.take()
    assert status(world) == "ready"
    world.clock.advance(44.8)
    assert world.poll("listener-b", 0).error is not None
    world.clock.advance(0.2)
    assert status(world) == "no-listener"
    assert world.poll("listener-b", 0).error is None
    assert isinstance(world.poll("listener-a", 0).error, ListenerOccupied)


def test_a_poll_in_flight_keeps_the_lease(world):
    """The longest poll is longer than the lease, and keeps it all the same."""
    poll = world.poll(wait=50)
    world.clock.advance(49)
    assert world.poll("listener-b", 0).error is not None
    world.clock.advance(1)
    assert poll.value["prompts"] == []
    world.clock.advance(44)
    assert world.poll("listener-b", 0).error is not None


def test_a_cut_poll_keeps_it_no_longer_than_45_s(world):
    """A listener that dies in the middle of a poll is replaced after the lease."""
    poll = world.poll(wait=50)
    world.clock.advance(20)
    poll.cut()
    world.clock.advance(45)
    assert world.poll("listener-b", 0).error is None


def test_sub_agents_that_call_keep_the_lease_for_ten_minutes(world):
    """Calls that name a tab handed to the listener renew its lease."""
    world.type("a long task")
    world.take()
    for _ in range(20):
        world.clock.advance(30)
        world.call("eval", tabId="t-1")
    assert world.poll("listener-b", 0).error is not None
    world.clock.advance(45)
    assert world.poll("listener-b", 0).error is None


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("send_reply", {"text": "half", "tabId": "t-1", "final": False}),
        ("get_interrupts", {"listenerId": "listener-a", "tabId": "t-9"}),
    ],
)
def test_the_listener_s_own_calls_renew_it_too(world, name, arguments):
    """A reply in its tab and a look for interrupts count as life."""
    world.type("a task")
    world.take()
    world.clock.advance(40)
    world.call(name, **arguments)
    world.clock.advance(40)
    assert world.poll("listener-b", 0).error is not None


def test_calls_for_tabs_of_others_do_not_renew_it(world):
    """An agent that works on its own does not keep a dead listener's lease."""
    world.type("a task")
    world.take()
    world.clock.advance(30)
    world.call("eval", tabId="t-2")
    world.call("eval")
    world.clock.advance(15)
    assert world.poll("listener-b", 0).error is None


def test_a_look_for_interrupts_by_another_is_refused(world):
    """Only the holder may take interrupts."""
    world.take()
    other = world.call("get_interrupts", listenerId="listener-b", tabId="t-1")
    assert isinstance(other.error, ListenerOccupied)


def test_exit_stops_the_listener_and_frees_the_slot(world):
    """The waiting poll says terminate, the tabs are gone, another may come."""
    world.type("a task")
    world.take()
    poll = world.poll()
    world.type("/exit")
    assert poll.arrive()["terminate"] is True
    assert poll.value["tabs"] == []
    assert world.tabs() == {}
    assert world.poll("listener-b", 0).value["terminate"] is False


def test_exit_reaches_a_listener_that_works_when_it_polls_next(world):
    """A listener busy with a task is told at its next poll, once."""
    world.take()
    world.type("/quit")
    assert world.poll(wait=0).arrive()["terminate"] is True
    assert world.poll(wait=0).value["terminate"] is False


def test_all_polls_in_flight_are_told_to_stop(world):
    """A client that repeated its poll ends whichever answer it reads."""
    polls = [world.poll() for _ in range(3)]
    world.type("/stop")
    assert [poll.value["terminate"] for poll in polls] == [True] * 3


def test_a_late_exit_never_stops_the_next_listener(world):
    """Typed while nobody listens, or for one that lapsed: the next one lives."""
    world.type("/exit")
    assert world.poll(wait=0).value["terminate"] is False
    world.clock.advance(1)
    world.type("/exit")
    world.clock.advance(60)
    assert world.poll("listener-b", 0).value["terminate"] is False


def test_an_exit_sent_again_after_a_break_spares_the_next_listener(world):
    """Typed while the relay was down, it was meant for whoever listened then."""
    before = (1_790_000_000 - 60) * 1000
    world.type("a task")
    world.take()
    world.type("/exit", id_=f"p-{before}-abc123")
    assert world.poll(wait=0).value["terminate"] is False
    assert "t-1" in world.tabs()
    assert "has gone" in world.said()[0]
    world.clock.advance(1)
    after = int((1_790_000_000 + world.clock.seconds()) * 1000)
    world.type("/exit", id_=f"p-{after}-abc123")
    assert world.poll(wait=0).value["terminate"] is True


def test_a_stop_that_did_not_arrive_is_said_again(world):
    """A connection that breaks under the answer does not leave the listener alive."""
    poll = world.poll()
    world.type("/exit")
    poll.reset()
    assert world.poll(wait=0).arrive()["terminate"] is True
    assert world.poll("listener-b", 0).value["terminate"] is False


def test_a_stop_that_did_not_arrive_spares_another_listener(world):
    """Who came meanwhile is not the one that was told to stop."""
    poll = world.poll()
    world.type("/exit")
    world.take("listener-b")
    poll.reset()
    assert world.poll("listener-b", 0).value["terminate"] is False


def test_exit_repeats_what_nobody_got(world):
    """The queue goes with the tabs, but its words stay to be read."""
    world.type("never sent")
    world.type("/exit")
    assert world.take() == []
    assert "never sent" in world.said()[-1]


def test_no_timer_is_left_behind(world):
    """A relay that stops leaves nothing on the clock, and polls get their answer."""
    world.type("a task")
    world.take()
    poll = world.poll()
    stopped = Deferred.fromCoroutine(world.chat.stop())
    assert stopped.called
    assert poll.is_done
    assert world.clock.getDelayedCalls() == []
