"""What a listener does: poll, look for interrupts, reply, say what it works on.

Source: DESIGN section 6; WIRE section 6; PROTOCOL_FACTS sections 1.4 and 5.
"""

from __future__ import annotations

from attrs import define, field
from twisted.logger import Logger

from aagm.errors import TooLarge
from aagm.members import Member
from aagm.relay.chat.box import Box
from aagm.relay.chat.gate import Gate
from aagm.relay.chat.hands import Hands
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.modes import Modes
from aagm.relay.chat.polls import Caller, Polls
from aagm.relay.chat.rules import first_batch, for_poll, for_tab
from aagm.relay.chat.slot import ListenerSlot
from aagm.relay.chat.tab import MAX_LINE
from aagm.relay.ports import Audit, Clock, Now
from aagm.relay.refusals import refused
from aagm.relay.world_settings import WorldSettings
from aagm.wire.jsonrpc import Json, Params

WORKING = "Working in the background"
WHEN_INTERNAL = (
    "Keep the reply, and send it when the mode is internal again: the game master"
    " types /int."
)

WHEN_CLOSED = (
    "End this tab's work. If the reply is another tab's, send it again with that"
    " tabId; foundry_get_prompts lists the tabs."
)
KEPT = "Do not send it again: the chat box shows it as soon as a tab is connected."
TOO_LONG = (
    f"Send it in parts of at most {MAX_LINE} characters, each but the last with"
    " final: false."
)


@define(eq=False)
class Dispatch:
    """Serve the one listener."""

    _log = Logger()

    _clock: Clock
    _now: Now
    _member: Member
    _ledger: Ledger
    _box: Box
    _slot: ListenerSlot
    _polls: Polls
    _hands: Hands
    _gate: Gate
    _modes: Modes
    _settings: WorldSettings
    _audit: Audit
    _stopping: str | None = field(default=None, init=False)  # listener that must end
    _since: float = field(default=0.0, init=False)  # when the holder came, wall clock

    async def poll(self, caller: Caller, listener: str, seconds: float) -> Json:
        """Wait for prompts.

        Returns:
            ``{prompts, terminate, mode, tabs, closedTabs, hold?}``

        Raises:
            ListenerOccupied: Another listener holds the lease.
            DiskFault: Prompts are there but cannot be handed out.
        """
        self._claim(listener)
        until = self._clock.seconds() + seconds
        was_external = self._box.is_external
        with self._slot.polling():
            while (answer := self._answer(caller, listener)) is None:
                rest = until - self._clock.seconds()
                is_back = was_external and not self._box.is_external
                if rest <= 0 or is_back or caller.left() or self._polls.is_over:
                    return self._shape()
                await self._polls.wait(rest, caller)
        return answer

    def interrupts(self, caller: Caller, listener: str, tab: str) -> Json:
        """Take the interrupts of one tab, without waiting.

        Raises:
            ListenerOccupied: Another listener holds the lease.
            DiskFault: They cannot be handed out.
        """
        self._claim(listener)
        self._gate.named(tab)
        prompts = first_batch(
            for_tab(
                self._ledger.room,
                self._member.external,
                tab,
                is_external=self._box.is_external,
            )
        )
        shapes: list[Json] = []
        if prompts and not caller.left():
            shapes = self._hands.give(prompts, caller, to=listener)
            self._slot.hand([tab])
        return {"prompts": shapes, "mode": self._box.mode}

    def reply(
        self, text: str, *, prompt: str | None, tab: str | None, final: bool
    ) -> Json:
        """Put a reply into its tab; it is never answered with an interrupt.

        Returns:
            ``{delivered, tabId, refused?, dropped?, unknownPrompt?, promptTab?,
            reason?, fix?}``; what names a prompt that nobody typed, or that was
            typed in another tab, is shown all the same, and answers no prompt there.

        Raises:
            TooLarge: The transcript has no room for all of it; nothing is shown.
        """
        room = self._ledger.room
        typed_in = room.known.get(prompt or "")
        named = tab or typed_in
        seat = room.resolve(named)
        if self._box.is_external and self._member.external.suspends_workers:
            refusal = refused("external-mode", fix=WHEN_INTERNAL)
            return {"delivered": False, "tabId": seat, **refusal}
        if (
            len(text) > MAX_LINE
        ):  # the rest would be gone when the window is opened anew
            said = f"a reply may have {MAX_LINE} characters, this one has {len(text)}"
            raise TooLarge(said, fix=TOO_LONG)
        if named is not None and named not in room.tabs:
            self._audit("tab.reply.dropped", tab=seat, text=text)
            return {
                "delivered": False,
                "tabId": seat,
                "dropped": True,
                "reason": f"no tab {seat} is open",
                "fix": WHEN_CLOSED,
            }
        self._slot.renew_for(seat)
        # Another tab's prompt is not answered by this: it may have to be offered again.
        answered = prompt if typed_in in (None, seat) else None
        ts = self._box.stamp()
        self._ledger.note(
            "replied", tab=seat, text=text, ts=ts, final=final, prompt=answered
        )
        self._box.reply(seat, text, answered)
        self._box.tabs()
        slip = _slip(prompt, typed_in, seat)
        return {"tabId": seat, **slip, **self._delivered(**slip)}

    def set_status(self, text: str | None, count: int | None, *, clear: bool) -> Json:
        """Show in the box what is worked on in the background."""
        if not self._settings.now.multitasking:
            fix = "Go on without: the game master allows it in the module's settings."
            return refused("multitasking-disabled", fix=fix)
        self._box.work = None
        if not clear:
            shown: Params = {"state": "working", "text": text or WORKING}
            self._box.work = {**shown, "count": 1 if count is None else count}
        self._box.status()
        self._audit("chat.work-status", **self._box.state)
        return {**self._delivered(), **self._box.state}

    def _delivered(self, reason: str = "", fix: str = "", **_: Json) -> Params:
        """Say whether it is seen now; if not, why, beside what else there is to say."""
        if (why := self._box.unseen) is None:
            return {"delivered": True}
        said = f"nobody sees it now: {why.message.rstrip('.')}"
        return {
            "delivered": False,
            "reason": f"{reason}; {said}" if reason else said,
            "fix": " ".join(filter(None, (fix, KEPT, why.fix))),
        }

    def set_mode(self, mode: str) -> Json:
        """Switch the mode, as ``/int`` and ``/ext`` do."""
        self._modes.switch(is_external=mode == "external")
        return {"mode": self._box.mode}

    def is_meant(self, typed_at: float) -> bool:
        """Say whether what was typed then, seconds since 1970, meant this listener."""
        return self._slot.holder is None or typed_at >= self._since

    def terminate(self) -> None:
        """Tell the listener to stop: in the polls that wait, or in its next."""
        self._stopping = self._slot.holder
        if len(self._polls):
            self._polls.wake_all()
            self._stopped()

    def changed(self) -> None:
        """Take note that the slot was taken or became free."""
        if self._slot.holder != self._stopping:
            self._stopping = None
        if self._slot.holder is None:
            self._box.work = None
        self._box.status()

    def _claim(self, listener: str) -> None:
        """Take or renew the lease; what an earlier listener left is offered again."""
        if not self._slot.claim(listener):
            return
        self._since = self._now()
        for world in self._ledger.worlds:
            if self._ledger.room_of(world).is_owed(listener):
                self._ledger.note("claimed", at=world, by=listener)

    def _answer(self, caller: Caller, listener: str) -> Json | None:
        """Give what there is to say now; None to wait on."""
        if caller.left() or self._slot.holder != listener:
            return self._shape()
        if self._stopping == listener:
            return self._terminated(caller, listener)
        if self._box.is_external and self._member.external.holds_polls:
            self._slot.free()
            return {**self._shape(), "hold": True}
        room = self._ledger.room
        prompts = first_batch(
            for_poll(room, self._member.external, is_external=self._box.is_external)
        )
        closed = list(room.closed)
        if not prompts and not closed:
            return None
        shapes = self._hands.give(prompts, caller, to=listener, closed=closed)
        self._slot.hand(p.tab for p in prompts)
        return {**self._shape(), "prompts": shapes, "closedTabs": closed}

    def _terminated(self, caller: Caller, listener: str) -> Json:
        """Say that it is over; once more if that does not arrive."""

        def settle(arrived: bool) -> None:
            if not arrived and self._slot.holder in (None, listener):
                self._stopping = listener

        caller.on_delivered(settle)
        if not len(self._polls):
            self._stopped()
        return {**self._shape(), "terminate": True}

    def _stopped(self) -> None:
        self._stopping = None
        self._slot.free()

    def _shape(self) -> dict[str, Json]:
        """Shape a poll's answer that says nothing."""
        tabs = [tab.to_listener() for tab in self._ledger.room.tabs.values()]
        if self._member.prefixes_status:
            tabs = [{**tab, "mode": self._box.mode} for tab in tabs]
        return {
            "prompts": [],
            "terminate": False,
            "mode": self._box.mode,
            "tabs": tabs,
            "closedTabs": [],
        }


def _slip(prompt: str | None, typed_in: str | None, seat: str) -> dict[str, Json]:
    """Say what is wrong with the prompt that a reply in *seat* names, if anything."""
    if prompt is None or typed_in == seat:
        return {}
    where = f"the text was put into tab {seat}"
    if typed_in is None:
        return {
            "unknownPrompt": True,
            "reason": f"no prompt {prompt} is known here; {where}",
            "fix": "Give the promptId that foundry_get_prompts gave, or none.",
        }
    return {
        "promptTab": typed_in,
        "reason": f"prompt {prompt} was typed in tab {typed_in}; {where}",
        "fix": f"If it was meant for tab {typed_in}, send it again with that tabId.",
    }
