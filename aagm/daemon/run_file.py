"""The run file: how the ``aagm`` command finds and reaches a running relay.

Source: WIRE section 7.
"""

from __future__ import annotations

import hashlib
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import platformdirs
from attrs import asdict, field, frozen

from aagm.errors import StartFault


@frozen
class Running:
    """One running relay."""

    pid: int
    member: str
    version: str
    data_dir: str
    bridge: str  # as ``host:port`` or a path
    mcp: str
    token: str = field(repr=False)  # bearer of ``POST /control/<verb>``


def run_folders(
    state_dir: Path | None = None, env: Mapping[str, str] = os.environ
) -> Iterator[Path]:
    """Name where run files may lie, best first."""
    if path := env.get("RUNTIME_DIRECTORY"):
        yield Path(path.split(os.pathsep)[0])
    else:
        with warnings.catch_warnings():  # it warns of falling back to /tmp
            warnings.simplefilter("ignore")
            yield Path(platformdirs.user_runtime_dir("aagm", appauthor=False))
    if state_dir is not None:
        yield state_dir


def write(running: Running, folders: Iterator[Path]) -> Path:
    """Write *running* into the first of *folders* that takes it, for us alone.

    Raises:
        StartFault: None of them can be written.
    """
    why = "others can write to its folder"
    for folder in folders:
        path = folder / _name(running.member, Path(running.data_dir))
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not _is_ours(folder):
                continue
            path.unlink(missing_ok=True)
            descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(asdict(running), file, indent=2)
        except OSError as e:
            why = str(e)
            continue
        return path
    raise StartFault(f"the run file cannot be written: {why}")


def find(folders: Iterator[Path], *, data_dir: Path | None = None) -> list[Running]:
    """Read the run files of relays that still live, those of *data_dir* if given."""
    found: dict[int, Running] = {}
    for folder in folders:
        if not _is_ours(folder):
            continue
        for path in sorted(folder.glob("*.run.json")):
            running = _read(path)
            if running is None or not _lives(running.pid):
                continue
            if data_dir is None or _is_same(Path(running.data_dir), data_dir):
                found.setdefault(running.pid, running)
    return list(found.values())


def _is_same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()


def _name(member: str, data_dir: Path) -> str:
    """Name the file so that several relays on one machine keep apart."""
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:8]
    return f"{member}-{digest}.run.json"


def _is_ours(folder: Path) -> bool:
    """Whether nobody else can put a file there: the fallback may lie in /tmp."""
    try:
        about = folder.stat()
    except OSError:
        return False
    if os.name != "posix":
        return True
    return about.st_uid == os.getuid() and not about.st_mode & 0o022


def _read(path: Path) -> Running | None:
    try:
        value: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Running(**value)
    except (OSError, ValueError, TypeError):
        return None  # half written, or of another version


def _lives(pid: int) -> bool:
    if os.name != "posix":  # there, kill() would end the process
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
