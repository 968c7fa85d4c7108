"""Which tabs are in, and which of them owns the bridge.

Source: WIRE section 1, "Owner".
"""

from __future__ import annotations

from datetime import UTC, datetime

from attrs import define, field

from aagm.bridge.tab import Tab
from aagm.wire.hello import Hello
from aagm.wire.jsonrpc import Params


@define(eq=False)
class Roster:
    """Keep the tabs in the order in which they were accepted; the first owns."""

    tabs: list[Tab] = field(factory=list, init=False)
    owner: Tab | None = field(default=None, init=False)

    def of_page(self, hello: Hello) -> list[Tab]:
        """List the tabs of the very page that says *hello*."""
        if hello.tab_instance is None:
            return []
        return [
            tab
            for tab in self.tabs
            if tab.hello.tab_instance == hello.tab_instance
            and tab.hello.user_id == hello.user_id
        ]

    def of_user(self, hello: Hello) -> list[Tab]:
        """List the tabs of the user who says *hello*."""
        return [tab for tab in self.tabs if tab.hello.user_id == hello.user_id]

    def add(self, tab: Tab, *, owns: bool) -> None:
        """Take a tab in; it owns the bridge when told so, or when nobody does."""
        self.tabs.append(tab)
        if owns or self.owner is None:
            self._own(tab)

    def remove(self, tab: Tab, *, leaves_heir: bool) -> None:
        """Take a tab out; the next one owns, unless an heir is about to come."""
        self.tabs.remove(tab)
        if tab is not self.owner:
            return
        self.owner, tab.is_owner = None, False
        if self.tabs and not leaves_heir:
            self._own(self.tabs[0])
            self.tell_owner()

    def pass_to(self, tab: Tab) -> Tab | None:
        """Make *tab* the owner.

        Returns:
            Who was, if it was another.
        """
        former = self.owner
        if former is tab:
            return None
        self._own(tab)
        return former

    def tell_owner(self) -> None:
        """Tell every tab who owns the bridge."""
        assert self.owner is not None  # noqa: S101 - asked when somebody took it
        name = self.owner.hello.user_name
        for tab in self.tabs:
            tab.notify("aagm.owner", {"owner": tab.is_owner, "userName": name})

    def owned_by(self) -> Params:
        """Describe the owner for a tab that is not."""
        assert self.owner is not None  # noqa: S101 - else that tab would be
        since = datetime.fromtimestamp(self.owner.since, UTC)
        return {
            "userName": self.owner.hello.user_name,
            "since": since.isoformat(timespec="seconds").replace("+00:00", "Z"),
        }

    def _own(self, tab: Tab) -> None:
        if self.owner is not None:
            self.owner.is_owner = False
        self.owner, tab.is_owner = tab, True
