"""Tasks that a newcomer can send from the page, through the same door as an agent."""

from __future__ import annotations

from typing import Any

import treq
from attrs import frozen
from twisted.internet.error import ConnectError
from twisted.web.http_headers import Headers

from aagm.errors import BadParams, NoModule
from aagm.wire.jsonrpc import Json, dumps, loads

_HEADERS = Headers(
    {
        "Content-Type": ["application/json"],
        "Accept": ["application/json, text/event-stream"],
        "MCP-Protocol-Version": ["2025-11-25"],
    }
)


@frozen
class Task:
    """One thing to ask of the world: a button's text, and what an agent would send."""

    title: str
    code: str


TASKS = {
    "heal": Task(
        title="Give Marla the innkeeper 5 hit points",
        code="""\
const marla = game.actors.getName("Marla Tidewell");
const hp = foundry.utils.getProperty(marla, "system.resource");
await marla.update({ "system.resource.value": Math.min(hp.value + 5, hp.max) });
return { name: marla.name, hp: marla.system.resource };""",
    ),
}


@frozen
class Player:
    """Send tasks to the relay's MCP port as an MCP client does."""

    mcp_url: str

    async def play(self, name: str) -> Json:
        """Do one task and give the tool's answer.

        Raises:
            BadParams: There is no such task.
            NoModule: The relay does not answer.
        """
        if (task := TASKS.get(name)) is None:
            raise BadParams(f"the demo has no task {name!r}")
        arguments = {"code": task.code, "summary": task.title}
        try:
            response = await treq.post(
                self.mcp_url,
                persistent=False,
                data=dumps(_call("foundry_eval", arguments)),
                headers=_HEADERS,
            )
            answer = loads(await response.content())
        except ConnectError as e:
            raise NoModule("the relay does not answer") from e
        return _told(answer)


def _call(tool: str, arguments: dict[str, Any]) -> Json:
    params = {"name": tool, "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _told(answer: Json) -> Json:
    """Give the JSON that the tool answered with, its error included."""
    match answer:
        case {"result": {"content": [{"text": str(text)}]}}:
            return loads(text)
        case {"error": {"message": str(message)}}:
            return {"error": {"message": message}}
    return {"error": {"message": "the relay answered something unknown"}}
