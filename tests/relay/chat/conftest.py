"""A chat on a fake clock, with a scripted tab, a disk in memory and callers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.mcp.caller import Caller
from aagm.mcp.registry import Call, Tool
from aagm.mcp.tools.chat import chat_tools, gated
from aagm.members import GROK, KIMI, Member
from aagm.relay.chat.parts import Chat, open_chat
from aagm.relay.inbound import Inbound
from aagm.testing import GM_HELLO, FakeBridge, FakeTab, MemoryDisk

START = 1_790_000_000.0  # the clock's zero, in seconds since 1970
FOLDER = Path("/data/state")
COGM = evolve(GM_HELLO, settings={"mode": "cogm"})


class FakeRollbacks:
    """Answer what the box asks of the rollback core as the test says."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked: list[tuple[Any, ...]] = []
        self.answer: Any = {"points": []}

    async def rollback(self, target: str | None, *, via: str) -> Any:
        """Take note of ``/rollback``."""
        return self._give("rollback", target, via)

    async def redo(self, *, via: str) -> Any:
        """Take note of ``/redo``."""
        return self._give("redo", via)

    async def points(self) -> Any:
        """Take note of ``/points``."""
        return self._give("points")

    def _give(self, *asked: Any) -> Any:
        self.asked.append(asked)
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


class FakeLogs:
    """One session log."""

    def __init__(self) -> None:
        """Begin with nothing asked."""
        self.asked: list[tuple[str | None, int]] = []

    async def tail(self, name: str | None, lines: int) -> str:
        """Give the end of the log."""
        self.asked.append((name, lines))
        return "the end of the log"


@define(eq=False)
class Pending:
    """One tool call in flight: its answer, and the fate of its connection."""

    caller: Caller
    answer: Deferred[Any]
    value: Any = field(default=None, init=False)
    error: BaseException | None = field(default=None, init=False)
    is_done: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        """Keep the answer when it comes."""

        def came(value: Any) -> None:
            self.is_done, self.value = True, value

        def failed(failure: Any) -> None:
            self.is_done, self.error = True, failure.value

        self.answer.addCallbacks(came, failed)

    def caller_of(self) -> Call:
        """Give the call as the write road has it."""
        return Call("foundry_eval", {}, "a-session", self.caller)

    def arrive(self) -> Any:
        """Let the answer reach its caller for good."""
        self.caller.settle(delivered=True)
        return self.value

    def reset(self) -> None:
        """Let the connection be reset after the answer was written."""
        self.caller.settle(delivered=False)

    def cut(self) -> None:
        """Let the connection end before the answer."""
        self.caller.cut()


@define(eq=False)
class World:
    """A relay's chat and everybody around it."""

    member: Member
    clock: Clock = field(factory=Clock)
    disk: MemoryDisk = field(factory=MemoryDisk)
    rollbacks: FakeRollbacks = field(factory=FakeRollbacks)
    logs: FakeLogs = field(factory=FakeLogs)
    cards: list[int] = field(factory=list)
    log: list[tuple[str, dict[str, Any]]] = field(factory=list)
    work: Callable[[Call], Any] = field(default=lambda _call: {"did": "work"})
    chat: Chat = field(init=False)
    bridge: FakeBridge = field(init=False)
    tab: FakeTab = field(init=False)
    _tools: dict[str, Tool] = field(init=False)
    _typed: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Start the relay and let the GM's tab in."""
        self.start()

    def start(self, hello: Any = COGM) -> None:
        """Start a relay on this disk; what ran before is forgotten as by a kill."""
        inbound = Inbound()
        self.bridge = FakeBridge(self.clock, inbound)
        self.chat = open_chat(
            self.clock,
            lambda: START + self.clock.seconds(),
            member=self.member,
            bridge=self.bridge,
            disk=self.disk,
            folder=FOLDER,
            rollbacks=self.rollbacks,
            logs=self.logs,
            cards=lambda: self.cards.append(len(self.tab.told)),
            audit=lambda event, /, **fields: self.log.append((event, fields)),
        )
        self.chat.listen_to(inbound)
        tools = chat_tools(self.chat.dispatch)
        tools += gated([self._tool("foundry_eval")], self.chat.gate)
        self._tools = {tool.name: tool for tool in tools}
        self.tab = FakeTab(hello)
        self.bridge.connect(self.tab)

    def call(self, name: str, **arguments: Any) -> Pending:
        """Call a tool."""
        caller = Caller("a-session")
        call = Call(f"foundry_{name}", arguments, "a-session", caller)
        tool = self._tools[call.tool]
        return Pending(caller, Deferred.fromCoroutine(tool.run(call)))

    def poll(self, listener: str = "listener-a", wait: float = 25) -> Pending:
        """Poll for prompts."""
        return self.call("get_prompts", listenerId=listener, waitSeconds=wait)

    def take(self, listener: str = "listener-a") -> list[dict[str, Any]]:
        """Poll without waiting, and let the answer arrive."""
        return self.poll(listener, 0).arrive()["prompts"]

    def type(self, text: str, tab: str | None = "t-1", id_: str | None = None) -> str:
        """Type into the box; gives the prompt's id."""
        self._typed += 1
        prompt_id = id_ or f"typed-{self._typed}"
        params = {"promptId": prompt_id, "text": text}
        if tab is not None:
            params["tabId"] = tab
        self.bridge.tell(self.tab, "aagm.prompt", params)
        return prompt_id

    def tabs(self) -> dict[str, dict[str, Any]]:
        """Give the tabs as the box has them now."""
        self.clock.advance(0.06)
        tabs = self.tab.told_of("aagm.tabs")[-1]["tabs"]
        return {tab["id"]: tab for tab in tabs}

    def said(self) -> list[str]:
        """List what the relay itself said in the box."""
        return [
            params["text"]
            for params in self.tab.told_of("aagm.reply")
            if params.get("system")
        ]

    def _tool(self, name: str) -> Tool:
        async def run(call: Call) -> Any:
            given = self.work(call)
            return await given if isinstance(given, Deferred) else given

        schema = {"type": "object", "properties": {}, "additionalProperties": False}
        return Tool(name, "Work.", schema, run, read_only=False)


@pytest.fixture(params=[KIMI, GROK], ids=["kimi", "grok"])
def world(request: pytest.FixtureRequest) -> World:
    """A chat of each member in turn."""
    return World(request.param)


@pytest.fixture
def kimi() -> World:
    """AAGM-K's chat."""
    return World(KIMI)


@pytest.fixture
def grok() -> World:
    """AAGM-G's chat."""
    return World(GROK)
