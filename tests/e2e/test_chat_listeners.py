"""Who listens, and polls that are cut, repeated or cancelled, through real sockets.

Done when 4 and 5 of the fourth issue.
"""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from chat_room import LISTENER, SECOND, ChatRoom, chat_room
from mcp_caller import ERAS, mcp_caller
from node_world import WORLD
from raw_call import HANDSHAKE, MODERN, REVISIONS, RawCall, RawClient
from relay_process import PATIENCE, RelayProcess

OCCUPIED, CANCELLED = -33005, -32800
SHORT_LEASE = Path(__file__).parent / "drivers" / "short_lease.py"
WAITING = 64  # polls at once
WINDOW = 5.0  # seconds that they are watched


@pytest.fixture(scope="module")
def running(tmp_path_factory) -> Iterator[ChatRoom]:
    """Run one relay whose listeners are gone after two seconds of quiet."""
    folder = tmp_path_factory.mktemp("listeners")
    program = (sys.executable, str(SHORT_LEASE))
    with chat_room("kimi", folder, program=program) as room:
        yield room


@pytest.fixture
def room(running) -> ChatRoom:
    """Give the room as new."""
    running.clear()
    return running


@pytest.fixture
def connect(running) -> Iterator[Callable[[str], RawClient]]:
    """Make clients of a revision; none stays connected."""
    with ExitStack() as clients:

        def make(revision: str) -> RawClient:
            client = RawClient(running.relay.mcp_port, revision)
            clients.callback(client.close)
            return client

        yield make


def poll(client: RawClient, id_: int, wait: float = 50) -> RawCall:
    """Begin a poll of the listener."""
    given = {"listenerId": LISTENER, "waitSeconds": wait}
    return client.call(id_, "foundry_get_prompts", **given)


def first_poll(room: ChatRoom, client: RawClient, id_: int = 7) -> RawCall:
    """Begin a poll while nobody listens; the relay has it when this is back."""
    room.box.expect_status()
    begun = poll(client, id_)
    room.box.expected_status()
    return begun


def sockets_of(relay: RelayProcess) -> int:
    """Count what the relay has open."""
    return len(list(Path(f"/proc/{relay.pid}/fd").iterdir()))


def until_noticed(room: ChatRoom, before: int) -> None:
    """Ask the relay things until it has closed what was cut."""
    until = time.monotonic() + PATIENCE
    while sockets_of(room.relay) >= before:
        assert time.monotonic() < until
        room.call("ping")


def until_read(client: RawClient) -> None:
    """Ask on a new connection: the relay has read what was sent before on others."""
    for _ in range(2):
        client.call(1, "foundry_ping").read()


# The lease.


@pytest.mark.parametrize("revision", REVISIONS)
def test_a_second_listener_is_refused_at_once_in_every_revision(
    room, revision, connect
):
    """It gets the protocol's own error within 50 ms, and the GM is told once."""
    client = connect(revision)
    first_poll(room, client, 100)  # while it waits its place is taken
    took = []
    for id_ in range(20):
        began = time.perf_counter()
        given = {"listenerId": SECOND, "waitSeconds": 25}
        call = client.call(id_, "foundry_get_prompts", **given)
        message = call.message()
        took.append(time.perf_counter() - began)
        assert "result" not in message
        assert (message["id"], message["error"]["code"]) == (id_, OCCUPIED)
        assert "another listener" in message["error"]["message"]
    assert min(took) < 0.05
    assert room.box.heard("ListenerRefused") == [{}]


@pytest.mark.parametrize("era", ERAS)
def test_the_official_client_raises_it(room, era):
    """A program sees an exception of the protocol, not an answer."""
    room.first_poll()  # while it waits its place is taken
    with mcp_caller(room.relay.mcp_url, era) as second:
        for tool, given in (
            ("foundry_get_prompts", {"waitSeconds": 25}),
            ("foundry_get_interrupts", {"tabId": "t-1"}),
        ):
            error = second.refused(tool, listenerId=SECOND, **given)
            assert error is not None
            assert error.code == OCCUPIED
    assert room.box.heard("ListenerRefused") == [{}]


def test_after_the_quiet_the_second_takes_over(room, connect):
    """It gets what the first was handed and never took up, marked."""
    client = connect(MODERN)
    first = first_poll(room, client)
    assert room.caller.refused("foundry_get_prompts", listenerId=SECOND) is not None
    room.type("a task")
    assert len(first.answer()["prompts"]) == 1
    room.box.until_status("no-listener")
    (again,) = room.take(SECOND)
    assert (again["text"], again["redelivered"]) == ("a task", True)
    client.call(8, "foundry_get_prompts", listenerId=SECOND, waitSeconds=50)
    until_read(client)  # while it waits its place is taken
    assert room.caller.refused("foundry_get_prompts", listenerId=LISTENER) is not None


def test_a_late_exit_spares_the_next_listener(room):
    """It was typed before that one came, and arrives after."""
    enabled = f"aagm.enabled-{WORLD}"
    room.world.do("settings", key=enabled, value=False)
    room.box.drop("/exit", "t-1")
    assert room.take() == []
    room.world.do("settings", key=enabled, value=True)
    room.box.until_taken()
    room.world.until_connected()
    (said,) = room.box.said()
    assert said.startswith("The listener that this was meant for has gone.")
    answer = room.call("get_prompts", listenerId=LISTENER, waitSeconds=0)
    assert answer["terminate"] is False


# Polls that come to no good end.


@pytest.mark.parametrize("revision", REVISIONS)
@pytest.mark.parametrize("end", [RawCall.reset, RawCall.close])
def test_a_cut_poll_takes_nothing_and_is_gone(room, revision, end, connect):
    """The relay hangs up at once too; the next poll has the prompt, unmarked."""
    client = connect(revision)
    cut = first_poll(room, client)
    before = sockets_of(room.relay)
    end(cut)
    until_noticed(room, before)
    room.type("afterwards")
    (prompt,) = room.take()
    assert (prompt["text"], "redelivered" in prompt) == ("afterwards", False)


@pytest.mark.parametrize("revision", HANDSHAKE)
def test_a_cancelled_poll_ends_at_once_and_takes_nothing(room, revision, connect):
    """Its POST is answered with the cancellation, long before its time."""
    client = connect(revision)
    cancelled = first_poll(room, client, 7)
    client.cancel(7)
    assert cancelled.message()["error"]["code"] == CANCELLED
    room.type("afterwards")
    (prompt,) = room.take()
    assert (prompt["text"], "redelivered" in prompt) == ("afterwards", False)


def test_the_official_client_s_cancellation_ends_the_poll(room):
    """Whatever its era does to cancel, the prompt goes to the next poll, unmarked."""
    for era in ERAS:
        with mcp_caller(room.relay.mcp_url, era) as other:
            room.clear()
            room.box.expect_status()
            given = {"listenerId": LISTENER, "waitSeconds": 50}
            waiting = other.send("foundry_get_prompts", **given)
            room.box.expected_status()
            waiting.cancel()
            room.box.until_status("no-listener")  # nothing keeps the lease any more
            room.type("afterwards")
            (prompt,) = room.take(SECOND)
            assert (prompt["text"], "redelivered" in prompt) == ("afterwards", False)


@pytest.mark.parametrize("revision", [HANDSHAKE[-1], MODERN])
def test_a_repeated_poll_gets_it_and_the_older_one_nothing(room, revision, connect):
    """A client that lost patience polls again; its old connection may still be open."""
    client = connect(revision)
    first_poll(room, client, 7)
    newer = poll(client, 8)
    until_read(client)
    room.type("for the newer")
    answer = newer.answer()
    assert [prompt["text"] for prompt in answer["prompts"]] == ["for the newer"]
    assert room.take() == []


def test_an_answer_that_nobody_read_comes_again_marked(room, connect):
    """The listener crashed with the answer in its buffer."""
    client = connect(MODERN)
    lost = first_poll(room, client)
    room.type("a task")
    lost.until_there()
    lost.reset()
    again = room.call("get_prompts", listenerId=LISTENER, waitSeconds=10)
    (prompt,) = again["prompts"]
    assert (prompt["text"], prompt["redelivered"]) == ("a task", True)


def test_sixty_four_waiting_polls_cost_nothing(room, connect):
    """Nobody looks around while they wait; one prompt answers one of them."""
    client = connect(MODERN)
    polls = [first_poll(room, client)]
    polls += [poll(client, id_) for id_ in range(8, 7 + WAITING)]
    sockets = [each.socket for each in polls]
    until_read(client)
    before = cpu_of(room.relay)
    assert select.select(sockets, [], [], WINDOW)[0] == []
    assert cpu_of(room.relay) - before <= 0.05
    room.type("for one of you")
    assert len(select.select(sockets, [], [], PATIENCE)[0]) == 1


def cpu_of(relay: RelayProcess) -> float:
    """Give the seconds of CPU that the relay has used."""
    fields = Path(f"/proc/{relay.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
