"""The listener's tools as a client sees them, and the gate of the others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import ListenerOccupied
from aagm.mcp.answers import LONGEST, Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Registry, Tool
from aagm.mcp.tools.chat import chat_tools, gated
from aagm.members import GROK
from aagm.relay.chat.dispatch import KEPT
from aagm.relay.chat.parts import open_chat
from aagm.relay.inbound import Inbound
from aagm.testing import NOBODY, FakeBridge, FakeTab, MemoryDisk

NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


class Client:
    """Calls tools through the registry."""

    def __init__(self):
        """Start a relay of the member with most to see."""
        self.clock, inbound = Clock(), Inbound()
        self.bridge = FakeBridge(self.clock, inbound)
        self.chat = open_chat(
            self.clock,
            self.clock.seconds,
            member=GROK,
            bridge=self.bridge,
            disk=MemoryDisk(),
            folder=Path("/state"),
            rollbacks=None,
            logs=None,
            cards=lambda: None,
        )
        self.chat.listen_to(inbound)
        self.tab = FakeTab()
        self.bridge.connect(self.tab)
        work = Tool("foundry_work", "Work.", NO_ARGUMENTS, self.work, read_only=True)
        tools = [*chat_tools(self.chat.dispatch), *gated([work], self.chat.gate)]
        self.registry = Registry(tools, Answers(self.clock))
        self.worked = 0

    async def work(self, _call):
        """Do something."""
        self.worked += 1
        return {"did": "work"}

    def type(self, text):
        """Type into the box."""
        params = {"promptId": f"p-{text[:20]}", "text": text, "tabId": "t-1"}
        self.bridge.tell(self.tab, "aagm.prompt", params)

    def call(self, name, **arguments):
        """Call a tool; gives whether it is an error, and its answer."""
        work = self.registry.call(f"foundry_{name}", arguments, Caller("s"))
        done = []
        Deferred.fromCoroutine(work).addBoth(done.append)
        (result,) = done
        if not isinstance(result, dict):
            result.raiseException()
        return result["isError"], json.loads(result["content"][0]["text"])


@pytest.fixture
def client():
    """A client of a running relay."""
    return Client()


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("get_prompts", {}),
        ("get_prompts", {"listenerId": "abc"}),
        ("get_prompts", {"listenerId": "abcd", "waitSeconds": 51}),
        ("get_prompts", {"listenerId": "abcd", "waitSeconds": -1}),
        ("get_prompts", {"listenerId": "abcd", "wait": 5}),
        ("get_interrupts", {"listenerId": "abcd"}),
        ("get_interrupts", {"listenerId": "abcd", "tabId": ""}),
        ("send_reply", {}),
        ("send_reply", {"text": "x", "final": "yes"}),
        ("set_status", {"count": -1}),
        ("set_status", {"count": 1e308}),
        ("set_status", {"text": "x" * 201}),
        ("set_interaction_mode", {"mode": "sideways"}),
    ],
)
def test_wrong_arguments_are_told_to_the_model(client, name, arguments):
    """Nothing is claimed or sent, and the model can correct itself."""
    is_error, answer = client.call(name, **arguments)
    assert is_error
    assert answer["error"]["code"] == -32602
    assert client.tab.told == []


def test_a_second_listener_gets_a_true_json_rpc_error(client):
    """It is no tool result: the registry lets it through."""
    client.call("get_prompts", listenerId="listener-a", waitSeconds=0)
    with pytest.raises(ListenerOccupied):
        client.call("get_prompts", listenerId="listener-b", waitSeconds=0)


def test_a_poll_gives_what_the_family_s_gives(client):
    """Its members, by name."""
    client.type("hello")
    _, answer = client.call("get_prompts", listenerId="listener-a", waitSeconds=0)
    assert answer == {
        "prompts": [
            {
                "promptId": "p-hello",
                "text": "hello",
                "tabId": "t-1",
                "ts": "1970-01-01T00:00:00.000Z",
            }
        ],
        "terminate": False,
        "mode": "internal",
        "tabs": [
            {"id": "t-1", "title": "hello", "state": "working", "mode": "internal"}
        ],
        "closedTabs": [],
    }


def test_a_full_queue_comes_in_whole_answers(client):
    """No answer is cut, so that no model has to put one together."""
    for number in range(100):
        client.type(f"{number} " + "ü" * 300)
    got = 0
    while True:
        _, answer = client.call("get_prompts", listenerId="listener-a", waitSeconds=0)
        assert "truncated" not in answer
        assert len(json.dumps(answer, ensure_ascii=False).encode()) < LONGEST
        if not answer["prompts"]:
            break
        got += len(answer["prompts"])
    assert got == 100


def test_a_gated_tool_works_or_tells_the_interrupt(client):
    """Instead of its work a call answers with what the GM typed meanwhile."""
    assert client.call("work") == (False, {"did": "work"})
    client.type("/ext")
    client.type("do this")
    is_error, answer = client.call("work")
    assert not is_error
    assert answer["interrupted"] is True
    assert answer["prompts"][0]["external"] is True
    assert "instruction" in answer
    assert client.worked == 1


def assert_unseen(answer):
    """It says why, that it is kept, and what brings a tab."""
    assert answer["delivered"] is False
    assert "nobody sees it now: No Foundry tab is connected" in answer["reason"]
    assert answer["reason"][-1] not in ".;"
    assert answer["fix"].endswith(f"{KEPT} {NOBODY.fix}")


def test_a_reply_that_nobody_sees_says_so(client):
    """Without a tab it stays in the transcript, and the tab shows it later."""
    client.type("hello")
    client.bridge.disconnect(client.tab)
    _, answer = client.call("send_reply", text="done", tabId="t-1")
    assert answer["tabId"] == "t-1"
    assert_unseen(answer)
    assert_unseen(client.call("send_reply", text="done")[1])
    _, answer = client.call("send_reply", text="done", promptId="p-none")
    assert answer["unknownPrompt"] is True
    assert answer["reason"].startswith("no prompt p-none is known here; ")
    assert answer["fix"].startswith("Give the promptId that foundry_get_prompts gave")
    assert_unseen(answer)
    client.bridge.connect(client.tab)
    client.bridge.tell(client.tab, "aagm.status.request", {})
    client.clock.advance(1)
    lines = client.tab.told_of("aagm.tabs")[-1]["tabs"][0]["transcript"]
    assert lines[-1]["text"] == "done"


def test_a_reply_is_shown_whole_or_refused_with_a_cure(client):
    """What the window would lose when it is opened anew is never half taken."""
    client.type("hello")
    told = len(client.tab.told_of("aagm.reply"))
    is_error, answer = client.call("send_reply", text="é" * 8001, tabId="t-1")
    assert is_error
    assert answer["error"]["name"] == "too-large"
    assert "8001" in answer["error"]["message"]
    assert "in parts of at most 8000 characters" in answer["error"]["fix"]
    assert len(client.tab.told_of("aagm.reply")) == told

    longest = "é" * 8000
    assert client.call("send_reply", text=longest, tabId="t-1")[1]["delivered"]
    client.bridge.tell(client.tab, "aagm.status.request", {})
    client.clock.advance(1)
    lines = client.tab.told_of("aagm.tabs")[-1]["tabs"][0]["transcript"]
    assert lines[-1]["text"] == longest


def test_a_status_of_one_line_is_shown_whole(client):
    """Two hundred characters fit above the box."""
    client.bridge.tell(client.tab, "settings.sync", {"mode": "cogm"})
    _, answer = client.call("set_status", text="x" * 200)
    assert answer["text"] == "x" * 200
