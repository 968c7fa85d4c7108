"""The main job: an agent's write lands in a world, is recorded, undone and redone.

Done when 3 and 6 of the first issue.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest
import readme
from mcp_caller import ERAS, McpCaller, mcp_caller
from node_world import NodeWorld, client_settings

WRITE = """
const ottar = game.actors.getName("Ottar Reed");
await ottar.update({ "system.resource.value": 12 });
await ottar.createEmbeddedDocuments("Item", [{ name: "Dry boots", type: "gear" }]);
await ottar.items.getName("Eel spear").delete();
return ottar.name;
"""


@pytest.fixture
def relay(make_relay):
    """Run a relay that asks for no pairing."""
    return make_relay("--pairing", "off").start()


@pytest.fixture
def world(relay) -> Iterator[NodeWorld]:
    """Open the Sunken Inn in a Node process, connected."""
    world = NodeWorld(client_settings(relay.bridge_url))
    world.until_connected()
    yield world
    world.close()


@pytest.fixture(params=ERAS)
def agent(request, relay) -> Iterator[McpCaller]:
    """Connect the official client, in either era of the protocol."""
    with mcp_caller(relay.mcp_url, request.param) as connected:
        yield connected


def test_one_write_is_recorded_undone_and_redone(relay, world, agent):
    """One update, one create, one delete: the point has them, and both ways work."""
    before = world.canonical()
    wrote = agent.call("foundry_eval", code=WRITE, intent="write", summary="A swap")
    after = world.canonical()
    point = wrote["rollbackPoint"]
    assert wrote["value"] == "Ottar Reed"
    assert point["captured"] == "1 update, 1 create, 1 delete"

    path = relay.data_dir / "Rollback Points" / point["file"]
    filed = json.loads(path.read_text())
    assert [entry["op"] for entry in filed["entries"]] == ["update", "create", "delete"]
    assert filed["entries"][0]["changes"] == [
        {"path": "system.resource.value", "before": 31, "after": 12}
    ]
    assert filed["entries"][2]["data"]["name"] == "Eel spear"

    undone = agent.call("foundry_rollback", rollbackId=point["id"])
    assert [row["state"] for row in undone["rolledBack"]] == ["rolled-back"]
    assert world.canonical() == before
    agent.call("foundry_rollback", redo=True)
    assert world.canonical() == after
    assert world.do("state")["errors"] == []


def test_the_tools_are_those_of_the_readme(agent, world):
    """A client sees what the README promises: typed, annotated, not too much."""
    assert world.is_connected()
    listed = agent.raw(agent.client.list_tools).tools
    promised = re.findall(r"`(foundry_\w+)`", readme.TEXT)
    assert sorted(tool.name for tool in listed) == sorted(set(promised))
    assert all(tool.annotations for tool in listed)
    size = sum(len(tool.model_dump_json(exclude_none=True)) for tool in listed)
    assert len(listed) <= 30
    assert size <= 16 * 1024


def test_a_long_answer_comes_in_parts(agent, world):
    """What is too much for one answer is asked for part by part."""
    code = "return Array(9).fill(0).map((_, i) => `${i} `.repeat(4000))"
    answer = agent.call("foundry_eval", code=code)
    assert answer["truncated"] is True
    text, cursor = answer["part"], answer["cursor"]
    while cursor is not None:
        more = agent.call("foundry_more", cursor=cursor)
        text, cursor = text + more["part"], more.get("cursor")
    assert json.loads(text)["value"] == [f"{i} " * 4000 for i in range(9)]
    assert world.is_connected()
