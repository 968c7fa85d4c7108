"""The log's thread begins first and ends last."""

from __future__ import annotations

import importlib.util
import threading
import time
from pathlib import Path

import pytest
import pytest_twisted
from twisted.application.service import Service
from twisted.internet import reactor
from twisted.internet.defer import Deferred, gatherResults

from aagm.daemon.log_thread import LoggedParts, OneThread

BENCH = Path(__file__).parent.parent / "bench_log.py"


@pytest.fixture
def bench():
    """The benchmark beside the tests."""
    spec = importlib.util.spec_from_file_location("bench_log", BENCH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


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


@pytest_twisted.ensureDeferred
async def test_ten_thousand_events_a_second_hold_nobody(bench, tmp_path):
    """A busy log costs its callers nothing, and loses and mixes up nothing."""
    began = time.thread_time()
    seen = await bench.measure(reactor, tmp_path, 1.0)
    spent = time.thread_time() - began
    assert seen.numbers == list(range(10_000))
    assert seen.trouble == []
    # Processor time of the reactor's thread, which a busy machine does not change.
    assert spent / seen.told < 0.001
    assert bench.percentile(seen.late, 0.5) < 0.02
    assert bench.percentile(seen.calls, 0.99) < 0.02
