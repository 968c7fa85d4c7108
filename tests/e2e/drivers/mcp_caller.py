"""The official Python MCP client, called from ordinary test code."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from attrs import define
from mcp import Client, MCPError

ERAS = ("legacy", "2026-07-28")


class ToolFailed(Exception):
    """The tool answered isError; the text is its JSON."""

    def __init__(self, error: dict[str, Any]) -> None:
        """Keep the error's members."""
        super().__init__(json.dumps(error))
        self.error = error


@define(eq=False)
class McpCaller:
    """One connected client; its loop runs in a thread of its own."""

    client: Client
    portal: BlockingPortal

    def call(self, tool: str, /, **arguments: Any) -> Any:
        """Call a tool and give the JSON of its answer.

        Raises:
            ToolFailed: It answered isError.
        """
        return read_answer(self.portal.call(self._call, tool, arguments))

    def send(self, tool: str, /, **arguments: Any) -> Future[Any]:
        """Call a tool and do not wait; `read_answer` reads what will have come."""
        return self.portal.start_task_soon(self._call, tool, arguments)

    def refused(self, tool: str, /, **arguments: Any) -> MCPError | None:
        """Call a tool; the protocol's error that it gives, if it gives one."""
        try:
            self.call(tool, **arguments)
        except MCPError as e:
            return e
        return None

    def raw(self, method: Callable[..., Any], *arguments: Any) -> Any:
        """Run one of the client's own coroutines."""
        return self.portal.call(method, *arguments)

    async def _call(self, tool: str, arguments: dict[str, Any]) -> Any:
        return await self.client.call_tool(tool, arguments)


def read_answer(result: Any) -> Any:
    """Give the JSON of a tool's answer.

    Raises:
        ToolFailed: It is an error.
    """
    (block,) = result.content
    value = json.loads(block.text)
    if result.is_error:
        raise ToolFailed(value["error"])
    return value


@contextmanager
def mcp_caller(url: str, era: str = "auto") -> Iterator[McpCaller]:
    """Connect to *url*, speaking that era of the protocol."""
    with start_blocking_portal() as portal:
        client = Client(url, mode=era)  # type: ignore[arg-type]
        failed: BaseException | None = None
        with portal.wrap_async_context_manager(client):
            try:
                yield McpCaller(client, portal)
            except BaseException as e:  # noqa: BLE001 - anyio would put it in a group
                failed = e
        if failed is not None:
            raise failed
