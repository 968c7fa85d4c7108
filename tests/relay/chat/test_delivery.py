"""What is handed out arrives, once, or is offered again and says so."""

from __future__ import annotations

import pytest


def marks(prompts):
    """Give texts and whether each was offered before."""
    return [(p["text"], p.get("redelivered", False)) for p in prompts]


def test_a_prompt_wakes_the_poll_that_waits(world):
    """It is answered in the same moment; the next poll has nothing."""
    poll = world.poll()
    world.type("hello")
    assert marks(poll.arrive()["prompts"]) == [("hello", False)]
    assert world.take() == []


def test_a_poll_that_waits_in_vain_answers_when_its_time_is_over(world):
    """Nothing typed: empty lists after the seconds asked for, 25 by default."""
    poll = world.call("get_prompts", listenerId="listener-a")
    world.clock.advance(24.9)
    assert not poll.is_done
    world.clock.advance(0.1)
    assert poll.value == {
        "prompts": [],
        "terminate": False,
        "mode": "internal",
        "tabs": [],
        "closedTabs": [],
    }


@pytest.mark.parametrize("fate", ["cut", "reset"])
def test_what_did_not_arrive_is_offered_again(world, fate):
    """A connection that broke, or was reset within 5 s, loses nothing."""
    poll = world.poll()
    world.type("hello")
    getattr(poll, fate)()
    assert marks(world.take()) == [("hello", True)]
    assert world.take() == []


def test_a_cut_poll_frees_its_waiter_and_takes_nothing(world):
    """What is typed afterwards goes to a poll that lives, and is new to it."""
    poll = world.poll()
    poll.cut()
    assert poll.is_done
    world.type("hello")
    assert marks(world.take()) == [("hello", False)]


def test_a_cancelled_poll_takes_nothing(world):
    """The same when the client cancels its call."""
    poll = world.poll()
    poll.caller.cancel()
    world.type("hello")
    assert marks(world.take()) == [("hello", False)]


def test_a_cancelled_coroutine_frees_its_waiter(world):
    """The transport may end the call itself; the next prompt goes elsewhere."""
    gone, alive = world.poll(), world.poll()
    gone.answer.cancel()
    world.type("hello")
    assert marks(alive.value["prompts"]) == [("hello", False)]


def test_of_a_repeated_poll_the_newest_is_answered(world):
    """The older may be a connection that nobody reads any more."""
    older, newer = world.poll(), world.poll()
    world.type("hello")
    assert not older.is_done
    assert marks(newer.value["prompts"]) == [("hello", False)]


def test_a_broken_newest_poll_hands_on_to_the_older(world):
    """What came back goes to the poll that still waits, at once."""
    older, newer = world.poll(), world.poll()
    world.type("hello")
    newer.reset()
    assert marks(older.value["prompts"]) == [("hello", True)]


def test_a_reply_proves_that_its_prompt_arrived(world):
    """A connection reset after the answer was read brings nothing twice."""
    poll = world.poll()
    prompt = world.type("hello")
    world.call("send_reply", text="done", promptId=prompt, tabId="t-1")
    poll.reset()
    assert world.take() == []


def test_another_listener_gets_what_the_last_one_left(world):
    """Handed out, but no call for the tab came before the lease lapsed."""
    world.type("hello")
    world.take()
    world.clock.advance(46)
    assert marks(world.take("listener-b")) == [("hello", True)]


def test_the_same_listener_gets_nothing_twice(world):
    """Its lease lapsed while it worked in silence; it knows its prompts."""
    world.type("hello")
    world.take()
    world.clock.advance(46)
    assert world.take("listener-a") == []


def test_another_listener_does_not_get_what_was_taken_up(world):
    """A call for the tab came: somebody works on it."""
    world.type("hello")
    world.take()
    world.call("eval", tabId="t-1")
    world.clock.advance(46)
    assert world.take("listener-b") == []


def test_a_call_before_the_receipt_counts_as_taken_up(world):
    """A worker is often faster than the 5 s that a receipt takes."""
    world.type("hello")
    poll = world.poll(wait=0)
    world.call("eval", tabId="t-1")
    poll.arrive()
    world.clock.advance(46)
    assert world.take("listener-b") == []


def test_a_reply_to_one_prompt_leaves_the_tab_s_other_one(world):
    """The listener died between two prompts of one tab: the second is not lost."""
    first = world.type("first")
    world.type("second")
    world.take()
    world.call("send_reply", text="done", promptId=first, tabId="t-1")
    world.clock.advance(46)
    assert marks(world.take("listener-b")) == [("second", True)]


def test_interrupts_on_a_cut_call_come_back(grok):
    """Nothing rides on an answer that cannot be delivered."""
    grok.type("a task")
    grok.take()
    grok.type("stop that")
    call = grok.call("eval", tabId="t-1")
    assert marks(call.value["prompts"]) == [("stop that", False)]
    call.reset()
    assert marks(grok.call("eval", tabId="t-1").arrive()["prompts"]) == [
        ("stop that", True)
    ]
    assert grok.take() == []


def test_a_write_whose_answer_was_given_takes_no_interrupt(grok):
    """It is not done, and the prompt waits for an answer that can carry it."""
    grok.type("a task")
    grok.take()
    grok.type("stop that")
    result = grok.chat.gate.before_write(None, "t-1")
    assert (result["interrupted"], result["prompts"]) == (True, [])
    assert marks(grok.take()) == [("stop that", False)]


def test_a_write_that_waited_is_stopped_by_a_newer_prompt(grok):
    """The GM typed while the write waited for its turn."""
    grok.type("a task")
    grok.take()
    call = grok.call("eval", tabId="t-1")
    assert grok.chat.gate.before_write(call.caller_of(), "t-1") is None
    grok.type("stop that")
    stopped = grok.chat.gate.before_write(call.caller_of(), "t-1")
    assert marks(stopped["prompts"]) == [("stop that", False)]
    assert grok.take() == []


def test_closed_tabs_are_told_once_and_again_when_lost(world):
    """The list and the close prompt both survive a broken answer."""
    world.type("hello")
    world.take()
    poll = world.poll()
    world.type("/close")
    assert poll.value["closedTabs"] == ["t-1"]
    poll.reset()
    again = world.poll(wait=0)
    assert again.arrive()["closedTabs"] == ["t-1"]
    assert [(p["close"], p["redelivered"]) for p in again.value["prompts"]] == [
        (True, True)
    ]
    assert world.poll(wait=0).value["closedTabs"] == []


def test_long_prompts_come_in_answers_that_are_not_cut(world):
    """Each answer stays under the limit of one; nothing is left behind."""
    for number in range(8):
        world.type(f"{number} " + "x" * 4_000)
    sizes = []
    while prompts := world.take():
        sizes.append(len(prompts))
    assert sum(sizes) == 8
    assert max(sizes) <= 3


def test_a_lone_surrogate_passes_from_the_box_to_the_listener_and_the_disk(world):
    """A broken emoji breaks nothing on its way, nor at the next start."""
    world.type("half an emoji \ud83d")
    world.start()
    assert marks(world.take()) == [("half an emoji \ud83d", False)]
    world.bridge.tell(world.tab, "aagm.status.request", {})
    assert world.tabs()["t-1"]["title"] == "half an emoji \ud83d"
