"""Read the session logs: which there are, and one a page at a time.

Source: PROTOCOL_FACTS section 12.1; WIRE section 8.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

from attrs import frozen

from aagm.errors import BadParams

__all__ = ["PAGE", "LogFiles", "Page"]

PAGE = 12_000  # bytes of one page
_CURSOR = re.compile(r"[0-9]{1,15}")


@frozen
class Page:
    """A part of a log."""

    name: str
    text: str
    cursor: str | None  # of the next page


@frozen
class LogFiles:
    """The ``.md`` files of the ``Logs`` folder; *current* is this start's."""

    folder: Path
    current: str

    def listed(self) -> list[dict[str, str | int]]:
        """List name, bytes and time of each, newest first."""
        found = [(path, path.stat()) for path in self.folder.glob("*.md")]
        found.sort(key=lambda each: (-each[1].st_mtime_ns, each[0].name))
        return [
            {
                "name": path.name,
                "bytes": about.st_size,
                "modified": datetime.fromtimestamp(about.st_mtime, UTC).isoformat(),
            }
            for path, about in found
        ]

    def page(self, name: str | None, cursor: str | None) -> Page:
        """Read a page of a log, the current one by default, from *cursor* on.

        Raises:
            BadParams: There is no such log, or the cursor is not one of ours.
        """
        path = self._path(name)
        if cursor is not None and _CURSOR.fullmatch(cursor) is None:
            raise BadParams(
                f"{cursor} is no cursor of a log",
                fix="Give the cursor of the page before, or none.",
            )
        start = int(cursor or 0)
        with path.open("rb") as log:
            log.seek(start)
            data = log.read(PAGE)
            more = bool(log.read(1))
        if more:  # a page ends with a line
            data = data[: data.rfind(b"\n") + 1] or data
        end = start + len(data)
        return Page(path.name, _text(data), str(end) if more else None)

    def tail(self, name: str | None, lines: int) -> Page:
        """Read the last *lines* lines, as far as they fit into a page.

        Raises:
            BadParams: There is no such log.
        """
        path = self._path(name)
        with path.open("rb") as log:
            size = log.seek(0, 2)
            log.seek(max(0, size - PAGE))
            data = log.read()
        if size > PAGE:
            data = data[data.find(b"\n") + 1 :]
        last = data.splitlines(keepends=True)[-lines:]
        return Page(path.name, _text(b"".join(last)), None)

    def _path(self, name: str | None) -> Path:
        """Find the file of a plain base name; nothing else is opened."""
        wanted = name or self.current
        path = self.folder / wanted
        if (
            path.name != wanted
            or path.parent != self.folder
            or not wanted.endswith(".md")
            or "\0" in wanted
            or path.is_symlink()
            or not path.is_file()
        ):
            raise BadParams(
                f"there is no session log called {wanted}",
                fix="Call foundry_session_logs for their names.",
            )
        return path


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace")
