"""WebSockets and HTTP as a stranger would speak them to the relay."""

from __future__ import annotations

import http.client
import itertools
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from attrs import define, field
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PATIENCE = 30  # seconds
PAGE = "http://localhost:30000"

HELLO = {
    "userId": "Gamemaster000000",
    "userName": "Gamemaster",
    "isGM": True,
    "worldId": "sunken-inn",
    "foundryVersion": "12.343",
    "moduleVersion": "2.0.0",
    "settings": {},
}


@define(eq=False)
class Tab:
    """A page that speaks JSON-RPC by hand."""

    socket: ClientConnection
    _ids: Iterator[int] = field(factory=lambda: itertools.count(1))

    def say(self, frame: Any) -> None:
        """Send one frame."""
        self.socket.send(frame if isinstance(frame, str) else json.dumps(frame))

    def hello(self, **changed: Any) -> dict[str, Any]:
        """Say hello; a member of None is left out. Gives the answer."""
        params = {k: v for k, v in (HELLO | changed).items() if v is not None}
        id_ = next(self._ids)
        self.say({"jsonrpc": "2.0", "id": id_, "method": "hello", "params": params})
        return self.hear()

    def hear(self) -> dict[str, Any]:
        """Wait for one frame."""
        return self.read(self.socket.recv(PATIENCE))

    @staticmethod
    def read(raw: str | bytes) -> dict[str, Any]:
        """Parse one frame."""
        frame: dict[str, Any] = json.loads(raw)
        return frame

    def closed(self) -> int:
        """Wait until the relay closes the socket; the close code."""
        with suppress(ConnectionClosed):
            while True:
                self.socket.recv(PATIENCE)
        assert self.socket.close_code is not None, "there was no close"
        return self.socket.close_code


@contextmanager
def tab(url: str, origin: str | None = PAGE, **more: Any) -> Iterator[Tab]:
    """Open a WebSocket as a page of *origin* does."""
    with connect(url, origin=origin, max_size=None, **more) as socket:
        yield Tab(socket)


def post(
    port: int, body: bytes, path: str = "/mcp", **headers: str
) -> tuple[int, dict[str, Any]]:
    """POST *body* to the MCP port; status and JSON of the answer.

    Header names are given with underscores; an empty value leaves the header out.
    """
    every = {
        "Host": f"127.0.0.1:{port}",
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
    } | {name.replace("_", "-"): value for name, value in headers.items()}
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.putrequest("POST", path, skip_host=True)
        for name, value in every.items():
            if value:
                connection.putheader(name, value)
        connection.putheader("Content-Length", str(len(body)))
        connection.endheaders()
        with suppress(BrokenPipeError, ConnectionResetError):
            connection.send(body)  # one past the limit is refused while it is sent
        response = connection.getresponse()
        return response.status, json.loads(response.read())
    finally:
        connection.close()


def call(tool: str, **arguments: Any) -> bytes:
    """Write a tools/call as a client of the handshake era does."""
    params = {"name": tool, "arguments": arguments}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(message).encode()
