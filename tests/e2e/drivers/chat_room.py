"""One member's relay, a world and a listener, for tests of the chat."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field
from chat_box import ChatBox
from mcp_caller import McpCaller, mcp_caller, read_answer
from node_world import NodeWorld, client_settings
from relay_process import PATIENCE, RelayProcess

LISTENER, SECOND = "listener-one", "listener-two"


@define(eq=False)
class Waiting:
    """A call whose answer is still to come."""

    future: Future[Any]

    @property
    def is_done(self) -> bool:
        """Say whether it was answered."""
        return self.future.done()

    def result(self) -> Any:
        """Wait for the answer's JSON."""
        return read_answer(self.future.result(PATIENCE))


@define(eq=False)
class ChatRoom:
    """Everything that a row needs; `clear` makes it as new."""

    member: str
    relay: RelayProcess
    world: NodeWorld
    caller: McpCaller
    box: ChatBox = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Open the box, with several tabs at work."""
        self.box = ChatBox(self.world)
        self.box.open()
        self.box.set("mode", "cogm")

    def type(self, text: str, tab: str = "t-1") -> str:
        """Type something; its id."""
        return self.box.type(text, tab)

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool; the JSON of its answer."""
        return self.caller.call(f"foundry_{tool}", **arguments)

    def send(self, tool: str, /, **arguments: Any) -> Waiting:
        """Call a tool and do not wait."""
        return Waiting(self.caller.send(f"foundry_{tool}", **arguments))

    def poll(self, listener: str = LISTENER, wait: float = 25) -> Waiting:
        """Poll and do not wait for the answer."""
        return self.send("get_prompts", listenerId=listener, waitSeconds=wait)

    def first_poll(self, listener: str = LISTENER, wait: float = 25) -> Waiting:
        """Poll while nobody has the slot; the relay has the poll when this is back."""
        self.box.expect_status()
        poll = self.poll(listener, wait)
        self.box.expected_status()
        return poll

    def take(self, listener: str = LISTENER) -> list[dict[str, Any]]:
        """Poll without waiting; the prompts."""
        answer = self.call("get_prompts", listenerId=listener, waitSeconds=0)
        prompts: list[dict[str, Any]] = answer["prompts"]
        return prompts

    def read(self, **arguments: Any) -> Any:
        """Call a tool that reads the world."""
        return self.call("eval", code="return game.scenes.size", **arguments)

    def write(self, **arguments: Any) -> Any:
        """Call a tool that writes into the world."""
        code = (
            'const ottar = game.actors.getName("Ottar Reed");\n'
            "await ottar.update({ sort: ottar.sort + 1 });"
        )
        return self.call(
            "eval", code=code, intent="write", summary="a write", **arguments
        )

    def clear(self) -> None:
        """Make it as new: internal, no tabs, nobody listening, nothing heard."""
        for command in ("/int", "/exit", "/exit"):  # the first repeats what was unsent
            self.box.type(command, "t-1")
        self.box.set("mode", "cogm")
        if self.box.look()["status"]["state"] != "no-listener":
            self._free()
        self.box.until_status("no-listener")
        seen = self.box.look()
        assert (seen["tabs"], seen["mode"]) == ([], "internal")
        self.box.forget()

    def _free(self) -> None:
        """Let whoever listens hear that it is over."""
        for listener in (LISTENER, SECOND):
            arguments = {"listenerId": listener, "waitSeconds": 0}
            if self.caller.refused("foundry_get_prompts", **arguments) is None:
                return


@contextmanager
def chat_room(member: str, folder: Path, **how: Any) -> Iterator[ChatRoom]:
    """Start everything for one member, and end it."""
    relay = RelayProcess(folder, ("--pairing", "off", "--member", member), **how)
    world = None
    try:
        relay.start()
        world = NodeWorld(client_settings(relay.bridge_url))
        world.until_connected()
        with mcp_caller(relay.mcp_url) as caller:
            yield ChatRoom(member, relay, world, caller)
    finally:
        if world is not None:
            world.close()
        relay.close()
