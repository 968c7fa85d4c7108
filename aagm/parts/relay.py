"""The relay as a whole."""

from __future__ import annotations

import secrets
from functools import partial
from typing import Any

from attrs import frozen

from aagm.bridge.pairing import Pairing, Show
from aagm.bridge.verbs import pair_verbs
from aagm.config import Settings
from aagm.daemon.endpoints import loopback_endpoint, require_apart
from aagm.daemon.folder import open_data_folder, read_token
from aagm.daemon.log_thread import LoggedParts
from aagm.daemon.service import Listener, RelayService
from aagm.foundry import version
from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.listener_kit import listener_prompts
from aagm.mcp.logged import LoggedRegistry
from aagm.mcp.registry import Tool
from aagm.mcp.site import mcp_site
from aagm.parts.ground import lay_ground
from aagm.parts.policy import open_policy
from aagm.parts.service import Part
from aagm.parts.tabs import open_pairing, open_tabs
from aagm.parts.tools import all_tools
from aagm.relay.audited import AuditedBridge
from aagm.relay.ports import TabLink
from aagm.relay.rollback.verbs import point_verbs


@frozen
class Relay:
    """The relay, joined: what the process and the demo hold of it."""

    service: RelayService
    pairing: Pairing | None
    tools: tuple[Tool, ...]


def join(
    reactor: Any, settings: Settings, *, show_code: Show, page: str | None = None
) -> Relay:
    """Join all parts of one relay; nothing listens yet.

    Args:
        reactor: Clock, sockets and threads.
        settings: How the relay was started.
        show_code: Shows a pairing code to a person, never to a log.
        page: Where the demo shows its world; None where Foundry does.

    Raises:
        StartFault: An endpoint, the data folder or a file in it is not as it must be.
    """
    token = None
    if settings.mcp_token_file is not None:
        token = read_token(settings.mcp_token_file)
    bridge_at = loopback_endpoint(reactor, "bridge", settings.bridge)
    mcp_at = loopback_endpoint(reactor, "mcp", settings.mcp)
    require_apart(mcp_at, bridge=bridge_at.address)
    lock = open_data_folder(settings)
    ground = lay_ground(reactor, settings)
    pairing = open_pairing(ground, show_code)
    dial = f"ws://{bridge_at.address}"

    async def when_written(link: TabLink) -> None:
        await policy.when_written(link)

    tabs = open_tabs(ground, pairing, dial=dial, page=page, when_written=when_written)
    bridge = AuditedBridge(tabs, ground.log)
    policy = open_policy(ground, bridge)
    answers = Answers(reactor)
    connection = Connection(reactor, bridge, settings.member, version())
    tools = all_tools(
        ground, bridge, policy, answers=answers, connection=connection, dial=dial
    )

    def page_refused(origin: str) -> None:
        if ground.refusals("mcp.reject", origin):
            ground.log("mcp.reject", origin=origin)
        tabs.page_refused(origin)

    control_token = secrets.token_urlsafe(32)
    site = mcp_site(
        reactor,
        registry=LoggedRegistry(tools, answers, ground.log),
        answers=answers,
        connection=connection,
        prompts=listener_prompts(settings.member),
        token=token,
        control=(
            control_token,
            point_verbs(policy.rollback) | pair_verbs(pairing),
        ),
        admits=settings.allow_origins.__contains__,
        page_refused=page_refused,
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
        ground.log,
        "relay.ready",
        version=version(),
        bridge=bridge_at.address,
        mcp=mcp_at.address,
        dataDir=str(settings.data_dir),
    )
    parts = LoggedParts(ground.log_thread, began, ground.log.when_written)
    parts.setServiceParent(service)
    for part in (  # the last ends first
        Part(end=ground.refusals.stop),
        Part(policy.rollback.start, policy.rollback.stop),
        Part(end=policy.console.stop),
        Part(end=policy.notices.stop),
        Part(end=policy.chat.stop),
        tabs,
    ):
        part.setServiceParent(parts)
    return Relay(service, pairing, tuple(tools))
