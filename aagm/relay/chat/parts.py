"""Join the pieces of the chat; what the composition root makes, once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from attrs import frozen

from aagm.members import Member
from aagm.relay.chat.box import Box
from aagm.relay.chat.dispatch import Dispatch
from aagm.relay.chat.gate import Gate
from aagm.relay.chat.hands import Hands
from aagm.relay.chat.intake import Intake
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.modes import Modes
from aagm.relay.chat.orders import Logs, Orders, Rollbacks
from aagm.relay.chat.polls import Polls
from aagm.relay.chat.slot import ListenerSlot
from aagm.relay.inbound import Inbound
from aagm.relay.ports import Audit, Bridge, Clock, Disk, Now, TabLink, unheard
from aagm.relay.world_settings import WorldSettings
from aagm.wire.jsonrpc import Json, Params


@frozen
class Chat:
    """The chat, whole."""

    intake: Intake  # what comes from the box
    dispatch: Dispatch  # what a listener does
    gate: Gate  # what every other tool passes
    settings: WorldSettings  # what the GM set
    box: Box
    modes: Modes
    _ledger: Ledger
    _slot: ListenerSlot
    _polls: Polls

    def listen_to(self, inbound: Inbound) -> None:
        """Take what the tabs tell."""
        inbound.on_accepted.append(self.settings.accepted)
        inbound.on_accepted.append(self._accepted)
        inbound.notifications["settings.sync"] = self.settings.synced
        inbound.notifications["aagm.prompt"] = self.intake.prompted
        inbound.notifications["aagm.status.request"] = self.intake.asked_for_status

    def facts(self) -> dict[str, Json]:
        """What ``foundry_ping`` says of the chat: mode, settings, parked prompts."""
        posture = self.settings.now
        return {
            "mode": posture.mode,
            "settings": posture.to_json(),
            "interactionMode": self.box.mode,
            "parked": self.modes.parked,
        }

    async def stop(self) -> None:
        """Answer the polls that wait, leave no timer behind, finish writing."""
        self._polls.end()
        self.intake.stop()
        self.box.stop()
        self._slot.stop()
        await self._ledger.when_idle()

    def _accepted(self, _link: TabLink) -> Params:
        """Look anew at what may be handed out: the world may be another one."""
        self._polls.wake()
        return {}


def open_chat(
    clock: Clock,
    now: Now,
    *,
    member: Member,
    bridge: Bridge,
    disk: Disk,
    folder: Path,
    rollbacks: Rollbacks,
    logs: Logs | None,
    cards: Callable[[], None],
    audit: Audit = unheard,
) -> Chat:
    """Read what an earlier relay left and join the pieces.

    Args:
        clock: What leases and polls run on.
        now: The time of day.
        member: Which member of the family this relay is.
        bridge: The Foundry side.
        disk: Where the state lies.
        folder: The state's folder in it.
        rollbacks: What ``/rollback``, ``/redo`` and ``/points`` ask.
        logs: What ``/log`` asks; None when no log is kept.
        cards: Sends the rollback cards (``aagm.rollback`` with event ``sync``) to the
            box, after it was told everything else.
        audit: Takes what the session log keeps.

    Raises:
        StartFault: What an earlier relay left cannot be read.
    """

    def stamp() -> str:
        at = datetime.fromtimestamp(now(), UTC)
        return f"{at:%Y-%m-%dT%H:%M:%S}.{at.microsecond // 1000:03d}Z"

    def world() -> str | None:
        return bridge.owner.hello.world.id if bridge.owner is not None else None

    def arrived() -> None:
        polls.wake()
        gate.arrived()

    def listens() -> bool:
        return slot.holder is not None

    def changed() -> None:
        dispatch.changed()

    def turned_away() -> None:
        audit("chat.refused")
        box.turned_away()

    ledger = Ledger(disk, folder, world, audit)
    ledger.load()
    polls = Polls(clock)
    box = Box(clock, bridge, member, ledger, stamp, listens)
    slot = ListenerSlot(clock, changed, turned_away)
    settings = WorldSettings(lambda: ledger.here)
    hands = Hands(ledger, arrived)
    gate = Gate(member, ledger, box, slot, hands, settings)
    modes = Modes(member, ledger, box, polls, audit)
    dispatch = Dispatch(
        clock,
        now,
        member=member,
        ledger=ledger,
        box=box,
        slot=slot,
        polls=polls,
        hands=hands,
        gate=gate,
        modes=modes,
        settings=settings,
        audit=audit,
    )
    orders = Orders(
        ledger,
        box,
        gate=gate,
        modes=modes,
        dispatch=dispatch,
        rollbacks=rollbacks,
        logs=logs,
        arrived=arrived,
        audit=audit,
    )
    intake = Intake(clock, member, ledger, box, gate, orders, arrived, cards)
    return Chat(
        intake=intake,
        dispatch=dispatch,
        gate=gate,
        settings=settings,
        box=box,
        modes=modes,
        ledger=ledger,
        slot=slot,
        polls=polls,
    )
