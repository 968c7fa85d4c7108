"""The official Python client and plain HTTP, over a true port, in both eras."""

from __future__ import annotations

import asyncio
import json
import socket

import pytest
import pytest_twisted
import treq
from attrs import define, field
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from aagm.mcp import receipt
from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.prompts import Prompt
from aagm.mcp.registry import Registry, Tool
from aagm.mcp.site import mcp_site
from aagm.mcp.tools.more import more_tools
from aagm.mcp.tools.ping import ping_tools
from aagm.mcp.tools.queries import query_tools
from aagm.members import GROK
from aagm.testing import FakeBridge, FakeTab

HEAD = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
}
NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


async def count(call):
    """Tell how far it is, then answer."""
    for done in (1, 2, 3):
        call.progress(done, 3)
    return {"counted": 3}


def actor(params):
    """Answer a query as a tab would, with an answer too long for one call."""
    return {
        "actorId": params["actorId"],
        "data": {"name": "Anführer", "x": "y" * 40_000},
    }


@define(eq=False)
class Port:
    """A relay on a free loopback port, with a scripted tab."""

    url: str = ""
    began: Deferred[None] = field(factory=Deferred)
    receipt: Deferred[tuple[bool, bool]] = field(factory=Deferred)  # (left, arrived)
    hold: Deferred[None] | None = None

    async def watched(self, call):
        """Answer when the test says, and keep the receipt."""
        call.on_delivered(lambda arrived: self.receipt.callback((call.left(), arrived)))
        self.began.callback(None)
        if self.hold is not None:
            await self.hold
        return "prompts"


@pytest_twisted.async_yield_fixture
async def port():
    """A relay that listens."""
    port, bridge, answers = Port(), FakeBridge(reactor), Answers(reactor)
    bridge.connect(FakeTab(answers={"query.actor": actor}))
    connection = Connection(reactor, bridge, GROK, "1.2.3")
    tools = [
        *ping_tools(connection, dial="ws://127.0.0.1:7890", limit=30),
        *query_tools(bridge),
        *more_tools(answers),
    ]
    for name, run in (("count", count), ("watched", port.watched)):
        options = {"description": "A test.", "schema": NO_ARGUMENTS, "read_only": True}
        tools.append(Tool(name=name, run=run, **options))
    site = mcp_site(
        reactor,
        registry=Registry(tools, answers),
        answers=answers,
        connection=connection,
        prompts=[Prompt("listen", "Listen.", lambda _given: "Listen to the GM.")],
    )
    listening = reactor.listenTCP(0, site, interface="127.0.0.1")
    port.url = f"http://127.0.0.1:{listening.getHost().port}"
    yield port
    await listening.stopListening()


async def tour(url, mode):
    """Do what a client does: connect, list, call, read on, fail, prompt."""
    seen = {"progress": []}

    async def progress(done, total, _message):
        seen["progress"].append((done, total))

    async with Client(f"{url}/mcp", mode=mode) as client:
        seen["revision"] = client.session.protocol_version
        seen["tools"] = [tool.name for tool in (await client.list_tools()).tools]
        counted = await client.call_tool("count", {}, progress_callback=progress)
        seen["counted"] = json.loads(counted.content[0].text)
        part = await client.call_tool("foundry_query_actor", {"actorId": "a1"})
        head = json.loads(part.content[0].text)
        text = head["part"]
        while "cursor" in head:
            more = {"cursor": head["cursor"]}
            part = await client.call_tool("foundry_more", more)
            head = json.loads(part.content[0].text)
            text += head["part"]
        seen["actor"] = json.loads(text)
        wrong = await client.call_tool("foundry_query_actor", {"id": "a1"})
        seen["wrong"] = (wrong.is_error, json.loads(wrong.content[0].text))
        prompt = await client.get_prompt("listen")
        seen["prompt"] = prompt.messages[0].content.text
        with pytest.raises(MCPError, match="Unknown tool: nope"):
            await client.call_tool("nope", {})
    return seen


@pytest.mark.parametrize(
    ("mode", "revision"),
    [("legacy", "2025-11-25"), ("auto", "2026-07-28"), ("2026-07-28", "2026-07-28")],
)
@pytest_twisted.ensureDeferred
async def test_the_official_client_works_in_both_eras(port, mode, revision):
    """Whatever the client opens with, it finds tools, progress, parts and prompts."""
    seen = await deferToThread(lambda: asyncio.run(tour(port.url, mode)))
    assert seen["revision"] == revision
    assert {"foundry_ping", "foundry_more", "count"} <= set(seen["tools"])
    assert seen["progress"] == [(1, 3), (2, 3), (3, 3)]
    assert seen["counted"] == {"counted": 3}
    assert seen["actor"] == actor({"actorId": "a1"})
    assert seen["wrong"][0] is True
    assert seen["wrong"][1]["error"]["code"] == -32602
    assert seen["prompt"] == "Listen to the GM."


@pytest_twisted.ensureDeferred
async def test_plain_http_over_a_true_port(port):
    """Health, a call and a refused body, as any HTTP client sees them."""
    health = await treq.get(f"{port.url}/healthz", persistent=False)
    assert (await health.json())["bridge"] == {"connected": True}
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    url = f"{port.url}/mcp"
    pong = await treq.post(url, body, headers=HEAD, persistent=False)
    assert (await pong.json())["result"] == {}
    large = b" " * (5 * 1024 * 1024)
    refused = await treq.post(url, large, headers=HEAD, persistent=False)
    assert refused.code == 413
    assert (await refused.json())["error"]["message"]


def ask(url, *, read, connection="keep-alive"):
    """Call the tool "watched" on a bare socket; with *read*, read all of the answer."""
    params = {"name": "watched", "arguments": {}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    body = json.dumps(call).encode()
    head = "".join(f"{name}: {value}\r\n" for name, value in HEAD.items())
    request = (
        f"POST /mcp HTTP/1.1\r\nHost: localhost\r\n{head}"
        f"Connection: {connection}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    host, port = url.removeprefix("http://").split(":")
    client = socket.create_connection((host, int(port)))
    client.sendall(request.encode() + body)
    while read and b"}]" not in client.recv(65536):
        pass
    return client


@pytest.fixture
def patience(monkeypatch):
    """Let no time that passes count as a receipt, as it does after a few seconds."""
    monkeypatch.setattr(receipt, "WAIT", 3600)


@pytest.mark.usefixtures("patience")
@pytest.mark.parametrize("arrived", [True, False])
@pytest_twisted.ensureDeferred
async def test_the_kernel_tells_a_reset_from_an_end(port, arrived):
    """A client that read and closed had its answer; one that was killed had not."""
    client = await deferToThread(ask, port.url, read=arrived)
    if not arrived:
        # Closing with the answer unread resets the connection, as a kill does.
        await deferToThread(client.recv, 1, socket.MSG_PEEK)
    client.close()
    assert await port.receipt == (False, arrived)


@pytest.mark.usefixtures("patience")
@pytest_twisted.ensureDeferred
async def test_a_client_of_one_call_had_its_answer(port):
    """Where the client wants the connection closed, we close it after the answer."""
    client = await deferToThread(ask, port.url, read=True, connection="close")
    assert await port.receipt == (False, True)
    client.close()


@pytest_twisted.ensureDeferred
async def test_a_client_that_hangs_up_early_is_seen(port):
    """The tool hears at once that nobody waits any more."""
    port.hold = Deferred()
    client = await deferToThread(ask, port.url, read=False)
    await port.began
    client.close()
    assert await port.receipt == (True, False)
    port.hold.callback(None)
