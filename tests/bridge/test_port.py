"""The bridge on a true loopback port."""

from __future__ import annotations

import json
import time

import pytest
import pytest_twisted
from attrs import evolve
from autobahn.twisted.websocket import WebSocketClientFactory, WebSocketClientProtocol
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.endpoints import clientFromString, serverFromString
from typing_extensions import override

from aagm.bridge.service import BridgeService
from aagm.errors import BridgeLost
from aagm.testing import RecordedEvents

MIB = 1024 * 1024
# The bridge's limits have their tests on a clock that a test moves. Here they must not
# end what a busy machine does slowly.
SECONDS = ("hello_seconds", "ping_seconds", "pong_seconds", "close_seconds")


class Page(WebSocketClientProtocol):
    """A page that says hello and does with each request what the test says."""

    def __init__(self):
        """Begin with nothing heard."""
        super().__init__()
        self.seated = Deferred()
        self.ended = Deferred()
        self.reply = lambda request: request["params"]

    @override
    def onMessage(self, payload, isBinary):
        message = json.loads(payload)
        if message.get("id") == "hello-1":
            self.seated.callback(message["result"])
        elif "id" in message:
            self.say({"id": message["id"], "result": self.reply(message)})

    @override
    def onClose(self, wasClean, code, reason):
        self.ended.callback(code)

    def say(self, message):
        """Send one message."""
        self.sendMessage(json.dumps({"jsonrpc": "2.0", **message}).encode())


@pytest.fixture
def running(settings, logs):
    """A bridge that listens, and its port."""
    events = RecordedEvents()
    service = BridgeService(
        reactor,
        now=time.time,
        settings=evolve(settings, **dict.fromkeys(SECONDS, 60.0)),
        events=events,
        pairing=None,
        dial=lambda: "ws://127.0.0.1",
    )
    service.startService()
    endpoint = serverFromString(reactor, "tcp:0:interface=127.0.0.1")
    port = pytest_twisted.blockon(endpoint.listen(service.factory))
    yield service, port.getHost().port
    pytest_twisted.blockon(port.stopListening())
    pytest_twisted.blockon(service.stopService())


async def connect(port, hello):
    """Open a socket and say hello."""
    factory = WebSocketClientFactory(
        f"ws://127.0.0.1:{port}", origin="http://localhost:30000", reactor=reactor
    )
    factory.protocol = Page
    factory.setProtocolOptions(openHandshakeTimeout=30, closeHandshakeTimeout=30)
    endpoint = clientFromString(reactor, f"tcp:127.0.0.1:{port}")
    page = await endpoint.connect(factory)
    await page.is_open
    page.say({"id": "hello-1", "method": "hello", "params": hello})
    await page.seated
    return page


@pytest_twisted.ensureDeferred
async def test_a_tab_is_asked_over_a_true_port(running, hello):
    """A tab connects, answers eight megabytes with eight, and leaves."""
    service, port = running
    page = await connect(port, hello)
    big = {"code": "a" * (8 * MIB)}

    assert await service.call("eval", big, limit=30) == big

    page.sendClose(1000)
    assert await page.ended == 1000


@pytest_twisted.ensureDeferred
async def test_a_tab_that_does_not_read_costs_no_more_than_the_cap(running, hello):
    """Past the cap the tab is dropped; until then memory holds what waits, no more."""
    service, port = running
    page = await connect(port, hello)
    page.transport.pauseProducing()
    tab = service.owner
    outcome = Deferred.fromCoroutine(service.call("ping", {}, limit=30))
    for _ in range(20):
        tab.notify("aagm.reply", {"text": "a" * MIB})
    assert 15 * MIB < tab.connection.outbox.waiting < 21 * MIB
    for _ in range(50):
        tab.notify("aagm.reply", {"text": "a" * MIB})
    assert tab.connection.outbox.waiting == 0

    with pytest.raises(BridgeLost):
        await outcome
    page.transport.resumeProducing()
    await page.ended
    assert service.owner is None


def test_the_log_names_the_port_in_words(running):
    """Not by a class."""
    service, _ = running
    assert service.factory.logPrefix() == "The port for Foundry"
