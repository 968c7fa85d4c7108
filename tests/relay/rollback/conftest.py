"""A relay's rollback parts over memory, and a tab with a tiny world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, frozen
from tiny_world import World
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock
from world_tab import Rec, WorldTab

from aagm.members import KIMI
from aagm.relay.inbound import Inbound
from aagm.relay.rollback.desk import RollbackDesk, set_up
from aagm.relay.rollback.undo import UndoRequest
from aagm.relay.rollback.writes import Write
from aagm.testing import FakeBridge, MemoryDisk
from aagm.wire.hello import World as Place

FOLDER = Path("/data")


@frozen
class Limits:
    """Limits as the configuration has them."""

    read_seconds: float = 30
    write_seconds: float = 300
    settle_max_ms: float = 2000
    running_seconds: float = 50


@define(eq=False)
class Table:
    """Relay parts, a tab and a world around one clock."""

    clock: Clock
    disk: MemoryDisk
    bridge: FakeBridge
    desk: RollbackDesk
    world: World
    tab: WorldTab

    def write(self, *steps: list[Any], **more: Any) -> list[Any]:
        """Queue an eval; what it comes to is in the list once it has."""
        write = Write(
            method="eval",
            params={"code": json.dumps(steps)},
            kind="eval",
            summary=more.pop("summary", "change the inn"),
            **more,
        )
        return outcome(self.desk.writes.queue(write).copy())

    def wrote(self, *steps: list[Any], **more: Any) -> str:
        """Do an eval; gives the point's id."""
        [answer] = self.write(*steps, **more)
        assert isinstance(answer, dict), answer
        return answer["rollbackPoint"]["id"]

    def undo(
        self, point_id: str | None = None, *, by: str = "agent", **how: Any
    ) -> list[Any]:
        """Queue a rollback."""
        request = UndoRequest(point_id, **how)
        return outcome(self.desk.undo.queue(request, by=by).copy())

    def undone(self, point_id: str | None = None, **how: Any) -> dict[str, Any]:
        """Roll back; gives the answer."""
        [answer] = self.undo(point_id, **how)
        assert isinstance(answer, dict), answer
        return answer

    def brief(self, point_id: str) -> dict[str, Any]:
        """Find a point in the list."""
        return next(p for p in self.desk.undo.briefs() if p["id"] == point_id)

    def file(self, point_id: str) -> dict[str, Any]:
        """Read a point's file."""
        [path] = [p for p in self.disk.files if p.name == f"{point_id}.json"]
        return json.loads(self.disk.files[path])

    def looked(self, point_id: str | None = None, **how: Any) -> dict[str, Any]:
        """Ask what a rollback would do."""
        request = UndoRequest(point_id, **how)
        [answer] = outcome(Deferred.fromCoroutine(self.desk.undo.look(request)))
        return answer

    def pressed(self, **params: Any) -> list[Any]:
        """Press a card's button."""
        d = Deferred.fromCoroutine(
            self.bridge.ask(self.tab.tab, "aagm.rollback.request", params)
        )
        return outcome(d)

    def hp(self, uuid: str) -> Any:
        """Look at somebody's hit points."""
        return self.world.docs[uuid]["system"]["hp"]

    def enter_world(self, id_: str, title: str) -> None:
        """Let the tab come back with another world."""
        self.tab.cut()
        self.tab.tab.hello = evolve(self.tab.tab.hello, world=Place(id_, title))
        self.tab.connect()

    @staticmethod
    def silence() -> Deferred[Any]:
        """Never answer."""
        return Deferred()

    def journal_path(self, point_id: str) -> Path:
        """Say where a journal lies."""
        return FOLDER / "state" / "journal" / f"{point_id}.jsonl"

    def journal(self, point_id: str) -> list[dict[str, Any]]:
        """Read a journal."""
        lines = self.disk.files[self.journal_path(point_id)].splitlines()
        return [json.loads(line) for line in lines]

    def journals(self) -> list[str]:
        """Name the journals that are on disk."""
        return [p.stem for p in self.disk.files if p.suffix == ".jsonl"]

    def restart(self) -> None:
        """Kill the relay, and start another over the same disk and tab."""
        self.desk.stop()
        for tab in list(self.bridge.tabs):
            self.bridge.events = None
            self.bridge.disconnect(tab)
        self.bridge = FakeBridge(self.clock)
        self.tab.bridge, self.tab.unsent = self.bridge, True
        self.tab.take_acks()
        self.desk = start_desk(self.clock, self.disk, self.bridge)


def start_desk(clock: Clock, disk: MemoryDisk, bridge: FakeBridge) -> RollbackDesk:
    """Start the rollback parts over *disk*."""
    desk = set_up(
        clock,
        lambda: 1_789_000_000 + clock.seconds(),
        disk,
        bridge,
        folder=FOLDER,
        limits=Limits(),
        member=KIMI,
    )
    inbound = Inbound()
    desk.join(inbound)
    inbound.notifications["aagm.status.request"] = desk.cards.sync
    bridge.events = inbound
    desk.start()
    return desk


def outcome(d: Deferred[Any]) -> list[Any]:
    """Collect what a Deferred comes to; an error as the exception."""
    came: list[Any] = []
    d.addCallbacks(came.append, lambda failure: came.append(failure.value))
    return came


@pytest.fixture
def rec():
    """Make what a tab keeps of a recording."""
    return Rec


def make_table(*, streams: bool = True) -> Table:
    """Set a table: the inn with an actor, an item in it, and a relay."""
    clock = Clock()
    disk = MemoryDisk()
    bridge = FakeBridge(clock)
    desk = start_desk(clock, disk, bridge)
    world = World()
    mira = {"_id": "mira", "name": "Mira", "system": {"hp": 20, "gold": 5}, "flags": {}}
    world.put("Actor.mira", mira)
    world.put(
        "Actor.mira.Item.sword", {"_id": "sword", "name": "Sword", "system": {"n": 1}}
    )
    world.put(
        "Actor.odo", {"_id": "odo", "name": "Odo", "system": {"hp": 9}, "flags": {}}
    )
    tab = WorldTab(world, bridge, streams=streams)
    tab.connect()
    return Table(clock, disk, bridge, desk, world, tab)


@pytest.fixture
def table():
    """A relay with a tab of ours and the inn."""
    return make_table()


@pytest.fixture
def family_table():
    """A relay with a tab of the family's 2.0."""
    return make_table(streams=False)


@pytest.fixture
def set_table():
    """Make tables, for a test that needs many."""
    return make_table
