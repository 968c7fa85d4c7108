"""Macros go to files and come back as recorded writes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import define, evolve, field
from twisted.internet.defer import Deferred, execute
from twisted.internet.task import Clock

from aagm.config import Limits
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.holding import CallHold
from aagm.mcp.registry import Registry
from aagm.mcp.tools.mirror import mirror_tools
from aagm.mcp.tools.more import more_tools
from aagm.mcp.writing import WriteCalls
from aagm.members import KIMI
from aagm.relay.mirror import tree as tree_module
from aagm.relay.mirror.mirror import Mirror, MirrorSettings
from aagm.relay.rollback.desk import set_up
from aagm.testing import FAMILY_HELLO, FakeBridge, FakeTab, MemoryDisk

ENTRY = {
    "op": "update",
    "uuid": "Macro.a",
    "documentName": "Macro",
    "name": "Heal",
    "before": {"command": "changed"},
}


@define(slots=False)
class Client:
    """A client of a relay whose world has macros."""

    root: Path
    clock: Clock = field(factory=Clock)
    told: list[tuple[str, dict]] = field(factory=list)
    log: list[tuple[str, dict]] = field(factory=list)
    macros: list[dict] = field(factory=list)
    allows: object = None  # what the gate says instead of a write

    def __attrs_post_init__(self):
        """Join a relay."""
        self.posture = MirrorSettings(is_enabled=True, path=str(self.root), sorts=False)
        bridge = FakeBridge(self.clock)
        answer = {"restored": True, "created": False, "uuid": "Macro.a", "name": "Heal"}
        self.tab = FakeTab(
            FAMILY_HELLO,
            answers={
                "mirror.list": lambda _: {"macros": self.macros},
                "mirror.restore": lambda _: answer | {"rollback": {"entries": [ENTRY]}},
            },
        )
        bridge.connect(self.tab)
        desk = set_up(
            self.clock,
            lambda: 1_790_000_000.0,
            MemoryDisk(),
            bridge,
            folder=Path("/data"),
            limits=Limits(),
            member=KIMI,
        )
        self.answers = Answers(self.clock)
        calls = WriteCalls(
            self.clock, self.answers, desk.lane, 50, lambda _call, _tab: self.allows
        )
        mirror = Mirror(bridge, lambda: self.posture, (self.root,), execute, 30)
        tools = mirror_tools(
            mirror,
            bridge,
            desk.writes,
            calls,
            hold=CallHold(self.clock, self.answers, 50),
            audit=self.audit,
        )
        self.registry = Registry([*tools, *more_tools(self.answers)], self.answers)

    def audit(self, event, /, **fields):
        """Keep an event."""
        self.log.append((event, fields))

    def call(self, name, /, **arguments):
        """Call a tool; gives a list that will hold its answer."""
        caller = Caller("s", lambda *row: self.told.append(row), "token")
        work = self.registry.call(f"foundry_{name}", arguments, caller)
        done = []
        answer = Deferred.fromCoroutine(work)
        answer.addCallback(lambda r: done.append(json.loads(r["content"][0]["text"])))
        return done


@pytest.fixture
def client(tmp_path):
    """A client; at the end no timer is left."""
    client = Client(tmp_path.resolve())
    yield client
    client.answers.stop()
    assert client.clock.getDelayedCalls() == []


def macro(id_, name, command="x"):
    """Make a macro."""
    return {"uuid": f"Macro.{id_}", "name": name, "command": command, "type": "chat"}


def test_a_backup_is_listed_and_restored(client):
    """The record that the module gets is what was backed up, file included."""
    client.macros = [macro("a", "Heal", "one"), macro("b", "Hurt")]
    [backup] = client.call("mirror_backup")
    assert (backup["root"], backup["written"]) == (
        str(client.root),
        ["Heal.js", "Hurt.js"],
    )
    [listed] = client.call("mirror_backups")
    assert listed["backups"] == ["Heal.js", "Hurt.js"]
    [restored] = client.call("mirror_restore", name="heal", tabId="t-1")
    assert (restored["restored"], restored["created"]) == (True, False)
    assert restored["rollbackPoint"]["summary"] == "Restore macro Heal"
    assert restored["rollbackPoint"]["kind"] == "mirror.restore"
    assert restored["rollbackPoint"]["tabId"] == "t-1"
    [params] = client.tab.asked_of("mirror.restore")
    assert params["record"] == {
        "uuid": "Macro.a",
        "name": "Heal",
        "command": "one",
        "folderPath": "",
        "img": "",
        "type": "chat",
        "scope": "global",
        "author": "",
        "file": "Heal.js",
    }
    assert params["rp"]["id"] == restored["rollbackPoint"]["id"]
    assert [event for event, _ in client.log] == [
        "mirror.backup",
        "mirror.read",
        "mirror.restore",
    ]


def test_two_thousand_macros_show_how_far_they_are(client, monkeypatch):
    """The client and the box are told, and the last row says that it is done."""
    monkeypatch.setattr(tree_module.os, "fsync", lambda _fd: None)  # only slow here
    client.macros = [macro(f"id{n}", f"Macro {n}") for n in range(2000)]
    [backup] = client.call("mirror_backup")
    assert backup["truncated"] is True
    rows = [params for method, params in client.told if method.endswith("progress")]
    assert len(rows) == 40
    assert (rows[-1]["progress"], rows[-1]["total"]) == (2000, 2000)
    box = client.tab.told_of("aagm.progress")
    assert len(box) == 40
    assert box[-1] == {"label": "Macro Mirror", "done": 2000, "total": 2000}


def test_a_long_backup_is_answered_and_goes_on(client):
    """No client's limit is passed; the result is had with the cursor."""
    listed: Deferred[object] = Deferred()
    client.tab.answers["mirror.list"] = lambda _: listed
    done = client.call("mirror_backup")
    client.clock.advance(29)
    assert done == []
    listed.callback({"macros": [macro("a", "Heal")]})
    assert done[0]["written"] == ["Heal.js"]


def test_past_the_limit_of_a_call_there_is_a_cursor(client):
    """A slow disk does not cost the answer."""
    slow: Deferred[object] = Deferred()
    hold, done = CallHold(client.clock, client.answers, 50), []
    Deferred.fromCoroutine(hold(slow)).addCallback(done.append)
    client.clock.advance(50)
    assert done[0]["running"] is True
    slow.callback({"written": []})
    assert client.call("more", cursor=done[0]["cursor"]) == [{"written": []}]


def test_work_that_fails_fails_the_call(client):
    """An error in time is the call's own."""
    client.tab.answers["mirror.list"] = lambda _: {"macros": [{"name": "half"}]}
    [answer] = client.call("mirror_backup")
    assert "without uuid" in answer["error"]["message"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("mirror_backup", {}),
        ("mirror_backups", {}),
        ("mirror_restore", {"name": "Heal"}),
    ],
)
def test_a_mirror_that_is_off_is_a_refusal(client, name, arguments):
    """The model is told to tell the GM, not to try again."""
    client.posture = evolve(client.posture, is_enabled=False)
    [answer] = client.call(name, **arguments)
    assert answer["refused"] is True
    assert "turns it on" in answer["fix"]
    assert client.tab.asked_of("mirror.restore") == []


def test_an_unknown_name_is_a_refusal(client):
    """Nothing is written for a macro that was never backed up."""
    [answer] = client.call("mirror_restore", name="Nothing")
    assert answer["refused"] is True
    assert client.tab.asked_of("mirror.restore") == []


def test_a_restore_passes_the_gate(client):
    """In external mode a worker's restore is refused like any write."""
    client.macros = [macro("a", "Heal")]
    client.call("mirror_backup")
    client.allows = {"refused": True, "reason": "external-mode"}
    assert client.call("mirror_restore", name="Heal", tabId="t-1") == [client.allows]
    assert client.tab.asked_of("mirror.restore") == []
