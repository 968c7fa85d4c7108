"""The gate that every other tool passes: interrupts, external mode, calls in flight.

Source: DESIGN sections 2 and 4 (step 1); PROTOCOL_FACTS section 1.6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from attrs import define, field
from twisted.logger import Logger

from aagm.errors import DiskFault
from aagm.members import Member
from aagm.relay.chat.box import Box
from aagm.relay.chat.hands import Hands
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.polls import Caller
from aagm.relay.chat.prompt import Prompt
from aagm.relay.chat.rules import first_batch, for_call
from aagm.relay.chat.slot import ListenerSlot
from aagm.relay.refusals import refused
from aagm.relay.world_settings import WorldSettings
from aagm.wire.jsonrpc import Json

INSTRUCTION = (
    "The GM typed this meanwhile, and this call did nothing. Drop the task you were "
    "on, do these prompts now and reply with their tabId. A prompt with close: true "
    "means that its tab was closed: stop that tab's work without a reply."
)
WAITING = (
    "The GM typed something newer before this write's turn came, so nothing was "
    "written. Your next call with the same tabId gets it; do that first."
)
SUSPENDED = (
    "external-mode: the GM works with an agent outside Foundry; writes that name a tab "
    "are refused until /int"
)
WHEN_INTERNAL = "Leave it until the game master has typed /int in the chat box."


@define(eq=False)
class Gate:
    """Look at each tool call before it works, and at each write when its turn comes."""

    _log = Logger()

    _member: Member
    _ledger: Ledger
    _box: Box
    _slot: ListenerSlot
    _hands: Hands
    _settings: WorldSettings
    _in_flight: int = field(default=0, init=False)
    _watches: list[tuple[str | None, Callable[[], None]]] = field(
        factory=list, init=False
    )

    def marks(self, *, is_working: bool) -> bool:
        """Say whether a prompt that arrives now is an interrupt."""
        return self._member.interrupts.marks(
            is_working=is_working,
            in_flight=self._in_flight > 0,
            is_external=self._box.is_external,
        )

    @contextmanager
    def running(self) -> Iterator[None]:
        """Count a tool call as in flight."""
        self._in_flight += 1
        try:
            yield
        finally:
            self._in_flight -= 1

    def named(self, tab: str) -> None:
        """Take note that a call named *tab*: its worker lives."""
        self._slot.renew_for(tab)
        if self._ledger.room.untouched(tab):
            self._ledger.note("touched", tab=tab)

    def enter(self, caller: Caller, tab: str | None) -> Json | None:
        """Let a tool call in.

        Args:
            caller: Whose call it is.
            tab: The tab that it names.

        Returns:
            None to go on, or what to answer instead of doing the work.
        """
        if tab is not None:
            self.named(tab)
        return self._interrupts(caller, tab)

    def before_write(self, caller: Caller | None, tab: str | None) -> Json | None:
        """Look again when a write's turn has come; also early, to refuse at once.

        Args:
            caller: Whose call it is; None when its answer has already been given
                (``{running: true}``), so that nothing can ride on it.
            tab: The tab that the write names.

        Returns:
            None to write, or the result of the write that is not done.
        """
        if tab and self._box.is_external and self._member.external.suspends_workers:
            return refused(SUSPENDED, fix=WHEN_INTERNAL)
        if caller is None:
            if self._waiting_for(tab):
                return {"interrupted": True, "prompts": [], "instruction": WAITING}
            return None
        return self._interrupts(caller, tab)

    def watch(self, tab: str | None, f: Callable[[], None]) -> Callable[[], None]:
        """Call *f* whenever an interrupt is there for a call that names *tab*.

        For a call that waits (``foundry_tail_logs``) and then asks `enter` again.

        Returns:
            What ends the watch.
        """
        watch = (tab, f)
        self._watches.append(watch)
        return lambda: self._watches.remove(watch) if watch in self._watches else None

    def arrived(self) -> None:
        """Tell those that watch what a prompt's arrival means for them."""
        for tab, f in self._watches[:]:
            if self._waiting_for(tab):
                f()

    def _waiting_for(self, tab: str | None) -> list[Prompt]:
        if not self._member.interrupts.rides_calls:
            return []
        return for_call(
            self._ledger.room,
            tab,
            is_external=self._box.is_external,
            multitasking=self._settings.now.multitasking,
        )

    def _interrupts(self, caller: Caller, tab: str | None) -> Json | None:
        """Take the interrupts that may ride on this call's answer, if it has one."""
        prompts = first_batch(self._waiting_for(tab))
        if not prompts or caller.left():
            return None
        try:
            shapes = self._hands.give(prompts, caller, to=None)
        except DiskFault:
            self._log.warn("an interrupt waits: the disk does not take it")
            return None
        return {"interrupted": True, "prompts": shapes, "instruction": INSTRUCTION}
