"""The Foundry side with a session log in between: what is asked, told and answered.

Source: PROTOCOL_FACTS section 12.1.
"""

from __future__ import annotations

from attrs import define

from aagm.errors import AagmError
from aagm.relay.ports import Audit, Bridge, BridgeEvents, Late, Reason, TabLink
from aagm.wire.codes import code_of
from aagm.wire.jsonrpc import Json, Params

__all__ = ["AuditedBridge", "AuditedEvents"]


@define(eq=False)
class AuditedBridge:
    """A `Bridge` whose every request, answer and notification is logged."""

    _bridge: Bridge
    _audit: Audit

    @property
    def owner(self) -> TabLink | None:
        """The tab that requests go to."""
        return self._bridge.owner

    def why_not(self) -> Reason:
        """Say why there is no owner."""
        return self._bridge.why_not()

    async def call(
        self, method: str, params: Params, *, limit: float, late: Late | None = None
    ) -> Json:
        """Ask the owner's tab; see `aagm.relay.ports.Bridge`."""

        def arrived(answer: Json | AagmError) -> None:
            self._settled(method, answer, is_late=True)
            if late is not None:
                late(answer)

        self._audit("cmd.out", method=method, params=_without_bodies(params))
        try:
            result = await self._bridge.call(
                method, params, limit=limit, late=None if late is None else arrived
            )
        except AagmError as e:
            self._settled(method, e, is_late=False)
            raise
        self._settled(method, result, is_late=False)
        return result

    def notify(self, method: str, params: Params) -> None:
        """Tell the owner's tab; dropped when there is none."""
        self._audit("notify.out", method=method, params=_without_bodies(params))
        self._bridge.notify(method, params)

    def _settled(self, method: str, answer: Json, *, is_late: bool) -> None:
        late = {"late": True} if is_late else {}
        if isinstance(answer, AagmError):
            code, said = code_of(answer).number, str(answer)
            self._audit("cmd.err", method=method, code=code, message=said, **late)
        else:
            result = _without_bodies(answer) if isinstance(answer, dict) else answer
            self._audit("cmd.ok", method=method, result=result, **late)


@define(eq=False)
class AuditedEvents:
    """`BridgeEvents` that are logged on their way to policy."""

    _events: BridgeEvents
    _audit: Audit

    def accepted(self, link: TabLink) -> Params:
        """Take note of a tab whose hello was accepted."""
        hello = link.hello
        self._audit(
            "bridge.connected",
            sessionId=link.session_id,
            userName=hello.user_name,
            worldId=hello.world.id,
            foundryVersion=hello.foundry_version,
            moduleVersion=hello.module_version,
            protocol=hello.protocol,
        )
        return self._events.accepted(link)

    def gone(self, link: TabLink, reason: str) -> None:
        """Take note of a tab that left."""
        self._audit("bridge.disconnected", sessionId=link.session_id, reason=reason)
        self._events.gone(link, reason)

    def notified(self, link: TabLink, method: str, params: Params) -> None:
        """Take a notification."""
        self._audit("notify", method=method, params=_without_bodies(params))
        self._events.notified(link, method, params)

    async def asked(self, link: TabLink, method: str, params: Params) -> Json:
        """Answer a request of the tab's."""
        self._audit("request", method=method, params=_without_bodies(params))
        return await self._events.asked(link, method, params)


def _without_bodies(params: Params) -> Params:
    """Count the entries of recordings: their documents stand in the point's file."""
    found = {key: params[key] for key in ("entries", "rollback") if key in params}
    if not found:
        return params
    counts: Params = {}
    for key, value in found.items():
        entries = value.get("entries") if isinstance(value, dict) else value
        counts[key] = f"{len(entries)} entries" if isinstance(entries, list) else value
    return params | counts
