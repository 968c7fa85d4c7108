"""Files below one folder, reached without ever following a link.

Every step goes from an open folder to a name in it (``openat`` with ``O_NOFOLLOW``), so
that a folder swapped for a link in between is refused by the system itself.

Source: DESIGN section 7; PROTOCOL_FACTS section 18, row 12.
"""

from __future__ import annotations

import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from attrs import frozen

from aagm.errors import DiskFault

LARGEST = 8 * 1024 * 1024  # bytes of one file
DEEPEST = 32  # folders
MOST = 50_000  # names looked at in one walk

CAN_NOT_FOLLOW = os.open in os.supports_dir_fd and hasattr(os, "O_NOFOLLOW")
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_READ = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)


@frozen
class Tree:
    """The files below *root*, which must be a real path without links."""

    root: Path

    @contextmanager
    def folder(self, parts: tuple[str, ...], *, make: bool = False) -> Iterator[int]:
        """Open the folder at *parts* below the root; with *make* it is made.

        Raises:
            OSError: A part is missing, is no folder, or is a link.
        """
        fd = _open_root(self.root)
        try:
            for part in parts:
                below = _open_folder(fd, part, make=make)
                os.close(fd)
                fd = below
            yield fd
        finally:
            os.close(fd)

    def read(self, parts: tuple[str, ...], name: str) -> bytes | None:
        """Read a file; None when there is none, or it is no plain file of its own.

        Raises:
            DiskFault: It cannot be read.
        """
        try:
            with self.folder(parts) as fd:
                return _read(fd, name)
        except FileNotFoundError:
            return None
        except OSError as e:
            raise _fault(e, name) from e

    def write(self, parts: tuple[str, ...], name: str, data: bytes) -> None:
        """Replace a file whole, making its folders; a link there is replaced itself.

        A power cut may bring the old file back until `keep` was called.

        Raises:
            DiskFault: It cannot be written; the file is as before.
        """
        try:
            with self.folder(parts, make=True) as fd:
                _replace(fd, name, data)
        except OSError as e:
            raise _fault(e, name) from e

    def keep(self, parts: tuple[str, ...]) -> None:
        """Have the disk keep what was written into a folder; once for many files.

        Raises:
            DiskFault: It does not.
        """
        try:
            with self.folder(parts) as fd:
                os.fsync(fd)
        except OSError as e:
            raise _fault(e, "/".join(parts) or self.root.name) from e

    def move(self, parts: tuple[str, ...], name: str, to: str) -> None:
        """Rename a file inside its folder; what stood there is replaced.

        Raises:
            DiskFault: It cannot be renamed.
        """
        try:
            with self.folder(parts) as fd:
                os.rename(name, to, src_dir_fd=fd, dst_dir_fd=fd)
        except OSError as e:
            raise _fault(e, name) from e

    def walk(self) -> Iterator[tuple[tuple[str, ...], list[str], list[str]]]:
        """Give each folder with the names of its folders and files, links left out.

        Raises:
            DiskFault: There is too much, or the root cannot be read.
        """
        left = MOST
        waiting: list[tuple[str, ...]] = [()]
        while waiting:
            parts = waiting.pop()
            try:
                with self.folder(parts) as fd:
                    folders, files = _names(fd)
            except OSError as e:
                if not parts:
                    raise _fault(e, self.root.name) from e
                continue  # gone or swapped meanwhile, or not ours to read
            left -= len(folders) + len(files)
            if left < 0:
                raise DiskFault(f"the mirror's folder holds more than {MOST} names")
            yield parts, folders, files
            if len(parts) < DEEPEST:
                waiting.extend((*parts, name) for name in reversed(folders))


def _open_root(root: Path) -> int:
    """Open *root* from the top, one part after another, following nothing."""
    fd = os.open(root.anchor, _FOLDER)
    try:
        for part in root.parts[1:]:
            below = os.open(part, _FOLDER, dir_fd=fd)
            os.close(fd)
            fd = below
    except OSError:
        os.close(fd)
        raise
    return fd


def _open_folder(fd: int, part: str, *, make: bool) -> int:
    if make:
        with suppress(FileExistsError):
            os.mkdir(part, 0o700, dir_fd=fd)
    return os.open(part, _FOLDER, dir_fd=fd)


def _read(fd: int, name: str) -> bytes | None:
    try:
        file = os.open(name, _READ, dir_fd=fd)
    except OSError:
        if _is_link(fd, name):
            return None
        raise
    with open(file, "rb") as opened:  # noqa: PTH123 - it is a descriptor
        about = os.fstat(file)
        if not stat.S_ISREG(about.st_mode) or about.st_nlink > 1:
            return None
        if about.st_size > LARGEST:
            raise DiskFault(f"{name} is larger than {LARGEST} bytes")
        return opened.read(LARGEST)


def _replace(fd: int, name: str, data: bytes) -> None:
    temporary = f".aagm-{secrets.token_hex(8)}.tmp"
    file = os.open(temporary, _WRITE, 0o600, dir_fd=fd)
    try:
        with open(file, "wb") as opened:  # noqa: PTH123 - it is a descriptor
            opened.write(data)
            opened.flush()
            os.fsync(file)
        os.rename(temporary, name, src_dir_fd=fd, dst_dir_fd=fd)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary, dir_fd=fd)
        raise


def _names(fd: int) -> tuple[list[str], list[str]]:
    """List folders and plain files, sorted by code point."""
    folders, files = [], []
    with os.scandir(fd) as found:
        for entry in found:
            if entry.is_dir(follow_symlinks=False):
                folders.append(entry.name)
            elif entry.is_file(follow_symlinks=False):
                files.append(entry.name)
    return sorted(folders), sorted(files)


def _is_link(fd: int, name: str) -> bool:
    try:
        return stat.S_ISLNK(os.lstat(name, dir_fd=fd).st_mode)
    except OSError:
        return False


def _fault(error: OSError, name: str) -> DiskFault:
    reason = error.strerror or "it cannot be reached"
    return DiskFault(f"{name}: {reason.lower()}")
