"""Polls that wait cost nothing while they wait."""

from __future__ import annotations


def test_64_waiting_polls_hold_one_timer_each_and_no_other(world):
    """Nothing looks around while they wait: no timer fires before the end."""
    polls = [world.poll() for _ in range(64)]
    waits = [call.getTime() for call in world.clock.getDelayedCalls()]
    assert waits == [25.0] * 64
    world.clock.advance(25)
    assert all(poll.is_done for poll in polls)
    left = world.clock.getDelayedCalls()
    assert len(left) == 1  # the lease


def test_one_prompt_wakes_one_of_them(world):
    """The others wait on."""
    polls = [world.poll() for _ in range(64)]
    world.type("hello")
    assert [poll.is_done for poll in polls] == [False] * 63 + [True]


def test_a_poll_that_left_is_gone_at_once(world):
    """Its timer goes with it."""
    poll = world.poll()
    poll.cut()
    assert [call.getTime() for call in world.clock.getDelayedCalls()] == [45.0]


def test_what_one_answer_does_not_hold_comes_with_the_next(world):
    """A poll that is called back to back drains a long queue."""
    for number in range(10):
        world.type(f"{number} " + "x" * 3_000)
    texts = []
    while prompts := world.take():
        texts += [prompt["text"][0] for prompt in prompts]
    assert texts == list("0123456789")
