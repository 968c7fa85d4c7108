"""Tool calls in any revision of MCP over a socket that can be cut at any moment."""

from __future__ import annotations

import json
import socket
import struct
from typing import Any

from attrs import define, field
from raw_socket import PATIENCE

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = "2026-07-28"
REVISIONS = (*HANDSHAKE, MODERN)
_PREFIX = "io.modelcontextprotocol/"
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER: hang up with a reset


@define(eq=False)
class RawClient:
    """A client of one revision; in the handshake era it shakes hands first."""

    port: int
    revision: str
    session: str | None = field(default=None, init=False)
    _opened: list[socket.socket] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        """Shake hands, in an era that does."""
        if self.revision == MODERN:
            return
        hello = {
            "protocolVersion": self.revision,
            "capabilities": {},
            "clientInfo": {"name": "raw", "version": "1"},
        }
        head, body = self._post("initialize", hello, 1).read()
        assert json.loads(body)["result"]["protocolVersion"] == self.revision
        for line in head.split("\r\n"):
            name, _, value = line.partition(": ")
            if name.lower() == "mcp-session-id":
                self.session = value
        self._post("notifications/initialized", {}, None).read()

    def close(self) -> None:
        """Hang up everything."""
        for each in self._opened:
            each.close()

    def call(self, id_: int, tool: str, **arguments: Any) -> RawCall:
        """Send a call and do not wait."""
        params: dict[str, Any] = {"name": tool, "arguments": arguments}
        return self._post("tools/call", params, id_)

    def cancel(self, id_: int) -> None:
        """Say that a call is not wanted any more."""
        head, _ = self._post("notifications/cancelled", {"requestId": id_}, None).read()
        assert " 202 " in head.partition("\r\n")[0]

    def _post(self, method: str, params: dict[str, Any], id_: int | None) -> RawCall:
        headers = {
            "Host": f"127.0.0.1:{self.port}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        if self.revision == MODERN:
            envelope = {"protocolVersion": MODERN, "clientCapabilities": {}}
            meta = {_PREFIX + name: value for name, value in envelope.items()}
            params = {**params, "_meta": meta}
            headers |= {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
            headers |= {"Mcp-Name": params["name"]}
        elif self.session is not None:
            headers |= {"MCP-Protocol-Version": self.revision}
            headers |= {"Mcp-Session-Id": self.session}
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        body = json.dumps(message if id_ is None else {**message, "id": id_}).encode()
        headers["Content-Length"] = str(len(body))
        lines = [f"{name}: {value}" for name, value in headers.items()]
        head = "\r\n".join(["POST /mcp HTTP/1.1", *lines, "", ""])
        sock = socket.create_connection(("127.0.0.1", self.port), PATIENCE)
        self._opened.append(sock)
        sock.sendall(head.encode() + body)
        return RawCall(sock)


@define(eq=False)
class RawCall:
    """A request on a connection of its own."""

    socket: socket.socket

    def read(self) -> tuple[str, bytes]:
        """Wait for the whole answer; its head and its body."""
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, body = data.partition(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0])
        while len(body) < length:
            body += self._more()
        return head.decode(), body

    def message(self) -> dict[str, Any]:
        """Wait for the answer; its JSON-RPC message."""
        message: dict[str, Any] = json.loads(self.read()[1])
        return message

    def answer(self) -> dict[str, Any]:
        """Wait for the answer; the JSON that the tool gave."""
        content = self.message()["result"]["content"]
        answer: dict[str, Any] = json.loads(content[0]["text"])
        return answer

    def until_there(self) -> None:
        """Wait until an answer begins to arrive, and leave it unread."""
        assert self.socket.recv(1, socket.MSG_PEEK)

    def reset(self) -> None:
        """Hang up as a crashed machine does."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self.socket.close()

    def close(self) -> None:
        """Hang up in order."""
        self.socket.close()

    def _more(self) -> bytes:
        data = self.socket.recv(65536)
        assert data, "the connection ended before its answer"
        return data
