"""Macros go to files, come back, and a rollback leaves the world as it was."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from attrs import define
from mcp_caller import McpCaller, mcp_caller
from node_world import NodeWorld, client_settings
from relay_process import RelayProcess

SPOIL = """
const bell = game.macros.getName("Ring the bell");
await bell.update({ command: "No bell.", folder: null, type: "script" });
await game.macros.getName("Count lodgers").delete();
await game.folders.getName("Bells").delete();
"""


@define(eq=False)
class Game:
    """A world, its relay and an agent."""

    relay: RelayProcess
    world: NodeWorld
    agent: McpCaller


@pytest.fixture(params=["12", "13", "14"])
def game(request, make_relay) -> Iterator[Game]:
    """Open the Sunken Inn with its mirror on."""
    relay = make_relay("--pairing", "off").start()
    settings = client_settings(relay.bridge_url)
    world = NodeWorld(settings, ("--version", request.param))
    world.until_connected()
    root = relay.data_dir / "Macro Mirror"
    root.mkdir(exist_ok=True)
    world.do("settings", key="aagm.mirrorPath", value=str(root))
    world.do("settings", key="aagm.mirrorContextualSort", value=True)
    world.do("settings", key="aagm.mirrorEnabled", value=True)
    with mcp_caller(relay.mcp_url) as agent:
        yield Game(relay, world, agent)
    world.close()


def test_backup_change_restore_rollback(game):
    """What was spoilt comes back; each rollback leaves what was before it."""
    agent, world = game.agent, game.world
    whole = world.canonical()
    backup = agent.call("foundry_mirror_backup")
    assert backup["failed"] == []
    assert "Bells/Ring the bell.js" in backup["written"]
    assert world.canonical() == whole
    again = agent.call("foundry_mirror_backup")
    assert (again["written"], again["unchanged"]) == ([], len(backup["written"]))

    spoilt = agent.call(
        "foundry_eval", code=SPOIL, intent="destructive", summary="Spoil it"
    )
    before = world.canonical()
    points = []
    for name, is_new in (("Ring the bell", False), ("Count lodgers", True)):
        answer = agent.call("foundry_mirror_restore", name=name)
        assert answer["created"] is is_new
        points.append(answer["rollbackPoint"])
    assert points[0]["kind"] == "mirror.restore"
    macros = world.run(
        """return game.macros.map(({ name, type, command, folder }) => (
          { name, type, command, folder: folder?.name ?? null }));"""
    )
    assert {
        "name": "Ring the bell",
        "type": "chat",
        "command": "The bell rings under the water.",
        "folder": "Bells",
    } in macros
    assert [each["folder"] for each in macros if each["name"] == "Count lodgers"] == [
        "Bells"
    ]

    agent.call("foundry_rollback", rollbackId=points[0]["id"])
    assert world.canonical() == before
    agent.call("foundry_rollback", rollbackId=spoilt["rollbackPoint"]["id"])
    assert world.canonical() == whole


def test_a_world_cannot_point_the_relay_elsewhere(game):
    """An agent, or another GM, may set the path; the relay's owner set the limit."""
    elsewhere = game.relay.folder / "elsewhere"
    elsewhere.mkdir()
    game.world.do("settings", key="aagm.mirrorPath", value=str(elsewhere))
    answer = game.agent.call("foundry_mirror_backup")
    assert answer["refused"] is True
    assert "--mirror-root" in answer["fix"]
    assert list(elsewhere.iterdir()) == []


def test_the_box_is_told_how_far_a_backup_is(game):
    """The GM sees that something goes on."""
    game.world.run(
        """globalThis.last = new Promise((resolve) =>
          game.modules.get("aagm").api.onProgress(
            (row) => row.done === row.total && resolve(row)));"""
    )
    count = len(game.agent.call("foundry_mirror_backup")["written"])
    expected = {"label": "Macro Mirror", "done": count, "total": count}
    assert game.world.run("return last;") == expected
