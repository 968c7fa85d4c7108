"""The Foundry side: pairing, and the service that lets tabs in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aagm.bridge.pairing import Pairing, Show
from aagm.bridge.service import BridgeService
from aagm.bridge.settings import BridgeSettings
from aagm.config import Settings
from aagm.errors import DiskFault, StartFault
from aagm.foundry import version
from aagm.parts.ground import Ground, now
from aagm.relay.audited import AuditedEvents
from aagm.relay.ports import TabLink


def open_pairing(ground: Ground, show_code: Show) -> Pairing | None:
    """Read which pages are paired; None where nobody has to be.

    Raises:
        StartFault: The file cannot be read.
    """
    settings = ground.settings
    if not settings.pairing:
        return None
    try:
        return Pairing.load(
            ground.reactor,
            now=now,
            disk=ground.disk,
            path=settings.state_dir / "paired.json",
            show=show_code,
        )
    except DiskFault as e:
        raise StartFault(str(e), fix=e.fix) from e


def open_tabs(
    ground: Ground,
    pairing: Pairing | None,
    *,
    dial: str,
    page: str | None,
    when_written: Callable[[TabLink], Awaitable[None]],
) -> BridgeService:
    """Make what lets tabs in, and tells the others of it."""
    return BridgeService(
        ground.reactor,
        now=now,
        settings=_bridge_settings(ground.settings, page),
        events=AuditedEvents(ground.inbound, ground.log),
        pairing=pairing,
        dial=lambda: dial,
        when_written=when_written,
        audit=ground.log,
        refusals=ground.refusals,
    )


def _bridge_settings(settings: Settings, page: str | None) -> BridgeSettings:
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
        page=page,
        message=limits.message,
    )
