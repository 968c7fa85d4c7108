"""Join the concrete parts of one relay; what `aagm.tap` and the demo start.

One function a part. Nothing here decides anything.
Source: DESIGN sections 3 and 9.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from attrs import define, frozen
from twisted.application.service import Service
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger
from typing_extensions import override

from aagm.bridge.pairing import Pairing, Show
from aagm.bridge.service import BridgeService
from aagm.bridge.settings import BridgeSettings
from aagm.config import Settings
from aagm.daemon.endpoints import loopback_endpoint
from aagm.daemon.folder import open_data_folder, read_token
from aagm.daemon.log_thread import LoggedParts, OneThread
from aagm.daemon.service import Listener, RelayService
from aagm.errors import DiskFault, StartFault
from aagm.foundry import version
from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.holding import CallHold
from aagm.mcp.listener_kit import listener_prompts
from aagm.mcp.logged import LoggedRegistry, logged_evals
from aagm.mcp.registry import Tool
from aagm.mcp.site import mcp_site
from aagm.mcp.tools.chat import chat_tools, gated
from aagm.mcp.tools.damage import damage_tools
from aagm.mcp.tools.evals import Judge, eval_tools, guarded
from aagm.mcp.tools.logs import log_tools
from aagm.mcp.tools.loot import loot_tools
from aagm.mcp.tools.mirror import mirror_tools
from aagm.mcp.tools.more import more_tools
from aagm.mcp.tools.ping import ping_tools
from aagm.mcp.tools.plugins import plugin_tools
from aagm.mcp.tools.queries import query_tools
from aagm.mcp.tools.tail import tail_tools
from aagm.mcp.tools.undo import undo_tools
from aagm.mcp.writing import WriteCalls
from aagm.relay.audit import SessionLog
from aagm.relay.audited import AuditedBridge, AuditedEvents, audit_writes
from aagm.relay.chat.orders import Logs
from aagm.relay.chat.parts import Chat, open_chat
from aagm.relay.disk import LocalDisk
from aagm.relay.guard import Guard, Protected
from aagm.relay.inbound import Inbound
from aagm.relay.log_files import LogFiles
from aagm.relay.mirror.mirror import Mirror, MirrorSettings
from aagm.relay.plugins import desk as plugin_desk
from aagm.relay.ports import Audit, Bridge, Clock, Disk, TabLink
from aagm.relay.rollback.desk import RollbackDesk, set_up
from aagm.relay.rollback.undo import Undo, UndoRequest
from aagm.relay.rollback.verbs import point_verbs
from aagm.relay.tail import ConsoleTail
from aagm.wire.jsonrpc import Json

_stdout = Logger("aagm.parts")


@frozen
class Relay:
    """The relay, joined: what the process and the demo hold of it."""

    service: RelayService
    pairing: Pairing | None
    tools: tuple[Tool, ...]


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
    inbound = Inbound()
    dial = f"ws://{bridge_at.address}"
    log_thread = OneThread(reactor, "session log")

    def log_in_trouble(sentence: str) -> None:
        _stdout.warn("{sentence}", sentence=sentence)
        chat.box.say(None, sentence)

    log = SessionLog(
        folder=settings.logs_dir,
        member=settings.member,
        disk=disk,
        now=time.time,
        in_thread=log_thread,
        trouble=log_in_trouble,
    )
    logs = LogFiles(settings.logs_dir, log.path.name)
    pairing = _pairing(reactor, settings, disk, show_code)

    async def when_written(link: TabLink) -> None:
        for recording in rollback.recordings.all():
            if recording.link is link:
                await rollback.recordings.when_ended(recording)

    tabs = BridgeService(
        reactor,
        now=time.time,
        settings=_bridge_settings(settings),
        events=AuditedEvents(inbound, log),
        pairing=pairing,
        dial=lambda: dial,
        when_written=when_written,
        audit=log,
    )
    bridge = AuditedBridge(tabs, log)
    rollback = set_up(
        reactor,
        time.time,
        disk,
        bridge,
        folder=settings.data_dir,
        limits=settings.limits,
        member=settings.member,
    )
    rollback.join(inbound)
    audit_writes(rollback, log)
    chat = _chat(
        reactor,
        settings,
        disk=disk,
        bridge=bridge,
        inbound=inbound,
        rollback=rollback,
        logs=BoxLogs(logs),
        audit=log,
    )
    plugins = plugin_desk.set_up(
        bridge, rollback, read_seconds=settings.limits.read_seconds
    )
    plugins.box.join(inbound)
    console = ConsoleTail(reactor, bridge, settings.limits.read_seconds)
    console.listen_to(inbound)
    answers = Answers(reactor)
    connection = Connection(reactor, bridge, settings.member, version())
    limits = settings.limits
    limit = limits.read_seconds
    calls = WriteCalls(
        reactor,
        answers,
        rollback.lane,
        limits.running_seconds,
        chat.gate.before_write,
    )
    working = [
        *ping_tools(connection, dial=dial, limit=limit, states=[chat.facts, log.facts]),
        *query_tools(bridge, limit=limit),
        *logged_evals(
            eval_tools(bridge, rollback.writes, calls, _judge(reactor, settings)), log
        ),
        *damage_tools(bridge, rollback.lane, rollback.writes, calls),
        *undo_tools(rollback.undo, rollback.intake, calls),
        *plugin_tools(plugins, calls),
        *loot_tools(
            bridge, rollback.writes, calls, member=settings.member.title, limit=limit
        ),
        *tail_tools(reactor, console, answers, chat.gate, hold=limits.running_seconds),
        *mirror_tools(
            _mirror(reactor, settings, bridge, chat),
            bridge,
            rollback.writes,
            calls,
            hold=CallHold(reactor, answers, limits.running_seconds),
            audit=log,
        ),
        *log_tools(logs),
    ]
    tools = [
        *gated(working, chat.gate),
        *more_tools(answers),
        *chat_tools(chat.dispatch),
    ]
    control_token = secrets.token_urlsafe(32)
    site = mcp_site(
        reactor,
        registry=LoggedRegistry(tools, answers, log),
        answers=answers,
        connection=connection,
        prompts=listener_prompts(settings.member),
        token=token,
        control=(control_token, point_verbs(rollback)),
        admits=settings.allow_origins.__contains__,
    )
    service = RelayService(
        settings,
        lock=lock,
        bridge=Listener(bridge_at, tabs.factory),
        mcp=Listener(mcp_at, site),
        control_token=control_token,
        when_running=reactor.callWhenRunning,
    )
    began = partial(
        log,
        "relay.ready",
        version=version(),
        bridge=bridge_at.address,
        mcp=mcp_at.address,
        dataDir=str(settings.data_dir),
    )
    parts = LoggedParts(log_thread, began, log.when_written)
    parts.setServiceParent(service)
    for part in (
        Part(rollback.start, rollback.stop),
        Part(end=console.stop),
        Part(end=chat.stop),
        tabs,
    ):
        part.setServiceParent(parts)
    return Relay(service, pairing, tuple(tools))


def _judge(reactor: Any, settings: Settings) -> Judge:
    """Make what decides the road of an eval."""
    named = settings.protected
    guard = Guard(
        partial(deferToThreadPool, reactor, reactor.getThreadPool()),
        Protected(ids=named.ids, names=named.names, flags=named.flags),
    )
    limits = settings.limits
    return guarded(
        guard.judge,
        read_seconds=limits.read_seconds,
        write_seconds=limits.write_seconds,
    )


def _pairing(
    clock: Clock, settings: Settings, disk: Disk, show_code: Show
) -> Pairing | None:
    if not settings.pairing:
        return None
    path = settings.state_dir / "paired.json"
    try:
        return Pairing.load(clock, now=time.time, disk=disk, path=path, show=show_code)
    except DiskFault as e:
        raise StartFault(str(e)) from e


def _bridge_settings(settings: Settings) -> BridgeSettings:
    limits, protected = settings.limits, settings.protected
    return BridgeSettings(
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


def _chat(
    clock: Clock,
    settings: Settings,
    *,
    disk: Disk,
    bridge: Bridge,
    inbound: Inbound,
    rollback: RollbackDesk,
    logs: Logs,
    audit: Audit,
) -> Chat:
    def cards() -> None:
        if bridge.owner is not None:
            rollback.cards.sync(bridge.owner, {})

    chat = open_chat(
        clock,
        time.time,
        member=settings.member,
        bridge=bridge,
        disk=disk,
        folder=settings.state_dir,
        rollbacks=BoxRollbacks(rollback.undo),
        logs=logs,
        cards=cards,
        audit=audit,
    )
    chat.listen_to(inbound)
    return chat


def _mirror(reactor: Any, settings: Settings, bridge: Bridge, chat: Chat) -> Mirror:
    def posture() -> MirrorSettings:
        now = chat.settings.now
        return MirrorSettings(
            is_enabled=now.mirror_enabled,
            path=now.mirror_path,
            sorts=now.mirror_contextual_sort,
        )

    return Mirror(
        bridge,
        posture,
        settings.mirror_roots,
        partial(deferToThreadPool, reactor, reactor.getThreadPool()),
        settings.limits.read_seconds,
    )


@frozen
class BoxRollbacks:
    """What the box's commands ask of the rollback core (`chat.orders.Rollbacks`)."""

    _undo: Undo

    async def rollback(self, target: str | None, *, via: str) -> Json:
        """Undo to before a point, the newest live one without *target*."""
        return await self._asked(UndoRequest(point_id=target, via=via))

    async def redo(self, *, via: str) -> Json:
        """Take the newest rollback back."""
        return await self._asked(UndoRequest(action="redo", via=via))

    async def points(self) -> Json:
        """List the points, newest first."""
        return {"points": self._undo.briefs()}

    async def _asked(self, request: UndoRequest) -> Json:
        return await self._undo.queue(request, by="gm").copy()


@frozen
class BoxLogs:
    """What the box's ``/log`` asks of the session logs (`chat.orders.Logs`)."""

    _logs: LogFiles

    async def tail(self, name: str | None, lines: int) -> str:
        """Give the last *lines* lines of a log."""
        return self._logs.tail(name, lines).text


def _nothing() -> None:
    """Do nothing."""


@define(eq=False)
class Part(Service):
    """A part that begins and ends with the relay."""

    begin: Callable[[], None] = _nothing
    end: Callable[[], Awaitable[None] | None] = _nothing

    @override
    def startService(self) -> None:
        """Begin.

        Raises:
            StartFault: What lies in the data folder cannot be read.
        """
        super().startService()
        try:
            self.begin()
        except DiskFault as e:
            raise StartFault(str(e)) from e

    @override
    def stopService(self) -> Deferred[None]:
        """End; fires when that is done."""
        super().stopService()
        return Deferred.fromCoroutine(self._end())

    async def _end(self) -> None:
        ending = self.end()
        if ending is not None:
            await ending
