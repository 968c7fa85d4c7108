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
    "hurt": Task(
        title="The lodger bites: Ottar loses 7 hit points",
        code="""\
const ottar = game.actors.getName("Ottar Reed");
const { value } = ottar.system.resource;
await ottar.update({ "system.resource.value": Math.max(0, value - 7) });
return ottar.system.resource;""",
    ),
    "give": Task(
        title="Brunna hands her ladle of office to Old Pike",
        code="""\
const brunna = game.actors.getName("Brunna Saltcask");
const pike = game.actors.getName("Old Pike");
const ladle = brunna.items.getName("Ladle of office");
if (!ladle) return "Brunna has no ladle any more";
await pike.createEmbeddedDocuments("Item", [ladle.toObject()]);
await ladle.delete();
return pike.items.map((item) => item.name);""",
    ),
    "arrive": Task(
        title="A new guest arrives with a dripping lantern",
        code="""\
const guest = await Actor.create({
  name: "Sister Quill",
  type: "character",
  system: { resource: { value: 19, max: 19 } },
  items: [{ name: "Dripping lantern", type: "gear" }],
});
return `${guest.name} is here`;""",
    ),
    "leave": Task(
        title="The cellar rat is gone for good",
        code="""\
const rat = game.actors.getName("Cellar Rat");
if (!rat) return "there is no rat any more";
await rat.delete();
return `${rat.name} is gone`;""",
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
        arguments = {"code": task.code, "intent": "write", "summary": task.title}
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
