"""Keep the lines of a journal that cannot be read, beside the journal.

A kill in the middle of an append leaves half a line, a sick disk worse; the journal
itself goes when it is done with, so they are kept in a file of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from twisted.logger import Logger

from aagm.errors import DiskFault
from aagm.relay.ports import Disk

__all__ = ["keep_torn"]

_log = Logger()


def keep_torn(disk: Disk, journal: Path, lines: Sequence[bytes]) -> None:
    """Write *lines* of *journal* into its ``.torn`` file, once, and name it."""
    if not lines:
        return
    side = journal.with_name(f"{journal.name}.torn")
    try:
        if side.name not in disk.names(journal.parent):
            disk.append(side, b"\n".join(lines) + b"\n")
    except DiskFault as e:
        _log.warn(
            "{count} lines of {journal} are damaged, and cannot be kept: {why}",
            count=len(lines),
            journal=journal.name,
            why=str(e),
        )
        return
    _log.warn(
        "{count} lines of {journal} are damaged; they were left out and kept in {side}",
        count=len(lines),
        journal=journal.name,
        side=str(side),
    )
