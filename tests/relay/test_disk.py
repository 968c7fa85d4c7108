"""Files are whole or as before, on the real disk and on the one in memory."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from twisted.internet.defer import Deferred, maybeDeferred

from aagm.errors import DiskFault
from aagm.relay.disk import LocalDisk
from aagm.testing import MemoryDisk


def run(coroutine):
    """Run what never waits."""
    came = []
    Deferred.fromCoroutine(coroutine).addBoth(came.append)
    [result] = came
    if result is not None:
        result.raiseException()


@pytest.fixture
def local():
    """The real disk, without threads."""
    return LocalDisk(maybeDeferred)


@pytest.fixture(params=["local", "memory"])
def disk(request, local):
    """Each disk in turn."""
    return local if request.param == "local" else MemoryDisk()


def test_an_append_makes_file_and_folder(disk, tmp_path):
    """Line after line."""
    path = tmp_path / "state" / "journal" / "rp-000001.jsonl"
    disk.append(path, b"one\n")
    disk.append(path, b"two\n")
    assert disk.read(path) == b"one\ntwo\n"


def test_a_replace_leaves_the_new_file_alone(disk, tmp_path):
    """Nothing half-written stays beside it."""
    path = tmp_path / "points" / "rp-000001.json"
    run(disk.replace(path, b"old"))
    run(disk.replace(path, b"new"))
    assert disk.read(path) == b"new"
    assert disk.names(path.parent) == ["rp-000001.json"]


def test_names_are_sorted_and_a_missing_folder_is_empty(disk, tmp_path):
    """Files and folders alike."""
    for name in ("b", "a", "c/d"):
        disk.append(tmp_path / name, b"")
    assert disk.names(tmp_path) == ["a", "b", "c"]
    assert disk.names(tmp_path / "nowhere") == []


def test_a_missing_file_is_told_apart(disk, tmp_path):
    """It is no fault of the disk's."""
    with pytest.raises(FileNotFoundError):
        disk.read(tmp_path / "nothing")
    disk.remove(tmp_path / "nothing")


def test_a_removed_file_is_gone(disk, tmp_path):
    """The journal goes when its point is filed."""
    disk.append(tmp_path / "a", b"x")
    disk.remove(tmp_path / "a")
    assert disk.names(tmp_path) == []


def test_only_the_owner_can_read(local, tmp_path):
    """The data folder holds documents that players must not see."""
    path = tmp_path / "new" / "file"
    local.append(path, b"x")
    run(local.replace(path, b"y"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_half_written_file_of_a_killed_relay_is_no_name(local, tmp_path):
    """The next start does not take it for a point."""
    run(local.replace(tmp_path / "rp-000001.json", b"{}"))
    (tmp_path / "rp-000002.json.half").write_bytes(b"{")
    assert local.names(tmp_path) == ["rp-000001.json"]


def test_an_append_that_fails_half_way_leaves_the_file_as_it_was(
    local, tmp_path, monkeypatch
):
    """A disk that fills up in the middle of a line."""
    path = tmp_path / "journal"
    local.append(path, b"whole\n")
    write, written = os.write, []

    def filling(fd, data):
        if written:
            raise OSError(28, "No space left on device")
        written.append(write(fd, bytes(data)[:3]))
        return 3

    monkeypatch.setattr(os, "write", filling)
    with pytest.raises(DiskFault, match="No space left"):
        local.append(path, b"another\n")
    monkeypatch.undo()
    assert path.read_bytes() == b"whole\n"


def test_an_append_that_fails_at_once_leaves_no_file(local, tmp_path, monkeypatch):
    """The next start finds no empty journal of a write that was never begun."""

    def full(_fd, _data):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(DiskFault, match="No space left"):
        local.append(tmp_path / "journal", b"line\n")
    monkeypatch.undo()
    assert local.names(tmp_path) == []


def test_a_replace_that_fails_leaves_the_old_file(local, tmp_path, monkeypatch):
    """Neither half a file nor none."""
    path = tmp_path / "point"
    run(local.replace(path, b"old"))

    def full(_fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DiskFault) as caught:
        run(local.replace(path, b"new"))
    monkeypatch.undo()
    assert caught.value.fix
    assert path.read_bytes() == b"old"
    assert [p.name for p in tmp_path.iterdir()] == ["point"]


def test_a_file_in_the_way_of_a_folder_is_a_fault(local, tmp_path):
    """It is told in one sentence, without the folder's path."""
    (tmp_path / "state").write_bytes(b"")
    with pytest.raises(DiskFault) as caught:
        local.append(tmp_path / "state" / "journal", b"x")
    assert str(tmp_path) not in str(caught.value)
    assert local.names(Path(tmp_path / "state")) == []


def test_what_is_no_plain_file_is_not_read(local, tmp_path):
    """A pipe, a device or a folder among our files neither hangs nor fills memory."""
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "endless").symlink_to("/dev/zero")
    (tmp_path / "folder").mkdir()
    for name in ("pipe", "endless", "folder"):
        with pytest.raises(DiskFault, match="no plain file"):
            local.read(tmp_path / name)
