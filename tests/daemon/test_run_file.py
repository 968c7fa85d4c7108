"""The aagm command finds a running relay, and only that."""

from __future__ import annotations

import errno
import json
import os
import stat
from pathlib import Path

import pytest
from attrs import evolve

from aagm.daemon.run_file import Running, find, run_folders, write
from aagm.errors import StartFault

HERE = Running(
    pid=os.getpid(),
    member="kimi",
    version="1.0.0",
    data_dir="/data/kimi",
    bridge="127.0.0.1:7898",
    mcp="127.0.0.1:7899",
    token="secret",
)


def test_a_running_relay_is_found(tmp_path):
    """The file holds all that the command needs, for this user's eyes alone."""
    path = write(HERE, iter([tmp_path / "run"]))
    assert find(iter([tmp_path / "run"])) == [HERE]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_two_relays_keep_apart(tmp_path):
    """Two members, or two data folders, are two files."""
    other = evolve(HERE, data_dir="/data/other")
    write(HERE, iter([tmp_path]))
    write(other, iter([tmp_path]))
    assert find(iter([tmp_path]), data_dir=Path("/data/other")) == [other]


def test_a_killed_relays_file_is_passed_over(tmp_path):
    """A file whose process is gone names no relay."""
    write(evolve(HERE, pid=2**22 + 1), iter([tmp_path]))
    assert find(iter([tmp_path])) == []


def test_a_broken_file_is_passed_over(tmp_path):
    """A file half written, or by another version, is no relay of ours."""
    (tmp_path / "kimi-1.run.json").write_text('{"pid":')
    (tmp_path / "kimi-2.run.json").write_text('{"pid": 1, "colour": 2}')
    assert find(iter([tmp_path])) == []


def test_the_next_folder_is_taken_when_the_first_cannot_be_written(tmp_path):
    """Without a runtime folder the file lies with the data."""
    (tmp_path / "file").write_text("")
    folders = [tmp_path / "file" / "run", tmp_path / "state"]
    assert write(HERE, iter(folders)).parent == tmp_path / "state"


def test_a_folder_that_others_can_write_is_passed_over(tmp_path):
    """Somebody else's file could send the command, and its token, elsewhere."""
    shared, own = tmp_path / "shared", tmp_path / "own"
    shared.mkdir()
    shared.chmod(0o777)
    path = write(HERE, iter([shared, own]))
    assert path.parent == own
    path.rename(shared / path.name)
    assert find(iter([shared])) == []


def test_without_a_runtime_folder_of_the_session_none_is_warned_about(
    tmp_path, monkeypatch
):
    """A login without systemd is no reason to complain."""
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    assert list(run_folders(tmp_path, {}))[-1] == tmp_path


def test_no_folder_at_all_is_a_fault(tmp_path):
    """A relay that nobody could reach does not start."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StartFault, match="run file cannot be written"):
        write(HERE, iter([tmp_path / "file" / "run"]))


def test_a_full_runtime_folder_is_passed_over(tmp_path, monkeypatch):
    """It is a small one in memory; what was begun there names no relay."""
    first, second = tmp_path / "run", tmp_path / "state"
    full = OSError(errno.ENOSPC, "No space left on device")
    faults, dump = [full, full], json.dump

    def some(value, file, **how):
        if faults:
            raise faults.pop()
        dump(value, file, **how)

    monkeypatch.setattr(json, "dump", some)
    with pytest.raises(StartFault, match="No space left"):
        write(HERE, iter([first]))
    assert write(HERE, iter([first, second])).parent == second
    assert find(iter([first, second])) == [HERE]


def test_a_folder_of_others_is_named_as_the_reason(tmp_path):
    """Where no other is left."""
    tmp_path.chmod(0o777)
    with pytest.raises(StartFault, match="others can write to its folder"):
        write(HERE, iter([tmp_path]))


def test_systemds_runtime_folder_comes_first(tmp_path):
    """Under systemd the file lies where systemd cleans up."""
    env = {"RUNTIME_DIRECTORY": "/run/one:/run/two"}
    assert list(run_folders(tmp_path, env)) == [Path("/run/one"), tmp_path]
