"""Random writes, rollbacks and redos: the world is the one that was asked for."""

from __future__ import annotations

import copy
import random
from typing import Any

import pytest
from attrs import define, field

from aagm.relay.rollback import changes
from aagm.relay.rollback.changes import MISSING, prefixes
from aagm.relay.rollback.liveness import Liveness

SEQUENCES = 1000
STEPS = 10
BATCHES = 20
PATHS = ("system.hp", "system.gold", "flags.inn.room", "system.bag", "name")


@define(eq=False)
class Game:
    """One random sequence, and what it must leave."""

    table: Any
    rng: random.Random
    before: dict[str, Any] = field(factory=dict)  # the world before each point
    made: dict[tuple[str, str], Any] = field(factory=dict)  # sources, by point and uuid
    order: list[str] = field(factory=list)
    count: int = 0

    def __attrs_post_init__(self) -> None:
        """Begin with an empty world: every document is some point's."""
        self.table.world.docs.clear()
        recorder = self.table.world.on_change

        def changed(intent, news):
            recorder(intent, news)
            rp = self.table.tab._rp
            uuid = news.get("uuid") or intent["uuid"]
            for above in prefixes(uuid):
                is_made = intent["op"] == "create" and above == uuid
                if is_made or (
                    (rp, above) in self.made and above in self.table.world.docs
                ):
                    self.made[rp, above] = self.table.world.whole(above)

        self.table.world.on_change = changed

    def step(self) -> None:
        """Do one random thing, and look."""
        match self.rng.choice(
            ("write", "write", "write", "back", "back", "redo", "only")
        ):
            case "write":
                self.write()
            case "back":
                self.roll_back(self.rng.choice([None, *self.order]), {})
            case "redo":
                self.roll_back(None, {"action": "redo"})
            case "only":
                self.roll_back(self.rng.choice([None, *self.order]), {"only": True})
        assert self.replayed() == self.table.world.docs

    def write(self) -> None:
        """Write one to three random things in one eval."""
        before = self.table.world.snapshot()
        scratch = copy.deepcopy(self.table.world)
        scratch.on_change = None
        steps = []
        for _ in range(self.rng.randint(1, 3)):
            step = self.some_step(scratch)
            self.apply(scratch, step)
            steps.append(step)
        point = self.table.wrote(*steps)
        self.before[point] = before
        self.order.append(point)

    @staticmethod
    def apply(world, step) -> None:
        """Follow on a scratch copy what an eval will do."""
        match step:
            case ["update", uuid, leaves]:
                world.update(uuid, leaves)
            case ["remove", uuid, path]:
                world.update(uuid, {path: MISSING})
            case ["create", uuid, source]:
                world.create(uuid, source)
            case ["delete", uuid]:
                world.delete(uuid)

    def some_step(self, world) -> list[Any]:
        """Choose an update, a removal of a key, a create or a delete."""
        uuids = sorted(world.docs)
        kind = self.rng.choice(
            ("update", "update", "update", "create", "delete", "remove")
        )
        if not uuids or kind == "create":
            self.count += 1
            return self.some_create(world, f"d{self.count}")
        uuid = self.rng.choice(uuids)
        if kind == "delete":
            return ["delete", uuid]
        path = self.rng.choice(PATHS)
        if kind == "remove" and path != "name":
            return ["remove", uuid, path]
        value = self.rng.choice((0, 1, 2, True, "ale", [1, 2], None))
        return ["update", uuid, {path: value}]

    def some_create(self, world, name: str) -> list[Any]:
        """Choose where a new document goes, sometimes with a child inside."""
        parents = [u for u in sorted(world.docs) if u.count(".") == 1]
        source = {"_id": name, "name": name, "system": {"hp": 1}, "flags": {}}
        if parents and self.rng.random() < 0.5:
            return ["create", f"{self.rng.choice(parents)}.Item.{name}", source]
        if self.rng.random() < 0.5:
            source["items"] = [{"_id": "pin", "name": "Pin", "system": {}, "flags": {}}]
        return ["create", f"Actor.{name}", source]

    def roll_back(self, point: str | None, how: dict[str, Any]) -> None:
        """Undo; a refusal must leave everything as it is."""
        before = self.table.world.snapshot()
        briefs = {brief["id"]: brief for brief in self.table.desk.undo.briefs()}
        [answer] = self.table.undo(point, **how)
        if answer.get("refused"):
            assert self.table.world.docs == before
            assert "conflict" not in answer["reason"], answer
            return
        rows = answer["rolledBack"]
        assert all(row["failed"] == 0 and "error" not in row for row in rows), answer
        target = answer["target"]
        if "only" in how:
            self.check_only(target, before, briefs)
        else:
            assert self.table.world.docs == self.before[target]
        newest = self.table.desk.index.newest_first()[0].id
        if newest not in self.before:
            self.before[newest] = before
            self.order.append(newest)

    def check_only(self, target, before, briefs) -> None:
        """Only the target's own places may differ, and they are as before it."""
        now = self.table.world.docs
        file = self.table.file(target)
        touched = {entry["uuid"] for entry in file["entries"]}
        for uuid in set(now) | set(before):
            if not any(above in touched for above in prefixes(uuid)):
                assert now.get(uuid) == before.get(uuid)
        if briefs[target]["state"] != "live":
            return
        gone = {e["uuid"] for e in file["entries"] if e["op"] == "delete"}
        for entry in file["entries"]:
            if gone.intersection(prefixes(entry["uuid"])):
                continue  # it had two lives in this point
            if entry["op"] == "create":
                assert entry["uuid"] not in now
            for change in entry.get("changes", []):
                if entry["uuid"] in now:
                    left = changes.read(now[entry["uuid"]], change["path"])
                    assert changes.same(left, changes.before(change))

    def replayed(self) -> dict[str, Any]:
        """Play what is in the world of every point, from nothing."""
        digests = self.table.desk.index.newest_first()
        liveness = liveness_of(digests)
        world = copy.copy(self.table.world)
        world.docs, world.on_change = {}, None
        for each in reversed(digests):
            if each.is_redo:
                continue  # it says only what of the others is in the world
            new: set[str] = set()
            for entry in self.table.file(each.id)["entries"]:
                uuid = entry["uuid"]
                if liveness.is_out(each.id, entry["seq"]):
                    continue
                if entry["op"] == "create":
                    world.put(uuid, self.made[each.id, uuid])
                    new.add(uuid)
                elif any(above in new for above in prefixes(uuid)):
                    continue  # what was made is kept as its point left it
                elif entry["op"] == "delete":
                    world.delete(uuid)
                else:
                    for change in entry["changes"]:
                        world.update(uuid, {change["path"]: changes.after(change)})
        return world.docs


def liveness_of(digests):
    """Settle every point, newest first."""
    liveness = Liveness()
    for each in digests:
        liveness.pass_over(each)
    return liveness


@pytest.mark.parametrize("batch", range(BATCHES))
def test_the_world_is_the_one_before_the_target(batch, set_table):
    """After each step the world is as asked, and the points alone tell it."""
    for number in range(SEQUENCES // BATCHES):
        seed = batch * 1_000_003 + number
        game = Game(set_table(), random.Random(seed))
        try:
            for _ in range(STEPS):
                game.step()
        except AssertionError as e:
            e.add_note(f"seed {seed}")
            raise
