"""A long evening: thousands of calls, each answered right, and no memory lost.

Done when 6 of the first issue.
"""

from __future__ import annotations

import http.client
import json
import queue
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from node_world import NodeWorld, client_settings
from raw_socket import PATIENCE, call

ACTORS = 100
WARM_UP = 200
QUERIES = 1000
EVALS = 200
AT_ONCE = 16
MEGABYTE = 1_000_000

MAKE = f"""
const made = await Actor.createDocuments(
  Array.from({{ length: {ACTORS} }}, (_, i) => ({{
    name: `Lodger ${{i}}`,
    type: "npc",
    system: {{ resource: {{ value: i, max: 100 }} }},
  }})),
);
return made.map((actor) => actor.id);
"""


class Clients:
    """Sixteen clients with a connection each, used by whoever is free."""

    def __init__(self, port: int) -> None:
        """Connect them."""
        self._free: queue.Queue[http.client.HTTPConnection] = queue.Queue()
        self._port = port
        for _ in range(AT_ONCE):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
            self._free.put(connection)

    def ask(self, tool: str, **arguments: object) -> dict:
        """Call a tool; the JSON of its answer."""
        connection = self._free.get()
        try:
            headers = {
                "Content-Type": "application/json",
                "Accept": "application/json, text/event-stream",
            }
            connection.request("POST", "/mcp", call(tool, **arguments), headers)
            message = json.loads(connection.getresponse().read())
        finally:
            self._free.put(connection)
        result = message["result"]
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    def close(self) -> None:
        """Close all."""
        while not self._free.empty():
            self._free.get().close()


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


@pytest.fixture
def clients(relay) -> Iterator[Clients]:
    """Connect the clients."""
    connected = Clients(relay.mcp_port)
    yield connected
    connected.close()


def test_answers_stay_right_and_memory_stays_flat(relay, world, clients):
    """A thousand reads by sixteen clients get their own answers; writes cost no RSS."""
    ids = world.run(MAKE)

    def query(number: int) -> None:
        wanted = ids[number % ACTORS]
        answer = clients.ask("foundry_query_actor", actorId=wanted)
        named = (answer["data"]["_id"], answer["data"]["name"])
        assert named == (wanted, f"Lodger {number % ACTORS}")

    def write(number: int) -> None:
        value = number % ACTORS
        answer = clients.ask(
            "foundry_eval",
            code=f'await game.actors.get("{ids[value]}").update('
            f'{{"system.resource.value": {number + 1000}}})',
            intent="write",
            summary=f"write {number}",
        )
        assert answer["rollbackPoint"]["captured"] == "1 update"

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(query, range(WARM_UP // 2)))
        list(pool.map(write, range(WARM_UP // 2)))
        before = relay.rss()
        list(pool.map(query, range(QUERIES)))
        list(pool.map(write, range(WARM_UP, WARM_UP + EVALS)))
    grown = relay.rss() - before
    assert grown < 5 * MEGABYTE, f"the relay grew by {grown / MEGABYTE:.1f} MB"
