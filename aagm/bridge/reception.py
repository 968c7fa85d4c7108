"""Where a hello is judged and a tab is given its seat.

Source: WIRE sections 1 and 2.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import define, field, frozen
from twisted.internet.defer import Deferred, gatherResults
from twisted.logger import Logger

from aagm.bridge import admission
from aagm.bridge.admission import Close, Refusal
from aagm.bridge.calls import CAPABILITY_SET, LateAnswers
from aagm.bridge.connection import Connection
from aagm.bridge.door import Door
from aagm.bridge.pairing import Pairing
from aagm.bridge.roster import Roster
from aagm.bridge.settings import BridgeSettings
from aagm.bridge.starting import start
from aagm.bridge.tab import Tab
from aagm.errors import AagmError, DiskFault, PairingRequired
from aagm.loopback import parse_origin
from aagm.relay.ports import BridgeEvents, Clock, Now, TabLink
from aagm.wire.hello import FAMILY_PROTOCOL, FEATURES, PROTOCOL, Hello, parse_hello
from aagm.wire.jsonrpc import Params, Result


class Refused(Exception):
    """A hello was turned away."""

    def __init__(self, refusal: Refusal) -> None:
        """Keep what the tab is told."""
        super().__init__(str(refusal.error))
        self.refusal = refusal


@frozen
class Entrant:
    """A hello that may come in, and the tabs that it replaces because they are dead."""

    hello: Hello
    extra: Params  # ``{token}`` when a code was right
    dead: list[Tab]


@define(eq=False)
class Reception:
    """Judge hellos, seat tabs, and see them leave.

    Args:
        clock: What every limit runs on.
        now: For dates that a person reads.
        settings: What the bridge was told.
        events: Who hears of tabs.
        pairing: None when pairing is off.
        door: Who remembers why nobody is in.
        roster: Who is in.
        when_written: Waits until no write of a tab's is recorded any more; asked
            before a tab that lost its ownership is closed.
    """

    _log = Logger()

    clock: Clock
    _now: Now
    settings: BridgeSettings
    _events: BridgeEvents
    _pairing: Pairing | None
    door: Door
    _roster: Roster
    _when_written: Callable[[TabLink], Awaitable[object]]
    late_answers: LateAnswers = field(factory=LateAnswers, init=False)

    async def admit(self, params: Params, origin: str | None) -> Entrant:
        """Judge a hello.

        Raises:
            Refused: It may not come in.
        """
        hello = _read(params)
        refusal = admission.judge_hello(
            hello,
            users=self.settings.users,
            relay_version=self.settings.relay_version,
        )
        if refusal is not None:
            raise Refused(refusal)
        try:
            extra = await self._pair(hello, origin)
        except PairingRequired as e:
            raise Refused(admission.unpaired(e)) from e
        return Entrant(hello, extra, await self._find_dead(hello))

    def seat(
        self, entrant: Entrant, request_id: str | int, connection: Connection
    ) -> Tab:
        """Take a tab in and answer its hello."""
        hello = entrant.hello
        connection.trust()
        tab = Tab(
            self.clock,
            hello=hello,
            since=self._now(),
            connection=connection,
            events=self._events,
            largest=self.settings.message,
            late_answers=self.late_answers,
        )
        is_heir = self._clear_seats([*entrant.dead, *self._roster.of_page(hello)])
        self._roster.add(tab, owns=is_heir)
        former = self._roster.pass_to(tab) if hello.takes_over else None
        try:
            extra = entrant.extra | self._events.accepted(tab)
        except Exception:
            self.leave(tab, "the relay could not take the tab in")
            raise
        tab.greet(Result(request_id, self._answer(tab) | extra))
        self._log.info(
            "a tab is in: Foundry {foundry}, module {module}, protocol {protocol}",
            foundry=hello.foundry_version[:40],
            module=hello.module_version[:40],
            protocol=hello.protocol,
        )
        if former is not None:
            self._roster.tell_owner()
            start(self._retire(former), self._log, "retiring a tab")
        self.door.opened()
        self.door.report()
        return tab

    def leave(self, tab: Tab, reason: str, *, leaves_heir: bool = False) -> None:
        """Take a tab out; once."""
        if tab not in self._roster.tabs:
            return
        self._roster.remove(tab, leaves_heir=leaves_heir)
        tab.leave(reason)
        self._log.info("a tab left: {reason}", reason=reason)
        try:
            self._events.gone(tab, reason)
        except Exception:  # noqa: BLE001 - last stop: the roster must stay right
            self._log.failure("telling that a tab left")
        self.door.report()

    async def _pair(self, hello: Hello, origin: str | None) -> Params:
        if self._pairing is None:
            return {}
        if hello.token is not None and self._pairing.knows(hello.token):
            return {}
        page = None if origin is None else parse_origin(origin)
        if page is None:
            raise PairingRequired("a program that is no browser page needs a token")
        if hello.pairing_code is None:
            raise PairingRequired("this browser is not paired with the relay")
        try:
            token = await self._pairing.redeem(
                hello.pairing_code,
                origin=page,
                world_id=hello.world.id,
                user_id=hello.user_id,
            )
        except DiskFault as e:
            raise PairingRequired(f"the pairing cannot be kept: {e}") from e
        return {"token": token}

    async def _find_dead(self, hello: Hello) -> list[Tab]:
        """Ping the user's other tabs, and give those that do not answer.

        Raises:
            Refused: A family module, whose user has a tab that lives.
        """
        if self._roster.of_page(hello):
            return []
        rivals = self._roster.of_user(hello)
        within = self.settings.replace_seconds
        living = await gatherResults(
            [Deferred.fromCoroutine(tab.connection.is_alive(within)) for tab in rivals]
        )
        if hello.protocol == FAMILY_PROTOCOL and any(living):
            raise Refused(admission.duplicate())
        return [
            tab for tab, is_alive in zip(rivals, living, strict=True) if not is_alive
        ]

    def _clear_seats(self, tabs: list[Tab]) -> bool:
        """Let *tabs* go; whether one of them owned the bridge."""
        is_heir = any(tab.is_owner for tab in tabs)
        for tab in tabs:
            self.leave(tab, "the page connected anew", leaves_heir=True)
            tab.connection.cut()
        return is_heir

    def _answer(self, tab: Tab) -> Params:
        answer = {
            "sessionId": tab.session_id,
            "capabilitySet": CAPABILITY_SET,
            "auditLogging": True,
            "protocol": PROTOCOL,
            "features": list(FEATURES),
            "member": self.settings.member,
            "memberName": self.settings.member_name,
            "relayVersion": self.settings.relay_version,
            "owner": tab.is_owner,
            "protected": self.settings.protected,
            "limits": self.settings.limits,
            "resend": [],
        }
        return answer if tab.is_owner else answer | {"ownedBy": self._roster.owned_by()}

    async def _retire(self, tab: Tab) -> None:
        """Close a tab that was taken over from, once its write is done."""
        await tab.calls.when_idle()
        await self._when_written(tab)
        if not tab.is_owner:
            tab.connection.close(Close.TAKEN_OVER, "another tab took over")


def _read(params: Params) -> Hello:
    try:
        return parse_hello(params)
    except AagmError as e:
        names_user = bool(params.get("userId"))
        raise Refused(admission.bad_hello(e, names_user=names_user)) from e
