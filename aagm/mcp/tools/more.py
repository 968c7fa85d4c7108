"""``foundry_more``: the rest of a long answer, the result of a running write."""

from __future__ import annotations

from aagm.mcp.answers import Answers
from aagm.mcp.registry import Call, Tool
from aagm.wire.jsonrpc import Json


def more_tools(answers: Answers) -> list[Tool]:
    """Make the tool that reads what *answers* keeps."""

    async def more(call: Call) -> Json:
        return await answers.more(call.arguments["cursor"], call.caller)

    return [
        Tool(
            name="foundry_more",
            description=(
                "Continue an answer that gave a cursor. After truncated:true it gives"
                " the next part, and a new cursor while there is more."
                " After running:true it waits up to 25 seconds for the result, then"
                " says running:true again. A cursor is good for ten minutes."
            ),
            schema={
                "type": "object",
                "properties": {
                    "cursor": {
                        "type": "string",
                        "maxLength": 60,
                        "description": "Of the answer to continue.",
                    }
                },
                "required": ["cursor"],
                "additionalProperties": False,
            },
            run=more,
            read_only=True,
        )
    ]
