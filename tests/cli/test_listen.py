"""``aagm listen --echo``: the whole loop without a model, over a true port."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest
import pytest_twisted
from attrs import define, evolve, field
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThread

from aagm.cli import listen as listening
from aagm.cli import main as command
from aagm.daemon.run_file import Running, run_folders, write
from aagm.errors import HandlerThrew, ListenerOccupied, StartFault
from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.registry import Call, Registry
from aagm.mcp.site import mcp_site
from aagm.mcp.tools.chat import chat_tools
from aagm.mcp.tools.more import more_tools
from aagm.mcp.tools.ping import ping_tools
from aagm.members import GROK, KIMI
from aagm.relay.chat.parts import open_chat
from aagm.relay.inbound import Inbound
from aagm.testing import GM_HELLO, FakeBridge, FakeTab, MemoryDisk

TOKEN = "a-token-for-the-test"


@define(eq=False)
class Watched(FakeTab):
    """A tab whose notifications can be waited for."""

    waiting: list = field(factory=list)

    def notify(self, method, params):
        """Keep a notification and wake who waits for one like it."""
        super().notify(method, params)
        for wanted, done in self.waiting[:]:
            if wanted(method, params):
                self.waiting.remove((wanted, done))
                done.callback(params)

    def when(self, method, **members):
        """Wait for the next notification with these members."""
        done = Deferred()

        def wanted(name, params):
            return name == method and members.items() <= params.items()

        self.waiting.append((wanted, done))
        return done


@define(eq=False)
class Relay:
    """A relay's chat on a loopback port, and the GM's tab."""

    member: object
    tab: Watched = field(init=False)
    bridge: FakeBridge = field(init=False)
    chat: object = field(init=False)
    url: str = field(init=False)
    site: object = field(init=False)
    port: object = field(init=False)
    typed: int = 0

    def __attrs_post_init__(self):
        """Listen, and let the tab in."""
        inbound = Inbound()
        self.bridge = FakeBridge(reactor, inbound)
        self.chat = open_chat(
            reactor,
            reactor.seconds,
            member=self.member,
            bridge=self.bridge,
            disk=MemoryDisk(),
            folder=Path("/state"),
            rollbacks=None,
            logs=None,
            cards=lambda: None,
        )
        self.chat.listen_to(inbound)
        ping = {"ping": lambda _params: {"pong": True}}
        settings = {"mode": "cogm"}
        self.tab = Watched(evolve(GM_HELLO, settings=settings), answers=ping)
        self.bridge.connect(self.tab)
        self.serve()

    def serve(self, held=None):
        """Listen for MCP, as a relay that was started does; *held* has its port."""
        answers = Answers(reactor)
        connection = Connection(reactor, self.bridge, self.member, "1.2.3")
        states = [self.chat.facts]
        tools = [
            *ping_tools(connection, dial="ws://127.0.0.1:1", limit=9, states=states),
            *more_tools(answers),
            *chat_tools(self.chat.dispatch),
        ]
        self.site = mcp_site(
            reactor,
            registry=Registry(tools, answers),
            answers=answers,
            connection=connection,
            token=TOKEN,
        )
        if held is None:
            self.port = reactor.listenTCP(0, self.site, interface="127.0.0.1")
        else:
            held.setblocking(False)
            held.listen()
            self.port = reactor.adoptStreamPort(held.fileno(), held.family, self.site)
        self.url = f"http://127.0.0.1:{self.port.getHost().port}/mcp"

    def type(self, text, tab="t-1"):
        """Type into the box."""
        self.typed += 1
        params = {"promptId": f"typed-{self.typed}", "text": text, "tabId": tab}
        self.bridge.tell(self.tab, "aagm.prompt", params)

    def listen(self):
        """Start the listener; fires when it ends."""
        work = listening.listen(self.url, echo=True, token=TOKEN)
        return deferToThread(lambda: asyncio.run(work))


@pytest_twisted.async_yield_fixture(params=[KIMI, GROK], ids=["kimi", "grok"])
async def relay(request):
    """A relay of each member in turn."""
    relay = Relay(request.param)
    yield relay
    await relay.chat.stop()
    await relay.port.stopListening()


@pytest_twisted.ensureDeferred
async def test_every_prompt_is_answered_until_exit(relay, capsys):
    """A newcomer sees prompt, reply, a long prompt in parts, a close and the end."""
    ended = relay.listen()
    for text in ("hello", "hello again", "long " + "é" * 20_000):
        said = f"You typed: {text}"
        parts = [said[at : at + 8_000] for at in range(0, len(said), 8_000)]
        shown = [relay.tab.when("aagm.reply", text=p, tabId="t-1") for p in parts]
        relay.type(text)
        for each in shown:
            assert (await each)["promptId"] == f"typed-{relay.typed}"
    relay.type("/close")
    shown = relay.tab.when("aagm.reply", tabId="t-2")
    relay.type("elsewhere", "t-2")
    await shown
    relay.type("/exit")
    await ended
    shown = capsys.readouterr().out
    assert "t-1: the tab was closed" in shown
    assert "/close" not in shown


@pytest_twisted.ensureDeferred
async def test_external_mode_is_waited_out(relay, monkeypatch):
    """After ``/int`` the listener answers again, whichever the member."""
    monkeypatch.setattr(listening, "PAUSE", 0.01)
    ended = relay.listen()
    shown = relay.tab.when("aagm.reply", text="You typed: before")
    relay.type("before")
    await shown
    switched = relay.tab.when("aagm.mode", mode="external")
    relay.type("/ext")
    await switched
    shown = relay.tab.when("aagm.reply", text="You typed: after")
    relay.type("/int")
    relay.type("after")
    await shown
    relay.type("/exit")
    await ended


@pytest_twisted.ensureDeferred
async def test_a_second_listener_ends_with_a_sentence(relay, monkeypatch):
    """It does not fight for the box; the GM gets a toast."""
    monkeypatch.setattr(listening, "PLACE", 0)
    monkeypatch.setattr(listening, "PAUSE", 0.01)
    shown = relay.tab.when("aagm.reply")
    ended = relay.listen()
    relay.type("hello")
    await shown
    refused = relay.tab.when("aagm.listener.refused")
    with pytest.raises(ListenerOccupied, match="another listener") as ended_at:
        await relay.listen()
    assert "/exit" in ended_at.value.fix
    await refused
    relay.type("/exit")
    await ended


@pytest_twisted.ensureDeferred
async def test_a_listener_gets_the_place_of_one_that_was_ended(
    relay, monkeypatch, capsys
):
    """It says that it waits, and answers as soon as the old lease is over."""
    monkeypatch.setattr(listening, "PAUSE", 0.01)
    old = Call("foundry_get_prompts", {}, "s")
    await relay.chat.dispatch.poll(old, "old-listener", 0)
    refused = relay.tab.when("aagm.listener.refused")
    ended = relay.listen()
    await refused
    relay.chat.dispatch.terminate()
    await relay.chat.dispatch.poll(old, "old-listener", 0)
    shown = relay.tab.when("aagm.reply", text="You typed: hello")
    relay.type("hello")
    await shown
    relay.type("/exit")
    await ended
    told = capsys.readouterr().out.splitlines()
    assert told[:3] == [
        "listening; type in the chat box inside Foundry",
        listening.WAITING,
        "the place is free: listening",
    ]


def test_an_outage_is_said_once(monkeypatch, capsys):
    """With how to start that relay; it is tried less and less often."""
    pauses = []

    async def passed(seconds):
        pauses.append(seconds)
        if len(pauses) == 7:
            raise KeyboardInterrupt

    monkeypatch.setattr(asyncio, "sleep", passed)
    url = "http://127.0.0.1:1/mcp"
    argv = ["listen", "--echo", "--url", url, "--member", "grok"]
    assert command.main(argv) == 130
    assert pauses == [1, 2, 4, 8, 16, 30, 30]
    first, start, more = capsys.readouterr().out.splitlines()
    assert first.startswith("not connected to http://127.0.0.1:1/mcp: ")
    assert start == "start the relay with: twistd --pidfile= -n aagm --member grok"
    assert "again" in more


def test_what_the_relay_refuses_is_no_outage(capsys):
    """It is told as the relay's word, with the cure."""
    refusal = HandlerThrew("no disk", fix="Make room.")
    listening._Outage("http://127.0.0.1:1/mcp").noticed(refusal)
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "the relay refused: no disk. Make room."
    assert "not connected" not in "".join(said)


@pytest_twisted.ensureDeferred
async def test_the_end_of_an_outage_is_said(relay, monkeypatch, capsys):
    """A newcomer who starts the relay late sees that the listener found it."""
    await relay.port.stopListening()
    monkeypatch.setattr(listening, "PAUSE", 0.01)
    missed = Deferred()
    first = [missed]
    noticed = listening._Outage.noticed

    def told(outage, cause):
        if first:
            reactor.callFromThread(first.pop().callback, None)
        return noticed(outage, cause)

    monkeypatch.setattr(listening._Outage, "noticed", told)
    with socket.socket() as held:  # until it listens, whoever dials is refused
        held.bind(("127.0.0.1", 0))
        relay.url = f"http://127.0.0.1:{held.getsockname()[1]}/mcp"
        ended = relay.listen()
        await missed
        relay.serve(held)
    shown = relay.tab.when("aagm.reply")
    relay.type("hello")
    await shown
    relay.type("/exit")
    await ended
    assert f"connected to {relay.url} again" in capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("token", "said"),
    [(None, " asks for a token"), ("another", " takes another token than this")],
)
@pytest_twisted.ensureDeferred
async def test_a_relay_that_asks_for_another_token_ends_the_listener(
    relay, token, said
):
    """Trying again would not help: it names the option instead."""
    work = listening.listen(relay.url, echo=True, token=token)
    with pytest.raises(StartFault) as no:
        await deferToThread(lambda: asyncio.run(work))
    assert str(no.value) == f"the relay at {relay.url}{said}"
    assert "--mcp-token-file" in no.value.fix


@pytest.mark.parametrize(
    "url",
    [
        "nonsense",
        "127.0.0.1:7899/mcp",
        "ftp://inn",
        "http://",
        "http://[",
        "http://127.0.0.1:0/mcp",
        "http://127.0.0.1:99999/mcp",
    ],
)
def test_what_is_no_http_address_is_not_tried_for_ever(url, capsys):
    """One sentence, with what an address looks like."""
    assert command.main(["listen", "--echo", "--url", url]) == 1
    said, fix = capsys.readouterr().err.splitlines()
    assert said == f"aagm: {url} is no http address"
    assert "--url http://127.0.0.1:7899/mcp" in fix


@pytest.mark.parametrize("options", [[], ["--member", "grok"]])
def test_the_running_relay_is_found(monkeypatch, tmp_path, options):
    """Whichever member's it is, as `aagm points` and `aagm pair` find it."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    dialled = []

    async def listen(url, **given):
        dialled.append((url, given["start"]))

    monkeypatch.setattr(listening, "listen", listen)
    running = Running(
        pid=os.getpid(),
        member="grok",
        version="1.0.0",
        data_dir="/data/grok",
        bridge="127.0.0.1:1",
        mcp="127.0.0.1:2",
        token="secret",
    )
    write(running, run_folders())
    assert listening.main(["--echo", *options]) == 0
    start = "twistd --pidfile= -n aagm --member grok --data-dir /data/grok"
    assert dialled == [("http://127.0.0.1:2/mcp", start)]


def test_without_a_relay_it_says_how_to_start_one(monkeypatch, tmp_path, capsys):
    """Where no address was given, there is none to try."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    assert command.main(["listen", "--echo", "--member", "grok"]) == 1
    said, fix = capsys.readouterr().err.splitlines()
    assert said == "aagm: no relay of grok is running"
    assert fix.strip() == "Start it with: twistd --pidfile= -n aagm --member grok"


def test_a_missing_token_file_is_said_in_one_sentence(tmp_path):
    """Nothing is dialled; nor with one that is no text, or holds no token."""
    (tmp_path / "raw").write_bytes(b"\xe9")
    (tmp_path / "empty").write_bytes(b"\n")
    (tmp_path / "words").write_bytes(b"two words\n")
    for name in ("none", "raw", "empty", "words"):
        path = str(tmp_path / name)
        with pytest.raises(StartFault, match="mcp-token-file: "):
            listening.main(["--echo", "--mcp-token-file", path])


def test_a_listener_without_a_way_to_answer_is_refused(capsys):
    """Without a model it can only echo."""
    with pytest.raises(SystemExit):
        listening.main([])
    assert "--echo" in capsys.readouterr().err
