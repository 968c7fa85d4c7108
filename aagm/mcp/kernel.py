"""What each method of MCP means here, whatever carried it.

`mcp_types` validates every request and shapes every result for its revision; the
transport beside this knows HTTP. Tests put the SDK's own server in this place and
compare.

Source: MCP_FACTS sections 1, 4 and 5.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Protocol

from attrs import field, frozen
from mcp_types.methods import (
    CACHEABLE_METHODS,
    serialize_server_result,
    validate_client_request,
)
from pydantic import ValidationError

from aagm.errors import BadParams, MethodUnknown
from aagm.mcp.caller import Caller
from aagm.mcp.prompts import Prompts
from aagm.mcp.registry import Registry
from aagm.mcp.revisions import MODERN, SERVER_KEY, negotiate
from aagm.mcp.sessions import Session
from aagm.members import Member
from aagm.wire.jsonrpc import Json, Params

LIST_LIFE = 60_000  # milliseconds for which a client may keep a list

Result = dict[str, Json]
_Method = Callable[["Asked"], Awaitable[Result]]


@frozen
class Asked:
    """One request, as the transport hands it over."""

    method: str
    params: Params
    revision: str
    caller: Caller
    session: Session | None = None  # none in the modern era, or without an id


class Kernel(Protocol):
    """What the transport needs: an answer."""

    async def answer(self, asked: Asked) -> Result:
        """Give the result.

        Raises:
            AagmError: What becomes a JSON-RPC error.
        """


@frozen
class OurKernel:
    """Answer from the tool table and the prompts."""

    member: Member
    version: str  # of the relay
    instructions: str
    tools: Registry
    prompts: Prompts
    _methods: dict[str, _Method] = field(init=False, eq=False)

    @_methods.default
    def _table(self) -> dict[str, _Method]:
        return {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "ping": self._ping,
            "logging/setLevel": self._set_level,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "prompts/list": self._list_prompts,
            "prompts/get": self._get_prompt,
        }

    async def answer(self, asked: Asked) -> Result:
        """Validate, look up, run, and shape for the revision.

        Raises:
            MethodUnknown: Not a method of this revision, or none that we serve.
            BadParams: The params are not what the revision says.
            AagmError: What the method raises.
        """
        try:
            validate_client_request(asked.method, asked.revision, asked.params)
            run = self._methods[asked.method]
        except KeyError as e:
            raise MethodUnknown(f"Method not found: {asked.method}") from e
        except ValidationError as e:
            raise BadParams(_first(e)) from e
        return self._shape(asked, await run(asked))

    @property
    def _server(self) -> Result:
        return {
            "name": self.member.slug,
            "title": self.member.title,
            "version": self.version,
        }

    def _shape(self, asked: Asked, result: Result) -> Result:
        """Drop what the revision does not know; add what it demands."""
        if asked.revision in MODERN:
            result["resultType"] = "complete"
            result["_meta"] = {SERVER_KEY: self._server}
            if asked.method in CACHEABLE_METHODS:
                result |= {"ttlMs": LIST_LIFE, "cacheScope": "private"}
        return serialize_server_result(asked.method, asked.revision, result)

    async def _initialize(self, asked: Asked) -> Result:
        return {
            "protocolVersion": negotiate(asked.params["protocolVersion"]),
            "capabilities": {**_CAPABILITIES, "logging": {}},
            "serverInfo": self._server,
            "instructions": self.instructions,
        }

    async def _discover(self, _asked: Asked) -> Result:
        return {
            "supportedVersions": list(MODERN),
            "capabilities": {**_CAPABILITIES, "logging": {}},
            "instructions": self.instructions,
        }

    async def _ping(self, _asked: Asked) -> Result:
        return {}

    async def _set_level(self, asked: Asked) -> Result:
        if asked.session is not None:
            asked.session.level = asked.params["level"]
        return {}

    async def _list_tools(self, asked: Asked) -> Result:
        _require_first_page(asked)
        return {"tools": [tool.listed() for tool in self.tools]}

    async def _call_tool(self, asked: Asked) -> Result:
        arguments = _arguments(asked)
        return await self.tools.call(asked.params["name"], arguments, asked.caller)

    async def _list_prompts(self, asked: Asked) -> Result:
        _require_first_page(asked)
        return {"prompts": self.prompts.listed()}

    async def _get_prompt(self, asked: Asked) -> Result:
        return self.prompts.get(asked.params["name"], _arguments(asked))


_CAPABILITIES: Result = {
    "tools": {"listChanged": False},
    "prompts": {"listChanged": False},
}


def _arguments(asked: Asked) -> Params:
    """Give the arguments of a call; none when they were left out.

    The models of `mcp_types` take null for that, and a tool that needs no argument
    would do all it does by default because something went wrong at the client.
    """
    arguments: Params | None = asked.params.get("arguments", {})
    if arguments is None:
        raise BadParams(
            "arguments must be an object, not null",
            fix="Leave arguments out, or send {}, where there are none.",
        )
    return arguments


def _require_first_page(asked: Asked) -> None:
    """Refuse a cursor: our lists have one page."""
    if asked.params.get("cursor") is not None:
        raise BadParams("cursor: the list has one page only")


def _first(error: ValidationError) -> str:
    """Write the first complaint of *error*, without the value complained of."""
    found = error.errors(include_url=False, include_input=False, include_context=False)
    place = ".".join(str(step) for step in found[0]["loc"])
    return f"Invalid request parameters: {place}: {found[0]['msg']}"
