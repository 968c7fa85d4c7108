"""Rows of the chat: ``/ext``, and what holds until ``/int``.

A row is a function of a room that gives what is seen.
"""

from __future__ import annotations

from typing import Any

from chat_room import LISTENER
from chat_words import marks, task, texts


def queued_at_the_switch(room):
    """Type one prompt, close another tab, go external: what was cancelled or kept."""
    room.type("closing", "t-2")
    room.type("waits")
    room.type("/close", "t-2")
    room.type("/ext")
    seen = room.box.look()
    told = [(each["tabId"], texts(each["prompts"])) for each in seen["cancelled"]]
    parked = room.call("ping")["parked"]
    room.type("/int")
    return told, parked, texts(room.take())


def cancelled_prompt_sent_again(room):
    """Send again what ``/ext`` cancelled: it shows once, and is had."""
    room.type("waits")
    room.type("/ext")
    room.type("/int")
    room.type("waits")
    shown = [text for role, text in room.box.lines("t-1") if role == "user"]
    return shown.count("waits"), room.box.look()["cancelled"], texts(room.take())


def close_at_the_switch(room):
    """Look at the close prompt that was queued when the session went external."""
    task(room)
    room.type("/close")
    room.type("/ext")
    found = room.take()
    room.type("/int")
    return marks(found + room.take(), "close", "interrupt")


def working_tabs(room):
    """Look at a working tab after ``/ext``."""
    task(room)
    room.type("/ext")
    return room.box.tabs()["t-1"]["state"]


def reply_while_external(room):
    """Reply to a tab while external."""
    task(room)
    room.type("/ext")
    return room.call("send_reply", text="done", tabId="t-1")


def write_with_a_tab(room):
    """Write for a tab while external."""
    task(room)
    room.type("/ext")
    return wrote(room.write(tabId="t-1"))


def write_without_a_tab(room):
    """Write for no tab while external."""
    room.type("/ext")
    return wrote(room.write())


def write_after_int(room):
    """Write for a tab once it is internal again."""
    room.type("/ext")
    room.type("/int")
    return wrote(room.write(tabId="t-1"))


def wrote(answer: dict[str, Any]) -> str:
    """Say how a write ended."""
    return "refused" if answer.get("refused") else answer["rollbackPoint"]["captured"]


def typed_while_external(room):
    """Type while external: what the box is told, and who gets it in the end."""
    room.type("/ext")
    room.box.forget()
    room.type("more work")
    seen = room.box.look()
    cancelled = [(each["tabId"], texts(each["prompts"])) for each in seen["cancelled"]]
    said = len(room.box.said())
    room.type("/int")
    return cancelled, said, texts(room.take())


def marks_while_external(room):
    """Look at the marks of what was typed while external."""
    room.type("/ext")
    room.type("more work")
    room.type("/int")
    return marks(room.take(), "interrupt", "external")


def poll_while_external(room):
    """Poll while external: does it hold, and is the slot free after it?"""
    room.type("/ext")
    answer = room.call("get_prompts", listenerId=LISTENER, waitSeconds=0.1)
    is_free = room.box.look()["status"]["state"] == "no-listener"
    return answer.get("hold", False), answer["mode"], answer["terminate"], is_free


def poll_in_flight_at_ext(room):
    """Go external while a poll waits, and come back: what ended the poll?"""
    poll = room.first_poll()
    room.type("/ext")
    room.type("/int")
    room.type("afterwards")
    return poll.result().get("hold", False)


def close_while_a_poll_waits_external(room):
    """Close a tab while external; see whether the listener's poll tells."""
    task(room)
    room.type("/ext")
    poll = room.poll()
    room.type("/close")
    answer = poll.result()
    return texts(answer["prompts"]), answer["closedTabs"]


def close_while_external(room):
    """Close a tab while external and look at the mark."""
    task(room)
    room.type("/ext")
    room.type("/close")
    room.type("/int")
    return marks(room.take(), "close", "interrupt")


def back_to_internal(room):
    """Park, type more, come back: the order."""
    room.type("first")
    room.type("/ext")
    room.type("second", "t-2")
    room.type("/int")
    room.type("third", "t-3")
    return texts(room.take())


def int_wakes_a_poll(room):
    """Come back to internal while a listener's poll waits."""
    room.type("/ext")
    room.type("parked")
    poll = room.first_poll()
    room.type("/int")
    answer = poll.result()
    rest = room.take()
    return answer.get("hold", False), texts(answer["prompts"] + rest)


def mode_by_the_tool(room):
    """Switch with the tool, as the box's commands do."""
    seen = []
    for mode in ("external", "internal"):
        room.call("set_interaction_mode", mode=mode)
        seen.append((room.box.look()["mode"], room.call("ping")["interactionMode"]))
    return seen
