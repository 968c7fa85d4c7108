"""A bridge whose sockets are in memory, and the pages and programs that dial it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import define, evolve, field
from autobahn.twisted.testing import create_memory_agent, create_pumper
from autobahn.twisted.websocket import WebSocketClientProtocol
from twisted.internet.address import IPv4Address
from twisted.internet.defer import Deferred
from twisted.internet.protocol import Protocol
from twisted.internet.testing import MemoryReactorClock
from twisted.logger import globalLogPublisher
from twisted.test import iosim
from typing_extensions import override

from aagm.bridge.pairing import Pairing
from aagm.bridge.service import BridgeService
from aagm.bridge.settings import BridgeSettings
from aagm.testing import MemoryDisk, RecordedEvents

DIAL = "ws://127.0.0.1:7898"
PAGE = "http://localhost:30000"
LIMITS = {"message": 33554432, "readSeconds": 30, "writeSeconds": 300}
HELLO = {
    "userId": "gmUser0000000001",
    "userName": "Marit",
    "isGM": True,
    "worldId": "sunken-inn",
    "worldTitle": "The Sunken Inn",
    "foundryVersion": "12.343",
    "moduleVersion": "1.0.0",
    "settings": {"mode": "assistant"},
    "protocol": 3,
    "features": ["stream", "check", "prompt-ack", "take-over"],
    "tabInstance": "00000000000000a1",
    "recordings": [],
}
FAMILY = ("userId", "userName", "isGM", "worldId", "foundryVersion", "settings")
SETTINGS = BridgeSettings(
    member="kimi",
    member_name="AAGM-K",
    relay_version="1.0.0",
    limits=LIMITS,
    protected={"ids": [], "names": ["GM Secrets"], "flags": []},
)


class Page(WebSocketClientProtocol):
    """A page, or a program, that dials the bridge and says what the test says."""

    def __init__(self):
        """Begin with nothing heard."""
        super().__init__()
        self.heard = []  # every frame, parsed
        self.close_code = None
        self.refusal = ""  # of the handshake
        self.is_mute = False  # answers no ping
        self.flush = lambda: None

    @override
    def onMessage(self, payload, isBinary):
        """Keep a frame."""
        assert not isBinary
        self.heard.append(json.loads(payload))

    @override
    def onPing(self, payload):
        """Answer a ping, unless the page is to look dead."""
        if not self.is_mute:
            super().onPing(payload)

    @override
    def onClose(self, wasClean, code, reason):
        """Keep how it ended."""
        self.close_code = code
        self.refusal = reason or ""

    def say(self, message):
        """Send one message, a dictionary or bytes."""
        if isinstance(message, dict):
            message = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.sendMessage(message)
        self.flush()

    def tell(self, method, **params):
        """Send a notification."""
        self.say({"method": method, "params": params})

    def ask(self, method, **params):
        """Send a request with the id ``ask``."""
        self.say({"id": "ask", "method": method, "params": params})

    def hello(self, **changes):
        """Say hello; a change to None leaves that member out."""
        params = {k: v for k, v in (HELLO | changes).items() if v is not None}
        self.say({"id": "hello-1", "method": "hello", "params": params})
        return self

    def family_hello(self, **changes):
        """Say hello as a family module of 2.0 does."""
        params = {k: HELLO[k] for k in FAMILY} | {"moduleVersion": "2.0.0"} | changes
        self.say({"id": "hello-1", "method": "hello", "params": params})
        return self

    @property
    def answer(self):
        """The result of the hello."""
        (result,) = [m["result"] for m in self.heard if m.get("id") == "hello-1"]
        return result

    @property
    def error(self):
        """The one error that came."""
        (error,) = [m["error"] for m in self.heard if "error" in m]
        return error

    def requests(self, method):
        """List the requests that came."""
        return [m for m in self.heard if m.get("method") == method and "id" in m]

    def told(self, method):
        """List the params of the notifications that came."""
        return [m["params"] for m in self.heard if m.get("method") == method]


class Raw(Protocol):
    """Speaks HTTP by hand."""

    received = b""
    is_closed = False

    @override
    def dataReceived(self, data):
        """Keep what comes."""
        self.received += data

    @override
    def connectionLost(self, reason):
        """Keep that it ended."""
        self.is_closed = True


@define(eq=False)
class Bench:
    """A bridge, its clock, and those who dial it."""

    settings: BridgeSettings = SETTINGS
    has_pairing: bool = False
    clock: MemoryReactorClock = field(factory=MemoryReactorClock)
    events: RecordedEvents = field(factory=RecordedEvents)
    disk: MemoryDisk = field(factory=MemoryDisk)
    codes: list[str] = field(factory=list)
    when_written: object = None
    pairing: Pairing = field(init=False, default=None)
    service: BridgeService = field(init=False)
    _pumper: object = field(factory=create_pumper, init=False)

    def __attrs_post_init__(self):
        """Start the bridge."""
        if self.has_pairing:
            self.pairing = self.load_pairing()
        more = {} if self.when_written is None else {"when_written": self.when_written}
        self.service = BridgeService(
            self.clock,
            now=lambda: 1_800_000_000.0,
            settings=self.settings,
            events=self.events,
            pairing=self.pairing,
            dial=lambda: DIAL,
            **more,
        )
        self.service.startService()

    def load_pairing(self):
        """Read the pairings, as a relay that starts does."""
        return Pairing.load(
            self.clock,
            now=lambda: 1_800_000_000.0,
            disk=self.disk,
            path=Path("state/pairing.json"),
            show=self.codes.append,
        )

    def dial(self, *, url=DIAL, origin=PAGE, headers=None, page=Page):
        """Open a WebSocket, as far as the bridge lets it."""
        dialled = []

        def made():
            dialled.append(page())
            return dialled[0]

        agent = create_memory_agent(
            self.clock, self._pumper, lambda: self.service.factory.buildProtocol(None)
        )
        options = {"headers": headers or {}}
        if origin is not None:
            options["origin"] = origin
        agent.open(url, options, made)
        (tab,) = dialled
        tab.flush = self.flush
        self.flush()
        return tab

    def dial_raw(self, data, *, peer="127.0.0.1"):
        """Send bytes from *peer* and give what came back, and the bridge's side."""
        server = self.service.factory.buildProtocol(None)
        client = Raw()
        pump = iosim.connect(
            server,
            iosim.FakeTransport(
                server, isServer=True, peerAddress=IPv4Address("TCP", peer, 50000)
            ),
            client,
            iosim.FakeTransport(client, isServer=False),
        )
        self._pumper.add(pump)
        client.transport.write(data)
        self.flush()
        return client

    def flush(self):
        """Let every byte arrive."""
        for _ in range(4):  # what arrives may close another socket
            self._pumper._flush()

    def advance(self, *seconds):
        """Let time pass, step by step."""
        for each in seconds:
            self.clock.advance(each)
            self.flush()

    def call(self, method="eval", params=None, *, limit=30, late=None):
        """Ask the owner's tab, and give what it comes to."""
        outcomes = outcome(
            self.service.call(method, params or {}, limit=limit, late=late)
        )
        self.flush()
        return outcomes


def outcome(coroutine):
    """Start a coroutine and give the list that its outcome will be put into."""
    outcomes = []
    d = Deferred.fromCoroutine(coroutine)
    d.addBoth(lambda result: outcomes.append(getattr(result, "value", result)))
    return outcomes


@pytest.fixture
def logs():
    """Every event that is logged; one with a failure fails the test, unless removed."""
    events = []
    globalLogPublisher.addObserver(events.append)
    yield events
    globalLogPublisher.removeObserver(events.append)
    assert [e for e in events if "log_failure" in e] == []


@pytest.fixture
def make_bench(logs):
    """Make a bridge with settings of one's own; it leaves no delayed call behind."""
    benches = []

    def make(*, pairing=False, when_written=None, **changes):
        benches.append(
            Bench(
                evolve(SETTINGS, **changes),
                has_pairing=pairing,
                when_written=when_written,
            )
        )
        return benches[-1]

    yield make
    for bench in benches:
        stopped = []
        bench.service.stopService().addCallback(stopped.append)
        bench.flush()
        bench.advance(bench.settings.close_seconds, 0)
        assert stopped == [None]
        assert bench.clock.getDelayedCalls() == []


@pytest.fixture
def bench(make_bench):
    """A bridge with pairing off."""
    return make_bench()


@pytest.fixture
def settings():
    """What the bridge is told at the start."""
    return SETTINGS


@pytest.fixture
def hello():
    """What a GM's tab says of itself."""
    return dict(HELLO)
