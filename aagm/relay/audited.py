"""The session log in between: the Foundry side, and the writes.

Source: PROTOCOL_FACTS section 12.1.
"""

from __future__ import annotations

from attrs import define
from twisted.python.failure import Failure

from aagm.errors import AagmError
from aagm.relay.ports import Audit, Bridge, BridgeEvents, Late, Reason, TabLink
from aagm.relay.rollback.desk import RollbackDesk
from aagm.relay.rollback.lane import Ticket, Turn
from aagm.relay.rollback.recording import Recording
from aagm.wire.codes import code_of
from aagm.wire.jsonrpc import Json, Params

__all__ = ["AuditedBridge", "AuditedEvents", "audit_writes"]


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
        if method == "damage" and not params.get("commit"):
            planned = {key: params.get(key) for key in ("targets", "amount")}
            self._audit("damage.plan", **planned)
        elif method == "loot.restore":
            self._audit("loot.restore", events=params.get("eventIds"))
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
        if method == "settings.sync":
            self._audit("settings.update", **params)
        self._events.notified(link, method, params)

    async def asked(self, link: TabLink, method: str, params: Params) -> Json:
        """Answer a request of the tab's."""
        self._audit("request", method=method, params=_without_bodies(params))
        return await self._events.asked(link, method, params)


def audit_writes(desk: RollbackDesk, audit: Audit) -> None:
    """Log each write's turn, what it came to, its point, and what was undone."""

    def turn(which: Turn, ticket: Ticket) -> None:
        point = {} if ticket.point_id is None else {"point": ticket.point_id}
        audit(f"write.queue.{which}", label=ticket.label, by=ticket.by, **point)
        if which == "start":
            ticket.copy().addBoth(ended, ticket)

    def ended(outcome: Json | Failure, ticket: Ticket) -> None:
        came: dict[str, Json] = {"label": ticket.label, "point": ticket.point_id}
        if isinstance(outcome, Failure):
            audit("write.result", **came, ok=False, message=str(outcome.value))
        else:
            refused = isinstance(outcome, dict) and outcome.get("refused", False)
            audit("write.result", **came, ok=not refused)

    newest: list[Json] = []  # what was logged last: a point is saved again and again

    def saved(recording: Recording, is_saved: bool) -> None:
        point = desk.writes.brief(recording.id)
        if point is not None and newest != [is_saved, point]:
            newest[:] = [is_saved, point]
            event = "rollback.point" if is_saved else "rollback.persist_error"
            audit(event, **point)

    def changed(event: str, point: dict[str, Json], via: str | None) -> None:
        state = point.get("state")
        audit("rollback.applied", id=point["id"], what=event, state=state, via=via)

    desk.lane.on_turn.append(turn)
    desk.recordings.on_saved.append(saved)
    desk.undo.on_changed.append(changed)


# Long lists that stand elsewhere: in points' files, in the chat's own events, in the
# mirror's files.
_COUNTED = ("entries", "expected", "found", "macros", "points", "tabs")


def _without_bodies(params: Params) -> Params:
    """Count what is long and stands elsewhere; the rest is as it is."""
    counts: Params = {}
    for key in _COUNTED:
        if isinstance(rows := params.get(key), list):
            counts[key] = f"{len(rows)} {key}"
    if isinstance(part := params.get("rollback"), dict):
        counts["rollback"] = _without_bodies(part)
    return params | counts if counts else params
