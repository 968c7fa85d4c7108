"""The chat's files: what survives, what is refused, what a full disk costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aagm.errors import DiskFault, StartFault
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.prompt import Queued
from aagm.testing import MemoryDisk

FOLDER = Path("/data/state")
HELLO = {"tab": "t-1", "ts": "2026-09-24T12:00:00.000Z"}


def open_ledger(disk, world="inn"):
    """Start a relay on *disk*."""
    ledger = Ledger(disk, FOLDER, lambda: world)
    ledger.load()
    return ledger


def typed(ledger, prompt_id, text="hello"):
    """Type a prompt."""
    ledger.save(
        "typed",
        prompt_id=prompt_id,
        text=text,
        interrupt=False,
        external=False,
        **HELLO,
    )


def queue(ledger):
    """List the ids that wait."""
    return [prompt.id for prompt in ledger.room.placed(Queued)]


def test_the_next_relay_finds_what_was_typed():
    """After a kill everything is there, though nothing was written whole."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1")
    assert FOLDER / "chat.json" not in disk.files
    again = open_ledger(disk)
    assert queue(again) == ["p-1"]
    assert again.room.tabs["t-1"].to_box() == ledger.room.tabs["t-1"].to_box()


def test_a_torn_last_line_is_dropped_and_nothing_else():
    """A kill in the middle of an append costs what was not acknowledged."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1")
    typed(ledger, "p-2")
    disk.tear(next(path for path in disk.files if path.suffix == ".jsonl"))
    again = open_ledger(disk)
    assert queue(again) == ["p-1"]
    typed(again, "p-3")
    assert queue(open_ledger(disk)) == ["p-1", "p-3"]


def test_the_whole_is_written_now_and_then(monkeypatch):
    """Journals do not grow for ever, and the old ones go."""
    monkeypatch.setattr("aagm.relay.chat.ledger.ENOUGH", 2_000)
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    for number in range(50):
        typed(ledger, f"p-{number}")
    journals = [path for path in disk.files if path.suffix == ".jsonl"]
    assert len(journals) <= 1
    assert sum(len(disk.files[path]) for path in journals) < 3_000
    assert queue(open_ledger(disk)) == [f"p-{number}" for number in range(50)]


def test_a_kill_before_the_old_journals_are_gone_doubles_nothing(monkeypatch):
    """What the whole holds is not played again."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1")
    monkeypatch.setattr(MemoryDisk, "remove", lambda _self, _path: None)
    ledger.compact()
    ledger.note("cleared")
    again = open_ledger(disk)
    assert queue(again) == []
    assert again.room.hands == ledger.room.hands


def test_what_happens_while_the_whole_is_written_is_kept():
    """A kill before, or after, the file is replaced finds everything."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1")
    disk.hold()
    ledger.compact()
    typed(ledger, "p-2")
    killed = MemoryDisk(dict(disk.files))
    assert queue(open_ledger(killed)) == ["p-1", "p-2"]
    disk.release()
    assert queue(open_ledger(disk)) == ["p-1", "p-2"]


def test_a_full_disk_refuses_what_must_be_saved():
    """The event did not happen: nothing is promised that a restart would lose."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    disk.is_full = True
    with pytest.raises(DiskFault):
        typed(ledger, "p-1")
    assert queue(ledger) == []


def test_what_a_full_disk_lost_is_written_when_there_is_room():
    """A reply is shown all the same, and survives once the disk takes it."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1")
    disk.is_full = True
    ledger.note("said", text="a line", **HELLO)
    assert ledger.room.tabs["t-1"].lines[-1].text == "a line"
    disk.is_full = False
    typed(ledger, "p-2")
    again = open_ledger(disk)
    assert [line.text for line in again.room.tabs["t-1"].lines] == [
        "hello",
        "a line",
        "hello",
    ]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("chat.json", b'{"version": 9}'),
        ("chat.json", b"[]"),
        ("chat.json", b"not JSON"),
        ("chat-000001.jsonl", b'{"version": 9}\n'),
    ],
)
def test_a_file_of_another_version_stops_the_start(name, data):
    """It is said which file, and nothing is guessed or overwritten."""
    disk = MemoryDisk({FOLDER / name: data})
    with pytest.raises(StartFault, match=name):
        open_ledger(disk)
    assert disk.files == {FOLDER / name: data}


def test_each_world_has_its_own_chat():
    """Another campaign's prompts wait until its world is open again."""
    disk = MemoryDisk()
    typed(open_ledger(disk, "inn"), "p-1")
    other = open_ledger(disk, "dock")
    assert queue(other) == []
    typed(other, "p-2")
    assert queue(open_ledger(disk, "inn")) == ["p-1"]
    assert queue(open_ledger(disk, None)) == ["p-1"]


def test_the_file_can_be_read_by_a_person():
    """It is indented JSON with a version."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1", "half \ud83d")
    ledger.compact()
    data = disk.files[FOLDER / "chat.json"]
    assert data.isascii()
    assert data.startswith(b'{\n "version": 1,')
    assert json.loads(data)["rooms"]["inn"]["tabs"][0]["id"] == "t-1"
