"""The chat of one world: its tabs and the way of each prompt, as events change them.

Every change is one event with JSON arguments, so that a journal can hold it and play
it again. An event that names what is not there changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, evolve, field

from aagm.relay.chat import prompt as prompts_on_disk
from aagm.relay.chat import tab as tabs_on_disk
from aagm.relay.chat.prompt import Cancelled, Handed, Parked, Place, Prompt, Queued
from aagm.relay.chat.tab import (
    DONE,
    MAIN_TAB,
    MAX_TABS,
    WORKING,
    Line,
    Tab,
    title_of,
)
from aagm.wire.jsonrpc import Json

MAX_KNOWN = 4096  # ids of prompts that are recognised when they come again
MAX_HANDED = 200  # prompts kept in case that they must be offered again


@define(eq=False)
class Room:
    """The chat of one world."""

    tabs: dict[str, Tab] = field(factory=dict)
    prompts: dict[str, Prompt] = field(factory=dict)  # in the order they were typed
    known: dict[str, str] = field(factory=dict)  # id of each prompt -> its tab
    closed: list[str] = field(factory=list)  # closed tabs the listener was not told of
    told: dict[int, list[str]] = field(factory=dict)  # those in an answer, by hand
    hands: int = 0

    # What is asked of it.

    def placed(self, kind: type[Place]) -> list[Prompt]:
        """List the prompts in one kind of place, in the order they were typed."""
        return [p for p in self.prompts.values() if isinstance(p.place, kind)]

    def is_working(self, tab: str) -> bool:
        """Say whether *tab* works; an unknown one does not."""
        return tab in self.tabs and self.tabs[tab].state == WORKING

    def has_room_for(self, tab: str) -> bool:
        """Say whether *tab* is open or could be."""
        return tab in self.tabs or len(self.tabs) < MAX_TABS

    def resolve(self, tab: str | None) -> str:
        """Give the tab meant: the one named, else the first, else the main one."""
        return tab or next(iter(self.tabs), MAIN_TAB)

    def seat(self, tab: str | None) -> str:
        """Give the tab where a line about *tab* can be said: it, or the first."""
        wanted = self.resolve(tab)
        return wanted if self.has_room_for(wanted) else next(iter(self.tabs))

    def untouched(self, tab: str) -> bool:
        """Say whether a prompt of *tab* waits to be taken up by a call."""
        return any(p.tab == tab and not at.is_touched for p, at in self._handed())

    def is_owed(self, by: str) -> bool:
        """Say whether another listener than *by* left something undone."""
        return any(at.is_lost_to(by) for _, at in self._handed())

    # Events: what the GM does.

    def typed(
        self,
        prompt_id: str,
        text: str,
        tab: str,
        ts: str,
        *,
        interrupt: bool,
        external: bool,
    ) -> None:
        """Queue a prompt and show it; sent again, it replaces the cancelled one."""
        for old in self.placed(Cancelled):
            if old.tab == tab and old.text == text:
                self._drop(old)
                self._mark(old, is_cancelled=False)
                break
        line = Line("user", text, ts, prompt_id=prompt_id, is_interrupt=interrupt)
        self._line(tab, line)
        self.tabs[tab].state = WORKING
        new = Prompt(
            prompt_id, text, tab, ts, is_interrupt=interrupt, is_external=external
        )
        self._keep(new)

    def refused(self, prompt_id: str, text: str, tab: str, ts: str) -> None:
        """Show a prompt that nobody will get as cancelled."""
        self._line(tab, Line("user", text, ts, prompt_id=prompt_id, is_cancelled=True))
        self._keep(Prompt(prompt_id, text, tab, ts, place=Cancelled()))

    def heard(self, prompt_id: str, tab: str) -> None:
        """Remember the id of what is no prompt: a command, or a sixth tab's."""
        self._know(prompt_id, tab)

    def closed_tab(
        self, prompt_id: str, tab: str, ts: str, *, interrupt: bool, external: bool
    ) -> None:
        """Close a tab: its prompts go, the listener gets to know."""
        self._know(prompt_id, tab)
        if self.tabs.pop(tab, None) is None:
            return
        for p in [p for p in self.prompts.values() if p.tab == tab]:
            self._drop(p)
        self.closed.append(tab)
        close = Prompt(
            prompt_id, "/close", tab, ts, is_close=True, is_interrupt=interrupt
        )
        self._keep(evolve(close, is_external=external))

    def cleared(self) -> None:
        """Close all tabs at once; nobody is told of each."""
        self.tabs.clear()
        self.prompts.clear()
        self.closed.clear()
        self.told.clear()

    def parked(self) -> None:
        """Hold the queue back; what tells of closed tabs stays, as an interrupt."""
        for p in self.placed(Queued):
            if p.is_close:
                self._change(p, is_interrupt=True)
            else:
                self._change(p, place=Parked())

    def unparked(self) -> None:
        """Put back what was held: it is older, so it is in front."""
        for p in self.placed(Parked):
            self._change(p, place=Queued())

    def cancelled(self) -> None:
        """Cancel the queue; what tells of closed tabs stays."""
        for p in self.placed(Queued):
            if not p.is_close:
                self._change(p, place=Cancelled())
                self._mark(p, is_cancelled=True)

    def settled(self) -> None:
        """Let each working tab be done."""
        for tab in self.tabs.values():
            if tab.state == WORKING:
                tab.state = DONE

    # Events: what is said.

    def said(self, tab: str, text: str, ts: str) -> None:
        """Keep what the relay itself says."""
        self._line(tab, Line("system", text, ts))

    def replied(
        self, tab: str, text: str, ts: str, *, final: bool, prompt: str | None
    ) -> None:
        """Keep a reply.

        It proves that the prompt it names arrived; one that names none proves that
        the tab's prompts were taken up.
        """
        self._line(tab, Line("assistant", text, ts, prompt_id=prompt))
        if prompt is None:
            self.touched(tab)
        elif (p := self.prompts.get(prompt)) and (
            isinstance(p.place, Handed) or p.is_redelivered
        ):
            self._drop(p)
        waits = any(p.tab == tab for p in self.placed(Queued))
        self.tabs[tab].state = DONE if final and not waits else WORKING

    # Events: what becomes of prompts.

    def handed(self, ids: list[str], closed: list[str], *, to: str | None) -> None:
        """Put prompts and closed tabs into one answer, whose number is `hands`."""
        self.hands += 1
        for p in [self.prompts[each] for each in ids if each in self.prompts]:
            self._change(p, place=Handed(self.hands, to))
        if closed:
            self.told[self.hands] = closed
            self.closed = [tab for tab in self.closed if tab not in closed]

    def written(self, hand: int) -> None:
        """Take note that an answer reached a live connection.

        What rode on a tool's answer, and what tells of a closed tab, is done with.
        """
        self.told.pop(hand, None)
        for p, at in self._handed(hand):
            if p.is_close or at.to is None or at.is_touched:
                self._drop(p)
            else:
                self._change(p, place=evolve(at, is_written=True))

    def returned(self, hand: int) -> None:
        """Queue again what an answer held that did not arrive."""
        self.closed = self.told.pop(hand, []) + self.closed
        self._offer(p for p, at in self._handed(hand) if not at.is_written)

    def claimed(self, by: str) -> None:
        """Queue again what another listener was handed and nobody took up."""
        self._offer(p for p, at in self._handed() if at.is_lost_to(by))

    def touched(self, tab: str) -> None:
        """Take note that *tab*'s prompts were taken up: a call named it.

        Those in an answer whose fate is unknown stay: the call may be an older task's.
        """
        for p, at in self._handed():
            if p.tab == tab and at.is_written:
                self._drop(p)
            elif p.tab == tab:
                self._change(p, place=evolve(at, is_touched=True))

    def restarted(self) -> None:
        """Begin anew: nothing is parked, no answer is under way any more."""
        for hand in list(self.told):
            self.returned(hand)
        self._offer(p for p, at in self._handed() if not at.is_written)
        self.unparked()

    def _handed(self, hand: int | None = None) -> list[tuple[Prompt, Handed]]:
        """List what was handed out and may come back, in one answer or in all."""
        return [
            (p, p.place)
            for p in self.prompts.values()
            if isinstance(p.place, Handed) and hand in (None, p.place.hand)
        ]

    def _offer(self, lost: Iterable[Prompt]) -> None:
        for p in list(lost):
            self._change(p, place=Queued(), is_redelivered=True)

    def _change(self, p: Prompt, **what: Any) -> None:
        self.prompts[p.id] = evolve(p, **what)

    def _drop(self, p: Prompt) -> None:
        self.prompts.pop(p.id, None)

    def _mark(self, p: Prompt, *, is_cancelled: bool) -> None:
        if p.tab in self.tabs:
            self.tabs[p.tab].mark(p.id, is_cancelled=is_cancelled)

    def _line(self, tab: str, line: Line) -> None:
        seat = self.tabs.setdefault(tab, Tab(tab))
        if line.role == "user" and not seat.title:
            seat.title = title_of(line.text)
        seat.add(line)

    def _know(self, prompt_id: str, tab: str) -> None:
        self.known[prompt_id] = tab
        if len(self.known) > MAX_KNOWN:
            del self.known[next(iter(self.known))]

    def _keep(self, p: Prompt) -> None:
        """Add a prompt; forget what is too old to come back."""
        self._know(p.id, p.tab)
        self.prompts[p.id] = p
        for old, at in self._handed()[:-MAX_HANDED]:
            if at.is_written:
                self._drop(old)
        for old in self.placed(Cancelled):
            if not self._shows(old):
                self._drop(old)

    def _shows(self, p: Prompt) -> bool:
        lines = self.tabs[p.tab].lines if p.tab in self.tabs else []
        return any(line.prompt_id == p.id for line in lines)

    # The disk's shape.

    def to_json(self) -> dict[str, Json]:
        """Shape it for the disk."""
        return {
            "tabs": [tabs_on_disk.to_json(tab) for tab in self.tabs.values()],
            "prompts": [prompts_on_disk.to_json(p) for p in self.prompts.values()],
            "known": self.known,
            "closed": self.closed,
            "told": {str(hand): tabs for hand, tabs in self.told.items()},
            "hands": self.hands,
        }

    @classmethod
    def from_json(cls, shape: dict[str, Json]) -> Room:
        """Read what `to_json` wrote."""
        tabs = [tabs_on_disk.from_json(tab) for tab in shape["tabs"]]
        prompts = [prompts_on_disk.from_json(p) for p in shape["prompts"]]
        return cls(
            tabs={tab.id: tab for tab in tabs},
            prompts={p.id: p for p in prompts},
            known=dict(shape["known"]),
            closed=list(shape["closed"]),
            told={int(hand): tabs for hand, tabs in shape["told"].items()},
            hands=shape["hands"],
        )


EVENTS: dict[str, Callable[..., None]] = {
    event.__name__: event
    for event in (
        Room.typed,
        Room.refused,
        Room.heard,
        Room.closed_tab,
        Room.cleared,
        Room.parked,
        Room.unparked,
        Room.cancelled,
        Room.settled,
        Room.said,
        Room.replied,
        Room.handed,
        Room.written,
        Room.returned,
        Room.claimed,
        Room.touched,
        Room.restarted,
    )
}
