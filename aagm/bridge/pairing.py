"""Pairing: six digits on a terminal, typed into Foundry once, become a token.

Only hashes of tokens are kept, with the Origin of the page that each went to.
Source: WIRE section 2.
"""

from __future__ import annotations

import hmac
import json
import secrets
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from attrs import define, field, frozen
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.errors import DiskFault, PairingRequired, StartFault, Unparseable
from aagm.relay.ports import Clock, Disk, Now
from aagm.wire.jsonrpc import loads

VERSION = 1
WINDOW = 300.0  # seconds
TRIES = 5
KEPT = 100  # pairings; the oldest go first

Show = Callable[[str], None]


@frozen
class Paired:
    """A page that was paired; the token itself is known to the page alone."""

    token_hash: str  # SHA-256, hex: the token is random, so no salt is needed
    origin: str  # in its one form
    world_id: str
    user_id: str
    since: int  # seconds since 1970


@define(eq=False)
class _Window:
    code: str
    timer: IDelayedCall | None
    wrong: int = 0


@define(eq=False)
class Pairing:
    """Keep the pairings, and the window in which a code counts.

    Args:
        clock: What the window runs on.
        now: For the date of a pairing.
        disk: Where the pairings are kept.
        path: Their file.
        show: Shows a code on a terminal; it must not reach a log.
    """

    _log = Logger()

    _clock: Clock
    _now: Now
    _disk: Disk
    _path: Path
    _show: Show
    _paired: list[Paired] = field(factory=list, init=False)
    _window: _Window | None = field(default=None, init=False)

    @classmethod
    def load(
        cls, clock: Clock, *, now: Now, disk: Disk, path: Path, show: Show
    ) -> Pairing:
        """Read the pairings; none when there is no file.

        Raises:
            StartFault: The file is not ours or of an unknown version.
            DiskFault: The file cannot be read.
        """
        pairing = cls(clock, now, disk, path, show)
        try:
            pairing._paired = _parse(disk.read(path))
        except FileNotFoundError:
            pass
        except Unparseable as e:
            raise StartFault(f"{path} cannot be read: {e}") from e
        return pairing

    @property
    def is_open(self) -> bool:
        """Whether a code counts now."""
        return self._window is not None

    @property
    def is_empty(self) -> bool:
        """Whether nothing was ever paired."""
        return not self._paired

    def open_window(
        self, seconds: float | None = WINDOW, *, show: Show | None = None
    ) -> None:
        """Make a code, show it once, and let it count for a while.

        Args:
            seconds: How long; None until it was used or guessed wrong too often.
            show: Another terminal than the relay's own.
        """
        self.close_window()
        code = f"{secrets.randbelow(1_000_000):06d}"
        timer = None
        if seconds is not None:
            timer = self._clock.callLater(seconds, self.close_window)
        self._window = _Window(code, timer)
        self._log.info("the pairing window is open")
        (show or self._show)(code)

    def close_window(self) -> None:
        """Let the code count no more."""
        window, self._window = self._window, None
        if window is None:
            return
        if window.timer is not None and window.timer.active():
            window.timer.cancel()
        self._log.info("the pairing window is closed")

    def remembers(self, origin: str) -> bool:
        """Whether a page of *origin*, in its one form, was paired."""
        return any(each.origin == origin for each in self._paired)

    def knows(self, token: str) -> bool:
        """Whether *token* was given out."""
        hashed = _hash(token)
        return any(
            hmac.compare_digest(each.token_hash, hashed) for each in self._paired
        )

    async def redeem(
        self, code: str, *, origin: str, world_id: str, user_id: str
    ) -> str:
        """Turn the code into a token, kept on disk before it is told.

        Raises:
            PairingRequired: No window is open, or the code is another.
            DiskFault: The pairing cannot be kept; another window is needed.
        """
        window = self._window
        if window is None:
            raise PairingRequired("no pairing window is open")
        if not hmac.compare_digest(_bytes(window.code), _bytes(code.strip())):
            raise PairingRequired(self._count_wrong(window))
        self.close_window()
        token = secrets.token_urlsafe(32)
        paired = Paired(_hash(token), origin, world_id, user_id, int(self._now()))
        self._paired = [*self._paired, paired][-KEPT:]
        try:
            await self._disk.replace(self._path, _write(self._paired))
        except DiskFault:
            self._paired.remove(paired)
            raise
        self._log.info("a page was paired")
        return token

    def _count_wrong(self, window: _Window) -> str:
        window.wrong += 1
        if (left := TRIES - window.wrong) > 0:
            return f"the pairing code is wrong; {left} more tries"
        self._log.warn("{tries} wrong pairing codes", tries=TRIES)
        self.close_window()
        return "the pairing code is wrong, and was so too often"


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _hash(token: str) -> str:
    return sha256(_bytes(token)).hexdigest()


def _write(paired: list[Paired]) -> bytes:
    rows = [
        {
            "hash": each.token_hash,
            "origin": each.origin,
            "world": each.world_id,
            "user": each.user_id,
            "since": each.since,
        }
        for each in paired
    ]
    kept = {"version": VERSION, "paired": rows}
    return json.dumps(kept, indent=2).encode("ascii") + b"\n"


def _parse(data: bytes) -> list[Paired]:
    match loads(data):
        case {"version": 1, "paired": list(rows)}:
            return [_row(row) for row in rows]
        case {"version": version}:
            raise StartFault(f"the pairings are of version {version}, not {VERSION}")
    raise Unparseable("it holds no pairings")


def _row(row: Any) -> Paired:
    match row:
        case {
            "hash": str(token_hash),
            "origin": str(origin),
            "world": str(world_id),
            "user": str(user_id),
            "since": int(since),
        }:
            return Paired(token_hash, origin, world_id, user_id, since)
    raise Unparseable("a pairing has other members")
