"""The bridge's door: which HTTP requests may become sockets, and who was sent away.

Source: WIRE sections 2, 3 and 8; DESIGN section 7.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field
from twisted.logger import Logger

from aagm.bridge import admission
from aagm.bridge.pages import RefusedPages
from aagm.bridge.pairing import Pairing
from aagm.bridge.roster import Roster
from aagm.loopback import Arrival, Denial, judge, shown
from aagm.relay.ports import Audit, Reason, Refusals, each_whole, unheard

_STRANGERS = (403, 421)  # HTTP: a foreign page, a foreign host


@define(eq=False)
class Door:
    """Judge what knocks, and remember why nobody is in.

    Args:
        allow_origins: Origins in their one form, besides this machine's.
        pairing: None when pairing is off.
        roster: Whose owner hears of refused pages.
        dial: Says which address the module should dial.
        audit: Keeps the session log.
        refusals: Says which refusals are logged; the others it counts.
        page: Where the demo shows its world; None where Foundry does.
    """

    _log = Logger()

    _allow_origins: frozenset[str]
    _pairing: Pairing | None
    _roster: Roster
    _dial: Callable[[], str]
    _audit: Audit = unheard
    _refusals: Refusals = each_whole
    _page: str | None = None
    greeting: int = field(default=0, init=False)  # hellos that are being judged
    _pages: RefusedPages = field(factory=RefusedPages, init=False)
    _refused: Reason | None = field(default=None, init=False)

    def judge(self, arrival: Arrival, *, is_socket: bool) -> Denial | None:
        """Decide on an HTTP request; *is_socket* when it asks for a WebSocket."""
        denial = judge(arrival, self._admits)
        if denial is not None or not is_socket or arrival.origin is not None:
            return denial
        if self._pairing is None:  # a program has no token to show
            return Denial(403, "with pairing off only browser pages may connect")
        return None

    def deny(self, arrival: Arrival | None, otherwise: Denial) -> Denial:
        """Say why a request is denied, and tell the GM of a page that is new.

        Host and Origin count before whatever else was wrong.

        Args:
            arrival: The request's headers; None when they could not be read.
            otherwise: What was wrong.
        """
        denial = None if arrival is None else self.judge(arrival, is_socket=False)
        denial = denial or otherwise
        page = arrival.origin if arrival is not None else None
        origin = None if page is None else shown(page)
        if self._refusals("ws.reject", str(denial.status), origin or "no origin"):
            self._log.info("a request was denied: {status}", status=denial.status)
            self._audit("ws.reject", status=denial.status, origin=origin)
        if arrival is not None and denial.status in _STRANGERS:
            self._refused = admission.origin_refused(denial, arrival.origin)
            if origin is not None:
                self.page_refused(origin)
        return denial

    def page_refused(self, origin: str) -> None:
        """Tell the GM of a page that was refused, by this port or another; once each.

        Args:
            origin: Written so that a person may read it.
        """
        self._pages.note(origin)
        self.report()

    def note(self, reason: Reason | None) -> bool:
        """Remember why a tab is not in; whether that is to be logged.

        Args:
            reason: None where another tab is, and nobody will ask why not.
        """
        self._refused = reason or self._refused
        if reason is None:
            return self._refusals("hello.reject", "duplicate")
        if not self._refusals("hello.reject", reason.code, reason.message):
            return False
        self._audit("hello.reject", code=reason.code, message=reason.message)
        return True

    def report(self) -> None:
        """Tell the GM of pages that were refused and not told of yet."""
        if self._roster.owner is None:
            return
        for page in self._pages.take_unreported():
            self._roster.owner.notify("aagm.page.refused", page)

    def opened(self) -> None:
        """Forget why nobody was in: somebody is."""
        self._refused = None

    def why_not(self) -> Reason:
        """Say why no tab owns the bridge."""
        if self.greeting:
            return admission.coming_in()
        return self._refused or admission.nobody_came(self._dial(), self._page)

    def _admits(self, origin: str) -> bool:
        if origin in self._allow_origins:
            return True
        pairing = self._pairing
        return pairing is not None and (pairing.is_open or pairing.remembers(origin))
