"""A client of few words for many calls: one connection, one call at a time."""

from __future__ import annotations

import http.client
import json
import time
from typing import Any

from attrs import define, field
from raw_socket import PATIENCE, call

FRESH = 20.0  # seconds that an idle connection is used again
_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@define(eq=False)
class McpHttp:
    """Call tools as a client of the handshake era does, without a session."""

    port: int
    _used: float = field(default=0.0, init=False)  # seconds, monotonic
    _connection: http.client.HTTPConnection = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Connect at the first call."""
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE
        )

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool; the JSON of its answer, which must be no error."""
        if time.monotonic() - self._used > FRESH:
            self._connection.close()  # the relay closes idle connections, too
        self._connection.request("POST", "/mcp", call(tool, **arguments), _HEADERS)
        message = json.loads(self._connection.getresponse().read())
        self._used = time.monotonic()
        result = message["result"]
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
