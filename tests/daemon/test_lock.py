"""Two relays never share a data folder."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from aagm.daemon.lock import DataLock
from aagm.errors import StartFault


def test_the_second_relay_hears_the_first_ones_pid(tmp_path):
    """A locked folder is refused, and the owner learns whom to stop."""
    first = DataLock(tmp_path / "lock")
    first.acquire()
    with pytest.raises(StartFault, match=f"another relay, pid {os.getpid()};") as no:
        DataLock(tmp_path / "lock").acquire()
    assert str(no.value).endswith(
        "stop that one, or give another folder with --data-dir"
    )


def test_a_released_folder_can_be_taken(tmp_path):
    """A relay that ended leaves its folder to the next."""
    first = DataLock(tmp_path / "lock")
    first.acquire()
    first.release()
    second = DataLock(tmp_path / "lock")
    second.acquire()
    second.release()


def test_a_killed_relay_leaves_no_lock(tmp_path):
    """After SIGKILL nobody has to remove a file by hand."""
    code = (
        "import os, sys; from pathlib import Path; from aagm.daemon.lock import"
        " DataLock; DataLock(Path(sys.argv[1])).acquire(); os.kill(os.getpid(), 9)"
    )
    path = tmp_path / "lock"
    assert subprocess.run([sys.executable, "-c", code, path], check=False).returncode
    assert path.read_text() != ""
    DataLock(path).acquire()
    assert path.read_text() == f"{os.getpid()}\n"
