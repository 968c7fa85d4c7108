"""The journal of a recording that still runs: appended before anything is told.

One JSON a line: the head, what the tab sent, how it ended, and, of a rollback, which
point is being applied. Appends need no fsync: they survive a killed relay.
Source: DESIGN section 4; WIRE sections 4 and 5.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from attrs import define, field, frozen
from twisted.logger import Logger

from aagm.errors import AagmError, DiskFault
from aagm.relay.ports import Disk
from aagm.relay.rollback.points import NAME, VERSION, decode_head
from aagm.relay.torn import keep_torn

SUFFIX = ".jsonl"
Line = dict[str, Any]


@frozen
class Journal:
    """What was found of one recording after a start."""

    point_id: str
    head: Line
    lines: tuple[Line, ...]


@define(eq=False)
class Journals:
    """Append to the journals; keep in mind what could not be appended."""

    _log = Logger()

    _disk: Disk
    _folder: Path
    _unsaved: dict[str, list[bytes]] = field(factory=dict, init=False)
    _torn: set[str] = field(factory=set, init=False)

    def append(self, point_id: str, lines: Iterable[Line]) -> bool:
        """Append lines, those that failed before first.

        Returns:
            False when the disk refused: they are kept, and tried again with the next.
        """
        data = b"".join(json.dumps(line).encode("ascii") + b"\n" for line in lines)
        waiting = self._unsaved.get(point_id, [])
        end = b"\n" if point_id in self._torn else b""
        try:
            self._disk.append(self._path(point_id), b"".join([end, *waiting, data]))
        except DiskFault as e:
            self._unsaved.setdefault(point_id, []).append(data)
            self._log.error("journal of {id}: {why}", id=point_id, why=str(e))
            return False
        self._unsaved.pop(point_id, None)
        self._torn.discard(point_id)
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
        self._disk.append(
            self._path(point_id), json.dumps(head).encode("ascii") + b"\n"
        )

    def is_saved(self, point_id: str) -> bool:
        """Say whether everything told of that point has reached the disk."""
        return point_id not in self._unsaved

    def unsaved(self) -> list[str]:
        """Name the points whose journals lag behind."""
        return list(self._unsaved)

    def remove(self, point_id: str) -> None:
        """Remove a journal: its point file holds everything."""
        self._unsaved.pop(point_id, None)
        try:
            self._disk.remove(self._path(point_id))
        except DiskFault as e:
            # It is found at the next start, and merged to the same point.
            self._log.warn("journal of {id} stays: {why}", id=point_id, why=str(e))

    def found(self) -> Iterator[Journal]:
        """Read what a killed relay left; a torn line is put aside."""
        for name in self._disk.names(self._folder):
            point_id = name.removesuffix(SUFFIX)
            if name == point_id or NAME.match(point_id) is None:
                continue
            try:
                data = self._disk.read(self._path(point_id))
                journal, torn = _parse(point_id, data)
            except (AagmError, OSError, ValueError) as e:
                self._log.error("unreadable journal {name}: {why}", name=name, why=e)
                continue
            keep_torn(self._disk, self._path(point_id), torn)
            if not data.endswith(b"\n"):
                self._torn.add(point_id)
            yield journal

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
    return Journal(point_id, lines[0], tuple(lines[1:])), torn


def _line(data: bytes) -> Line | None:
    """Parse one line; a torn one, last before a kill, is None."""
    try:
        line = json.loads(data)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None
