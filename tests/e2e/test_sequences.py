"""A thousand random sequences of write, rollback and redo: no step loses anything.

Done when 3 of the first issue.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from mcp_http import McpHttp
from node_world import NodeWorld, client_settings
from relay_process import RelayProcess
from sequences import Documents, Sequence

BATCHES, OF = 10, 100
MARKED = "Howitsank"
UNTOUCHED = [
    *("Scene", "Token", "Wall", "Tile", "Drawing", "Note", "AmbientLight"),
    *("AmbientSound", "Region", "RegionBehavior", "Macro", "RollTable", "TableResult"),
    *("Playlist", "PlaylistSound", "Cards", "Card", "Combat", "Combatant", "User"),
]
LIMITS = "[limits]\nsettle_ms = 1\nsettle_max_ms = 50\n"


@pytest.fixture(scope="module")
def relay(tmp_path_factory) -> Iterator[RelayProcess]:
    """Run a relay whose recordings listen for a moment only after their write."""
    folder = tmp_path_factory.mktemp("relay")
    (folder / "limits.toml").write_text(LIMITS)
    options = ("--pairing", "off", "--config", str(folder / "limits.toml"))
    running = RelayProcess(folder, options).start()
    yield running
    running.close()


@pytest.fixture(scope="module")
def world(relay) -> Iterator[NodeWorld]:
    """Open the Sunken Inn in a Node process, connected."""
    world = NodeWorld(client_settings(relay.bridge_url))
    world.until_connected()
    yield world
    world.close()


@pytest.fixture(scope="module")
def agent(relay) -> Iterator[McpHttp]:
    """Connect a client."""
    agent = McpHttp(relay.mcp_port)
    yield agent
    agent.close()


@pytest.mark.parametrize("batch", range(BATCHES))
def test_every_step_leaves_the_world_that_it_should(batch, relay, world, agent):
    """Rollback gives the world before its target, and the points give the world."""
    base = documents(world)
    whole = world.canonical()

    def look() -> Documents:
        now = documents(world)
        assert {uuid: now.get(uuid) for uuid in base} == base
        return {uuid: source for uuid, source in now.items() if uuid not in base}

    for number in range(OF):
        rng = random.Random(batch * OF + number)
        points = relay.data_dir / "Rollback Points"
        Sequence(rng, agent.call, look, points).run()
    assert without_mark(world.canonical()) == without_mark(whole)
    assert world.do("state")["errors"] == []


def documents(world: NodeWorld) -> Documents:
    """Give the documents of the kinds that sequences touch."""
    return without_mark(world.do("canonical", ignore=UNTOUCHED))


def without_mark(documents: Documents) -> Documents:
    """Leave out the journal that each sequence marks."""
    return {uuid: doc for uuid, doc in documents.items() if MARKED not in uuid}
