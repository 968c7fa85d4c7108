"""The rows of DESIGN section 2 and PROTOCOL_FACTS 5.5 and 5.6, through real programs.

Where the two differ the row is DESIGN's. The game master types through the module, the
listener is the official client. A row is a function of a room that gives what is seen;
the table says what each member shows. Done when 1 of the fourth issue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
import rows_external as external
import rows_interrupts as interrupts
from attrs import frozen
from chat_room import LISTENER, SECOND, ChatRoom, chat_room
from chat_words import task, texts
from node_world import API

from aagm.relay.chat.dispatch import WHEN_CLOSED


@pytest.fixture(scope="module")
def rooms(tmp_path_factory) -> Iterator[dict[str, ChatRoom]]:
    """Run both members."""
    with (
        chat_room("kimi", tmp_path_factory.mktemp("kimi")) as kimi,
        chat_room("grok", tmp_path_factory.mktemp("grok")) as grok,
    ):
        yield {"kimi": kimi, "grok": grok}


@pytest.fixture
def room(rooms, member) -> Iterator[ChatRoom]:
    """Give one member's room, as new."""
    rooms[member].clear()
    return rooms[member]


# DESIGN section 2, "name, ports" and "log file name".


def name(room):
    """Name the member, as ping and the handshake do."""
    server = room.caller.client.server_info
    return room.call("ping")["member"], server.name


def log_name(room):
    """Match the log's name with how the member writes it."""
    (log,) = room.call("session_logs")["logs"][:1]
    found = re.fullmatch(r"[A-Z][a-z]+ \d+ \d\d\.\d\d\.\d\d(\.\d{3})?\.md", log["name"])
    return found is not None and found[1] is not None


def log_command(room):
    """Type ``/log``: whom does it reach, and does the box show the log?"""
    room.type("/log")
    said = room.box.said()
    (log,) = (room.relay.data_dir / "Logs").glob("*.md")
    return texts(room.take()), [text.strip() in log.read_text() for text in said]


def status_has_the_mode(room):
    """Look at the status line's source."""
    return room.box.look()["status"]


def close_drops_the_queue(room):
    """Close a tab with prompts in the queue: what the listener gets."""
    room.type("dropped")
    room.type("stays", "t-2")
    room.box.world.run(f'return {API}.closeTab("t-1")')
    answer = room.call("get_prompts", listenerId=LISTENER, waitSeconds=0)
    return texts(answer["prompts"]), answer["closedTabs"], list(room.box.tabs())


def late_reply(room):
    """Reply to a tab that was closed."""
    task(room)
    room.type("/close")
    return room.call("send_reply", text="done", tabId="t-1")


def rollback_with_nobody_listening(room):
    """Write, and type ``/rollback`` without any listener."""
    room.write()
    room.type("/rollback")
    said = "each.text.startsWith('Rolled back: 1 point')"
    room.box.until_tabs(f"tabs.some((tab) => tab.transcript.some((each) => {said}))")
    return room.box.look()["status"]["state"]


def sixth_tab(room):
    """Type in a sixth tab: it is refused where it can be seen, with its words."""
    for number in range(5):
        room.type("a task", f"t-{number}")
    room.type("one too many", "t-6")
    said = room.box.said()
    return len(room.take()), len(room.box.tabs()), ["one too many" in t for t in said]


def exit_frees_the_slot(room):
    """Type ``/exit`` while a poll waits: it ends, and another may listen."""
    poll = room.first_poll()
    room.type("/exit")
    return poll.result()["terminate"], room.take(SECOND)


@frozen
class Row:
    """What a row shows for each member."""

    see: Any
    kimi: Any
    grok: Any


def same(see: Any, both: Any) -> Row:
    """Make a row that is the same for both."""
    return Row(see, both, both)


REFUSED = {"delivered": False, "tabId": "t-1", "refused": True}
KEPT = (
    "Keep the reply, and send it when the mode is internal again: the game master"
    " types /int."
)
ROWS = [
    Row(name, ("kimi", "aagm-k"), ("grok", "aagm-g")),
    Row(log_name, False, True),
    Row(
        external.queued_at_the_switch,
        ([("t-1", ["waits"])], 0, ["/close"]),
        ([], 1, ["waits", "/close"]),
    ),
    Row(
        external.cancelled_prompt_sent_again,
        (2, [], ["waits"]),
        (2, [], ["waits", "waits"]),
    ),
    Row(external.close_at_the_switch, [(True, False)], [(True, True)]),
    Row(external.working_tabs, "done", "working"),
    Row(
        external.reply_while_external,
        {**REFUSED, "reason": "external-mode", "fix": KEPT},
        {"delivered": True, "tabId": "t-1"},
    ),
    Row(external.write_with_a_tab, "refused", "1 update"),
    same(external.write_without_a_tab, "1 update"),
    same(external.write_after_int, "1 update"),
    Row(
        external.typed_while_external,
        ([("t-1", ["more work"])], 1, []),
        ([], 1, ["more work"]),
    ),
    Row(external.marks_while_external, [], [(True, True)]),
    Row(
        external.poll_while_external,
        (False, "external", False, False),
        (True, "external", False, True),
    ),
    Row(external.poll_in_flight_at_ext, False, True),
    Row(external.close_while_a_poll_waits_external, (["/close"], ["t-1"]), ([], [])),
    Row(external.close_while_external, [(True, False)], [(True, True)]),
    Row(external.back_to_internal, ["third"], ["first", "second", "third"]),
    Row(external.int_wakes_a_poll, (False, []), (True, ["parked"])),
    same(
        external.mode_by_the_tool, [("external", "external"), ("internal", "internal")]
    ),
    same(interrupts.mark_on_an_idle_tab, [(False,)]),
    same(interrupts.mark_on_a_working_tab, [(True,)]),
    same(interrupts.mark_after_the_final_reply, [(False,)]),
    Row(interrupts.mark_while_a_tool_runs, [(False,)], [(True,)]),
    same(interrupts.mark_after_a_tool_ran, [(False,)]),
    same(interrupts.by_the_poll_that_waits, ["stop that"]),
    same(interrupts.by_get_interrupts, ([[], ["stop that"], []], [])),
    Row(
        interrupts.by_the_next_call_of_the_tab,
        ("worked", ["stop that"]),
        (["stop that"], []),
    ),
    Row(interrupts.by_the_next_write_of_the_tab, "worked", ["stop that"]),
    same(interrupts.by_a_call_of_another_tab, "worked"),
    same(interrupts.by_a_call_without_a_tab, "worked"),
    Row(interrupts.external_by_a_call_without_a_tab, "worked", ["do this outside"]),
    Row(interrupts.single_tab_by_a_call_without_a_tab, "worked", ["stop that"]),
    same(interrupts.running_call, "worked"),
    Row(interrupts.tail_returns_early, "worked", ["look here"]),
    same(
        interrupts.reply_is_never_interrupted,
        ({"delivered": True, "tabId": "t-1"}, ["stop that"]),
    ),
    Row(log_command, (["/log"], []), ([], [True])),
    Row(
        status_has_the_mode,
        {"state": "no-listener"},
        {"state": "no-listener", "mode": "internal"},
    ),
    same(close_drops_the_queue, (["stays", "/close"], ["t-1"], ["t-2"])),
    same(
        late_reply,
        {
            "delivered": False,
            "dropped": True,
            "tabId": "t-1",
            "reason": "no tab t-1 is open",
            "fix": WHEN_CLOSED,
        },
    ),
    same(rollback_with_nobody_listening, "no-listener"),
    same(sixth_tab, (5, 5, [True])),
    same(exit_frees_the_slot, (True, [])),
]


@pytest.mark.parametrize("member", ["kimi", "grok"])
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.see.__name__)
def test_a_row_holds(row, member, room):
    """Each member shows what its column says."""
    assert row.see(room) == getattr(row, member)
