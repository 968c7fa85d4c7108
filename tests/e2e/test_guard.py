"""Reads beside a write: what is proven runs at once, what is not waits and says why.

Done when 5 of the sixth issue.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from mcp_caller import McpCaller, ToolFailed, mcp_caller
from node_world import NodeWorld, client_settings

LONG_WRITE = """
const ottar = game.actors.getName("Ottar Reed");
await ottar.update({ "system.resource.value": 1 });
while (!ottar.getFlag("world", "done")) await new Promise((go) => setTimeout(go, 20));
await ottar.update({ "system.resource.value": 2 });
return "written";
"""
LET_GO = 'await game.actors.getName("Ottar Reed").setFlag("world", "done", true)'
UNPROVEN = "const look = 'look' + game.actors.size;\nreturn globalThis[look]?.() ?? 1"


@pytest.fixture
def agent(make_relay) -> Iterator[tuple[McpCaller, NodeWorld]]:
    """Connect an agent and a world through a relay with its guard."""
    relay = make_relay("--pairing", "off").start()
    world = NodeWorld(client_settings(relay.bridge_url))
    world.until_connected()
    with mcp_caller(relay.mcp_url) as connected:
        yield connected, world
    world.close()


def test_a_proven_read_answers_beside_a_long_write(agent):
    """The GM's agent looks around while it works; a doubtful look waits its turn."""
    client, world = agent
    written = client.portal.start_task_soon(
        client._call,
        "foundry_eval",
        {"code": LONG_WRITE, "intent": "write", "summary": "takes long"},
    )
    now = 'return game.actors.getName("Ottar Reed").system.resource.value'
    while client.call("foundry_eval", code=now)["value"] != 1:
        assert not written.done()
    doubtful = client.portal.start_task_soon(
        client._call, "foundry_eval", {"code": UNPROVEN}
    )
    until = time.monotonic() + 0.5
    while time.monotonic() < until:
        assert client.call("foundry_eval", code=now)["value"] == 1
    assert not written.done()
    assert not doubtful.done()
    world.do("eval", code=LET_GO)
    assert '"value":"written"' in written.result(30).content[0].text
    answer = doubtful.result(30).content[0].text
    assert "not proven a read" in answer
    assert "s for the write before it" in answer
    assert "rollbackPoint" not in answer


def test_what_no_point_can_take_back_is_refused_with_its_place(agent):
    """A chat message in a write's clothes is not sent; the answer says where it is."""
    client, world = agent
    code = "const say = ChatMessage['cre' + 'ate'];\nawait say({ content: 'psst' });"
    answer = client.call("foundry_eval", code=code, intent="write", summary="x")
    assert answer["blocked"] is True
    assert answer["line"] == 2
    assert world.do("eval", code="return game.messages.size") == 0


def test_a_known_write_without_a_summary_is_refused(agent):
    """The GM's card needs words."""
    client, _ = agent
    code = "await game.actors.contents[0].update({ name: 'x' })"
    answer = client.call("foundry_eval", code=code)
    assert answer["refused"] is True
    assert "summary" in answer["reason"]


def test_code_that_is_no_javascript_never_reaches_the_world(agent):
    """The error names line and column."""
    client, _ = agent
    with pytest.raises(ToolFailed, match=r"syntax error.*line 2, column \d+"):
        client.call("foundry_eval", code="const a = 1;\nconst = 2;")


def test_our_own_settings_are_out_of_reach(agent):
    """An agent cannot point the relay or the mirror elsewhere, nor read the token."""
    client, world = agent
    code = "await game.settings.set('aagm', 'mirrorPath', '/')"
    answer = client.call("foundry_eval", code=code, intent="write", summary="x")
    assert answer["blocked"] is True
    assert world.do("settings", key="aagm.mirrorPath") == ""
