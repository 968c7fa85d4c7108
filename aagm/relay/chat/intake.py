"""What comes from the box: prompts and commands, each taken once and saved first.

Source: WIRE section 6; DESIGN sections 2 and 6.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable

from attrs import define, field, frozen
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.errors import DiskFault
from aagm.members import Member
from aagm.relay.chat import words
from aagm.relay.chat.box import Box
from aagm.relay.chat.commands import parse_command
from aagm.relay.chat.gate import Gate
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.orders import Orders
from aagm.relay.ports import Clock, TabLink
from aagm.wire.jsonrpc import ID_LONGEST, Params

AGAIN = 2.0  # seconds until a disk that refused a prompt is tried again


@frozen
class _Typed:
    """What a tab sent."""

    link: TabLink
    id: str
    text: str
    tab: str | None

    @property
    def world(self) -> str:
        return self.link.hello.world.id


@define(eq=False)
class Intake:
    """Take what the GM types.

    Args:
        arrived: Called when a prompt is there to be fetched.
        cards: Called after a box was told everything, for the rollback cards.
    """

    _log = Logger()

    _clock: Clock
    _member: Member
    _ledger: Ledger
    _box: Box
    _gate: Gate
    _orders: Orders
    _arrived: Callable[[], None]
    _cards: Callable[[], None]
    _unsaved: list[_Typed] = field(factory=list, init=False)
    _is_stuck: bool = field(default=False, init=False)
    _timer: IDelayedCall | None = field(default=None, init=False)

    def prompted(self, link: TabLink, params: Params) -> None:
        """Take ``aagm.prompt``, from any GM's tab; one known already is dropped."""
        text, tab, id_ = (params.get(key) for key in ("text", "tabId", "promptId"))
        if not isinstance(text, str):
            return
        typed = _Typed(
            link=link,
            id=id_ if isinstance(id_, str) and id_ else f"p-{secrets.token_hex(8)}",
            text=text,
            tab=tab if isinstance(tab, str) and tab else None,
        )
        if max(len(typed.id), len(typed.tab or "")) > ID_LONGEST:
            self._refuse_id(typed)
        elif typed.id in self._ledger.room_of(typed.world).known:
            self._acknowledge(typed)
        elif typed.id not in [each.id for each in self._unsaved]:
            self._unsaved.append(typed)
            if len(self._unsaved) == 1:
                self._take_waiting()

    def asked_for_status(self, link: TabLink, _params: Params) -> None:
        """Answer ``aagm.status.request`` of the tab that shows the box."""
        if link.is_owner:
            self._box.everything(self._cards)

    def stop(self) -> None:
        """Leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _take_waiting(self) -> None:
        """Take what waits, in order; what cannot be saved waits for the disk."""
        self._timer = None
        while self._unsaved:
            first = self._unsaved[0]
            try:
                self._take(first)
            except DiskFault as e:
                self._timer = self._clock.callLater(AGAIN, self._take_waiting)
                if not self._is_stuck:
                    self._is_stuck = True
                    self._log.warn("prompts wait: the disk does not take them")
                    self._say_stuck(first, e)
                return
            except Exception:  # noqa: BLE001 - a bug must not hold up what comes after
                self._log.failure("taking what was typed")
            self._is_stuck = False
            self._acknowledge(self._unsaved.pop(0))

    def _take(self, typed: _Typed) -> None:
        command = parse_command(typed.text, reads_log=self._member.has_log_command)
        if command is None:
            self._take_prompt(typed)
        elif typed.world == self._ledger.here:
            tab = self._ledger.room.resolve(typed.tab)
            self._orders.carry_out(command, typed.id, tab)
        else:
            text = "Another world's tab owns the bridge; commands are typed there."
            typed.link.notify("aagm.reply", {"text": text, "system": True})

    def _take_prompt(self, typed: _Typed) -> None:
        room = self._ledger.room_of(typed.world)
        tab = room.resolve(typed.tab)
        if not room.has_room_for(tab):
            self._refuse_tab(typed)
        elif self._box.is_external and not self._member.external.keeps_prompts:
            self._refuse_external(typed, tab)
        else:
            self._queue(typed, tab)

    def _queue(self, typed: _Typed, tab: str) -> None:
        room, is_external = self._ledger.room_of(typed.world), self._box.is_external
        self._ledger.save(
            "typed",
            at=typed.world,
            prompt_id=typed.id,
            text=typed.text,
            tab=tab,
            ts=self._box.stamp(),
            interrupt=self._gate.marks(is_working=room.is_working(tab)),
            external=is_external,
        )
        self._arrived()
        self._box.tabs()
        self._box.status()
        if is_external:
            self._box.say(
                tab,
                "External: this waits for the next call of the agent outside Foundry, "
                "or for /int.",
            )

    def _refuse_id(self, typed: _Typed) -> None:
        """Refuse what a tab sends under an id that nobody could keep."""
        self._log.warn("an id of more than {most} characters", most=ID_LONGEST)
        text = (
            f"Not sent: the id of the prompt or of its tab has more than {ID_LONGEST} "
            f"characters. Reload this page, and send it again: {typed.text}"
        )
        typed.link.notify("aagm.reply", {"text": text, "system": True})
        self._acknowledge(typed)

    def _refuse_tab(self, typed: _Typed) -> None:
        """Refuse what a sixth tab says, where it can be seen."""
        tab = typed.tab or ""
        self._ledger.save("heard", at=typed.world, prompt_id=typed.id, tab=tab)
        self._box.say(
            None,
            "Five tabs are open, so this was not sent. Close a tab and send it again: "
            f"{typed.text}",
        )

    def _refuse_external(self, typed: _Typed, tab: str) -> None:
        """Refuse what is typed while external; it stays visible, to be sent again."""
        stamp = self._box.stamp()
        what = {"prompt_id": typed.id, "text": typed.text, "tab": tab, "ts": stamp}
        self._ledger.save("refused", at=typed.world, **what)
        self._box.say(
            tab,
            "Not sent: the session is external, an agent outside Foundry drives. "
            "Type /int, then send it again.",
        )
        self._box.cancelled(tab, [{"promptId": typed.id, "text": typed.text}])
        self._box.switched()

    def _acknowledge(self, typed: _Typed) -> None:
        if "prompt-ack" in typed.link.hello.features:
            typed.link.notify("aagm.prompt.ack", {"promptId": typed.id})

    def _say_stuck(self, typed: _Typed, fault: DiskFault) -> None:
        """Say in the box, unrecorded, that what was typed waits for the disk."""
        text = (
            f"Not taken yet: {words.fault(fault)} "
            f"It is tried again every {AGAIN:g} seconds."
        )
        params = {"text": text, "system": True}
        tab = {} if typed.tab is None else {"tabId": typed.tab}
        typed.link.notify("aagm.reply", {**params, **tab})
