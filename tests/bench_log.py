"""How long a busy session log holds its callers: run by hand, or shorter by a test.

    python -m tests.bench_log [seconds]

tells 10,000 events a second in a process that is set up as the relay's, and prints the
longest time that one event took its caller, and how late the reactor came to others:
the 99th percentile and the worst. *Held* is what this process did meanwhile; the rest
of the delay is the machine's, which had no processor for it. Ends with 1 when a call
was held for 20 ms, or when an event is missing or out of order.
"""

from __future__ import annotations

import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from attrs import define, field
from twisted.internet import task
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool

from aagm.daemon.log_thread import OneThread
from aagm.daemon.turns import settle
from aagm.members import KIMI
from aagm.relay.audit import SessionLog
from aagm.relay.disk import LocalDisk

RATE = 10_000  # events a second
TICKS = 200  # a second; each tells a share of the events
LIMIT = 0.020  # seconds that a call may be held


@define
class Delays:
    """How long somebody waited, in seconds."""

    seen: list[float] = field(factory=list)  # on the wall's clock
    held: list[float] = field(factory=list)  # of that, while this process was at work

    @contextmanager
    def measured(self, expected: float = 0.0) -> Iterator[None]:
        """Measure how much longer than *expected* the body takes."""
        began, worked = time.monotonic(), time.process_time()
        yield
        late = max(0.0, time.monotonic() - began - expected)
        self.seen.append(late)
        self.held.append(min(late, time.process_time() - worked))


@define
class Measured:
    """What a run came to."""

    told: int = 0
    calls: Delays = field(factory=Delays)  # one event
    reactor: Delays = field(factory=Delays)  # one turn
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
        rest = max(0.0, began + (tick + 1) / TICKS - time.monotonic())
        with seen.reactor.measured(rest):
            await task.deferLater(reactor, rest, lambda: None)
        while seen.told < (tick + 1) * RATE // TICKS:
            with seen.calls.measured():
                log("cmd.out", method="query.actor", n=seen.told, params={"id": "a1"})
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


async def run(reactor, seconds: float) -> None:
    """Measure and print."""
    settle()
    with tempfile.TemporaryDirectory() as folder:
        seen = await measure(reactor, Path(folder), seconds)
    print(f"{seen.told} events in {seen.seconds:.1f} s")  # noqa: T201 - what it is for
    for what, delays in (("an event", seen.calls), ("the reactor", seen.reactor)):
        p99, worst, held = (
            1000 * value
            for value in (
                percentile(delays.seen, 0.99),
                max(delays.seen),
                max(delays.held),
            )
        )
        print(  # noqa: T201
            f"{what} late {p99:.1f} ms (99 %), {worst:.1f} ms (worst);"
            f" held {held:.1f} ms (worst)"
        )
    if seen.trouble or seen.numbers != list(range(seen.told)):
        raise SystemExit("events are missing or out of order")
    if max(*seen.calls.held, *seen.reactor.held) >= LIMIT:
        raise SystemExit("a call was held for too long")


def main() -> None:
    """Run until it is measured."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
    task.react(lambda reactor: Deferred.fromCoroutine(run(reactor, seconds)))


if __name__ == "__main__":
    main()
