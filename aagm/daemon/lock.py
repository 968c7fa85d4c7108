"""One relay a data folder: a lock that dies with its process, and the holder's pid.

Twisted's `FilesystemLock` trusts a pid alone, which another process may have after
a reboot or in a container; the system's own lock is let go whatever kills us.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from attrs import define, field

from aagm.errors import StartFault

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_WHERE = 64  # the locked byte lies past the pid, so that others can read the pid


@define(eq=False)
class DataLock:
    """Hold ``state/lock`` in the data folder."""

    _path: Path
    _descriptor: int | None = field(default=None, init=False)

    def acquire(self) -> None:
        """Take the lock.

        Raises:
            StartFault: Another process holds it; the sentence has its pid.
        """
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _lock(descriptor)
        except OSError as e:
            pid = os.read(descriptor, _WHERE).decode("ascii", "replace").strip()
            os.close(descriptor)
            raise StartFault(
                f"the data folder {self._path.parent.parent} is in use by"
                f" another relay, pid {pid or 'unknown'}; stop that one, or give"
                " another folder with --data-dir"
            ) from e
        self._descriptor = descriptor
        self.sign()

    def sign(self) -> None:
        """Write our pid; once more after a fork, which keeps the lock."""
        if self._descriptor is not None:
            os.ftruncate(self._descriptor, 0)
            os.lseek(self._descriptor, 0, os.SEEK_SET)
            os.write(self._descriptor, b"%d\n" % os.getpid())

    def release(self) -> None:
        """Let the lock go; the file stays."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def _lock(descriptor: int) -> None:
    if sys.platform == "win32":
        os.lseek(descriptor, _WHERE, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        os.lseek(descriptor, 0, os.SEEK_SET)
    else:
        # flock, not lockf: the lock belongs to the open file and survives a fork.
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
