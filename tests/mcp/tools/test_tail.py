"""An agent listens to the console; the GM may end that."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Registry
from aagm.mcp.tools.chat import gated
from aagm.mcp.tools.more import more_tools
from aagm.mcp.tools.tail import tail_tools
from aagm.members import GROK, KIMI
from aagm.relay.chat.parts import open_chat
from aagm.relay.inbound import Inbound
from aagm.relay.tail import ConsoleTail
from aagm.testing import FakeBridge, FakeTab, MemoryDisk


@define(slots=False)
class Client:
    """A client of a relay whose tab logs."""

    member: object = GROK
    clock: Clock = field(factory=Clock)
    told: list[tuple[str, dict]] = field(factory=list)

    def __attrs_post_init__(self):
        """Join a relay."""
        inbound = Inbound()
        self.bridge = FakeBridge(self.clock, inbound)
        self.chat = open_chat(
            self.clock,
            self.clock.seconds,
            member=self.member,
            bridge=self.bridge,
            disk=MemoryDisk(),
            folder=Path("/state"),
            rollbacks=None,
            logs=None,
            cards=lambda: None,
        )
        self.chat.listen_to(inbound)
        self.console = ConsoleTail(self.clock, self.bridge, read_seconds=30)
        self.console.listen_to(inbound)
        ok = {"ok": True}
        answers = {
            f"logs.{word}": lambda _: ok for word in ("subscribe", "unsubscribe")
        }
        self.tab = FakeTab(answers=answers)
        self.bridge.connect(self.tab)
        self.answers = Answers(self.clock)
        tools = tail_tools(
            self.clock, self.console, self.answers, self.chat.gate, hold=50
        )
        self.registry = Registry(
            [*gated(tools, self.chat.gate), *more_tools(self.answers)], self.answers
        )

    def call(self, name="tail_logs", **arguments):
        """Call a tool; gives a list that will hold its answer, and its caller."""
        since = self.clock.seconds()
        caller = Caller("s", lambda *row: self.told.append(row), None, "info", since)
        work = self.registry.call(f"foundry_{name}", arguments, caller)
        done = []
        answer = Deferred.fromCoroutine(work)
        answer.addCallback(lambda r: done.append(json.loads(r["content"][0]["text"])))
        answer.addErrback(lambda _: None)
        return done, caller

    def log(self, message, level="log"):
        """Let the page log."""
        params = {"level": level, "timestamp": 1, "source": "console"}
        self.bridge.tell(self.tab, "logs.entry", params | {"message": message})

    def type(self, text):
        """Type into the box."""
        params = {"promptId": f"p-{text[:20]}", "text": text}
        self.bridge.tell(self.tab, "aagm.prompt", params)

    @property
    def is_subscribed(self):
        """Whether the tab was asked to go on."""
        return self.tab.asked[-1].method == "logs.subscribe"


@pytest.fixture
def client():
    """A client; at the end nothing is left over."""
    client = Client()
    yield client
    client.console.stop()
    client.answers.stop()
    Deferred.fromCoroutine(client.chat.stop())
    assert client.clock.getDelayedCalls() == []


def test_it_listens_for_its_time_and_gives_the_lines(client):
    """The answer says how long and how many; the tab is let go."""
    done, _ = client.call(durationSeconds=5, levels=["warn"])
    client.log("the tide", "warn")
    client.log("a bell", "log")
    client.clock.advance(4)
    assert (done, client.is_subscribed) == ([], True)
    client.clock.advance(1)
    entry = {
        "level": "warn",
        "timestamp": 1,
        "source": "console",
        "message": "the tide",
    }
    assert done == [{"durationSeconds": 5, "count": 1, "entries": [entry]}]
    assert not client.is_subscribed


def test_the_lines_are_told_as_they_come(client):
    """A client that shows log messages sees them at once, with their level."""
    client.call(durationSeconds=5)
    client.log("the tide", "error")
    client.log("a bell", "debug")
    assert [
        (method, params["level"], params["logger"], params["data"]["message"])
        for method, params in client.told
    ] == [
        ("notifications/message", "error", "foundry", "the tide"),
        ("notifications/message", "info", "foundry", "a bell"),
    ]


def test_five_minutes_are_answered_after_fifty_seconds_and_go_on(client):
    """No client's limit is passed; what comes later is had with the cursor."""
    done, _ = client.call(durationSeconds=120)
    client.log("first")
    client.clock.advance(50)
    [answer] = done
    assert (answer["running"], answer["count"]) == (True, 1)
    client.log("second")
    waiting, _ = client.call("more", cursor=answer["cursor"])
    client.clock.advance(25)
    assert waiting == [{"running": True, "cursor": answer["cursor"]}]
    assert len(client.told) == 1  # who was answered is told nothing more
    client.clock.advance(45)
    [rest], _ = client.call("more", cursor=answer["cursor"])
    assert [entry["message"] for entry in rest["entries"]] == ["second"]
    assert not client.is_subscribed


def test_a_prompt_ends_the_wait(client):
    """The GM need not wait for the console."""
    done, caller = client.call(durationSeconds=30)
    client.log("first")
    client.type("Stop that")
    [answer] = done
    assert answer["interrupted"] is True
    assert [prompt["text"] for prompt in answer["prompts"]] == ["Stop that"]
    assert not client.is_subscribed
    caller.settle(delivered=True)


def test_a_prompt_typed_while_the_tab_is_asked_is_not_missed(client):
    """Also the moment before listening counts."""
    answer: Deferred[object] = Deferred()
    client.tab.answers["logs.subscribe"] = lambda _: answer
    done, caller = client.call(durationSeconds=30)
    client.type("Stop that")
    answer.callback({"ok": True})
    assert done[0]["interrupted"] is True
    caller.settle(delivered=True)


def test_kimi_listens_to_the_end():
    """Where interrupts do not ride on calls, a prompt changes nothing."""
    client = Client(KIMI)
    done, _ = client.call(durationSeconds=5)
    client.type("Stop that")
    client.clock.advance(5)
    assert done[0]["count"] == 0
    assert "interrupted" not in done[0]


@pytest.mark.parametrize("end", ["cancel", "cut"])
def test_a_caller_that_leaves_leaves_nothing_behind(client, end):
    """No timer, no subscription."""
    _, caller = client.call(durationSeconds=300)
    getattr(caller, end)()
    assert not client.is_subscribed


def test_a_wild_filter_is_an_error_and_the_end(client):
    """The model is told to write it better."""
    done, _ = client.call(durationSeconds=30, filter=r"^(\w|\w\w|[a-z]+)+\d$")
    client.log("a" * 200 + "!")
    assert done[0]["error"]["message"] == "the filter takes too long"
    assert not client.is_subscribed


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"durationSeconds": 0}, "durationSeconds"),
        ({"durationSeconds": 301}, "durationSeconds"),
        ({"levels": ["loud"]}, "levels"),
        ({"filter": "("}, "the filter is no regular expression"),
        ({"tabId": "t-1"}, "unknown argument tabId"),
    ],
)
def test_wrong_arguments_are_named(client, arguments, said):
    """Nothing is asked of the tab."""
    done, _ = client.call(**arguments)
    assert said in done[0]["error"]["message"]
    assert client.tab.asked == []


def test_too_many_calls_at_once_are_refused(client):
    """A refusal says what to wait for."""
    for _ in range(16):
        client.call(durationSeconds=5)
    done, _ = client.call(durationSeconds=5)
    assert done[0]["refused"] is True


def test_without_a_tab_the_reason_is_given(client):
    """Nobody waits for a console that is not there."""
    client.bridge.disconnect(client.tab)
    done, _ = client.call()
    assert done[0]["error"]["reason"] == "no_module"


def test_a_tab_that_is_slow_to_begin_makes_no_longer_call(client):
    """What it took counts: the answer comes while the client still waits."""
    slow = Deferred()
    client.tab.answers["logs.subscribe"] = lambda _: slow
    done, _ = client.call(durationSeconds=300)
    client.clock.advance(29)
    slow.callback({"ok": True})
    client.clock.advance(20.9)
    assert done == []
    client.clock.advance(0.1)
    assert done[0]["running"] is True
