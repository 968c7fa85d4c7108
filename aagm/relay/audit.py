"""The session log: one Markdown file a start, readable by a person.

Events are written in order, off the reactor. A disk that refuses costs lines, never
a call; it is said once, and the file says how many lines are missing.

Source: PROTOCOL_FACTS section 12.1; DESIGN section 7.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from attrs import define, field, frozen
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from aagm.errors import DiskFault
from aagm.members import Member
from aagm.relay.ports import Disk, Now
from aagm.wire.jsonrpc import Json

__all__ = ["LONGEST", "SessionLog", "entry_text", "header_text"]

LONGEST = 4000  # characters of one string
AT_ONCE = 500  # events written together
FULL = 262_144  # characters after which no more are: joining holds Python's lock
_SECRETS = frozenset({"token", "pairingCode", "authorization"})

InThread = Callable[[Callable[[], None]], Deferred[None]]


@frozen
class _Event:
    """Something that happened, as it was told."""

    at: float  # seconds since 1970
    name: str
    fields: dict[str, Json]


@define(eq=False)
class SessionLog:
    """Write what happens into this start's file.

    Args:
        folder: ``Logs`` in the data folder.
        member: Gives the file's name and title.
        disk: Appends to the file.
        now: The time of day.
        in_thread: Runs a function off the reactor, one at a time.
        trouble: Told once, in one sentence, when lines are being lost.
    """

    _log = Logger()

    _folder: Path
    _member: Member
    _disk: Disk
    _now: Now
    _in_thread: InThread
    _trouble: Callable[[str], None]
    path: Path = field(init=False)
    _header: str | None = field(init=False)  # until it is written
    _waiting: deque[_Event] = field(factory=deque, init=False)
    _flushing: Deferred[None] | None = field(default=None, init=False)
    _lost: int = field(default=0, init=False)
    _is_in_trouble: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        """Choose a file name that is not taken, and queue the header."""
        started = datetime.fromtimestamp(self._now()).astimezone()
        name = self._member.log_name(started)
        taken, stem, count = self._taken(), name[:-3], 0
        while name in taken:
            count += 1
            name = f"{stem} {count}.md"
        self.path = self._folder / name
        self._header = header_text(self._member.title, started)

    def _taken(self) -> set[str]:
        try:
            return set(self._disk.names(self._folder))
        except DiskFault:  # then nothing can be written there either, and is said
            return set()

    def __call__(self, event: str, /, **fields: Json) -> None:
        """Take note of *event*; the caller changes *fields* no more."""
        self._waiting.append(_Event(self._now(), event, fields))
        if self._flushing is None:
            self._flush()

    def facts(self) -> dict[str, Json]:
        """What ``foundry_ping`` says of the log."""
        return {"logFile": str(self.path)}

    async def when_written(self) -> None:
        """Wait until everything told so far is in the file or is counted as lost."""
        while (flushing := self._flushing) is not None:
            waiter: Deferred[None] = Deferred()

            def done(result: Any, waiter: Deferred[None] = waiter) -> Any:
                waiter.callback(None)
                return result

            flushing.addBoth(done)
            await waiter

    def _flush(self) -> None:
        """Write what waits, and then what came meanwhile."""
        self._flushing = self._in_thread(self._write)

        def done(_: object) -> None:
            self._flushing = None
            if self._lost and not self._is_in_trouble:
                self._is_in_trouble = True
                self._trouble(
                    f"The session log {self.path.name} cannot be written; "
                    "calls go on, log lines are lost. Free some space."
                )
            elif not self._lost:
                self._is_in_trouble = False
            if self._waiting and self._flushing is None:
                self._flush()

        self._flushing.addErrback(
            lambda failure: self._log.failure("writing the session log", failure)
        )
        self._flushing.addBoth(done)

    def _write(self) -> None:
        """Write all that waits; runs off the reactor, never twice at once."""
        while self._waiting:
            began, texts, length = self._waiting[0].at, list[str](), 0
            while self._waiting and len(texts) < AT_ONCE and length < FULL:
                event = self._waiting.popleft()
                texts.append(entry_text(event.at, event.name, event.fields))
                length += len(texts[-1])
            self._write_some(began, texts)

    def _write_some(self, began: float, texts: list[str]) -> None:
        head = self._header or ""
        if self._lost:
            lost = {"lines": self._lost, "reason": "the disk refused them"}
            head += entry_text(began, "log.lost", lost)
        text = "".join([head, *texts])
        try:
            self._disk.append(self.path, text.encode("ascii", "backslashreplace"))
        except DiskFault:
            self._lost += len(texts)
            return
        self._header, self._lost = None, 0


def header_text(title: str, started: datetime) -> str:
    """Write the head of a file."""
    return f"# {title} session log\n\nStarted: {started:%Y-%m-%d %H:%M:%S %z}\n"


def entry_text(at: float, event: str, fields: dict[str, Json]) -> str:
    """Write one event: a heading with the local time, then its fields as JSON."""
    body = json.dumps(_cut(fields), indent=2, default=repr)
    return f"\n## {_time_text(int(at))} {event}\n\n```json\n{body}\n```\n"


@lru_cache(maxsize=2)  # ten thousand events may share a second
def _time_text(at: int) -> str:
    when = datetime.fromtimestamp(at).astimezone()
    return f"{when:%B} {when.day}, {when:%Y %H:%M:%S}"


def _cut(value: Json) -> Json:
    """Cut long strings with a note, and leave secrets out."""
    match value:
        case str() if len(value) > LONGEST:
            return f"{value[:LONGEST]} … ({len(value) - LONGEST} more characters)"
        case dict():
            return {
                key: "(not logged)" if key in _SECRETS and each else _cut(each)
                for key, each in value.items()
            }
        case list() | tuple():
            return [_cut(each) for each in value]
    return value
