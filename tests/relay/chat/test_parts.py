"""The chat as the composition root has it: what it tells others."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from attrs import evolve

import aagm.relay.chat
from aagm.testing import FakeTab
from aagm.wire.hello import World

CHAT = Path(aagm.relay.chat.__file__).parent
PURE = ("commands", "lease", "prompt", "room", "rules", "tab", "words", "kit_files")


@pytest.mark.parametrize("name", PURE)
def test_what_only_decides_knows_no_twisted(name):
    """States and decisions have no clock, no disk and no Deferred."""
    tree = ast.parse((CHAT / f"{name}.py").read_text(encoding="utf-8"))
    modules = [n.module for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    assert [m for m in modules if m.startswith("twisted")] == []


def test_the_session_log_has_the_family_s_events(world):
    """What was typed, handed out, answered, switched and stopped, whole."""
    long = "x" * 8_000
    world.type("hello")
    world.take()
    world.call("send_reply", text=long, tabId="t-1")
    world.call("send_reply", text="too late", tabId="t-9")
    world.call("set_status", text="much")
    world.poll("listener-b", 0)
    world.type("/ext")
    world.type("/int")
    world.type("/exit")
    events = [name for name, _ in world.log]
    for name in (
        *("chat.in", "chat.handed", "chat.reply", "tab.reply.dropped"),
        *("chat.work-status", "chat.refused", "chat.command", "chat.mode"),
        "chat.terminate",
    ):
        assert name in events
    assert dict(world.log)["chat.reply"]["text"] == long


def test_ping_is_told_mode_settings_and_parked(grok):
    """The members that ``foundry_ping`` adds."""
    grok.type("waits")
    grok.type("/ext")
    assert grok.chat.facts() == {
        "mode": "cogm",
        "settings": {
            "mode": "cogm",
            "multitasking": True,
            "mirrorEnabled": False,
            "mirrorPath": "",
            "mirrorContextualSort": False,
        },
        "interactionMode": "external",
        "parked": 1,
    }


def test_a_new_listener_is_owed_what_another_world_left(world):
    """The last listener died in one world; its prompts are offered when it opens."""
    inn = world.tab
    dock = FakeTab(evolve(inn.hello, world=World("dock", "Dock")))
    world.type("for the inn")
    world.take()
    world.bridge.disconnect(inn)
    world.bridge.connect(dock)
    world.clock.advance(46)
    assert world.take("listener-b") == []
    world.bridge.disconnect(dock)
    world.bridge.connect(inn)
    assert [prompt["text"] for prompt in world.take("listener-b")] == ["for the inn"]
