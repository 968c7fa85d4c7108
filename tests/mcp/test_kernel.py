"""Our kernel says what the SDK's own server says, in every revision."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import anyio
import mcp_types as types
import pytest
from attrs import evolve
from mcp.server.caching import CacheHint
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import AagmError, BadParams, MethodUnknown
from aagm.mcp import revisions
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.instructions import instructions
from aagm.mcp.kernel import LIST_LIFE, Asked, OurKernel
from aagm.mcp.prompts import Prompt, PromptArgument, Prompts
from aagm.mcp.registry import Registry, Tool
from aagm.mcp.sessions import Session
from aagm.members import GROK, KIMI
from aagm.wire.codes import to_error

INSTRUCTIONS = "Read the world first."
ECHO = {
    "type": "object",
    "properties": {"text": {"type": "string"}},
    "required": ["text"],
    "additionalProperties": False,
}


async def echo(call):
    """Answer with the arguments."""
    return call.arguments


NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}
TOOL = Tool(name="echo", description="Echo.", schema=ECHO, run=echo, read_only=True)
PROMPT = Prompt(
    name="listen",
    description="Listen.",
    write=lambda given: f"Listen as {given['who']}.",
    arguments=(PromptArgument("who", "Who listens.", required=True),),
)

# What is asked of both kernels, after the handshake.
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    ("tools/list", {}),
    ("tools/call", {"name": "echo", "arguments": {"text": "Anführer"}}),
    ("tools/call", {"name": "nope", "arguments": {}}),
    ("tools/call", {"arguments": {}}),
    ("tools/call", {"name": 7}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "listen", "arguments": {"who": "Marit"}}),
    ("prompts/get", {"name": "nope"}),
    ("ping", {}),
    ("logging/setLevel", {"level": "error"}),
    ("logging/setLevel", {"level": "shout"}),
    ("server/discover", {}),
    ("resources/list", {}),
    ("resources/subscribe", {"uri": "a:b"}),
    ("subscriptions/listen", {"notifications": {}}),
    ("completion/complete", {}),
    ("no/such", {}),
]


@pytest.fixture
def kernel():
    """Our kernel over one tool and one prompt."""
    return OurKernel(
        member=KIMI,
        version="1.2.3",
        instructions=INSTRUCTIONS,
        tools=Registry([TOOL], Answers(Clock())),
        prompts=Prompts([PROMPT]),
    )


def ask(kernel, revision, method, params, session=None):
    """Give our answer: ``{"result"}`` or ``{"error"}``."""
    asked = Asked(method, params, revision, Caller("s"), session)
    seen: list[Any] = []
    answer = Deferred.fromCoroutine(kernel.answer(asked))
    answer.addCallbacks(
        lambda result: seen.append({"result": result}),
        lambda failure: seen.append({"error": to_error(failure.value)}),
    )
    return seen[0]


def oracle() -> Server[Any]:
    """The SDK's own server over the same tool and prompt."""

    async def list_tools(_ctx, _params):
        return types.ListToolsResult.model_validate({"tools": [TOOL.listed()]})

    async def call_tool(_ctx, params):
        if params.name != TOOL.name:
            raise MCPError(code=-32602, message=f"Unknown tool: {params.name}")
        text = json.dumps(params.arguments, separators=(",", ":"), ensure_ascii=False)
        return types.CallToolResult(content=[types.TextContent(text=text)])

    async def list_prompts(_ctx, _params):
        return types.ListPromptsResult.model_validate({"prompts": [PROMPT.listed()]})

    async def get_prompt(_ctx, params):
        if params.name != PROMPT.name:
            raise MCPError(code=-32602, message=f"Unknown prompt: {params.name}")
        return types.GetPromptResult.model_validate(PROMPT.got(params.arguments))

    async def set_level(_ctx, _params):
        return types.EmptyResult()

    hint = CacheHint(ttl_ms=LIST_LIFE, scope="private")
    server: Server[Any] = Server(
        KIMI.slug,
        version="1.2.3",
        title=KIMI.title,
        instructions=INSTRUCTIONS,
        cache_hints=dict.fromkeys(
            ("tools/list", "prompts/list", "server/discover"), hint
        ),
        on_list_tools=list_tools,
        on_call_tool=call_tool,
        on_list_prompts=list_prompts,
        on_get_prompt=get_prompt,
    )
    server.add_request_handler(
        "logging/setLevel", types.SetLevelRequestParams, set_level
    )
    return server


async def ask_oracle(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Send *messages* through the SDK's server in memory; give its answers by id."""
    to_server, from_us = anyio.create_memory_object_stream[Any](99)
    to_us, from_server = anyio.create_memory_object_stream[Any](99)
    server = oracle()
    answers: list[dict[str, Any]] = []
    async with anyio.create_task_group() as group:
        group.start_soon(
            server.run, from_us, to_us, server.create_initialization_options()
        )
        for message in messages:
            parsed = types.jsonrpc_message_adapter.validate_python(message)
            await to_server.send(SessionMessage(parsed))
            if "id" in message:
                received = await from_server.receive()
                answers.append(
                    received.message.model_dump(
                        by_alias=True, mode="json", exclude_none=True
                    )
                )
        group.cancel_scope.cancel()
    for stream in (to_server, from_us, to_us, from_server):
        stream.close()
    return answers


def through_oracle(revision: str, requests: list[tuple[str, dict[str, Any]]]) -> Any:
    """Give the SDK's answers, in a thread with a loop of its own."""
    messages = [
        {"jsonrpc": "2.0", "id": n, "method": method, "params": params}
        for n, (method, params) in enumerate(requests)
    ]
    if revision in revisions.HANDSHAKE:
        initialized = {"jsonrpc": "2.0", "method": "notifications/initialized"}
        messages.insert(1, initialized)
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, ask_oracle(messages)).result()


def comparable(answer: dict[str, Any]) -> Any:
    """Keep what must be equal: a result whole, of an error its code."""
    return answer.get("result") or answer.get("error", {}).get("code")


@pytest.mark.parametrize("revision", revisions.REVISIONS)
def test_our_kernel_and_the_sdks_say_the_same(kernel, revision):
    """One fixture through both kernels gives the same JSON, request by request."""
    requests = list(REQUESTS)
    if revision in revisions.HANDSHAKE:
        client = {"name": "test", "version": "0"}
        params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
        requests.insert(0, ("initialize", params))
    else:
        meta = {revisions.VERSION_KEY: revision, revisions.CAPABILITIES_KEY: {}}
        requests = [(method, {**p, "_meta": meta}) for method, p in requests]
    theirs = through_oracle(revision, requests)
    ours = [ask(kernel, revision, method, params) for method, params in requests]
    for (method, params), our, their in zip(requests, ours, theirs, strict=True):
        assert comparable(our) == comparable(their), (method, params)


@pytest.mark.parametrize("revision", revisions.HANDSHAKE)
def test_a_handshake_tells_who_we_are(kernel, revision):
    """A client learns name, version and instructions, in its own revision."""
    client = {"name": "test", "version": "0"}
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
    result = ask(kernel, revision, "initialize", params)["result"]
    assert result["protocolVersion"] == revision
    assert result["serverInfo"]["name"] == "aagm-k"
    assert result["instructions"] == INSTRUCTIONS


def test_a_level_is_kept_in_the_session(kernel):
    """A client that asked for errors only hears errors only."""
    session = Session("s")
    ask(kernel, "2025-11-25", "logging/setLevel", {"level": "error"}, session)
    assert session.level == "error"


def test_a_list_has_one_page(kernel):
    """A made-up cursor is refused, not answered with the first page."""
    answer = ask(kernel, "2025-11-25", "tools/list", {"cursor": "x"})
    assert answer["error"]["code"] == -32602


def test_a_model_reads_why_its_params_are_wrong(kernel):
    """The complaint names the place, and does not repeat the value."""
    params = {"name": {"secret": "value"}}
    error = ask(kernel, "2025-11-25", "tools/call", params)["error"]
    assert "params.name" in error["message"]
    assert "secret" not in json.dumps(error)


@pytest.mark.parametrize("revision", revisions.REVISIONS)
@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("tools/call", {"name": "echo", "arguments": None}),
        ("prompts/get", {"name": "listen", "arguments": None}),
        ("tools/call", {"name": None, "arguments": {}}),
        ("tools/call", {"name": "echo", "arguments": []}),
    ],
)
def test_null_is_no_wish_for_what_a_tool_does_by_default(revision, method, params):
    """Nothing runs, in every revision: a rollback would roll back."""
    ran = []

    async def run(call):
        ran.append(call)

    kernel = OurKernel(
        member=KIMI,
        version="1.2.3",
        instructions=INSTRUCTIONS,
        tools=Registry([evolve(TOOL, schema=NO_ARGUMENTS, run=run)], Answers(Clock())),
        prompts=Prompts([PROMPT]),
    )
    if revision in revisions.MODERN:
        meta = {revisions.VERSION_KEY: revision, revisions.CAPABILITIES_KEY: {}}
        params = {**params, "_meta": meta}
    error = ask(kernel, revision, method, params)["error"]
    assert error["code"] == -32602
    assert error["data"]["fix"].endswith(".")
    assert ran == []


@pytest.mark.parametrize("revision", revisions.HANDSHAKE)
def test_meta_of_null_is_none(kernel, revision):
    """Nothing is done because of it, so a client that writes it is served."""
    params = {"name": "echo", "arguments": {"text": "a"}, "_meta": None}
    assert "result" in ask(kernel, revision, "tools/call", params)


def test_surrogates_in_params_do_no_harm(kernel):
    """Half an emoji in a name or an argument gets an answer as any other text."""
    params = {"name": "echo", "arguments": {"text": "a\ud83d"}}
    result = ask(kernel, "2025-11-25", "tools/call", params)["result"]
    assert json.loads(result["content"][0]["text"]) == {"text": "a\ud83d"}
    assert "error" in ask(kernel, "2025-11-25", "tools/call", {"name": "\ud83d"})


@pytest.mark.parametrize("member", [KIMI, GROK])
def test_the_instructions_are_not_cut(member):
    """Clients cut at 2 KB; ours are shorter and name their member."""
    assert len(instructions(member).encode()) < 2000
    assert member.title in instructions(member)


def test_errors_are_ours():
    """What the kernel raises is what the transport knows how to write."""
    assert issubclass(MethodUnknown, AagmError)
    assert issubclass(BadParams, AagmError)
