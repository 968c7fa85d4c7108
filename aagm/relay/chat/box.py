"""What the box in Foundry is told, in the family's order.

Tabs first, then what shows of them: cancelled prompts, status, mode. The table of tabs
goes out at most every 50 ms; what comes after it waits with it.

Source: PROTOCOL_FACTS section 2.4; WIRE section 6.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field
from twisted.internet.interfaces import IDelayedCall

from aagm.members import Member
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.prompt import Cancelled
from aagm.relay.ports import Bridge, Clock, Reason
from aagm.wire.jsonrpc import Params

APART = 0.05  # seconds between two tables of tabs

EXTERNAL, INTERNAL = "external", "internal"

_ORDER = ("tabs", "cancelled", "status", "mode", "cards")


def _rank(what: str) -> int:
    return _ORDER.index(what.partition(" ")[0])


@define(eq=False)
class Box:
    """Tell the owner's tab.

    Args:
        stamp: Gives the time for a line, ISO 8601.
        listens: Says whether a listener holds the slot.
    """

    _clock: Clock
    _bridge: Bridge
    _member: Member
    _ledger: Ledger
    stamp: Callable[[], str]
    _listens: Callable[[], bool]
    is_external: bool = field(default=False, init=False)
    work: Params | None = field(default=None, init=False)  # what `set_status` said
    _due: dict[str, Callable[[], None]] = field(factory=dict, init=False)
    _last: float | None = field(default=None, init=False)  # when tabs went out
    _timer: IDelayedCall | None = field(default=None, init=False)

    @property
    def mode(self) -> str:
        """Name the mode."""
        return EXTERNAL if self.is_external else INTERNAL

    @property
    def state(self) -> Params:
        """Shape what the listener does: ready, no-listener, or what it works on."""
        return self.work or {"state": "ready" if self._listens() else "no-listener"}

    @property
    def unseen(self) -> Reason | None:
        """Say why no tab is there to be told; None when one is."""
        return None if self._bridge.owner is not None else self._bridge.why_not()

    def tabs(self) -> None:
        """Tell the table of tabs."""
        self._send("tabs", self._tell_tabs)

    def status(self) -> None:
        """Tell what the listener does."""
        self._send("status", self._tell_status)

    def switched(self) -> None:
        """Tell the mode."""
        self._send("mode", self._tell_mode)

    def everything(self, then: Callable[[], None]) -> None:
        """Tell a box that begins anew all there is, and call *then* for the cards."""
        self._send("tabs", self._tell_tabs)
        self._send("cancelled", self._tell_all_cancelled)
        self._send("status", self._tell_status)
        self._send("mode", self._tell_mode)
        self._send("cards", then)

    def cancelled(self, tab: str, prompts: list[Params]) -> None:
        """Tell which prompts of *tab* nobody will get."""
        params = {"tabId": tab, "prompts": prompts}
        key = f"cancelled {tab}"
        self._send(key, lambda: self._bridge.notify("aagm.cancelled", params))

    def reply(self, tab: str, text: str, prompt_id: str | None = None) -> None:
        """Hand on a reply at once."""
        params = {"text": text, "tabId": tab}
        if prompt_id is not None:
            params["promptId"] = prompt_id
        self._bridge.notify("aagm.reply", params)

    def say(self, tab: str | None, text: str) -> None:
        """Say what the relay itself has to say, and keep it in the transcript."""
        seat = self._ledger.room.seat(tab)
        self._ledger.note("said", tab=seat, text=text, ts=self.stamp())
        params = {"text": text, "tabId": seat, "system": True}
        self._bridge.notify("aagm.reply", params)
        self.tabs()

    def turned_away(self) -> None:
        """Tell that a second listener came."""
        self._bridge.notify("aagm.listener.refused", {})

    def stop(self) -> None:
        """Leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._due.clear()

    def _send(self, what: str, tell: Callable[[], None]) -> None:
        """Do it now, or with the table of tabs that waits."""
        self._due[what] = tell
        if self._timer is None:
            self._flush()

    def _flush(self) -> None:
        """Tell what is due, tabs first; wait when tabs went out just now."""
        self._timer = None
        if "tabs" in self._due:
            rest = self._rest()
            if rest > 0:
                self._timer = self._clock.callLater(rest, self._flush)
                return
            self._last = self._clock.seconds()
            self._due.pop("tabs")()
        due, self._due = self._due, {}
        for what in sorted(due, key=_rank):
            due[what]()

    def _rest(self) -> float:
        """Give the seconds until tabs may go out again."""
        if self._last is None:
            return 0.0
        return self._last + APART - self._clock.seconds()

    def _tell_tabs(self) -> None:
        tabs = [tab.to_box() for tab in self._ledger.room.tabs.values()]
        if self._member.prefixes_status:
            tabs = [{**tab, "mode": self.mode} for tab in tabs]
        self._bridge.notify("aagm.tabs", {"tabs": tabs})

    def _tell_status(self) -> None:
        params = self.state
        if self._member.prefixes_status:
            params = {**params, "mode": self.mode}
        self._bridge.notify("aagm.status", params)

    def _tell_mode(self) -> None:
        self._bridge.notify("aagm.mode", {"mode": self.mode})

    def _tell_all_cancelled(self) -> None:
        by_tab: dict[str, list[Params]] = {}
        for p in self._ledger.room.placed(Cancelled):
            by_tab.setdefault(p.tab, []).append({"promptId": p.id, "text": p.text})
        for tab, prompts in by_tab.items():
            params = {"tabId": tab, "prompts": prompts}
            self._bridge.notify("aagm.cancelled", params)
