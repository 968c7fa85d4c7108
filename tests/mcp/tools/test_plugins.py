"""The two tools of plug-ins: what a client sees, and what it is told without a tab."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import frozen
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import NoModule
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Call
from aagm.mcp.tools.plugins import plugin_tools
from aagm.mcp.writing import WriteCalls
from aagm.members import KIMI
from aagm.relay.plugins.desk import set_up as set_up_plugins
from aagm.relay.rollback.desk import set_up
from aagm.testing import GM_HELLO, FakeBridge, FakeTab, MemoryDisk


@frozen
class Limits:
    """Limits as the configuration has them."""

    read_seconds: float = 30
    write_seconds: float = 300
    settle_max_ms: float = 2000
    running_seconds: float = 50


@pytest.fixture
def clock():
    """Give a clock that stands still."""
    return Clock()


@pytest.fixture
def bridge(clock):
    """Give a bridge without a tab."""
    return FakeBridge(clock)


@pytest.fixture
def tools(clock, bridge):
    """Make the tools over memory."""
    rollback = set_up(
        clock,
        clock.seconds,
        MemoryDisk(),
        bridge,
        folder=Path("/data"),
        limits=Limits(),
        member=KIMI,
    )
    desk = set_up_plugins(bridge, rollback, read_seconds=30)
    calls = WriteCalls(clock, Answers(clock), rollback.lane, 50)
    return {tool.name: tool for tool in plugin_tools(desk, calls)}


def called(tools, tool, /, **arguments):
    """Call a tool; what it comes to."""
    came = []
    call = Call(tool, arguments, "session", Caller("session"))
    d = Deferred.fromCoroutine(tools[tool].run(call))
    d.addCallbacks(came.append, lambda failure: came.append(failure.value))
    return came[0]


def test_the_tools_say_what_they_change(tools):
    """A client asks its user before it runs a plug-in."""
    assert tools["foundry_plugin"].destructive is True
    assert tools["foundry_plugins"].destructive is False
    assert tools["foundry_plugins"].idempotent is True


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("foundry_plugin", {"name": "Bell", "args": {"n": 1}}),
        ("foundry_plugins", {}),
        ("foundry_plugins", {"refresh": True}),
    ],
)
def test_without_a_tab_the_reason_is_told(tools, name, arguments):
    """As with every tool that needs one."""
    assert isinstance(called(tools, name, **arguments), NoModule)


def test_a_world_without_plug_ins_is_an_empty_list(tools, bridge):
    """No macro is run, and the lane is not needed."""
    tab = FakeTab(GM_HELLO)
    tab.answers["eval"] = lambda _: {"ok": True, "value": []}
    bridge.connect(tab)
    assert called(tools, "foundry_plugins") == {"plugins": []}
    assert len(tab.asked_of("eval")) == 1


def test_a_list_is_answered_while_its_client_still_waits(tools, bridge, clock):
    """A tab that is slow twice costs the call its fifty seconds once."""
    tab = FakeTab(GM_HELLO)
    bell = {"name": "Bell", "id": "m1", "ids": ["m1"], "hash": "0" * 16}
    looks = [Deferred(), Deferred()]
    waiting = iter(looks)
    tab.answers["eval"] = lambda _: next(waiting)
    bridge.connect(tab)
    clock.advance(1000)
    came = []
    caller = Caller("session", since=clock.seconds())
    call = Call("foundry_plugins", {}, "session", caller)
    Deferred.fromCoroutine(tools["foundry_plugins"].run(call)).addBoth(came.append)
    clock.advance(29)
    looks[0].callback({"ok": True, "value": [bell]})
    clock.advance(20.9)
    assert came == []
    clock.advance(0.1)
    (answer,) = came
    assert answer["running"] is True
