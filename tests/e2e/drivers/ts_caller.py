"""The official TypeScript MCP clients, called from ordinary test code.

``sdk`` is version 1, which most programs have; ``client`` is version 2, which speaks
the newest revision of the protocol.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field
from mcp_caller import ToolFailed

LINES = ("sdk", "client")
FOLDER = Path(__file__).parent.parent.parent / "mcp" / "conformance"


class ProtocolError(Exception):
    """The call failed as a JSON-RPC error."""

    def __init__(self, code: int, message: str) -> None:
        """Keep the error's code."""
        super().__init__(message)
        self.code = code


@define(eq=False)
class TsCaller:
    """One connected client, a process of its own."""

    _process: subprocess.Popen[str]
    revision: str = field(init=False)
    tools: list[str] = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Wait until it is connected."""
        hello = self._read()
        self.revision, self.tools = hello["revision"], hello["tools"]

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and give the JSON of its answer.

        Raises:
            ToolFailed: It answered isError.
            ProtocolError: It failed as a JSON-RPC error.
        """
        assert self._process.stdin is not None
        line = json.dumps({"id": 1, "tool": tool, "arguments": arguments})
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        answer = self._read()
        if "error" in answer:
            raise ProtocolError(**answer["error"])
        (block,) = answer["result"]["content"]
        value = json.loads(block["text"])
        if answer["result"].get("isError"):
            raise ToolFailed(value["error"])
        return value

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the client ended"
        return json.loads(line)


@contextmanager
def ts_caller(url: str, line: str) -> Iterator[TsCaller]:
    """Connect that line of the TypeScript SDK to *url*."""
    process = subprocess.Popen(
        ["node", str(FOLDER / "ts-client.mjs"), line, url],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield TsCaller(process)
    finally:
        process.kill()
        process.communicate()
