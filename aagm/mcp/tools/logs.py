"""``foundry_session_logs`` and ``foundry_read_session_log``: what happened, to read.

Source: PROTOCOL_FACTS 1.4; WIRE section 8.
"""

from __future__ import annotations

from aagm.errors import BadParams
from aagm.mcp.registry import Call, Tool
from aagm.relay.log_files import LogFiles
from aagm.wire.jsonrpc import Json

_NAME = {
    "type": "string",
    "minLength": 1,
    "description": "One of foundry_session_logs; the current by default.",
}
_TAIL = {
    "type": "integer",
    "minimum": 1,
    "maximum": 2000,
    "description": "Only the last so many lines.",
}
_CURSOR = {"type": "string", "description": "The cursor of the page before."}


def log_tools(logs: LogFiles) -> list[Tool]:
    """Make the tools that read *logs*."""

    async def listed(_call: Call) -> Json:
        return {"logs": logs.listed()}

    async def read(call: Call) -> Json:
        name, tail = call.arguments.get("name"), call.arguments.get("tail")
        cursor = call.arguments.get("cursor")
        if tail is not None and cursor is not None:
            raise BadParams(
                "tail and cursor exclude each other",
                fix="Give tail for the end, or cursor for the next page.",
            )
        page = logs.tail(name, tail) if tail else logs.page(name, cursor)
        answer = {"name": page.name, "text": page.text}
        return answer | ({"cursor": page.cursor} if page.cursor else {})

    return [
        Tool(
            name="foundry_session_logs",
            description="List the session logs, one a relay start, newest first.",
            schema={"type": "object", "properties": {}, "additionalProperties": False},
            run=listed,
            read_only=True,
        ),
        Tool(
            name="foundry_read_session_log",
            description=(
                "Read a session log, page by page: prompts, replies, calls, writes and"
                " errors with their times."
            ),
            schema={
                "type": "object",
                "properties": {"name": _NAME, "tail": _TAIL, "cursor": _CURSOR},
                "additionalProperties": False,
            },
            run=read,
            read_only=True,
        ),
    ]
