"""The rows that a listener without a model can show: `aagm listen --echo` as a process.

Done when 1 of the fourth issue.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chat_room import ChatRoom, chat_room
from echo_process import EchoProcess, echo_process

WAITING = (
    "another listener is there; if it was ended, its place is free within 45 seconds:"
    " waiting"
)
LISTENING = "listening; type in the chat box inside Foundry"
OUTSIDE = "an agent outside Foundry drives; waiting for /int"


@pytest.fixture(scope="module", params=["kimi", "grok"])
def room(request, tmp_path_factory) -> Iterator[ChatRoom]:
    """Run one member."""
    with chat_room(request.param, tmp_path_factory.mktemp("room")) as room:
        yield room


@pytest.fixture(scope="module")
def echo(room) -> Iterator[EchoProcess]:
    """Let it listen; its first prompts were typed before it came."""
    room.type("first", "t-1")
    room.type("second", "t-1")
    with echo_process(room.relay.mcp_url) as echo:
        yield echo


def test_prompts_typed_before_it_came_are_answered_in_order(room, echo):
    """A prompt for a tab that works is marked; the tab is done in the end."""
    assert echo.line() == LISTENING
    assert echo.line() == "t-1: first"
    assert echo.line() == "t-1 (interrupt): second"
    room.box.until_replied("You typed: second", "t-1")
    assert room.box.lines("t-1") == [
        ("user", "first"),
        ("user", "second"),
        ("assistant", "You typed: first"),
        ("assistant", "You typed: second"),
    ]
    assert room.box.tabs()["t-1"]["state"] == "done"
    assert room.box.look()["status"]["state"] == "ready"


def test_each_tab_gets_its_own_answer(room, echo):
    """Five tabs, an answer in each."""
    tabs = [f"t-{number}" for number in range(1, 6)]
    for tab in tabs:
        room.type(f"to {tab}", tab)
    for tab in tabs:
        room.box.until_replied(f"You typed: to {tab}", tab)
        assert room.box.tabs()[tab]["state"] == "done"
        assert echo.line().endswith(f": to {tab}")


def test_closing_a_tab_gets_no_answer(room, echo):
    """The listener hears of it and says nothing; the tab stays closed."""
    room.type("/close", "t-5")
    assert echo.line() == "t-5: the tab was closed"
    assert "t-5" not in room.box.tabs()


def test_the_log_command_is_a_prompt_for_one_member(room, echo):
    """AAGM-K's listener gets it, AAGM-G's relay answers it."""
    room.type("/log", "t-4")
    if room.member == "kimi":
        assert echo.line() == "t-4: /log"
        room.box.until_replied("You typed: /log", "t-4")
    else:
        assert [role for role, _ in room.box.lines("t-4")][-2:] == [
            "assistant",
            "system",
        ]


def test_what_is_typed_while_external_waits_or_is_refused(room, echo):
    """AAGM-K refuses it visibly, AAGM-G keeps it until ``/int``; both go on then."""
    room.type("/ext", "t-1")
    if room.member == "grok":
        assert echo.line() == OUTSIDE
    room.type("meanwhile", "t-2")
    cancelled = [each["tabId"] for each in room.box.look()["cancelled"]]
    assert cancelled == (["t-2"] if room.member == "kimi" else [])
    room.type("/int", "t-1")
    if room.member == "grok":
        room.box.until_replied("You typed: meanwhile", "t-2")
        assert echo.line() == "t-2 (interrupt): meanwhile"
    room.type("afterwards", "t-3")
    assert echo.line() == "t-3: afterwards"
    room.box.until_replied("You typed: afterwards", "t-3")


def test_a_second_one_waits_and_the_gm_is_told_once(room, echo):
    """It says why, and the first goes on."""
    room.box.forget()
    with echo_process(room.relay.mcp_url) as second:
        assert second.line() == LISTENING
        assert second.line() == WAITING
    assert room.box.heard("ListenerRefused") == [{}]
    room.type("still there?", "t-1")
    assert echo.line() == "t-1: still there?"


def test_exit_ends_it(room, echo):
    """It ends by itself; the tabs are gone and nobody listens."""
    room.type("/exit", "t-1")
    assert echo.line() == "the GM ended it"
    assert echo.end() == 0
    seen = room.box.look()
    assert seen["tabs"] == []
    assert seen["status"]["state"] == "no-listener"
