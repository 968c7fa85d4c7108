"""The plug-in parts over memory, and a tab whose macros are Python functions."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field, frozen
from tiny_world import World
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock
from world_tab import WorldTab

from aagm.members import KIMI
from aagm.relay.inbound import Inbound
from aagm.relay.plugins.desk import PluginDesk
from aagm.relay.plugins.desk import set_up as set_up_plugins
from aagm.relay.plugins.run import Asked
from aagm.relay.rollback.desk import RollbackDesk, set_up
from aagm.testing import FakeBridge, MemoryDisk
from aagm.wire.hello import World as Place

Scope = dict[str, Any]
Macro = Callable[[Scope], Any]


@frozen
class Limits:
    """Limits as the configuration has them."""

    read_seconds: float = 30
    write_seconds: float = 300
    settle_max_ms: float = 2000
    running_seconds: float = 50


def manifest(name: str, **more: Any) -> dict[str, Any]:
    """Make a manifest that takes one number."""
    return {
        "api": "aagm-plugin/1.0",
        "name": name,
        "version": "1.0.0",
        "description": "Does something.",
        "args": {
            "type": "object",
            "properties": {"n": {"type": "integer"}},
            "additionalProperties": False,
        },
        "writes": ["Actor"],
        "modes": ["run", "read"],
        **more,
    }


@define
class Source:
    """A macro: its text stands for what it does."""

    name: str
    run: Macro
    text: str
    type: str = "script"


@define(eq=False)
class Table:
    """Relay parts, and a tab with macros and a tiny world."""

    clock: Clock
    bridge: FakeBridge
    rollback: RollbackDesk
    desk: PluginDesk
    world: World
    tab: WorldTab
    inbound: Inbound
    macros: dict[str, Source] = field(factory=dict)  # by id
    ran: list[tuple[str, Scope]] = field(factory=list)
    holds: bool = False  # runs do not end by themselves
    held: list[Deferred[Any]] = field(factory=list)

    def macro(self, name: str, run: Macro, *, text: str = "aagm-plugin/1.0") -> str:
        """Write a macro into the world."""
        id_ = f"m{len(self.macros)}"
        self.macros[id_] = Source(name, run, f"{text} {id_}")
        return id_

    def plugin(self, name: str, act: Macro, **more: Any) -> str:
        """Write a plug-in: bare it returns a manifest."""
        return self.macro(
            name, lambda scope: act(scope) if scope else manifest(name, **more)
        )

    def call(self, name: str, args: Scope | None = None, **more: Any) -> list[Any]:
        """Queue a call; what it comes to is in the list once it has."""
        asked = Asked(name, {"n": 1} if args is None else args, **more)
        return outcome(self.desk.plugins.queue(asked).copy())

    def called(
        self, name: str, args: Scope | None = None, **more: Any
    ) -> dict[str, Any]:
        """Call a plug-in; gives the answer."""
        [answer] = self.call(name, args, **more)
        assert isinstance(answer, dict), answer
        return answer

    def listed(self, **more: Any) -> list[dict[str, Any]]:
        """List the plug-ins, through the lane."""
        [answer] = outcome(self.desk.catalog.queue(**more).copy())
        return answer["plugins"]

    def enter_world(self, id_: str) -> None:
        """Let the tab come back with another world."""
        self.tab.cut()
        self.tab.tab.hello = evolve(self.tab.tab.hello, world=Place(id_, id_))
        self.tab.connect()

    def points(self) -> list[dict[str, Any]]:
        """List the points, newest first."""
        return self.rollback.undo.briefs()

    def bare_runs(self) -> int:
        """Count the runs without arguments."""
        return sum(not scope for _, scope in self.ran)

    def page(self, params: dict[str, Any]) -> Any:
        """Answer an eval as the page would."""
        first, _, code = params["code"].partition("\n")
        inner = first.removeprefix("const given = JSON.parse(").removesuffix(");")
        given = json.loads(json.loads(inner))
        if "marker" in given:
            return _value(self._marked(given["marker"]))
        found = [
            (i, each) for i, each in self.macros.items() if each.name == given["name"]
        ]
        if len(found) != 1 or found[0][1].type != "script":
            rows = [{"id": i, "type": each.type} for i, each in found]
            return self._recorded(params, lambda: {"found": rows})
        [(id_, macro)] = found
        head = {"id": id_, "hash": macro.text}
        if "execute" not in code:
            return _value(head)
        if "args" not in given:
            return self._recorded(
                params, lambda: {**head, "ended": self._run(macro, {})}
            )
        if given["id"] != id_ or given["hash"] != macro.text:
            return self._recorded(params, lambda: {"changed": True})
        args = given["args"]
        return self._recorded(params, lambda: {"ended": self._run(macro, args)})

    def _marked(self, marker: str) -> list[dict[str, Any]]:
        return [
            {
                "id": id_,
                "name": each.name,
                "hash": each.text,
                "ids": [i for i, e in self.macros.items() if e.name == each.name],
            }
            for id_, each in self.macros.items()
            if each.type == "script" and marker in each.text
        ]

    def _recorded(self, params: dict[str, Any], work: Callable[[], Any]) -> Any:
        if "rp" not in params:
            return _value(work())
        if self.holds:
            d: Deferred[Any] = Deferred()
            self.held.append(d)
            d.addCallback(
                lambda _: self.tab.record(params["rp"], lambda: _value(work()))
            )
            return d
        return self.tab.record(params["rp"], lambda: _value(work()))

    def _run(self, macro: Source, scope: Scope) -> dict[str, Any]:
        self.ran.append((macro.name, scope))
        try:
            returned = macro.run(scope)
        except ValueError as e:
            return {"threw": str(e)}
        if returned is None:
            return {"nothing": "undefined"}
        return {"pieces": [json.dumps(returned)]}


def _value(value: Any) -> dict[str, Any]:
    return {"ok": True, "valueType": "Object", "value": value}


def outcome(d: Deferred[Any]) -> list[Any]:
    """Collect what a Deferred comes to; an error as the exception."""
    came: list[Any] = []
    d.addCallbacks(came.append, lambda failure: came.append(failure.value))
    return came


@pytest.fixture
def table():
    """Set a table: the inn with an actor and an item in it, and no macro."""
    clock = Clock()
    bridge = FakeBridge(clock)
    rollback = set_up(
        clock,
        lambda: 1_789_000_000 + clock.seconds(),
        MemoryDisk(),
        bridge,
        folder=Path("/data"),
        limits=Limits(),
        member=KIMI,
    )
    inbound = Inbound()
    rollback.join(inbound)
    bridge.events = inbound
    rollback.start()
    desk = set_up_plugins(bridge, rollback, read_seconds=30)
    desk.box.join(inbound)
    world = World()
    mira = {"_id": "mira", "name": "Mira", "system": {"hp": 20}, "flags": {}}
    world.put("Actor.mira", mira)
    sword = {"_id": "sword", "name": "Sword", "system": {"n": 1}}
    world.put("Actor.mira.Item.sword", sword)
    tab = WorldTab(world, bridge)
    made = Table(clock, bridge, rollback, desk, world, tab, inbound)
    tab.tab.answers["eval"] = made.page
    tab.connect()
    return made
