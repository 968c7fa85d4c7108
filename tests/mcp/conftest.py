"""An MCP port in memory: bytes in, bytes out, time as the test says."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from http.client import HTTPResponse
from io import BytesIO
from typing import Any

import pytest
from attrs import define, field, frozen
from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone, ConnectionLost
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport
from twisted.logger import globalLogPublisher
from twisted.python.failure import Failure

from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.channel import LoopbackSite
from aagm.mcp.health import Connection
from aagm.mcp.prompts import Prompt
from aagm.mcp.registry import Call, Registry, Tool
from aagm.mcp.site import mcp_site
from aagm.members import KIMI
from aagm.testing import FakeBridge

MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"
NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


@frozen
class Reply:
    """One HTTP answer."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Read the body as JSON."""
        assert self.headers["content-type"] == "application/json"
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """Read the body as a stream of events; comments are passed over."""
        assert self.headers["content-type"] == "text/event-stream"
        lines = self.body.decode().split("\r\n")
        return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]

    @property
    def answer(self) -> Any:
        """Read what the tool answered."""
        content = self.json["result"]["content"]
        assert [each["type"] for each in content] == ["text"]
        return json.loads(content[0]["text"])


@define(eq=False)
class Line:
    """One connection of a client."""

    protocol: Any
    transport: StringTransport

    def send(self, data: bytes) -> Line:
        """Send bytes as they are."""
        self.protocol.dataReceived(data)
        return self

    def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str | None
    ) -> Line:
        """Send an HTTP request; a header given as None is left out."""
        lines = {"Host": "127.0.0.1:7899", "Content-Length": str(len(body))}
        lines |= {
            name.replace("_", "-").title(): value for name, value in headers.items()
        }
        head = "".join(f"{k}: {v}\r\n" for k, v in lines.items() if v is not None)
        request = f"{method} {path} HTTP/1.1\r\n{head}\r\n"
        return self.send(request.encode("latin-1") + body)

    def post(self, message: Any, **headers: str | None) -> Line:
        """POST a message to /mcp."""
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        kinds = {
            "content_type": "application/json",
            "accept": "application/json, text/event-stream",
        }
        return self.ask("POST", "/mcp", body, **(kinds | headers))

    def request(
        self, method: str, params: Any = None, id_: Any = 1, **headers: str | None
    ) -> Line:
        """POST a request as a client of the handshake era does."""
        message = {"jsonrpc": "2.0", "id": id_, "method": method}
        return self.post(
            message | ({} if params is None else {"params": params}), **headers
        )

    def modern(
        self,
        method: str,
        params: dict[str, Any] | None = None,
        meta: dict[str, Any] | None = None,
        **headers: str | None,
    ) -> Line:
        """POST a request as a client of the modern era does."""
        envelope = {
            f"{PREFIX}protocolVersion": MODERN,
            f"{PREFIX}clientCapabilities": {},
        }
        params = {**(params or {}), "_meta": envelope | (meta or {})}
        repeated = {"mcp_protocol_version": MODERN, "mcp_method": method}
        if "name" in params:
            repeated["mcp_name"] = params["name"]
        return self.request(method, params, **(repeated | headers))

    def call(self, tool: str, arguments: Any = None, **headers: str | None) -> Line:
        """POST a tool call as a client of the handshake era does."""
        params = {"name": tool, "arguments": arguments or {}}
        return self.request("tools/call", params, **headers)

    @property
    def written(self) -> bytes:
        """What came back so far."""
        return self.transport.value()

    @property
    def replies(self) -> list[Reply]:
        """Parse all answers; they must be whole."""
        stream = BytesIO(self.written)
        replies = []
        while stream.tell() < len(self.written):
            response = HTTPResponse(_Source(stream))
            response.begin()
            headers = {name.lower(): value for name, value in response.getheaders()}
            replies.append(Reply(response.status, headers, response.read()))
        return replies

    @property
    def reply(self) -> Reply:
        """Give the newest answer."""
        return self.replies[-1]

    def hang_up(self) -> None:
        """Close the connection in order."""
        self.protocol.connectionLost(Failure(ConnectionDone()))

    def reset(self) -> None:
        """Reset the connection."""
        self.protocol.connectionLost(Failure(ConnectionLost()))


class _Source:
    """What `HTTPResponse` wants of a socket."""

    def __init__(self, stream: BytesIO) -> None:
        self.stream = stream

    def makefile(self, _mode: str) -> Any:
        """Give the stream, which must stay open for the next answer."""
        return _Shared(self.stream)


class _Shared:
    """The stream, not closed by a reader."""

    def __init__(self, stream: BytesIO) -> None:
        self.read, self.readline = stream.read, stream.readline
        self.readinto, self.read1 = stream.readinto, stream.read1

    def flush(self) -> None:
        """Nothing to flush."""

    def close(self) -> None:
        """Stay open."""


@define(eq=False)
class Relay:
    """The MCP port with a clock and a bridge in memory."""

    clock: Clock
    bridge: FakeBridge
    answers: Answers
    connection: Connection
    site: LoopbackSite
    lines: list[Line] = field(factory=list)

    @property
    def port(self) -> Any:
        """The root resource."""
        return self.site.resource

    @property
    def calls(self) -> Any:
        """What is being answered."""
        return self.port.endpoint._calls

    @property
    def sessions(self) -> Any:
        """The sessions."""
        return self.port.endpoint._sessions

    def line(self, peer: str = "127.0.0.1") -> Line:
        """Connect a client."""
        here = IPv4Address("TCP", "127.0.0.1", 7899)
        there = IPv4Address("TCP", peer, 50000)
        protocol = self.site.buildProtocol(there)
        transport = StringTransport(hostAddress=here, peerAddress=there)
        protocol.makeConnection(transport)
        self.lines.append(Line(protocol, transport))
        return self.lines[-1]

    def session(self, revision: str = "2025-11-25") -> str:
        """Shake hands and give the session's id."""
        reply = self.line().request("initialize", hello(revision)).reply
        return reply.headers["mcp-session-id"]


def hello(revision: str) -> dict[str, Any]:
    """Write the params of ``initialize``."""
    client = {"name": "test", "version": "0"}
    return {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}


Build = Callable[..., Relay]


@pytest.fixture
def build() -> Iterable[Build]:
    """Make an MCP port; at the end it must leave no timer behind."""
    built: list[Relay] = []

    def build(
        tools: Iterable[Tool] | Callable[[Answers], Iterable[Tool]] = (),
        **options: Any,
    ) -> Relay:
        clock = Clock()
        bridge, answers = FakeBridge(clock), Answers(clock)
        tools = tools(answers) if callable(tools) else tools
        connection = Connection(clock, bridge, KIMI, "1.2.3")
        prompts = [Prompt("listen", "Listen to the GM.", lambda _given: "Listen.")]
        options = {"prompts": prompts, **options}
        site = mcp_site(
            clock,
            registry=Registry(tools, answers),
            answers=answers,
            connection=connection,
            **options,
        )
        site.doStart()
        built.append(Relay(clock, bridge, answers, connection, site))
        return built[-1]

    yield build
    for relay in built:
        relay.site.doStop()
        for line in relay.lines:
            line.hang_up()
        assert relay.clock.getDelayedCalls() == []


@pytest.fixture
def captured() -> Iterable[list[dict[str, Any]]]:
    """The failures that are logged meanwhile."""
    events: list[dict[str, Any]] = []

    def keep(event: dict[str, Any]) -> None:
        if "log_failure" in event:
            events.append(event)

    globalLogPublisher.addObserver(keep)
    yield events
    globalLogPublisher.removeObserver(keep)


@pytest.fixture
def call() -> Callable[..., list[Any]]:
    """Call one of some tools; gives a list that will hold what it answers."""

    def call(tools: Iterable[Tool], name: str, arguments: Any = None) -> list[Any]:
        registry = Registry(tools, Answers(Clock()))
        seen: list[Any] = []
        calling = registry.call(name, arguments or {}, Caller("session"))
        answer = Deferred.fromCoroutine(calling)
        answer.addCallback(lambda result: result["content"][0]["text"])
        answer.addCallback(json.loads).addCallback(seen.append)
        return seen

    return call


@pytest.fixture
def tool() -> Callable[..., Tool]:
    """Make a tool of a function."""

    def tool(
        run: Callable[[Call], Any], name: str = "do", schema: Any = None, **rest: Any
    ) -> Tool:
        options = {"description": f"Test {name}.", "read_only": True, **rest}
        return Tool(name=name, schema=schema or NO_ARGUMENTS, run=run, **options)

    return tool
