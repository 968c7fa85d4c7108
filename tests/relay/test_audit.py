"""The session log."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred, execute

from aagm.members import GROK, KIMI
from aagm.relay.audit import LONGEST, SessionLog
from aagm.testing import MemoryDisk

LOGS = Path("/data/Logs")
NOON = datetime(2026, 9, 24, 12, 0, 5, 42_000).timestamp()  # noqa: DTZ001 - local


@define
class Thread:
    """A thread that runs what it is given when the test says so."""

    held: list[tuple[Deferred[None], object]] = field(factory=list)
    is_held: bool = False

    def __call__(self, work):
        """Run *work* now, or hold it."""
        if not self.is_held:
            return execute(work)
        done: Deferred[None] = Deferred()
        self.held.append((done, work))
        return done

    def run(self):
        """Run what was held."""
        held, self.held = self.held, []
        for done, work in held:
            done.callback(work())


@define
class Bench:
    """A log with everything around it."""

    disk: MemoryDisk = field(factory=MemoryDisk)
    thread: Thread = field(factory=Thread)
    said: list[str] = field(factory=list)

    def start(self, member=KIMI):
        """Start a relay's log."""
        return SessionLog(
            folder=LOGS,
            member=member,
            disk=self.disk,
            now=lambda: NOON,
            in_thread=self.thread,
            trouble=self.said.append,
        )

    def text(self, log):
        """Read the log's file."""
        return self.disk.read(log.path).decode()


@pytest.fixture
def bench():
    """A memory disk and a thread."""
    return Bench()


@pytest.mark.parametrize(
    ("member", "name"),
    [(KIMI, "September 24 12.00.05.md"), (GROK, "September 24 12.00.05.042.md")],
)
def test_a_person_reads_when_and_what(bench, member, name):
    """The file is named by its start; an event is a heading and its fields."""
    log = bench.start(member)
    log("bridge.connected", userName="Marit")
    assert log.path.name == name
    text = bench.text(log)
    assert text.startswith(f"# {member.title} session log\n\nStarted: 2026-09-24 12:00")
    assert "\n## September 24, 2026 12:00:05 bridge.connected\n" in text
    assert '```json\n{\n  "userName": "Marit"\n}\n```\n' in text


def test_two_starts_in_one_second_have_a_file_each(bench):
    """A quick restart never writes into the file of the relay before it."""
    names = []
    for _ in range(3):
        log = bench.start()
        log("relay.ready")
        names.append(log.path.name)
    assert names == [
        "September 24 12.00.05.md",
        "September 24 12.00.05 1.md",
        "September 24 12.00.05 2.md",
    ]


def test_events_stay_in_order_while_the_disk_is_slow(bench):
    """What is told while a line is being written comes after it."""
    log = bench.start()
    bench.thread.is_held = True
    for n in range(5):
        log(f"event-{n}")
        if n in (0, 3):
            bench.thread.run()
    bench.thread.run()
    bench.thread.run()
    found = [line.split()[-1] for line in bench.text(log).splitlines() if "## " in line]
    assert found == [f"event-{n}" for n in range(5)]


def test_waiting_ends_when_everything_is_written(bench):
    """A relay that stops leaves a whole log behind."""
    log = bench.start()
    bench.thread.is_held = True
    log("first")
    stopped = []
    Deferred.fromCoroutine(log.when_written()).addCallback(stopped.append)
    log("second")
    assert stopped == []
    bench.thread.run()
    assert stopped == [None]
    assert "second" in bench.text(log)


def test_long_strings_are_cut_and_secrets_left_out(bench):
    """A log stays readable, and holds no token wherever it stood."""
    log = bench.start()
    log("hello", params=[{"token": "s3cret", "code": "x" * (LONGEST + 7)}])
    text = bench.text(log)
    assert "s3cret" not in text
    assert "(not logged)" in text
    assert "(7 more characters)" in text
    assert "x" * (LONGEST + 1) not in text


def test_half_an_emoji_is_logged(bench):
    """A broken surrogate in a prompt does not break the log."""
    log = bench.start()
    log("chat.in", text="\ud83d")
    assert "\\ud83d" in bench.text(log)


def test_a_full_disk_costs_lines_and_is_said_once(bench):
    """Calls go on without a log; the operator is told once, the file says the gap."""
    log = bench.start()
    log("before")
    bench.disk.is_full = True
    for _ in range(3):
        log("lost")
    assert len(bench.said) == 1
    assert "log lines are lost" in bench.said[0]
    bench.disk.is_full = False
    log("after")
    text = bench.text(log)
    assert '"lines": 3' in text
    assert "after" in text
    bench.disk.is_full = True
    log("lost again")
    assert len(bench.said) == 2


def test_a_disk_full_from_the_start_still_heads_the_file_later(bench):
    """The first line that fits comes with the file's head."""
    bench.disk.is_full = True
    log = bench.start()
    log("lost")
    bench.disk.is_full = False
    log("kept")
    text = bench.text(log)
    assert text.startswith("# AAGM-K session log")
    assert '"lines": 1' in text


def test_telling_of_the_trouble_may_be_logged_too(bench):
    """What is said of a full disk is an event itself; it is lost once, not for ever."""
    bench.disk.is_full = True
    log = SessionLog(
        folder=LOGS,
        member=KIMI,
        disk=bench.disk,
        now=lambda: NOON,
        in_thread=bench.thread,
        trouble=lambda sentence: (bench.said.append(sentence), log("chat.said")),
    )
    log("lost")
    assert len(bench.said) == 1
    bench.disk.is_full = False
    log("kept")
    text = bench.text(log)
    assert '"lines": 2' in text
    assert text.count("kept") == 1


def test_many_events_are_made_into_text_a_few_at_a_time(bench):
    """A crowd of events does not hold the others for the whole of it."""
    log = bench.start()
    bench.thread.is_held = True
    log("first")
    for n in range(1200):
        log(f"event-{n}")
    bench.thread.run()
    assert bench.disk.written == [("append", log.path)] * 3
    assert bench.text(log).count("## September") == 1201


def test_big_events_are_written_one_by_one(bench):
    """Joining the texts of many big answers would hold the others, too."""
    log = bench.start()
    bench.thread.is_held = True
    for _ in range(4):
        log("cmd.ok", result=["x" * LONGEST] * 100)
    bench.thread.run()
    assert bench.disk.written == [("append", log.path)] * 4
