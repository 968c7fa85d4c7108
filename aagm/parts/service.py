"""A part as a service: it begins and ends with the relay."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from attrs import define
from twisted.application.service import Service
from twisted.internet.defer import Deferred
from typing_extensions import override

from aagm.errors import DiskFault, StartFault


def _nothing() -> None:
    """Do nothing."""


@define(eq=False)
class Part(Service):
    """A part that begins and ends with the relay."""

    begin: Callable[[], None] = _nothing
    end: Callable[[], Awaitable[None] | None] = _nothing

    @override
    def startService(self) -> None:
        """Begin.

        Raises:
            StartFault: What lies in the data folder cannot be read.
        """
        super().startService()
        try:
            self.begin()
        except DiskFault as e:
            raise StartFault(str(e), fix=e.fix) from e

    @override
    def stopService(self) -> Deferred[None]:
        """End; fires when that is done."""
        super().stopService()
        return Deferred.fromCoroutine(self._end())

    async def _end(self) -> None:
        ending = self.end()
        if ending is not None:
            await ending
