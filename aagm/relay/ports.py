"""What policy asks of the world outside: the tab, the disk, the time of day."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from attrs import frozen
from twisted.internet.interfaces import IReactorTime

from aagm.errors import AagmError
from aagm.wire.hello import Hello
from aagm.wire.jsonrpc import Json, Params

__all__ = [
    "Audit",
    "Bridge",
    "BridgeEvents",
    "Clock",
    "Disk",
    "Late",
    "Now",
    "Reason",
    "Refusals",
    "TabLink",
    "each_whole",
    "unheard",
]

Clock = IReactorTime
Now = Callable[[], float]  # seconds since 1970, for what a person reads
Late = Callable[[Json | AagmError], None]


class Audit(Protocol):
    """Where events go that the session log keeps (`aagm.relay.audit`)."""

    def __call__(self, event: str, /, **fields: Json) -> None:
        """Take note of *event*; the caller changes *fields* no more."""


def unheard(_event: str, /, **_fields: Json) -> None:
    """Keep no session log (`Audit`)."""


class Refusals(Protocol):
    """Says how much is logged of refusals (`aagm.relay.refusal_log`)."""

    def __call__(self, event: str, /, *kind: str) -> bool:
        """Take note of a refusal; whether it is logged whole, or only counted."""


def each_whole(_event: str, /, *_kind: str) -> bool:
    """Let every refusal be logged (`Refusals`)."""
    return True


@frozen
class Reason:
    """Why no tab is connected.

    ``code`` is one of no_module, not_paired, not_gm, version_mismatch,
    origin_refused, resyncing.
    """

    code: str
    message: str
    fix: str


class TabLink(Protocol):
    """One accepted Foundry tab."""

    @property
    def session_id(self) -> str:
        """Name the session that the hello's answer gave out."""

    @property
    def hello(self) -> Hello:
        """What the tab said of itself."""

    @property
    def is_owner(self) -> bool:
        """Whether requests go to this tab."""

    @property
    def is_hidden(self) -> bool:
        """Whether the tab is in the background now, where browsers slow it down."""

    def notify(self, method: str, params: Params) -> None:
        """Send a notification; dropped when the socket is gone."""


class Bridge(Protocol):
    """The Foundry side: requests and notifications go to the owner's tab."""

    @property
    def owner(self) -> TabLink | None:
        """The tab that requests go to."""

    def why_not(self) -> Reason:
        """Say why there is no owner; asked only while there is none."""

    async def call(
        self, method: str, params: Params, *, limit: float, late: Late | None = None
    ) -> Json:
        """Ask the owner's tab and wait *limit* seconds.

        An answer that comes after the limit is handed to *late*.

        Raises:
            NoModule: No tab is connected.
            BridgeLost: The tab left before it answered.
            TimeLimit: No answer within *limit* seconds.
            AagmError: What the module answered.
        """

    def notify(self, method: str, params: Params) -> None:
        """Tell the owner's tab; dropped when there is none."""


class BridgeEvents(Protocol):
    """What the bridge tells policy; the composition root joins the two."""

    def accepted(self, link: TabLink) -> Params:
        """Take note of a tab whose hello was accepted.

        Returns:
            Members to add to the hello's answer (``resend``, …).
        """

    def gone(self, link: TabLink, reason: str) -> None:
        """Take note of a tab that left."""

    def notified(self, link: TabLink, method: str, params: Params) -> None:
        """Take a notification; unknown ones are dropped."""

    async def asked(self, link: TabLink, method: str, params: Params) -> Json:
        """Answer a request of the tab's.

        Raises:
            MethodUnknown: Nobody here answers it.
        """


class Disk(Protocol):
    """Files written so that a crash leaves the old or the new, never half."""

    def append(self, path: Path, data: bytes) -> None:
        """Append *data*, making file and folder; no fsync.

        Raises:
            DiskFault: It could not be written; the file is as before.
        """

    async def replace(self, path: Path, data: bytes) -> None:
        """Replace the file whole: write beside it, fsync, rename, fsync the folder.

        Raises:
            DiskFault: It could not be written; the file is as before.
        """

    def read(self, path: Path) -> bytes:
        """Read the file; raises `FileNotFoundError` or `DiskFault`."""

    def remove(self, path: Path) -> None:
        """Remove the file; no error when it is not there."""

    def names(self, folder: Path) -> list[str]:
        """List the names in *folder*, sorted; empty when there is none."""
