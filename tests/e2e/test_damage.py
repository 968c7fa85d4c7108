"""Damage and lost loot, from the official client to a Chromium tab and back."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from attrs import frozen
from mcp_caller import McpCaller, mcp_caller
from node_world import client_settings
from static_site import static_site

pytestmark = pytest.mark.browser

VERSIONS = ["12", "13", "14"]
RAT = "Scene.Taproom000000000.Token.TokenRatbythebar"

CANONICAL = """async () => {
  const { canonical } = await import("/foundry/simulator/index.js");
  const ignore = ["JournalEntry", "JournalEntryPage", "Macro", "Setting", "User"];
  return canonical(booted.world, { ignore });
}"""
HIT_POINTS = "() => game.actors.getName('Ottar Reed').system.attributes.hp.value"

# The chest by the door becomes a pile; the macros set the watchdog up and arm it.
ARM = """async () => {
  const token = game.scenes.active.tokens.getName("Mooring Chest");
  await token.update({ "flags.item-piles.data": { enabled: true, type: "pile" } });
  const run = async (name) => game.macros.getName(name).execute();
  const before = await run("AAGM-K Loot Watchdog");
  await run("AAGM-K Loot Watchdog Setup");
  return [before, await run("AAGM-K Loot Watchdog"), token.actor.items.size];
}"""
LOSE = """async () => {
  const token = game.scenes.active.tokens.getName("Mooring Chest");
  await token.actor.items.getName("Silver tankard").delete();
}"""
TANKARDS = """() => {
  const { actor } = game.scenes.active.tokens.getName("Mooring Chest");
  return actor.items.filter(({ name }) => name === "Silver tankard").length;
}"""


@frozen
class Game:
    """A world in a page, and the agent that reaches it through the relay."""

    page: Any
    agent: McpCaller

    def do(self, code: str) -> Any:
        """Run a function in the page."""
        return self.page.evaluate(code)


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    """Serve this checkout."""
    with static_site() as address:
        yield address


@pytest.fixture
def game(make_relay, page, site, request) -> Iterator[Game]:
    """Open the Sunken Inn with Pathfinder 1e and Item Piles, and connect it."""
    relay = make_relay("--pairing", "off").start()
    world = {
        "version": request.param,
        "system": "sim-pf1",
        "modules": ["sim-item-piles"],
    }
    options = {
        "module": "/foundry/module/",
        "until": "aagm.ready",
        "storage": client_settings(relay.bridge_url),
        "world": world,
    }
    at = quote(json.dumps(options))
    page.goto(f"{site}/tests/e2e/pages/window.html#{at}")
    page.wait_for_function(
        "globalThis.booted && game.modules.get('aagm').api?.isConnected()"
    )
    page.wait_for_function("game.macros.getName('AAGM-K Loot Watchdog Setup')")
    with mcp_caller(relay.mcp_url) as agent:
        yield Game(page, agent)


@pytest.mark.parametrize("game", VERSIONS, indirect=True)
def test_a_blow_is_dealt_undone_and_redone(game):
    """By name and by a token's uuid; the unlinked one has its own hit points."""
    before = game.do(CANONICAL)
    blow = {"targets": ["ottar", RAT], "amount": 17, "summary": "A beam falls"}

    plan = game.agent.call("foundry_apply_damage", dryRun=True, **blow)
    assert [row["after"] for row in plan["preview"]] == [14, -13]
    assert game.do(CANONICAL) == before

    dealt = game.agent.call("foundry_apply_damage", **blow)
    rows = [(row["before"], row["hp"], row["state"]) for row in dealt["applied"]]
    assert rows == [(31, 14, "up"), (4, -13, "dead")]
    assert dealt["applied"][1]["uuid"] == RAT
    assert dealt["lethal"] is True
    point = dealt["rollbackPoint"]
    assert point["summary"] == "A beam falls (lethal)"
    assert game.do(HIT_POINTS) == 14
    after = game.do(CANONICAL)

    game.agent.call("foundry_rollback", rollbackId=point["id"])
    assert game.do(CANONICAL) == before
    game.agent.call("foundry_rollback", redo=True)
    assert game.do(CANONICAL) == after


@pytest.mark.parametrize("game", ["12"], indirect=True)
def test_what_is_unclear_hurts_nobody(game):
    """Candidates with their ids, and how to heal."""
    before = game.do(CANONICAL)
    blow = {"amount": 3, "summary": "A beam falls"}
    answer = game.agent.call("foundry_apply_damage", targets=["re"], **blow)
    assert "name one by id or uuid" in answer["error"]
    assert {"Ottar Reed"} < {each["name"] for each in answer["candidates"]}
    healing = blow | {"amount": -3, "targets": ["Ottar Reed"]}
    answer = game.agent.call("foundry_apply_damage", **healing)
    assert answer["refused"] is True
    assert "foundry_rollback" in answer["fix"]
    assert game.do(CANONICAL) == before
    assert game.agent.call("foundry_rollback_points")["points"] == []


@pytest.mark.parametrize("game", VERSIONS, indirect=True)
def test_lost_loot_is_listed_given_back_and_taken_away_again(game):
    """The macros are there; not set up it does nothing; armed it misses a tankard."""
    assert game.do(ARM) == [False, True, 3]
    assert game.agent.call("foundry_loot_pending")["armed"] is True
    game.do(LOSE)
    game.page.wait_for_function("game.messages.some(({ whisper }) => whisper.length)")

    [row] = game.agent.call("foundry_loot_pending")["pending"]
    lost = (row["item"], row["shortfall"], row["recipient"], row["looter"])
    assert lost == ("Silver tankard", 1, "Mooring Chest", "Gamemaster")
    restored = game.agent.call("foundry_restore_loot", eventIds=[row["eventId"]])
    assert restored["failed"] == []
    assert restored["rollbackPoint"]["captured"] == "1 update"
    assert game.do(TANKARDS) == 1
    again = game.agent.call("foundry_restore_loot", eventIds=[row["eventId"]])
    assert "restored already" in again["failed"][0]["reason"]
    assert game.do(TANKARDS) == 1

    point = restored["rollbackPoint"]["id"]
    game.agent.call("foundry_rollback", rollbackId=point, only=True)
    assert game.do(TANKARDS) == 0
    assert game.agent.call("foundry_loot_pending")["pending"] == []
