"""How long a busy session log holds its callers: run by hand, or shorter by a test.

    python tests/bench_log.py [seconds]

Prints, at 10,000 events a second, the longest time that one event took its caller, and
how late the reactor came to others: the 99th percentile and the worst. A busy
machine is late by itself.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from attrs import define, field
from twisted.internet import task
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool

from aagm.daemon.log_thread import OneThread
from aagm.members import KIMI
from aagm.relay.audit import SessionLog
from aagm.relay.disk import LocalDisk

RATE = 10_000  # events a second
TICKS = 200  # a second; each tells a share of the events


@define
class Measured:
    """What a run came to."""

    told: int = 0
    calls: list[float] = field(factory=list)  # seconds that each event took
    late: list[float] = field(factory=list)  # seconds that the reactor came late
    seconds: float = 0.0  # until all was written
    trouble: list[str] = field(factory=list)
    numbers: list[int] = field(factory=list)  # as the file has them


async def measure(reactor, folder: Path, seconds: float) -> Measured:
    """Tell events for *seconds*, wait until they are written, read the file."""
    seen = Measured()
    thread = OneThread(reactor, "session log")
    thread.start()
    log = SessionLog(
        folder=folder,
        member=KIMI,
        disk=LocalDisk(partial(deferToThreadPool, reactor, reactor.getThreadPool())),
        now=time.time,
        in_thread=thread,
        trouble=seen.trouble.append,
    )
    began = time.monotonic()
    for tick in range(int(seconds * TICKS)):
        due = began + (tick + 1) / TICKS
        rest = due - time.monotonic()
        await task.deferLater(reactor, max(0.0, rest), lambda: None)
        seen.late.append(time.monotonic() - max(due, due - rest))
        while seen.told < (tick + 1) * RATE // TICKS:
            before = time.monotonic()
            log("cmd.out", method="query.actor", n=seen.told, params={"actorId": "a1"})
            seen.calls.append(time.monotonic() - before)
            seen.told += 1
    await log.when_written()
    seen.seconds = time.monotonic() - began
    thread.stop()
    text = log.path.read_text()
    seen.numbers = [int(n) for n in re.findall(r'^  "n": (\d+),$', text, re.MULTILINE)]
    return seen


def percentile(values: list[float], share: float) -> float:
    """Give the value below which that share of *values* lies."""
    return sorted(values)[int(len(values) * share)]


def main() -> None:
    """Measure and print."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0

    async def run(reactor) -> None:
        with tempfile.TemporaryDirectory() as folder:
            seen = await measure(reactor, Path(folder), seconds)
        assert seen.numbers == list(range(seen.told)), "events are missing or astray"
        late = percentile(seen.late, 0.99) * 1000
        print(  # noqa: T201 - what it is for
            f"{seen.told} events in {seen.seconds:.1f} s:"
            f" a call at most {max(seen.calls) * 1000:.1f} ms, the reactor late"
            f" {late:.1f} ms (99 %), {max(seen.late) * 1000:.1f} ms (worst)"
        )

    task.react(lambda reactor: Deferred.fromCoroutine(run(reactor)))


if __name__ == "__main__":
    main()
