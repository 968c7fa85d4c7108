"""Measure "prompt typed" to "listener's poll answered", against a bare floor.

``python -m tests.bench_chat [prompts]`` prints p50 and p99 over so many prompts through
a real relay, a real WebSocket and a real HTTP long poll, and the CPU time that the
server spent on each. The floor, in the same run, is a WebSocket that answers a bare
long poll of twisted.web. Then 64 polls wait for 30 s, and what that took the relay is
printed. A busy machine is slow by itself: trust CPU time and ratios then.
"""

from __future__ import annotations

import base64
import json
import os
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define, field, frozen

HERE = Path(__file__).resolve()
PROMPTS = 1000
WARM = 50
POLLS = 64
QUIET = 30.0  # seconds that they wait
PATIENCE = 60
TEXT, PING, PONG = 0x81, 0x89, 0x8A  # first bytes of whole WebSocket frames
HELLO = {
    "protocol": 3,
    "features": ["prompt-ack"],
    "tabInstance": "0123456789abcdef",
    "userId": "Gamemaster000000",
    "userName": "Gamemaster",
    "isGM": True,
    "worldId": "sunken-inn",
    "foundryVersion": "12.343",
    "moduleVersion": "3.0.0",
    "settings": {},
}


@frozen
class Measured:
    """What a run came to."""

    took: list[float]  # seconds, one a prompt
    cpu: float  # seconds of the server, for all prompts

    @property
    def p50(self) -> float:
        """Milliseconds."""
        return statistics.median(self.took) * 1000

    @property
    def p99(self) -> float:
        """Milliseconds."""
        return statistics.quantiles(self.took, n=100)[98] * 1000

    @property
    def cpu_each(self) -> float:
        """Milliseconds of CPU for one prompt."""
        return self.cpu / len(self.took) * 1000


@define(eq=False)
class Page:
    """A tab's WebSocket, as few lines as will do."""

    port: int
    _socket: socket.socket = field(init=False)
    _rest: bytes = b""

    def __attrs_post_init__(self) -> None:
        """Connect."""
        self._socket = dial(self.port)
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [
            "GET / HTTP/1.1",
            f"Host: 127.0.0.1:{self.port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            "Origin: http://localhost:30000",
        ]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        while b"\r\n\r\n" not in self._rest:
            self._rest += self._socket.recv(65536)
        self._rest = self._rest.partition(b"\r\n\r\n")[2]

    def say(self, method: str, params: dict[str, object], **more: object) -> None:
        """Send a message."""
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        self._send(TEXT, json.dumps(message).encode())

    def settle(self) -> None:
        """Ask for a sign of life: what was sent before has been read."""
        self._send(PING, b"there?")
        while self._hear() != PONG:
            pass

    def hello(self) -> None:
        """Be accepted."""
        self.say("hello", HELLO, id=1)
        self._hear()

    def close(self) -> None:
        """Hang up."""
        self._socket.close()

    def _send(self, kind: int, payload: bytes) -> None:
        size = len(payload)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + size.to_bytes(2)
        # A mask of zeros is a mask too.
        self._socket.sendall(bytes([kind]) + length + bytes(4) + payload)

    def _hear(self) -> int:
        """Wait for a frame; its kind."""
        head = self._take(2)
        size = head[1]
        if size > 125:
            size = int.from_bytes(self._take(2 if size == 126 else 8))
        self._take(size)
        return head[0]

    def _take(self, count: int) -> bytes:
        while len(self._rest) < count:
            self._rest += self._socket.recv(65536)
        taken, self._rest = self._rest[:count], self._rest[count:]
        return taken


@define(eq=False)
class Poller:
    """A listener's connection, kept alive."""

    port: int
    socket: socket.socket = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Connect."""
        self.socket = dial(self.port)

    def poll(self, wait: float = 50) -> None:
        """Begin a poll."""
        arguments = {"listenerId": "bench", "waitSeconds": wait}
        params = {"name": "foundry_get_prompts", "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        body = json.dumps(message).encode()
        head = (
            f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            "Content-Type: application/json\r\n"
            "Accept: application/json, text/event-stream\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        self.socket.sendall(head.encode() + body)

    def answer(self) -> bytes:
        """Wait for the answer's body."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self.socket.recv(65536)
        head, _, body = data.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        while len(body) < length:
            body += self.socket.recv(65536)
        return body


def dial(port: int) -> socket.socket:
    """Connect to a port of this machine."""
    connected = socket.create_connection(("127.0.0.1", port), PATIENCE)
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connected


def measure(pid: int, page: Page, poller: Poller, prompts: int) -> Measured:
    """Type prompts one by one, each into a poll that waits."""
    took = []
    cpu = 0.0
    for number in range(-WARM, prompts):
        if number == 0:
            cpu = cpu_of(pid)
        poller.poll()
        page.settle()
        text = f"prompt {number} of the bench"
        params = {"promptId": f"p-{number}", "text": text, "tabId": "t-1"}
        began = time.perf_counter()
        page.say("aagm.prompt", params)
        body = poller.answer()
        if number >= 0:
            took.append(time.perf_counter() - began)
        if text.encode() not in body:
            raise SystemExit(f"a wrong answer to {text}: {body!r}")
    return Measured(took, cpu_of(pid) - cpu)


def measure_waiting(pid: int, page: Page, port: int, seconds: float) -> float:
    """Let polls wait; the seconds of CPU that it took."""
    pollers = [Poller(port) for _ in range(POLLS)]
    selector = selectors.DefaultSelector()
    for each in pollers:
        each.poll()
        selector.register(each.socket, selectors.EVENT_READ)
    page.settle()
    before, until = cpu_of(pid), time.monotonic() + seconds
    while (rest := until - time.monotonic()) > 0:
        for key, _ in selector.select(rest):
            key.fileobj.recv(65536)  # type: ignore[union-attr] # a sign of life
    spent = cpu_of(pid) - before
    for each in pollers:
        each.socket.close()
    return spent


def cpu_of(pid: int) -> float:
    """Give the seconds of CPU that a process has used."""
    threads = Path(f"/proc/{pid}/task").glob("*/schedstat")
    return sum(int(each.read_text().split()[0]) for each in threads) / 1e9


@contextmanager
def relay() -> Iterator[tuple[int, int, int]]:
    """Run a relay; its pid and ports."""
    sys.path.insert(0, str(HERE.parent / "e2e" / "drivers"))
    from relay_process import RelayProcess  # noqa: PLC0415 - lies beside other drivers

    with tempfile.TemporaryDirectory() as folder:
        running = RelayProcess(Path(folder), ("--pairing", "off")).start()
        try:
            yield running.pid, running.bridge_port, running.mcp_port
        finally:
            running.close()


@contextmanager
def floor() -> Iterator[tuple[int, int, int]]:
    """Run the floor; its pid and ports."""
    command = [sys.executable, str(HERE), "serve"]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as server:
        try:
            bridge, mcp = server.stdout.readline().split()  # type: ignore[union-attr]
            yield server.pid, int(bridge), int(mcp)
        finally:
            server.kill()


def serve() -> None:
    """Be the floor: each frame answers the poll that waits; prints the ports."""
    from autobahn.twisted.websocket import (  # noqa: PLC0415 - the floor's alone
        WebSocketServerFactory,
        WebSocketServerProtocol,
    )
    from twisted.internet import reactor  # noqa: PLC0415
    from twisted.web.resource import Resource  # noqa: PLC0415
    from twisted.web.server import NOT_DONE_YET, Site  # noqa: PLC0415

    waiting = []

    class Poll(Resource):
        isLeaf = True  # noqa: N815

        def render_POST(self, request):  # noqa: N802
            json.loads(request.content.read())
            waiting.append(request)
            return NOT_DONE_YET

    class Typed(WebSocketServerProtocol):
        def onMessage(self, payload, isBinary):  # noqa: N802, N803
            text = json.loads(payload)["params"]["text"]
            request = waiting.pop()
            answer = json.dumps({"prompts": [{"text": text}]}).encode()
            request.setHeader(b"content-length", b"%d" % len(answer))
            request.write(answer)
            request.finish()

    factory = WebSocketServerFactory()
    factory.protocol = Typed
    site = Site(Poll())
    site.log = lambda _request: None
    ports = [
        reactor.listenTCP(0, each, interface="127.0.0.1") for each in (factory, site)
    ]
    sys.stdout.write(" ".join(str(port.getHost().port) for port in ports) + "\n")
    sys.stdout.flush()
    reactor.run()


def run(server: tuple[int, int, int], prompts: int, *, says_hello: bool) -> Measured:
    """Measure one server."""
    pid, bridge, mcp = server
    page, poller = Page(bridge), Poller(mcp)
    try:
        if says_hello:
            page.hello()
        return measure(pid, page, poller, prompts)
    finally:
        poller.socket.close()
        page.close()


def main() -> None:
    """Measure both and print a table."""
    if sys.argv[1:2] == ["serve"]:
        serve()
        return
    prompts = int(sys.argv[1]) if len(sys.argv) > 1 else PROMPTS
    with floor() as server:
        bare = run(server, prompts, says_hello=False)
    with relay() as server:
        ours = run(server, prompts, says_hello=True)
        page = Page(server[1])
        page.hello()
        spent = measure_waiting(server[0], page, server[2], QUIET)
        page.close()
    for name, seen in (("floor", bare), ("relay", ours)):
        sys.stdout.write(
            f"{name}  p50 {seen.p50:.2f} ms (x{seen.p50 / bare.p50:.1f})"
            f"  p99 {seen.p99:.2f} ms (x{seen.p99 / bare.p99:.1f})"
            f"  CPU {seen.cpu_each:.2f} ms a prompt, {prompts} prompts\n"
        )
    sys.stdout.write(f"{POLLS} polls waited {QUIET:g} s for {spent:.3f} s of CPU\n")


if __name__ == "__main__":
    main()
