"""The first question, why not connected, is answered before it is asked."""

from __future__ import annotations

import pytest
from attrs import evolve
from twisted.internet.defer import Deferred

from aagm.mcp.tools.ping import ping_tools
from aagm.members import GROK
from aagm.relay.ports import Reason
from aagm.testing import GM_HELLO, FakeTab

PONG = {
    "pong": True,
    "serverTime": 1,
    "foundryServerTime": 2,
    "worldTime": 3,
    "worldId": "sunken-inn",
    "userId": "gmUser0000000001",
}
DIAL = "ws://127.0.0.1:7898"


@pytest.fixture
def relay(build):
    """A port; `ping` replaces its tools."""
    return build()


@pytest.fixture
def ping(relay, call):
    """Call foundry_ping."""
    states = [lambda: {"mode": "assistant", "parked": 0}, lambda: {"logFile": None}]
    tools = ping_tools(relay.connection, dial=DIAL, limit=30, states=states)
    return lambda: call(tools, "foundry_ping")


def test_without_a_tab_the_answer_says_why(relay, ping):
    """No error: the reason, its cure, the address to dial and how long we are up."""
    relay.bridge.reason = Reason(
        "not_paired", "The tab is not paired.", "Enter a code."
    )
    relay.clock.advance(61.4)
    assert ping()[0] == {
        "pong": False,
        "connected": False,
        "member": "kimi",
        "version": "1.2.3",
        "uptimeSeconds": 61,
        "reason": {
            "code": "not_paired",
            "message": "The tab is not paired.",
            "fix": "Enter a code.",
        },
        "dial": DIAL,
        "mode": "assistant",
        "parked": 0,
        "logFile": None,
    }


def test_with_a_tab_its_own_answer_is_joined(relay, ping):
    """What the tab says and what the relay knows come in one answer."""
    tab = FakeTab(answers={"ping": lambda _params: PONG})
    relay.bridge.connect(tab)
    answer = ping()[0]
    assert PONG.items() <= answer.items()
    assert answer["connected"] is True
    assert (answer["mode"], answer["logFile"]) == ("assistant", None)
    assert "reason" not in answer
    assert "hidden" not in answer
    assert tab.asked[0].limit == 30


def test_a_tab_in_the_background_is_named(relay, ping):
    """A hidden tab answers slowly; the agent can say so."""
    hidden = evolve(GM_HELLO, is_hidden=True)
    relay.bridge.connect(FakeTab(hidden, answers={"ping": lambda _params: PONG}))
    assert ping()[0]["hidden"] is True


def test_a_tab_that_was_brought_to_the_front_is_hidden_no_more(relay, ping):
    """What it said in its hello is old news."""
    tab = FakeTab(answers={"ping": lambda _params: PONG})
    relay.bridge.connect(tab)
    for hidden in (True, False):
        tab.is_hidden = hidden
        assert ping()[0].get("hidden", False) is hidden


def test_a_tab_that_leaves_meanwhile_is_no_error(relay, ping):
    """The answer is then that of a relay without a tab."""
    tab = FakeTab(answers={"ping": lambda _params: Deferred()})
    relay.bridge.connect(tab)
    answers = ping()
    assert answers == []
    relay.bridge.disconnect(tab)
    assert (answers[0]["pong"], answers[0]["reason"]["code"]) == (False, "no_module")


def test_a_tab_that_does_not_answer_is_a_time_limit(relay, ping):
    """A frozen tab is an error with its code."""
    relay.bridge.connect(FakeTab(answers={"ping": lambda _params: Deferred()}))
    answers = ping()
    relay.clock.advance(30)
    assert answers[0]["error"]["code"] == -33010


def test_the_other_member_names_itself(relay, ping):
    """Two relays on one machine can be told apart."""
    relay.connection.member = GROK
    assert ping()[0]["member"] == "grok"
