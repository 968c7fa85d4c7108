"""Finding things in a large world, in a real browser: Done when 4 of its issue."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from mcp_caller import McpCaller, mcp_caller
from node_world import client_settings

pytestmark = [pytest.mark.browser, pytest.mark.speed]

SECOND = 0.3  # seconds
TRIES = 20  # other programs run beside this one: the first that is quick counts
COUNT = """() => {
  let count = game.items.size + game.macros.size;
  for (const actor of game.actors) count += 1 + actor.items.size;
  for (const journal of game.journal) count += 1 + journal.pages.size;
  return [count, game.packs.size];
}"""


@pytest.fixture
def agent(make_relay, page, site) -> Iterator[McpCaller]:
    """Connect a client to a relay whose tab shows the large world."""
    relay = make_relay("--pairing", "off").start()
    options = {
        "module": "/foundry/module/",
        "until": "aagm.ready",
        "storage": client_settings(relay.bridge_url),
    }
    page.goto(f"{site}/tests/e2e/pages/large.html#{quote(json.dumps(options))}")
    page.wait_for_function(
        "globalThis.booted && game.modules.get('aagm').api?.isConnected()"
    )
    with mcp_caller(relay.mcp_url) as connected:
        yield connected


def test_the_second_search_of_a_large_world_is_quick(agent, page):
    """Twenty thousand documents and fifty compendiums, from the client and back."""
    documents, packs = page.evaluate(COUNT)
    assert documents >= 20_000
    assert packs == 50
    found = agent.call("foundry_search", query="drowned key")
    assert [hit["parent"] for hit in found["results"]] == ["Tale 777"]
    assert "the drowned key" in found["results"][0]["excerpt"]
    tries = []
    for number in range(TRIES):
        began = time.monotonic()
        answer = agent.call("foundry_search", query=f"drowned ware {number}")
        tries.append(time.monotonic() - began)
        assert answer["results"][0]["pack"] == "Pack 0"
        if tries[-1] < SECOND:
            break
    assert tries[-1] < SECOND, tries


def test_a_search_leaves_the_page_its_time(agent, page):
    """Also the first one, which reads everything, lets the page draw in between."""
    page.evaluate("""() => {
      window.longest = 0;
      let last = performance.now();
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        const now = performance.now();
        window.longest = Math.max(window.longest, now - last);
        last = now;
        if (!window.isOver) port2.postMessage(null);
      };
      port2.postMessage(null);
    }""")
    agent.call("foundry_search", query="nothing like this at all")
    longest = page.evaluate("() => { window.isOver = true; return window.longest; }")
    assert longest < 1000
