"""The tools of a listener: get prompts, reply, say what goes on, switch the mode.

Source: PROTOCOL_FACTS section 1.4; WIRE section 6.
"""

from __future__ import annotations

from typing import Any

from attrs import evolve

from aagm.limits import HELD
from aagm.mcp.registry import Call, Tool
from aagm.relay.chat.dispatch import Dispatch
from aagm.relay.chat.gate import Gate
from aagm.relay.chat.tab import MAX_LINE
from aagm.wire.jsonrpc import Json

WAIT = 25  # seconds that a poll waits unless asked otherwise
LONGEST_WAIT = int(HELD)  # seconds
MOST_AGENTS = 1000  # that one status may speak of
LONGEST_STATUS = 200  # characters: it is one line above the box

_LISTENER = {
    "type": "string",
    "minLength": 4,
    "description": "An id you made up; the same in every call.",
}
_TAB = {
    "type": "string",
    "minLength": 1,
    "description": "The prompt's tabId.",
}


def chat_tools(dispatch: Dispatch) -> list[Tool]:
    """Make the five tools."""
    return [
        _get_prompts(dispatch),
        _get_interrupts(dispatch),
        _send_reply(dispatch),
        _set_status(dispatch),
        _set_interaction_mode(dispatch),
    ]


def gated(tools: list[Tool], gate: Gate) -> list[Tool]:
    """Let each call of *tools* pass *gate* first, and count it while it runs."""
    return [_gated(tool, gate) for tool in tools]


def _gated(tool: Tool, gate: Gate) -> Tool:
    async def run(call: Call) -> Json:
        if (instead := gate.enter(call, call.arguments.get("tabId"))) is not None:
            return instead
        with gate.running():
            return await tool.run(call)

    return evolve(tool, run=run)


def _get_prompts(dispatch: Dispatch) -> Tool:
    async def run(call: Call) -> Json:
        seconds = call.arguments.get("waitSeconds", WAIT)
        return await dispatch.poll(call, call.arguments["listenerId"], seconds)

    return Tool(
        name="foundry_get_prompts",
        description=(
            "Wait for what the game master types in Foundry's chat box and take it. "
            "Call it again at once after each answer. Stop when terminate or hold is "
            "true, or when another listener is there (error -33005). One listener at a "
            "time; the prompt 'listen' of this server says how to be one."
        ),
        schema=_schema(
            {
                "listenerId": _LISTENER,
                "waitSeconds": {
                    "type": "number",
                    "minimum": 0,
                    "maximum": LONGEST_WAIT,
                    "description": f"How long to wait; {WAIT} by default.",
                },
            },
            "listenerId",
        ),
        run=run,
        read_only=False,
    )


def _get_interrupts(dispatch: Dispatch) -> Tool:
    async def run(call: Call) -> Json:
        listener, tab = call.arguments["listenerId"], call.arguments["tabId"]
        return dispatch.interrupts(call, listener, tab)

    return Tool(
        name="foundry_get_interrupts",
        description=(
            "Take what the game master typed in one tab while you work on it, without "
            "waiting. What it gives is not given again by foundry_get_prompts."
        ),
        schema=_schema({"listenerId": _LISTENER, "tabId": _TAB}, "listenerId", "tabId"),
        run=run,
        read_only=False,
    )


def _send_reply(dispatch: Dispatch) -> Tool:
    async def run(call: Call) -> Json:
        given = call.arguments
        return dispatch.reply(
            given["text"],
            prompt=given.get("promptId"),
            tab=given.get("tabId"),
            final=given.get("final", True),
        )

    return Tool(
        name="foundry_send_reply",
        description=(
            "Show a reply to the game master in the chat box. final: false for "
            "progress, the last reply of a task without it. delivered: false means "
            "that nobody saw it now."
        ),
        schema=_schema(
            {
                "text": {
                    "type": "string",
                    "description": f"What to show, {MAX_LINE} characters at most.",
                },
                "promptId": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The prompt it answers.",
                },
                "tabId": {**_TAB, "description": "Its tab; the first by default."},
                "final": {
                    "type": "boolean",
                    "description": "Whether the task is done; true by default.",
                },
            },
            "text",
        ),
        run=run,
        read_only=False,
    )


def _set_status(dispatch: Dispatch) -> Tool:
    async def run(call: Call) -> Json:
        given = call.arguments
        return dispatch.set_status(
            given.get("text"), given.get("count"), clear=given.get("clear", False)
        )

    return Tool(
        name="foundry_set_status",
        description=(
            "Show in the chat box that agents work in the background, on what and how "
            "many; clear: true takes it away. Refused while multitasking is off."
        ),
        schema=_schema(
            {
                "text": {
                    "type": "string",
                    "maxLength": LONGEST_STATUS,
                    "description": "What is worked on.",
                },
                "count": {
                    "type": "integer",
                    "minimum": 0,
                    "maximum": MOST_AGENTS,
                    "description": "How many agents work; 1 by default.",
                },
                "clear": {"type": "boolean", "description": "Take it away."},
            }
        ),
        run=run,
        read_only=False,
        idempotent=True,
    )


def _set_interaction_mode(dispatch: Dispatch) -> Tool:
    async def run(call: Call) -> Json:
        return dispatch.set_mode(call.arguments["mode"])

    return Tool(
        name="foundry_set_interaction_mode",
        description=(
            "Switch who drives: internal is the chat box inside Foundry, external an "
            "agent that the game master talks to outside it."
        ),
        schema=_schema(
            {
                "mode": {
                    "type": "string",
                    "enum": ["internal", "external"],
                    "description": "Who drives from now on.",
                }
            },
            "mode",
        ),
        run=run,
        read_only=False,
        idempotent=True,
    )


def _schema(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }
