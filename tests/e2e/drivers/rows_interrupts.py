"""Rows of the chat: which prompts are interrupts, and how they arrive.

A row is a function of a room that gives what is seen.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from chat_room import LISTENER, ChatRoom, Waiting
from chat_words import answered, interrupted, marks, task, texts

OTTAR = 'game.actors.getName("Ottar Reed")'
TAKES_LONG = f"""
const ottar = {OTTAR};
await ottar.update({{ sort: ottar.sort + 1 }});
while (!ottar.getFlag("world", "go")) await new Promise((go) => setTimeout(go, 10));
return "worked";
"""


@contextmanager
def running(room: ChatRoom, tab: str) -> Iterator[Waiting]:
    """Keep a call for a tab running; it goes on to its end at the end."""
    room.box.world.run(f'await {OTTAR}.unsetFlag("world", "go")')
    begun = 'return new Promise((go) => Hooks.once("updateActor", () => go(true)))'
    hears = room.box.world.send("eval", code=begun)
    arguments = {"code": TAKES_LONG, "intent": "write", "summary": "takes long"}
    call = room.send("eval", tabId=tab, **arguments)
    hears.result()
    yield call
    room.box.world.run(f'await {OTTAR}.setFlag("world", "go", true)')
    call.future.result(30)


# Which prompts are marked ``interrupt``.


def mark_on_an_idle_tab(room):
    """Type into a new tab with nothing going on."""
    room.type("hello")
    return marks(room.take(), "interrupt")


def mark_on_a_working_tab(room):
    """Type into a tab that works."""
    interrupted(room)
    return marks(room.take(), "interrupt")


def mark_after_the_final_reply(room):
    """Type into a tab that is done."""
    task(room)
    room.call("send_reply", text="done", tabId="t-1")
    room.type("next")
    return marks(room.take(), "interrupt")


def mark_while_a_tool_runs(room):
    """Type into an idle tab while a call for another tab runs."""
    with running(room, "t-2"):
        room.type("hello")
        return marks(room.take(), "interrupt")


def mark_after_a_tool_ran(room):
    """Type into an idle tab when the call is over."""
    room.read(tabId="t-2")
    room.type("hello")
    return marks(room.take(), "interrupt")


# How an interrupt arrives.


def by_the_poll_that_waits(room):
    """Type into a working tab while the listener polls."""
    task(room)
    poll = room.poll()
    room.type("stop that")
    return texts(poll.result()["prompts"])


def by_get_interrupts(room):
    """Look for interrupts of another tab, of the tab, once more, and poll."""
    interrupted(room)
    looks = [
        texts(room.call("get_interrupts", listenerId=LISTENER, tabId=tab)["prompts"])
        for tab in ("t-2", "t-1", "t-1")
    ]
    return looks, texts(room.take())


def by_the_next_call_of_the_tab(room):
    """Call a tool that names the tab: its answer, and what the poll has then."""
    interrupted(room)
    return answered(room.read(tabId="t-1")), texts(room.take())


def by_the_next_write_of_the_tab(room):
    """Write for the tab: nothing is written where the interrupt rides."""
    interrupted(room)
    return answered(room.write(tabId="t-1"))


def by_a_call_of_another_tab(room):
    """Call a tool that names another tab."""
    interrupted(room)
    return answered(room.read(tabId="t-2"))


def by_a_call_without_a_tab(room):
    """Call a tool that names no tab, with multitasking on."""
    interrupted(room)
    return answered(room.read())


def external_by_a_call_without_a_tab(room):
    """Type while external and call a tool that names no tab."""
    room.type("/ext")
    room.type("do this outside")
    return answered(room.read())


def single_tab_by_a_call_without_a_tab(room):
    """Call a tool that names no tab, with multitasking off."""
    room.box.set("mode", "assistant")
    interrupted(room)
    return answered(room.read())


def running_call(room):
    """Type while a call of the tab runs; it ends as it would have."""
    task(room)
    with running(room, "t-1") as call:
        room.type("stop that")
    return call.result()["value"]


def tail_returns_early(room):
    """Type for the agent outside while it tails the console."""
    room.type("/ext")
    # Where nothing ends it early it lasts; where it is ended, its time must not do it.
    seconds = 2 if room.member == "kimi" else 25
    tail = room.send("tail_logs", durationSeconds=seconds)
    room.type("look here")
    return answered(tail.result())


def reply_is_never_interrupted(room):
    """Reply while an interrupt waits."""
    interrupted(room)
    reply = room.call("send_reply", text="half", tabId="t-1", final=False)
    return reply, texts(room.take())
