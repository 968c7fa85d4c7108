"""The rows of DESIGN section 2 and of PROTOCOL_FACTS 5.5 and 5.6, for each member.

Where the two differ the row is DESIGN's. A row is a function of a world that gives
what is seen; the table says what each member shows.
"""

from __future__ import annotations

from datetime import datetime

import pytest
from attrs import frozen
from twisted.internet.defer import Deferred

from aagm.members import GROK, KIMI
from aagm.relay.chat.dispatch import WHEN_INTERNAL


def texts(prompts):
    """Give the texts of prompts as a listener gets them."""
    return [prompt["text"] for prompt in prompts]


# DESIGN section 2, "name, ports" and "log file name".


def ports(world):
    """Name the member and its ports."""
    return world.member.title, world.member.bridge_port, world.member.mcp_port


def log_name(world):
    """Name the log of a relay started at a known moment."""
    return world.member.log_name(datetime(2026, 9, 24, 14, 5, 6, 7_000))  # noqa: DTZ001


# ``/ext``.


def queued_at_the_switch(world):
    """Type one prompt, close another tab, go external, and look at the queue."""
    world.type("closing", "t-2")
    world.type("waits")
    world.type("/close", "t-2")
    world.type("/ext")
    lines = world.tabs()["t-1"]["transcript"]
    cancelled = world.tab.told_of("aagm.cancelled")
    told = [(c["tabId"], texts(c["prompts"])) for c in cancelled]
    shown = [line.get("cancelled", False) for line in lines if line["text"] == "waits"]
    world.type("/int")
    world.take()
    return told, shown, world.chat.facts()["parked"]


def parked_count(world):
    """Count what is held after ``/ext``."""
    world.type("waits")
    world.type("/ext")
    return world.chat.facts()["parked"]


def close_at_the_switch(world):
    """Look at the close prompt that was queued when the session went external."""
    world.type("a task")
    world.take()
    world.type("/close")
    world.type("/ext")
    found = world.take()
    world.type("/int")
    found += world.take()
    return [(p["close"], p.get("interrupt", False)) for p in found]


def working_tabs(world):
    """Look at a working tab after ``/ext``."""
    world.type("a task")
    world.take()
    world.type("/ext")
    return world.tabs()["t-1"]["state"]


def reply_while_external(world):
    """Reply to a tab while external."""
    world.type("a task")
    world.take()
    world.type("/ext")
    return world.call("send_reply", text="done", tabId="t-1").value


def write_with_a_tab(world):
    """Let a write that names a tab come to its turn while external."""
    world.type("a task")
    world.take()
    world.type("/ext")
    call = world.call("eval", tabId="t-1")
    return bool(
        (world.chat.gate.before_write(call.caller_of(), "t-1") or {}).get("refused")
    )


def write_without_a_tab(world):
    """Let a write that names no tab come to its turn while external."""
    world.type("/ext")
    call = world.call("eval")
    return world.chat.gate.before_write(call.caller_of(), None)


def writes_after_int(world):
    """Let a write that names a tab come to its turn once it is internal again."""
    world.type("/ext")
    world.type("/int")
    call = world.call("eval", tabId="t-1")
    return world.chat.gate.before_write(call.caller_of(), "t-1")


def typed_while_external(world):
    """Type while external and see what the box shows and whether anybody gets it."""
    world.type("/ext")
    world.clock.advance(1)
    world.tab.told.clear()
    world.type("more work")
    line = [
        (each["role"], each.get("cancelled", False))
        for each in world.tabs()["t-1"]["transcript"]
        if each["text"] == "more work"
    ]
    modes = len(world.tab.told_of("aagm.mode"))
    said = len(world.said())
    world.type("/int")
    return line, modes, said, texts(world.take())


def marks_while_external(world):
    """Look at the marks of what was typed while external."""
    world.type("/ext")
    world.type("more work")
    world.type("/int")
    return [(p.get("interrupt"), p.get("external")) for p in world.take()]


def poll_while_external(world):
    """Poll while external; give the answer's hold, and who has the slot then."""
    world.type("/ext")
    poll = world.poll(wait=25)
    waits = not poll.is_done
    world.clock.advance(25)
    other = world.poll("listener-b", 0)
    return waits, poll.value.get("hold", False), poll.value["mode"], other.error is None


def poll_in_flight_at_ext(world):
    """Go external while a poll waits."""
    poll = world.poll()
    world.type("/ext")
    return poll.value.get("hold") if poll.is_done else "waits on"


def closes_reach_an_external_poll(world):
    """Close a tab while external; see whether a poll tells."""
    world.type("a task")
    world.take()
    world.type("/ext")
    poll = world.poll()
    world.type("/close")
    return texts(poll.value["prompts"])


def close_while_external(world):
    """Close a tab while external and look at the mark."""
    world.type("a task")
    world.take()
    world.type("/ext")
    world.type("/close")
    world.type("/int")
    return [(p["close"], p.get("interrupt", False)) for p in world.take()]


def back_to_internal(world):
    """Park, type more, come back: the order, and whether a waiting poll wakes."""
    world.type("first")
    world.type("/ext")
    world.type("second")
    poll = world.poll()
    world.type("/int")
    return poll.is_done, texts(poll.value["prompts"] or world.take())


def at_start(world):
    """Name the mode of a relay that just started."""
    return world.take() == [] and world.chat.facts()["interactionMode"]


# Which prompts are marked ``interrupt``.


def mark_on_an_idle_tab(world):
    """Type into a new tab with nothing going on."""
    world.type("hello")
    return world.take()[0].get("interrupt", False)


def mark_on_a_working_tab(world):
    """Type into a tab that works."""
    world.type("a task")
    world.take()
    world.type("no, another")
    return world.take()[0].get("interrupt", False)


def mark_after_the_final_reply(world):
    """Type into a tab that is done."""
    world.type("a task")
    world.take()
    world.call("send_reply", text="done", tabId="t-1")
    world.type("next")
    return world.take()[0].get("interrupt", False)


def mark_while_a_tool_runs(world):
    """Type into an idle tab while a tool call of another tab runs."""
    work = Deferred()
    world.work = lambda _call: work
    world.call("eval", tabId="t-2")
    world.type("hello")
    return world.take()[0].get("interrupt", False)


def mark_after_a_tool_ran(world):
    """Type into an idle tab when the tool call is over."""
    world.call("eval", tabId="t-2")
    world.type("hello")
    return world.take()[0].get("interrupt", False)


# How an interrupt arrives.


def working(world):
    """Let a tab work, and type into it."""
    world.type("a task")
    world.take()
    world.type("stop that")


def by_the_next_poll(world):
    """Poll after an interrupt."""
    working(world)
    return texts(world.take())


def by_get_interrupts(world):
    """Look for interrupts of the tab, of another one, and once more."""
    working(world)
    ids = {"listenerId": "listener-a"}
    other = world.call("get_interrupts", tabId="t-2", **ids).value
    mine = world.call("get_interrupts", tabId="t-1", **ids).value
    again = world.call("get_interrupts", tabId="t-1", **ids).value
    poll = world.take()
    return [texts(each["prompts"]) for each in (other, mine, again)], poll


def by_the_next_call_of_the_tab(world):
    """Call a tool that names the tab."""
    working(world)
    call = world.call("eval", tabId="t-1")
    return call.value.get("interrupted", False), call.value.get("did")


def by_a_call_of_another_tab(world):
    """Call a tool that names another tab."""
    working(world)
    return world.call("eval", tabId="t-2").value


def by_a_call_without_a_tab(world):
    """Call a tool that names no tab, with multitasking on."""
    working(world)
    return world.call("eval").value


def external_by_a_call_without_a_tab(world):
    """Type while external and call a tool that names no tab."""
    world.type("/ext")
    world.type("do this outside")
    return texts(world.call("eval").value.get("prompts", []))


def single_tab_by_a_call_without_a_tab(world):
    """Call a tool that names no tab, with multitasking off."""
    world.bridge.tell(world.tab, "settings.sync", {"mode": "assistant"})
    world.type("a task", "t-main")
    world.take()
    world.type("stop that", "t-main")
    return texts(world.call("eval").value.get("prompts", []))


def running_call(world):
    """Type while a call of the tab runs; it ends as it would have."""
    work = Deferred()
    world.work = lambda _call: work
    world.type("a task")
    world.take()
    call = world.call("eval", tabId="t-1")
    world.type("stop that")
    work.callback({"did": "work"})
    return call.value


def tail_returns_early(world):
    """Watch for interrupts as ``foundry_tail_logs`` does while it waits."""
    early = []
    world.type("a task")
    world.take()
    world.chat.gate.watch("t-1", lambda: early.append("t-1"))
    world.chat.gate.watch("t-2", lambda: early.append("t-2"))
    world.type("stop that")
    return early


def reply_is_never_interrupted(world):
    """Reply while an interrupt waits."""
    working(world)
    reply = world.call("send_reply", text="done", tabId="t-1", final=False)
    return reply.value, texts(world.take())


# The rest.


def log_command(world):
    """Type ``/log``."""
    world.type("/log")
    return world.logs.asked, texts(world.take()), world.said()


def status_has_the_mode(world):
    """Look at the status line's source."""
    world.clock.advance(1)
    world.bridge.tell(world.tab, "aagm.status.request", {})
    return world.tab.told_of("aagm.status")[-1]


RAN = {"did": "work"}


@frozen
class Row:
    """What a row shows for each member."""

    see: object
    kimi: object
    grok: object


def same(see, both):
    """Make a row that is the same for both."""
    return Row(see, both, both)


ROWS = [
    Row(ports, ("AAGM-K", 7898, 7899), ("AAGM-G", 7890, 7891)),
    Row(log_name, "September 24 14.05.06.md", "September 24 14.05.06.007.md"),
    Row(queued_at_the_switch, ([("t-1", ["waits"])], [True], 0), ([], [False], 0)),
    Row(parked_count, 0, 1),
    Row(close_at_the_switch, [(True, False)], [(True, True)]),
    Row(working_tabs, "done", "working"),
    Row(
        reply_while_external,
        {
            "delivered": False,
            "tabId": "t-1",
            "refused": True,
            "reason": "external-mode",
            "fix": WHEN_INTERNAL,
        },
        {"delivered": True, "tabId": "t-1"},
    ),
    Row(write_with_a_tab, True, False),
    same(write_without_a_tab, None),
    same(writes_after_int, None),
    Row(
        typed_while_external,
        ([("user", True)], 1, 1, []),
        ([("user", False)], 0, 1, ["more work"]),
    ),
    Row(marks_while_external, [], [(True, True)]),
    Row(
        poll_while_external,
        (True, False, "external", False),
        (False, True, "external", True),
    ),
    Row(poll_in_flight_at_ext, "waits on", True),
    Row(closes_reach_an_external_poll, ["/close"], []),
    Row(close_while_external, [(True, False)], [(True, True)]),
    Row(back_to_internal, (True, []), (True, ["first", "second"])),
    same(at_start, "internal"),
    same(mark_on_an_idle_tab, False),
    same(mark_on_a_working_tab, True),
    same(mark_after_the_final_reply, False),
    Row(mark_while_a_tool_runs, False, True),
    same(mark_after_a_tool_ran, False),
    same(by_the_next_poll, ["stop that"]),
    same(by_get_interrupts, ([[], ["stop that"], []], [])),
    Row(by_the_next_call_of_the_tab, (False, "work"), (True, None)),
    same(by_a_call_of_another_tab, RAN),
    same(by_a_call_without_a_tab, RAN),
    Row(external_by_a_call_without_a_tab, [], ["do this outside"]),
    Row(single_tab_by_a_call_without_a_tab, [], ["stop that"]),
    same(running_call, RAN),
    Row(tail_returns_early, [], ["t-1"]),
    same(
        reply_is_never_interrupted, ({"delivered": True, "tabId": "t-1"}, ["stop that"])
    ),
    Row(log_command, ([], ["/log"], []), ([(None, 30)], [], ["the end of the log"])),
    Row(
        status_has_the_mode,
        {"state": "no-listener"},
        {"state": "no-listener", "mode": "internal"},
    ),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.see.__name__)
def test_a_row_holds_for_kimi(row, kimi):
    """AAGM-K shows what its column says."""
    assert kimi.member is KIMI
    assert row.see(kimi) == row.kimi


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.see.__name__)
def test_a_row_holds_for_grok(row, grok):
    """AAGM-G shows what its column says."""
    assert grok.member is GROK
    assert row.see(grok) == row.grok
