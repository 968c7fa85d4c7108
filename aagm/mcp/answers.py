"""Answers too long for one call, and answers that are not there yet.

Source: DESIGN section 4 ("Answers"); FIELD_LESSONS, the table of clients.
"""

from __future__ import annotations

import json
import re
import secrets
import sys

from attrs import define, field, frozen
from twisted.internet.defer import Deferred
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger
from twisted.python.failure import Failure

from aagm.errors import AagmError, BadParams, Internal, TooLarge
from aagm.mcp.caller import Caller
from aagm.relay.ports import Clock
from aagm.wire.codes import INTERNAL_MESSAGE
from aagm.wire.jsonrpc import Json

LONGEST = 16_000  # bytes of UTF-8 that the text of one answer may have
KEPT = 100
ROOM = 16 * 1024 * 1024  # bytes, all kept answers together
LIFE = 600.0  # seconds
PATIENCE = 25.0  # seconds that one call waits for an answer that is not there yet

_LONE = re.compile("[\ud800-\udfff]")


def to_text(value: Json) -> str:
    r"""Write *value* as compact JSON that a person can read.

    Letters stay letters; a lone surrogate, which UTF-8 cannot carry, stays ``\ud8xx``.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if text.isascii():
        return text
    return _LONE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _weight(text: str) -> int:
    """Count the bytes of *text* in UTF-8."""
    return len(text) if text.isascii() else len(text.encode())


@frozen
class _Ready:
    """An answer as text, kept to be read in parts."""

    text: str
    until: float  # seconds, on the clock

    @property
    def size(self) -> int:
        return sys.getsizeof(self.text)


@frozen
class _Failed:
    """An answer that is an error."""

    error: AagmError
    until: float  # seconds, on the clock
    size: int = 0


@define(eq=False)
class _Running:
    """An answer that is not there yet, and the calls that wait for it."""

    size: int = 0
    waiters: list[Deferred[None]] = field(factory=list)


_Kept = _Ready | _Failed | _Running


@define(eq=False)
class Answers:
    """Keep what did not fit into an answer, and what runs on after it."""

    _log = Logger()

    _clock: Clock
    _kept: dict[str, _Kept] = field(factory=dict, init=False)  # oldest first
    _used: int = field(default=0, init=False)  # bytes
    _timer: IDelayedCall | None = field(default=None, init=False)

    def fit(self, value: Json) -> str:
        """Write *value* as the text of an answer; what is too long is cut and kept.

        Raises:
            TooLarge: It is more than can be kept.
        """
        text = to_text(value)
        if _weight(text) <= LONGEST:
            return text
        name = self._keep(self._ready(text))
        head = {"truncated": True, "chars": len(text)}
        return to_text(head | _part(name, text, 0))

    def pending(self, work: Deferred[Json]) -> str:
        """Take over *work* and give the cursor under which its result will be found."""
        name = self._keep(_Running())

        def done(result: Json | Failure) -> None:
            self._finish(name, result)

        work.addBoth(done)
        return name

    async def more(self, cursor: str, caller: Caller) -> Json:
        """Give the next part of an answer, or the answer once it is there.

        The same cursor gives the same part again: a client may repeat its call.

        Raises:
            BadParams: Nothing is kept under *cursor*.
            AagmError: The answer is an error.
        """
        name, _, offset = cursor.partition(".")
        kept = self._kept.get(name)
        if isinstance(kept, _Running) and not offset:
            await self._wait(kept, caller)
            kept = self._kept.get(name)
        match kept:
            case _Running() if not offset:
                return {"running": True, "cursor": cursor}
            case _Failed(error=error):
                raise error
            case _Ready(text=text) if not offset:
                return json.loads(text)
            case _Ready(text=text) if offset.isdecimal() and int(offset) < len(text):
                return _part(name, text, int(offset))
        raise BadParams(
            "no answer is kept under this cursor; one is kept for ten minutes",
            fix="Call the tool that gave the cursor again.",
        )

    def stop(self) -> None:
        """Forget everything and leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._kept.clear()
        self._used = 0

    async def _wait(self, running: _Running, caller: Caller) -> None:
        """Wait until *running* is done, the caller leaves or patience ends."""
        waiter: Deferred[None] = Deferred()
        running.waiters.append(waiter)

        def give_up() -> None:
            if waiter in running.waiters:
                running.waiters.remove(waiter)
                waiter.callback(None)

        timer = self._clock.callLater(PATIENCE, give_up)
        caller.on_left(give_up)
        await waiter
        if timer.active():
            timer.cancel()

    def _finish(self, name: str, result: Json | Failure) -> None:
        """Put the result of running work where its cursor points."""
        running = self._kept.get(name)
        if not isinstance(running, _Running):
            return  # everything was forgotten meanwhile
        self._put(name, self._outcome(result))
        waiters, running.waiters = running.waiters, []
        for waiter in waiters:
            waiter.callback(None)

    def _outcome(self, result: Json | Failure) -> _Ready | _Failed:
        until = self._clock.seconds() + LIFE
        try:
            if isinstance(result, Failure):
                result.raiseException()
            return self._ready(to_text(result))
        except AagmError as e:
            return _Failed(e, until)
        except Exception:  # noqa: BLE001 - the cursor must lead to an answer
            self._log.failure("while a call's work went on")
            return _Failed(Internal(INTERNAL_MESSAGE), until)

    def _ready(self, text: str) -> _Ready:
        ready = _Ready(text, self._clock.seconds() + LIFE)
        if ready.size > ROOM:
            raise TooLarge(
                f"the answer has {len(text)} characters, more than can be kept",
                fix="Ask for less: name the fields you need.",
            )
        return ready

    def _keep(self, kept: _Kept) -> str:
        name = secrets.token_hex(6)
        self._put(name, kept)
        return name

    def _put(self, name: str, kept: _Kept) -> None:
        self._drop(name)
        self._kept[name] = kept
        self._used += kept.size
        ready = [n for n, k in self._kept.items() if not isinstance(k, _Running)]
        while ready and (len(self._kept) > KEPT or self._used > ROOM):
            self._drop(ready.pop(0))
        if self._timer is None:
            self._timer = self._clock.callLater(LIFE, self._expire)

    def _drop(self, name: str) -> None:
        if (kept := self._kept.pop(name, None)) is not None:
            self._used -= kept.size

    def _expire(self) -> None:
        """Drop what is too old, and come back for the rest."""
        self._timer = None
        now = self._clock.seconds()
        rest = now + LIFE
        for name, kept in list(self._kept.items()):
            if isinstance(kept, _Running):
                continue
            if kept.until <= now:
                self._drop(name)
            else:
                rest = min(rest, kept.until)
        if self._kept:
            self._timer = self._clock.callLater(rest - now, self._expire)


def _part(name: str, text: str, start: int) -> dict[str, Json]:
    """Cut the part of *text* that fits into one answer."""
    end = min(len(text), start + LONGEST)
    room = LONGEST - 100  # for the members around the part
    while (weight := _weight(to_text(text[start:end]))) > room:
        end = start + max(1, (end - start) * room // weight)
    part: dict[str, Json] = {"part": text[start:end]}
    if end < len(text):
        part["cursor"] = f"{name}.{end}"
    return part
