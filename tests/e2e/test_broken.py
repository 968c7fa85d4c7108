"""Relay, tab or time end in the middle of a write: nothing touched is lost.

Done when 4 of the first issue.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import pytest
from mcp_caller import ToolFailed, mcp_caller, read_answer
from node_world import API, NodeWorld, client_settings

# Five writes; the test decides when the last two may come.
DOOR = """
globalThis.door = {};
globalThis.door.reached = new Promise((resolve) => (globalThis.door.reach = resolve));
globalThis.door.opened = new Promise((resolve) => (globalThis.door.open = resolve));
"""
FIVE = """
const names = ["Brunna Saltcask", "Ottar Reed", "Old Pike", "Cellar Rat"];
for (const [i, name] of names.entries()) {
  if (i === 3) { door.reach(); await door.opened; }
  await game.actors.getName(name).update({ "system.resource.value": i + 5 });
}
await game.actors.getName("Cellar Rat").delete();
return "done";
"""
# The same, held when all are done.
HELD = FIVE.replace("if (i === 3) { door.reach(); await door.opened; }", "").replace(
    "return", "door.reach(); await door.opened; return"
)
FOUR_AND_ONE = "4 update, 1 delete"

# The card that a GM sees once a point is whole; it is shown before, too, as it grows.
CARD = f"""
const api = {API};
return new Promise((resolve) => {{
  const off = api.onRollback(({{ event, point, points }}) => {{
    const known = event === "point" ? [point] : (points ?? []);
    const isWhole = ({{ captured }}) => captured === "{FOUR_AND_ONE}";
    const whole = known.find((each) => each.state !== "open" && isWhole(each));
    if (whole) {{ off(); resolve(whole); }}
  }});
  api.requestStatus();
}});
"""


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Make calls that nobody waits for."""
    with ThreadPoolExecutor() as threads:
        yield threads


def begin(pool, relay, world, code: str = FIVE) -> Future:
    """Call foundry_eval, and come back when it reaches its door."""
    world.run(DOOR)

    def call():
        with mcp_caller(relay.mcp_url) as agent:
            return agent.call("foundry_eval", code=code, intent="write", summary="x")

    calling = pool.submit(call)
    world.run("await door.reached")
    return calling


def point_file(relay) -> dict:
    """Read the one point that is filed."""
    (path,) = relay.data_dir.glob("Rollback Points/*/*.json")
    return json.loads(path.read_text())


def test_the_relay_is_killed_and_comes_back_while_the_tab_still_writes(
    make_relay, pool
):
    """The point has all five writes, and rolls back exactly."""
    relay = make_relay("--pairing", "off").start()
    world = NodeWorld(client_settings(relay.bridge_url))
    try:
        world.until_connected()
        before = world.canonical()
        calling = begin(pool, relay, world)
        relay.kill()
        assert calling.exception() is not None
        relay.start()
        world.until_connected()
        card = world.send("eval", code=CARD)
        world.run("door.open()")
        point = card.result()
        with mcp_caller(relay.mcp_url) as agent:
            answer = agent.call("foundry_rollback", rollbackId=point["id"])
        assert [row["state"] for row in answer["rolledBack"]] == ["rolled-back"]
        assert world.canonical() == before
    finally:
        world.close()


def test_a_call_repeated_after_the_relay_was_killed_writes_once(make_relay, pool):
    """An agent that tries again after its connection broke joins what still runs."""
    relay = make_relay("--pairing", "off").start()
    world = NodeWorld(client_settings(relay.bridge_url))
    try:
        world.until_connected()
        calling = begin(pool, relay, world)
        relay.kill()
        assert calling.exception() is not None
        relay.start()
        world.until_connected()
        with mcp_caller(relay.mcp_url) as agent:
            again = agent.send("foundry_eval", code=FIVE, intent="write", summary="x")
            world.run("door.open()")
            answer = read_answer(again.result())
        assert (answer["replayed"], answer["resultLost"]) == (True, True)
        assert answer["rollbackPoint"]["captured"] == FOUR_AND_ONE
        assert point_file(relay)["id"] == answer["rollbackPoint"]["id"]
    finally:
        world.close()


def test_the_tab_is_killed_instead(make_relay, pool, tmp_path):
    """The point holds what was streamed, says why it failed, and rolls back."""
    relay = make_relay("--pairing", "off").start()
    state = ("--state", str(tmp_path / "world.json"))
    world = NodeWorld(client_settings(relay.bridge_url), state)
    try:
        world.until_connected()
        before = world.canonical()
        calling = begin(pool, relay, world)
        world.kill()
        with pytest.raises(ToolFailed) as failed:
            calling.result()
        point = failed.value.error["rollbackPoint"]["id"]
        assert failed.value.error["code"] == -33003
        assert point in failed.value.error["message"]
    finally:
        world.close()

    world = NodeWorld(client_settings(relay.bridge_url), state)
    try:
        world.until_connected()
        assert world.canonical() != before
        with mcp_caller(relay.mcp_url) as agent:
            (listed,) = agent.call("foundry_rollback_points")["points"]
            assert (listed["id"], listed["captured"]) == (point, "3 update")
            assert listed["failed"]
            agent.call("foundry_rollback", rollbackId=point)
        assert world.canonical() == before
    finally:
        world.close()


def test_a_write_that_never_ends_frees_the_lane_at_its_limit(
    make_relay, pool, tmp_path
):
    """The next write runs at once, and the GM rolls back without a reload."""
    (tmp_path / "limits.toml").write_text("[limits]\nwrite_seconds = 3\n")
    config = str(tmp_path / "limits.toml")
    relay = make_relay("--pairing", "off", "--config", config).start()
    world = NodeWorld(client_settings(relay.bridge_url))
    try:
        world.until_connected()
        before = world.canonical()
        calling = begin(pool, relay, world)
        with pytest.raises(ToolFailed) as failed:
            calling.result()
        assert failed.value.error["code"] == -33010
        point = failed.value.error["rollbackPoint"]
        assert point["captured"] == "3 update"
        with mcp_caller(relay.mcp_url) as agent:
            agent.call(
                "foundry_eval",
                code='await game.actors.getName("Mooring Chest").delete()',
                intent="destructive",
                summary="the chest is gone",
            )
        answer = world.run(
            f'return {API}.rollback({{action: "rollback", pointId: "{point["id"]}"}})'
        )
        assert len(answer["rolledBack"]) == 2
        assert world.canonical() == before
    finally:
        world.close()


def test_an_answer_that_comes_after_the_limit_completes_its_point(
    make_relay, pool, tmp_path
):
    """A tab that was frozen past the limit still hands in all that it did."""
    (tmp_path / "limits.toml").write_text("[limits]\nwrite_seconds = 3\n")
    config = str(tmp_path / "limits.toml")
    relay = make_relay("--pairing", "off", "--config", config).start()
    world = NodeWorld(client_settings(relay.bridge_url))
    try:
        world.until_connected()
        before = world.canonical()
        writing = begin(pool, relay, world, HELD)
        world.freeze()
        with pytest.raises(ToolFailed) as failed:
            writing.result()
        assert failed.value.error["code"] == -33010
        point = failed.value.error["rollbackPoint"]["id"]
        world.thaw()
        world.run("door.open()")
        card = world.run(CARD)  # the answer has come, late
        assert card["id"] == point
        with mcp_caller(relay.mcp_url) as agent:
            answer = agent.call("foundry_rollback", rollbackId=point)
        assert [row["state"] for row in answer["rolledBack"]] == ["rolled-back"]
        assert world.canonical() == before
    finally:
        world.close()
