"""The journal of a recording that still runs: appended before anything is told.

One JSON a line: the head, what the tab sent, how it ended, and, of a rollback, which
point is being applied. Appends need no fsync: they survive a killed relay.
Source: DESIGN section 4; WIRE sections 4 and 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

from attrs import define, field, frozen
from twisted.logger import Logger

from aagm.errors import AagmError, DiskFault
from aagm.relay.ports import Disk
from aagm.relay.rollback.index import Index
from aagm.relay.rollback.points import NAME, VERSION, decode_head
from aagm.relay.torn import keep_torn

SUFFIX = ".jsonl"
TORN = b" torn"  # ends a line that was torn, and so never acknowledged: not lost
DAMAGED = ".damaged"  # after the name of a journal that could not be read
Line = dict[str, Any]


@frozen
class Journal:
    """What was found of one recording after a start."""

    point_id: str
    head: Line
    lines: tuple[Line, ...]
    is_damaged: bool  # lines are lost that had been told of as kept


@define(eq=False)
class Journals:
    """Append to the journals; keep in mind what could not be appended."""

    _log = Logger()

    _disk: Disk
    _folder: Path
    _index: Index
    damaged: set[str] = field(factory=set, init=False)  # points that lost a journal
    _in_the_way: set[str] = field(factory=set, init=False)  # of those, by their files
    _unsaved: dict[str, list[bytes]] = field(factory=dict, init=False)
    _ends: dict[str, bytes] = field(factory=dict, init=False)  # of unended last lines

    def append(self, point_id: str, lines: Iterable[Line]) -> bool:
        """Append lines, those that failed before first.

        Returns:
            False when the disk refused: they are kept, and tried again with the next.
        """
        data = b"".join(json.dumps(line).encode("ascii") + b"\n" for line in lines)
        waiting = self._unsaved.get(point_id, [])
        end = self._ends.get(point_id, b"")
        try:
            self._write(point_id, b"".join([end, *waiting, data]))
        except DiskFault as e:
            self._unsaved.setdefault(point_id, []).append(data)
            self._log.error("journal of {id}: {why}", id=point_id, why=str(e))
            return False
        self._unsaved.pop(point_id, None)
        self._ends.pop(point_id, None)
        return True

    def open(self, point_id: str, head: Line) -> None:
        """Begin a journal, after whatever is still unsaved of others.

        Raises:
            DiskFault: The disk refuses; nothing may be written to the world.
        """
        for other in list(self._unsaved):
            if not self.append(other, ()):
                raise DiskFault(
                    f"the journal of {other} cannot be written, so no write is begun",
                    fix="make room on the relay's disk",
                )
        self._write(point_id, json.dumps(head).encode("ascii") + b"\n")

    def _write(self, point_id: str, data: bytes) -> None:
        if point_id in self._in_the_way:
            self._set_aside(point_id, "it was set aside late")
        self._disk.append(self._path(point_id), data)

    def is_saved(self, point_id: str) -> bool:
        """Say whether everything told of that point has reached the disk."""
        return point_id not in self._unsaved

    def unsaved(self) -> list[str]:
        """Name the points whose journals lag behind."""
        return list(self._unsaved)

    def remove(self, point_id: str) -> None:
        """Remove a journal: its point file holds everything."""
        self._unsaved.pop(point_id, None)
        if point_id in self._in_the_way:
            return
        try:
            self._disk.remove(self._path(point_id))
        except DiskFault as e:
            # It is found at the next start, and merged to the same point.
            self._log.warn("journal of {id} stays: {why}", id=point_id, why=str(e))

    def found(self) -> Iterator[Journal]:
        """Read what a killed relay left; what cannot be read is put aside."""
        for name in self._disk.names(self._folder):
            point_id, suffix, rest = name.partition(SUFFIX)
            if not suffix or NAME.match(point_id) is None:
                continue
            if rest.startswith(DAMAGED):
                self.damaged.add(point_id)
                self._index.skip(self._named(name), "a journal that was set aside")
            if rest:
                continue
            try:
                data = self._disk.read(self._path(point_id))
                journal, torn = _parse(point_id, data)
            except (AagmError, OSError, ValueError) as e:
                self._keep_damaged(point_id, f"unreadable journal: {e}")
                continue
            keep_torn(self._disk, self._path(point_id), torn)
            if not data.endswith(b"\n"):
                is_torn = _line(data.rpartition(b"\n")[2]) is None
                self._ends[point_id] = TORN + b"\n" if is_torn else b"\n"
            yield journal

    def _keep_damaged(self, point_id: str, why: str) -> None:
        self.damaged.add(point_id)
        self._in_the_way.add(point_id)
        try:
            self._set_aside(point_id, why)
        except DiskFault as e:
            name = self._named(self._path(point_id).name)
            self._index.skip(name, f"{why}; it cannot be set aside: {e}")

    def _set_aside(self, point_id: str, why: str) -> None:
        """Move a damaged journal out of the way of a new one.

        Raises:
            DiskFault: It stays where it is, and nothing may be appended to it.
        """
        path = self._path(point_id)
        taken = self._disk.names(self._folder)
        first = f"{path.name}{DAMAGED}"
        names = (f"{first}.{at}" if at else first for at in count())
        aside = next(name for name in names if name not in taken)
        with suppress(FileNotFoundError):
            self._disk.append(path.with_name(aside), self._disk.read(path))
            self._index.skip(self._named(aside), why)
            self._disk.remove(path)
        self._in_the_way.discard(point_id)

    def _named(self, name: str) -> str:
        """Name a journal as lists do: from the data folder on."""
        return "/".join([*self._folder.parts[-2:], name])

    def _path(self, point_id: str) -> Path:
        return self._folder / f"{point_id}{SUFFIX}"


def _parse(point_id: str, data: bytes) -> tuple[Journal, list[bytes]]:
    """Read a journal; gives besides what in it is no line."""
    texts = [text for text in data.split(b"\n") if text]
    read = [_line(text) for text in texts]
    lines = [line for line in read if line is not None]
    if not lines or lines[0].get("version") != VERSION:
        raise ValueError("its head is missing or of another version")
    try:
        decode_head(lines[0])
    except (KeyError, TypeError) as e:
        raise ValueError(f"its head is damaged: {e!r}") from e
    torn = [text for text, line in zip(texts, read, strict=True) if line is None]
    is_cut = bool(torn) and data.endswith(torn[-1])  # an append that a kill broke off
    lost = [text for text in torn[: -1 if is_cut else None] if not text.endswith(TORN)]
    told = tuple(line for line in lines[1:] if "version" not in line)  # a head again
    return Journal(point_id, lines[0], told, bool(lost)), torn


def _line(data: bytes) -> Line | None:
    """Parse one line; a torn or a damaged one is None."""
    try:
        line = json.loads(data)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None
