"""The log's thread begins first and ends last."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
import pytest_twisted
from twisted.application.service import Service
from twisted.internet import reactor
from twisted.internet.defer import Deferred, gatherResults

from aagm.daemon.log_thread import LoggedParts, OneThread

ROOT = Path(__file__).parents[2]


@pytest_twisted.ensureDeferred
async def test_work_is_done_off_the_reactor_in_its_order():
    """One thread that is not ours does one thing after another."""
    thread = OneThread(reactor, "test")
    seen = []

    def note(n):
        seen.append((n, threading.current_thread() is threading.main_thread()))

    waiting = [thread(lambda n=n: note(n)) for n in range(50)]
    assert seen == []
    thread.start()
    await gatherResults(waiting)
    thread.stop()
    assert seen == [(n, False) for n in range(50)]


class Noisy(Service):
    """A part that has something to log at its very end."""

    def __init__(self, log):
        """Keep where to log."""
        self.log = log
        self.ended = Deferred()

    def startService(self):  # noqa: N802
        """Say that it begins."""
        self.log("began")

    def stopService(self):  # noqa: N802
        """Say that it ends, later."""
        return self.ended.addCallback(lambda _: self.log("ended"))


@pytest_twisted.ensureDeferred
async def test_the_log_hears_its_parts_to_the_end():
    """The first line is the relay's own; a part that ends slowly is still heard."""
    lines = []
    thread = OneThread(reactor, "test")

    async def when_written():
        lines.append("written")

    parts = LoggedParts(thread, lambda: lines.append("ready"), when_written)
    part = Noisy(lines.append)
    part.setServiceParent(parts)
    parts.startService()
    stopping = parts.stopService()
    assert lines == ["ready", "began"]
    part.ended.callback(None)
    await stopping
    assert lines == ["ready", "began", "ended", "written"]


@pytest.mark.speed
def test_ten_thousand_events_a_second_hold_nobody():
    """A busy log holds no call for 20 ms, and loses and mixes up nothing."""
    command = [sys.executable, "-m", "tests.bench_log", "2"]
    done = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("20000 events")
