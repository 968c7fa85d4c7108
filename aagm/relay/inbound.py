"""What the tabs tell policy, by method name; the composition root fills the tables."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import define, field

from aagm.errors import MethodUnknown
from aagm.relay.ports import TabLink
from aagm.wire.jsonrpc import Json, Params

Accepted = Callable[[TabLink], Params]
Gone = Callable[[TabLink, str], None]
Notified = Callable[[TabLink, Params], None]
Asked = Callable[[TabLink, Params], Awaitable[Json]]


@define(eq=False)
class Inbound:
    """Hand what the bridge tells to whoever has to know (`BridgeEvents`)."""

    on_accepted: list[Accepted] = field(factory=list)
    on_gone: list[Gone] = field(factory=list)
    notifications: dict[str, Notified] = field(factory=dict)
    requests: dict[str, Asked] = field(factory=dict)

    def accepted(self, link: TabLink) -> Params:
        """Ask everybody; the answers are members of the hello's answer."""
        extra: Params = {}
        for each in self.on_accepted:
            extra |= each(link)
        return extra

    def gone(self, link: TabLink, reason: str) -> None:
        """Tell everybody that a tab left."""
        for each in self.on_gone:
            each(link, reason)

    def notified(self, link: TabLink, method: str, params: Params) -> None:
        """Hand on a notification; an unknown one is dropped."""
        if (each := self.notifications.get(method)) is not None:
            each(link, params)

    async def asked(self, link: TabLink, method: str, params: Params) -> Json:
        """Answer a request.

        Raises:
            MethodUnknown: Nobody here answers it.
        """
        if (each := self.requests.get(method)) is None:
            raise MethodUnknown(f"the relay has no method {method}")
        return await each(link, params)
