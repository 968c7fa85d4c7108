"""Measure the MCP port against bare twisted.web, in one run.

``python -m tests.bench_mcp [calls]`` prints for each server and era: p50 and p99 at one
caller, calls a second and p99 at sixteen, and how much the server's memory grew. The
floor answers canned JSON; the difference is what MCP costs. Trust the ratios only.
"""

from __future__ import annotations

import json
import os
import selectors
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from attrs import define, field
from twisted.internet import reactor
from twisted.web.resource import Resource
from twisted.web.server import Site

from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.registry import Registry
from aagm.mcp.site import mcp_site
from aagm.mcp.tools.queries import query_tools
from aagm.members import KIMI

ROOT = Path(__file__).resolve().parents[1]
WARM = 200
CALLERS = 16
ACTOR = {"name": "Goblin", "system": {"attributes": {"hp": {"value": 7, "max": 7}}}}
HEAD = (
    "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    "Accept: application/json, text/event-stream\r\n"
)
MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"


def request(era: str, number: int) -> bytes:
    """Write one call of foundry_query_actor."""
    params: dict[str, object] = {
        "name": "foundry_query_actor",
        "arguments": {"actorId": f"actor{number}"},
    }
    head = HEAD
    if era == "modern":
        params["_meta"] = {
            f"{PREFIX}protocolVersion": MODERN,
            f"{PREFIX}clientCapabilities": {},
        }
        head += (
            f"MCP-Protocol-Version: {MODERN}\r\nMcp-Method: tools/call\r\n"
            "Mcp-Name: foundry_query_actor\r\n"
        )
    message = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    body = json.dumps(message).encode()
    return f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body


@define(eq=False)
class Caller:
    """One keep-alive connection with one call in flight."""

    client: socket.socket
    numbers: Iterator[int]
    era: str
    took: list[float] = field(factory=list)  # seconds
    _began: float = 0.0
    _number: int = 0
    _answer: bytes = b""

    def send(self) -> bool:
        """Send the next call; False when there is none."""
        number = next(self.numbers, None)
        if number is None:
            return False
        self._number, self._answer = number, b""
        frame = request(self.era, number)
        self._began = time.perf_counter()
        self.client.sendall(frame)
        return True

    def receive(self) -> bool:
        """Read what came; True when the answer is whole, which is then checked."""
        self._answer += self.client.recv(65536)
        head, found, body = self._answer.partition(b"\r\n\r\n")
        length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
        if not found or len(body) < int(length):
            return False
        self.took.append(time.perf_counter() - self._began)
        if f'actor{self._number}\\"'.encode() not in body:
            raise SystemExit(f"a wrong answer to call {self._number}: {body!r}")
        return True


def load(port: int, era: str, callers: int, calls: int) -> tuple[list[float], float]:
    """Make *calls* with *callers* at once; give the times of each, and the whole."""
    numbers = iter(range(calls))
    selector = selectors.DefaultSelector()
    all_callers = []
    for _ in range(callers):
        client = socket.create_connection(("127.0.0.1", port))
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        caller = Caller(client, numbers, era)
        all_callers.append(caller)
        selector.register(client, selectors.EVENT_READ, caller)
    began = time.perf_counter()
    waiting = sum(caller.send() for caller in all_callers)
    while waiting:
        for key, _ in selector.select():
            if key.data.receive() and not key.data.send():
                waiting -= 1
    whole = time.perf_counter() - began
    for caller in all_callers:
        caller.client.close()
    return [each for caller in all_callers for each in caller.took], whole


def resident(pid: int) -> float:
    """Give the memory of a process in MB."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def measure(kind: str, era: str, calls: int) -> dict[str, float]:
    """Start a server and measure it; a fresh process each time."""
    command = [sys.executable, "-m", "tests.bench_mcp", "serve", kind]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as server:
        try:
            port = int(server.stdout.readline())  # type: ignore[union-attr]
            load(port, era, CALLERS, WARM)
            before = resident(server.pid)
            alone, _ = load(port, era, 1, calls)
            crowd, whole = load(port, era, CALLERS, calls * 2)
            after = resident(server.pid)
        finally:
            server.kill()
    return {
        "p50": statistics.median(alone) * 1000,
        "p99": statistics.quantiles(alone, n=100)[98] * 1000,
        "rate": calls * 2 / whole,
        "p99_crowd": statistics.quantiles(crowd, n=100)[98] * 1000,
        "grew": after - before,
        "rss": after,
    }


class Canned(Resource):
    """Answer with JSON made by hand."""

    isLeaf = True  # noqa: N815

    def render_POST(self, request):  # noqa: N802
        """Answer one call."""
        message = json.loads(request.content.read())
        arguments = message["params"]["arguments"]
        text = json.dumps({**arguments, "data": ACTOR})
        result = {"content": [{"type": "text", "text": text}], "isError": False}
        request.setHeader(b"content-type", b"application/json")
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        return json.dumps(answer).encode()


class Bridge:
    """Answer at once, as the tab would."""

    owner = None

    async def call(self, _method, params, **_limits):
        """Answer one query."""
        return {**params, "data": ACTOR}


def serve(kind: str) -> None:
    """Be one of the servers; prints its port."""
    if kind == "floor":
        site = Site(Canned())
        site.log = lambda _request: None  # nor do we write an access log
    else:
        bridge, answers = Bridge(), Answers(reactor)
        site = mcp_site(
            reactor,
            registry=Registry(query_tools(bridge), answers),
            answers=answers,
            connection=Connection(reactor, bridge, KIMI, "0"),
        )
    port = reactor.listenTCP(0, site, interface="127.0.0.1")
    sys.stdout.write(f"{port.getHost().port}\n")
    sys.stdout.flush()
    reactor.run()


def main() -> None:
    """Measure all and print a table."""
    if sys.argv[1:2] == ["serve"]:
        serve(sys.argv[2])
        return
    calls = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    floor: dict[str, float] = {}
    for kind, era in (("floor", "handshake"), ("mcp", "handshake"), ("mcp", "modern")):
        seen = measure(kind, era, calls)
        floor = floor or seen
        sys.stdout.write(
            f"{kind:5} {era:9}"
            f"  p50 {seen['p50']:.3f} ms (x{seen['p50'] / floor['p50']:.2f})"
            f"  p99 {seen['p99']:.3f} ms"
            f"  {seen['rate']:.0f} calls/s (x{seen['rate'] / floor['rate']:.2f})"
            f"  p99 of {CALLERS} {seen['p99_crowd']:.1f} ms"
            f"  RSS {seen['rss']:.0f} MB, grew {seen['grew']:.1f} MB\n"
        )


if __name__ == "__main__":
    main()
