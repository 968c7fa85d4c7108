"""Who drives: the box in Foundry (internal) or an agent outside it (external).

Source: DESIGN section 2, the row of ``/ext``; PROTOCOL_FACTS section 5.6.
"""

from __future__ import annotations

from attrs import define

from aagm.members import Member
from aagm.relay.chat.box import Box
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.polls import Polls
from aagm.relay.chat.prompt import Parked, Queued
from aagm.relay.ports import Audit
from aagm.wire.jsonrpc import Params


@define(eq=False)
class Modes:
    """Switch the mode; it begins as internal at each start and is not kept."""

    _member: Member
    _ledger: Ledger
    _box: Box
    _polls: Polls
    _audit: Audit

    @property
    def parked(self) -> int:
        """Count the prompts that wait for ``/int``."""
        return len(self._ledger.room.placed(Parked))

    def switch(self, *, is_external: bool, tab: str | None = None) -> None:
        """Switch, say so in *tab* when it was typed there, and tell the box."""
        if is_external == self._box.is_external:
            line = f"The session is {self._box.mode} already."
        elif is_external:
            line = self._to_external()
        else:
            line = self._to_internal()
        self._audit("chat.mode", mode=self._box.mode)
        if tab is not None:
            self._box.say(tab, line)
        self._box.tabs()
        self._box.status()
        self._box.switched()

    def _to_external(self) -> str:
        policy = self._member.external
        count = len([p for p in self._ledger.room.placed(Queued) if not p.is_close])
        if policy.keeps_prompts:
            self._ledger.note("parked")
            rest = f" Parked until /int: {_prompts(count)}." if count else ""
        else:
            self._cancel()
            rest = f" Cancelled: {_prompts(count)}." if count else ""
        if policy.settles_tabs:
            self._ledger.note("settled")
        self._box.is_external, self._box.work = True, None
        if policy.holds_polls:
            self._polls.wake_all()
        return f"External: an agent outside Foundry drives until /int.{rest}"

    def _to_internal(self) -> str:
        count = self.parked
        for world in self._ledger.worlds:
            if self._ledger.room_of(world).placed(Parked):
                self._ledger.note("unparked", at=world)
        self._box.is_external = False
        self._polls.wake_all()
        rest = f" In the queue again: {_prompts(count)}." if count else ""
        return f"Internal: this box drives.{rest}"

    def _cancel(self) -> None:
        by_tab: dict[str, list[Params]] = {}
        for p in self._ledger.room.placed(Queued):
            if not p.is_close:
                by_tab.setdefault(p.tab, []).append({"promptId": p.id, "text": p.text})
        self._ledger.note("cancelled")
        for tab, prompts in by_tab.items():
            self._box.cancelled(tab, prompts)


def _prompts(count: int) -> str:
    return "1 prompt" if count == 1 else f"{count} prompts"
