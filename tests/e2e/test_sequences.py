"""A thousand random sequences of write, rollback and redo: no step loses anything.

Done when 3 of the first issue.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from demo_process import demo_process
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


IN_CHROMIUM = 20

# What the page's client holds of our documents, without what every write changes.
ON_PAGE = """() => {
  const all = [...game.actors, ...game.journal];
  const ours = all.filter((doc) => doc.name.startsWith("seq "));
  const bare = (key, value) => (key === "_stats" ? undefined : value);
  const source = (doc) => JSON.parse(JSON.stringify(doc.toObject(), bare));
  return Object.fromEntries(ours.map((doc) => [doc.uuid, source(doc)]));
}"""


@pytest.mark.browser
def test_twenty_sequences_hold_in_chromium(page, tmp_path):
    """The same holds for a world in a real browser's tab."""
    with demo_process(tmp_path) as demo:
        page.goto(demo.page_url)
        page.wait_for_selector('#state[data-state="connected"]')
        (points,) = tmp_path.glob("aagm-demo-*/")
        port = int(demo.mcp_url.split(":")[2].split("/")[0])
        agent = McpHttp(port)
        for number in range(IN_CHROMIUM):
            Sequence(
                random.Random(f"chromium {number}"),
                agent.call,
                lambda: page.evaluate(ON_PAGE),
                points / "Rollback Points",
            ).run()
        agent.close()
