"""``twistd -n aagm``: the options, and the root where concrete parts are joined."""

from __future__ import annotations

import secrets
import sys
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from attrs import frozen
from twisted.application.service import IService, MultiService
from twisted.internet.threads import deferToThreadPool
from twisted.python import usage
from typing_extensions import override

from aagm.bridge.pairing import Pairing, Show
from aagm.bridge.service import BridgeService
from aagm.bridge.settings import BridgeSettings
from aagm.config import Settings, load
from aagm.daemon.endpoints import loopback_endpoint
from aagm.daemon.folder import open_data_folder, read_token
from aagm.daemon.service import Listener, RelayService
from aagm.errors import StartFault
from aagm.foundry import version
from aagm.mcp.answers import Answers
from aagm.mcp.channel import LoopbackSite
from aagm.mcp.control import Verb
from aagm.mcp.health import Connection
from aagm.mcp.registry import Registry
from aagm.mcp.site import mcp_site
from aagm.mcp.tools.more import more_tools
from aagm.mcp.tools.ping import ping_tools
from aagm.mcp.tools.queries import query_tools
from aagm.relay.disk import LocalDisk
from aagm.relay.inbound import Inbound
from aagm.relay.ports import Clock


class Options(usage.Options):
    """What stands after ``aagm`` on twistd's command line."""

    synopsis = "[options]"
    longdesc = "Connect an AI agent with a live Foundry VTT world, on this machine."
    optParameters = tuple(  # noqa: N815 - usage.Options reads this name
        (name, None, None, help_text)
        for name, help_text in {
            "member": "who the agent is: kimi (the default) or grok",
            "bridge": "endpoint for the Foundry module [tcp:7898 on loopback]",
            "mcp": "endpoint for MCP clients [tcp:7899 on loopback]",
            "data-dir": "folder of points, logs and state",
            "config": "TOML file with the same names; options win",
            "pairing": "required (the default) or off",
            "mcp-token-file": "file with a token that MCP clients must send",
        }.items()
    )

    def __init__(self) -> None:
        """Begin with nothing given."""
        super().__init__()
        self["allow-origin"] = []
        self["mirror-root"] = []

    def opt_allow_origin(self, origin: str) -> None:
        """Let pages of this origin connect, beside this machine's own (repeatable)."""
        self["allow-origin"].append(origin)

    def opt_mirror_root(self, folder: str) -> None:
        """Folder under which macros may be mirrored (repeatable)."""
        self["mirror-root"].append(folder)

    @override
    def parseOptions(self, options: Sequence[str] | None = None) -> None:
        """Parse; what is wrong ends the process with one sentence, without help."""
        try:
            super().parseOptions(options)
        except usage.UsageError as e:
            end(StartFault(str(e).rstrip(".")))


def end(fault: StartFault) -> NoReturn:
    """End the process: one sentence on stderr, status 1.

    twistd turns stderr into log lines while a service starts; the person who typed
    the command reads the real one.
    """
    if sys.__stderr__ is not None:
        sys.__stderr__.write(f"aagm: {fault}.\n")
        sys.__stderr__.flush()
    raise SystemExit(1)


def show_on_terminal(code: str) -> None:
    """Show a pairing code to whoever started the relay by hand."""
    for stream in (sys.__stderr__, sys.__stdout__):
        if stream is not None and stream.isatty():
            stream.write(f"Pairing code for a new Foundry tab: {code}\n")
            stream.flush()
            return


class Daemon(MultiService):
    """The relay under twistd: a fault ends the process."""

    @override
    def startService(self) -> None:
        """Start the relay, or end."""
        try:
            super().startService()
        except StartFault as fault:
            end(fault)


def makeService(options: Options) -> IService:  # noqa: N802 - twistd calls this name
    """Make the relay that *options* describe; twistd starts it."""
    from twisted.internet import reactor  # noqa: PLC0415 - only when we are chosen

    given = dict(options)
    config = given.pop("config")
    try:
        settings = load(given, config=None if config is None else Path(config))
        relay = join(reactor, settings, show_code=show_on_terminal)
    except StartFault as fault:
        end(fault)
    daemon = Daemon()
    relay.service.setServiceParent(daemon)
    return daemon


@frozen
class Relay:
    """The relay, joined: what the process and the demo hold of it."""

    service: RelayService
    pairing: Pairing | None


def join(reactor: Any, settings: Settings, *, show_code: Show) -> Relay:
    """Join all parts of one relay; nothing listens yet.

    Args:
        reactor: Clock, sockets and threads.
        settings: How the relay was started.
        show_code: Shows a pairing code to a person, never to a log.

    Raises:
        StartFault: An endpoint, the data folder or a file in it is not as it must be.
    """
    token = None
    if settings.mcp_token_file is not None:
        token = read_token(settings.mcp_token_file)
    bridge_at = loopback_endpoint(reactor, "bridge", settings.bridge)
    mcp_at = loopback_endpoint(reactor, "mcp", settings.mcp)
    lock = open_data_folder(settings)
    disk = LocalDisk(partial(deferToThreadPool, reactor, reactor.getThreadPool()))
    pairing = None
    if settings.pairing:
        path = settings.state_dir / "paired.json"
        pairing = Pairing.load(
            reactor, now=time.time, disk=disk, path=path, show=show_code
        )
    inbound = Inbound()
    dial = f"ws://{bridge_at.address}"
    bridge = _bridge(reactor, settings, inbound, pairing, dial)
    control_token = secrets.token_urlsafe(32)
    site = _mcp(
        reactor,
        settings,
        bridge,
        dial=dial,
        token=token,
        control=(control_token, {}),
    )
    service = RelayService(
        settings,
        lock=lock,
        bridge=Listener(bridge_at, bridge.factory),
        mcp=Listener(mcp_at, site),
        control_token=control_token,
    )
    bridge.setServiceParent(service)
    return Relay(service, pairing)


def _bridge(
    clock: Clock,
    settings: Settings,
    inbound: Inbound,
    pairing: Pairing | None,
    dial: str,
) -> BridgeService:
    limits, protected = settings.limits, settings.protected
    told = BridgeSettings(
        member=settings.member.key,
        member_name=settings.member.title,
        relay_version=version(),
        limits={
            "message": limits.message,
            "readSeconds": limits.read_seconds,
            "writeSeconds": limits.write_seconds,
            "settleMs": limits.settle_ms,
            "settleMaxMs": limits.settle_max_ms,
        },
        protected={
            "ids": list(protected.ids),
            "names": list(protected.names),
            "flags": [{"scope": scope, "key": key} for scope, key in protected.flags],
        },
        allow_origins=frozenset(settings.allow_origins),
        users=settings.users,
        message=limits.message,
    )
    return BridgeService(
        clock,
        now=time.time,
        settings=told,
        events=inbound,
        pairing=pairing,
        dial=lambda: dial,
    )


def _mcp(
    clock: Clock,
    settings: Settings,
    bridge: BridgeService,
    *,
    dial: str,
    token: str | None,
    control: tuple[str, dict[str, Verb]],
) -> LoopbackSite:
    limits = settings.limits
    answers = Answers(clock)
    connection = Connection(clock, bridge, settings.member, version())
    tools = [
        *ping_tools(connection, dial=dial, limit=limits.read_seconds),
        *query_tools(bridge, limit=limits.read_seconds),
        *more_tools(answers),
    ]
    return mcp_site(
        clock,
        registry=Registry(tools, answers),
        answers=answers,
        connection=connection,
        token=token,
        control=control,
        admits=settings.allow_origins.__contains__,
    )
