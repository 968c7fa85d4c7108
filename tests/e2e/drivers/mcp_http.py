"""A client of few words for many calls: one connection, one call at a time."""

from __future__ import annotations

import http.client
import json
from typing import Any

from attrs import define, field
from raw_socket import PATIENCE, call

_HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@define(eq=False)
class McpHttp:
    """Call tools as a client of the handshake era does, without a session."""

    port: int
    _connection: http.client.HTTPConnection = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Connect at the first call."""
        self._connection = http.client.HTTPConnection(
            "127.0.0.1", self.port, timeout=PATIENCE
        )

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool; the JSON of its answer, which must be no error."""
        self._connection.request("POST", "/mcp", call(tool, **arguments), _HEADERS)
        message = json.loads(self._connection.getresponse().read())
        result = message["result"]
        assert result["isError"] is False, result
        return json.loads(result["content"][0]["text"])

    def close(self) -> None:
        """Hang up."""
        self._connection.close()
