"""The data folder: for its owner alone, and for one relay at a time."""

from __future__ import annotations

import re
from pathlib import Path

from aagm.config import Settings
from aagm.daemon.lock import DataLock
from aagm.errors import StartFault

_TOKEN = re.compile(r"[!-~]+")  # what a header's value carries unchanged


def open_data_folder(settings: Settings) -> DataLock:
    """Make the folder where it is missing, and lock it.

    Raises:
        StartFault: It cannot be made, or another relay has it.
    """
    try:
        _make_private(settings.data_dir)
        _make_private(settings.state_dir)
        lock = DataLock(settings.state_dir / "lock")
        lock.acquire()
    except OSError as e:
        raise StartFault(
            f"data-dir: {settings.data_dir} cannot be used: {e.strerror}"
        ) from e
    return lock


def read_token(path: Path) -> str:
    """Read the bearer token that MCP clients must send.

    Raises:
        StartFault: The file cannot be read, is empty, or no header can carry it.
    """
    try:
        token = path.read_text(encoding="utf-8").strip()
    except OSError as e:
        raise StartFault(f"mcp-token-file: {path} cannot be read: {e.strerror}") from e
    except ValueError as e:
        raise StartFault(f"mcp-token-file: {path} is no text in UTF-8") from e
    if not token:
        raise StartFault(f"mcp-token-file: {path} is empty")
    if not _TOKEN.fullmatch(token):
        raise StartFault(
            f"mcp-token-file: {path} must hold one word of ASCII, which clients send"
        )
    return token


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)
