"""The one place that writes files: whole, or not at all.

Source: STYLE section 8; DESIGN section 7 (the data folder is 0700).
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

from attrs import frozen
from twisted.internet.defer import Deferred

from aagm.errors import DiskFault

InThread = Callable[[Callable[[], None]], Deferred[None]]

FOLDER_MODE = 0o700
FILE_MODE = 0o600


@frozen
class LocalDisk:
    """Files of this machine (`aagm.relay.ports.Disk`).

    Args:
        in_thread: Runs a function off the reactor's thread; an fsync takes its time.
    """

    _in_thread: InThread

    def append(self, path: Path, data: bytes) -> None:
        """Append *data*; on a fault the file is cut back to what it was, or gone."""
        try:
            _make(path.parent)
            fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, FILE_MODE)
            try:
                _append(fd, data)
            except OSError:
                if os.fstat(fd).st_size == 0:
                    path.unlink(missing_ok=True)  # a name alone is a broken file
                raise
            finally:
                os.close(fd)
        except OSError as e:
            raise _fault(path, e) from e

    async def replace(self, path: Path, data: bytes) -> None:
        """Write beside the file, fsync, rename, fsync the folder."""
        await self._in_thread(lambda: _replace(path, data))

    def read(self, path: Path) -> bytes:
        """Read the file; a pipe, a device or a folder is none."""
        try:
            fd = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
            if not stat.S_ISREG(os.fstat(fd).st_mode):
                os.close(fd)
                raise DiskFault(f"{path.name} cannot be read: it is no plain file")
            with os.fdopen(fd, "rb") as file:
                return file.read()
        except FileNotFoundError:
            raise
        except OSError as e:
            raise DiskFault(f"{path.name} cannot be read: {e.strerror}") from e

    def remove(self, path: Path) -> None:
        """Remove the file, if it is there."""
        try:
            path.unlink(missing_ok=True)
        except OSError as e:
            raise _fault(path, e) from e

    def names(self, folder: Path) -> list[str]:
        """List the names in *folder*, without those of half-written files."""
        try:
            names = os.listdir(folder)  # noqa: PTH208 - names, not paths: 100,000 of them
        except (FileNotFoundError, NotADirectoryError):
            return []
        except OSError as e:
            raise DiskFault(f"{folder.name} cannot be listed: {e.strerror}") from e
        return sorted(name for name in names if not name.endswith(_HALF))


_HALF = ".half"


def _append(fd: int, data: bytes) -> None:
    size = os.fstat(fd).st_size
    rest = memoryview(data)
    try:
        while rest:
            rest = rest[os.write(fd, rest) :]
    except OSError:
        os.ftruncate(fd, size)
        raise


def _replace(path: Path, data: bytes) -> None:
    half = path.with_name(f"{path.name}{_HALF}")
    try:
        _make(path.parent)
        fd = os.open(half, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, FILE_MODE)
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        half.replace(path)
        _sync_folder(path.parent)
    except OSError as e:
        with contextlib.suppress(OSError):  # the same fault; told below
            half.unlink(missing_ok=True)
        raise _fault(path, e) from e


def _make(folder: Path) -> None:
    folder.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)


def _sync_folder(folder: Path) -> None:
    if os.name == "nt":
        return  # Windows cannot open a folder for this
    fd = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _fault(path: Path, error: OSError) -> DiskFault:
    why = error.strerror or str(error)
    return DiskFault(f"{path.name} cannot be written: {why}")
