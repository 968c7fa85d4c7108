"""The chat's files: what survives, what is refused, what a full disk costs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from twisted.logger import capturedLogs

from aagm.errors import DiskFault, StartFault
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.prompt import Queued
from aagm.testing import MemoryDisk

FOLDER = Path("/data/state")
HELLO = {"tab": "t-1", "ts": "2026-09-24T12:00:00.000Z"}


def open_ledger(disk, world="inn", log=None):
    """Start a relay on *disk*; *log* takes what its session log would."""

    def audit(event, /, **fields):
        if log is not None:
            log.append((event, fields))

    ledger = Ledger(disk, FOLDER, lambda: world, audit)
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


def journal_of(disk):
    """Find the only journal."""
    return next(path for path in disk.files if path.suffix == ".jsonl")


@pytest.mark.parametrize(
    "damaged",
    [
        b'{"at": "inn", "do": "typ',
        b"nope",
        b'{"at": "inn", "do": "boom", "with": {}}',
        b'{"at": "inn", "do": "typed", "with": "nope"}',
        b'{"at": "inn", "do": "said", "with": {"tab": 7, "text": 7}}',
        b"7",
    ],
)
def test_what_of_the_journal_cannot_be_read_is_kept_in_a_side_file(damaged):
    """The warning names it; the journal itself goes, and what is whole is read."""
    disk = MemoryDisk()
    typed(open_ledger(disk), "p-1")
    path = journal_of(disk)
    disk.files[path] += damaged
    with capturedLogs() as logs:
        again = open_ledger(disk)
    assert queue(again) == ["p-1"]
    assert path not in disk.files
    side = path.with_name(f"{path.name}.torn")
    assert disk.files[side] == damaged + b"\n"
    assert [event["side"] for event in logs if "side" in event] == [str(side)]
    assert queue(open_ledger(disk)) == ["p-1"]


def test_a_full_disk_keeps_the_journal_whose_torn_line_it_refused():
    """Nothing is dropped: the next start finds it and puts it aside, once."""
    disk = MemoryDisk()
    typed(open_ledger(disk), "p-1")
    path = journal_of(disk)
    disk.tear(path)
    torn = disk.files[path].splitlines()[-1]
    disk.is_full = True
    open_ledger(disk)
    assert disk.files[path].endswith(torn)
    disk.is_full = False
    open_ledger(disk)
    open_ledger(disk)
    assert disk.files[path.with_name(f"{path.name}.torn")] == torn + b"\n"


def test_a_new_session_log_begins_with_what_the_old_one_may_lack():
    """A kill at once after a prompt: its text, and the reply before, are logged."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1", "How many guests?")
    ledger.save("handed", ids=["p-1"], closed=[], to="ann")
    ledger.note(
        "replied", tab="t-1", text="Four.", ts=HELLO["ts"], final=True, prompt="p-1"
    )
    typed(ledger, "p-2", "And horses?")
    log = []
    open_ledger(disk, log=log)
    assert [name for name, _ in log] == [
        "chat.in",
        "chat.handed",
        "chat.reply",
        "chat.in",
        "chat.restored",
    ]
    assert all(fields["restored"] is True for _, fields in log[:4])
    assert log[2][1]["text"] == "Four."
    assert log[3][1]["text"] == "And horses?"
    assert log[4][1] == {
        "world": "inn",
        "promptId": "p-2",
        "text": "And horses?",
        "tabId": "t-1",
        "ts": HELLO["ts"],
    }


def test_a_prompt_of_long_ago_that_still_waits_is_in_the_new_log():
    """The journal may be gone; the whole holds it. What was cancelled waits not."""
    disk = MemoryDisk()
    ledger = open_ledger(disk)
    typed(ledger, "p-1", "cancelled")
    ledger.save("cancelled")
    typed(ledger, "p-2", "waits")
    ledger.compact()
    log = []
    open_ledger(disk, log=log)
    assert [(name, fields["text"]) for name, fields in log] == [
        ("chat.restored", "waits")
    ]


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
        ("chat.json", b'{"version": 1, "generation": 1, "here": "inn"}'),
        ("chat.json", b'{"version": 1, "generation": 1, "here": "", "rooms": []}'),
        (
            "chat.json",
            b'{"version": 1, "generation": 1, "here": "", "rooms": {"inn": {}}}',
        ),
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
