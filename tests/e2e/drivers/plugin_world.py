"""A relay, a world and an official client, with macros to try as plug-ins."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field
from mcp_caller import McpCaller, mcp_caller
from node_world import NodeWorld, client_settings
from relay_process import RelayProcess

MANIFEST = """\
const MANIFEST = {
  api: "aagm-plugin/1.0", name: NAME, version: "1.0.0", description: "For a test.",
  args: { type: "object", properties: { n: { type: "integer" } },
          additionalProperties: false },
  writes: ["Item"], modes: ["run", "read"], ...MORE,
};
if (!Object.keys(scope).length) return MANIFEST;
"""
POLE = 'game.items.getName("Barge pole")'
PIKE = 'game.actors.getName("Old Pike")'


@define(eq=False)
class PluginWorld:
    """One profile of Foundry, with everything around it."""

    relay: RelayProcess
    world: NodeWorld
    agent: McpCaller
    _made: list[str] = field(factory=list)

    def macro(self, name: str, command: str) -> str:
        """Write a script macro; gives its id."""
        source = json.dumps({"name": name, "type": "script", "command": command})
        code = f'return (await getDocumentClass("Macro").create({source})).id;'
        id_: str = self.world.run(code)
        self._made.append(id_)
        return id_

    def rewrite(self, id_: str, command: str) -> None:
        """Have a macro say something else."""
        change = json.dumps({"command": command})
        self.world.run(f'await game.macros.get("{id_}").update({change});')

    def plugin(self, name: str, act: str, **more: Any) -> str:
        """Write a plug-in; *more* goes into its manifest."""
        return self.macro(name, source(name, act, **more))

    def call(self, name: str, args: dict[str, Any], **more: Any) -> Any:
        """Call it as an agent does."""
        return self.agent.call("foundry_plugin", name=name, args=args, **more)

    def documents(self) -> Any:
        """Look at the world, but not at the macros that tests made."""
        made = {f"Macro.{id_}" for id_ in self._made}
        everything = self.world.canonical()
        return {uuid: doc for uuid, doc in everything.items() if uuid not in made}

    def points(self) -> list[dict[str, Any]]:
        """Read the points' files, newest first."""
        files = self.relay.data_dir.glob("Rollback Points/*/*.json")
        read = [json.loads(path.read_text()) for path in files]
        return sorted(read, key=lambda point: str(point["ts"]), reverse=True)

    def live(self) -> list[str]:
        """Name the writes that are in the world, newest first."""
        return [
            point["id"]
            for point in self.points()
            if point["kind"] != "redo" and point["state"] in ("live", "partial")
        ]

    def undo_all(self) -> None:
        """Take everything back that is in the world."""
        if live := self.live():
            self.agent.call("foundry_rollback", rollbackId=live[-1])

    def undo(self, answer: dict[str, Any]) -> Any:
        """Take a call back."""
        point = answer["rollbackPoint"]["id"]
        return self.agent.call("foundry_rollback", rollbackId=point)

    def tidy(self) -> None:
        """Throw away the macros that tests made."""
        self.world.run(
            f"const ids = {json.dumps(self._made)}.filter((id) => game.macros.has(id));"
            'await getDocumentClass("Macro").deleteDocuments(ids);'
        )
        self._made.clear()


def source(name: str, act: str, **more: Any) -> str:
    """Write a plug-in's text."""
    head = MANIFEST.replace("NAME", json.dumps(name)).replace("MORE", json.dumps(more))
    return f"{head}{act}"


@contextmanager
def plugin_world(folder: Path, version: str, limits: str) -> Iterator[PluginWorld]:
    """Start everything for one version of Foundry."""
    folder.chmod(0o700)
    config = folder / "limits.toml"
    config.write_text(f"[limits]\n{limits}\n")
    relay = RelayProcess(folder, ("--pairing", "off", "--config", str(config)))
    world = None
    try:
        relay.start()
        settings = client_settings(relay.bridge_url)
        world = NodeWorld(settings, ("--version", version))
        world.until_connected()
        # A session is what manifests are kept for: only this era has one.
        with mcp_caller(relay.mcp_url, "legacy") as agent:
            yield PluginWorld(relay, world, agent)
    finally:
        if world is not None:
            world.close()
        relay.close()
