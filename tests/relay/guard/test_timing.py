"""How long a verdict takes, and that the reactor goes on meanwhile."""

from __future__ import annotations

import gc
import random
import time
from pathlib import Path

import pytest
import pytest_twisted
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.task import LoopingCall, deferLater
from twisted.internet.threads import deferToThread

from aagm.relay.guard import Guard, Protected, classify
from aagm.relay.guard.judge import SHORT

pytestmark = pytest.mark.speed

HELD_BACK = Path(__file__).parent / "corpus" / "held_back.js"
ODD = {
    "quotes": "'" * 64_000,
    "brackets": "[{(" * 20_000,
    "calls": "f(" * 20_000 + ")" * 20_000,
    "a sum": '"a"+' * 15_000 + '"a"',
    "opening brackets": "[" * 60_000,
    "commas": "," * 60_000,
    "expressions": "/a/ " * 15_000,
    "statements": "a;" * 30_000,
    "open comments": "'text'yield/*" * 5000,
}


@pytest.fixture(autouse=True)
def only_ours():
    """Let the collector look at nothing that the tests hold, as in a relay."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def of_4_kb(count: int) -> list[str]:
    """Join snippets to evals of nearly 4 KB."""
    parts = HELD_BACK.read_text(encoding="utf-8").split("//# ")[1:]
    pieces = [
        "await (async () => {\n" + part.partition("\n")[2] + "})();\n" for part in parts
    ]
    chance = random.Random(4)
    found = []
    for _ in range(count):
        code = ""
        while len(more := code + chance.choice(pieces)) <= 4096:
            code = more
        found.append(code)
    return found


def test_4_kb_are_judged_within_10_ms():
    """Of three hundred verdicts, 99 in a hundred take under 10 ms of processor time."""
    codes = of_4_kb(100)
    for code in codes[:10]:
        classify(code, Protected())  # the first verdicts load what later ones have
    times = []
    for code in codes * 3:
        start = time.thread_time()
        assert classify(code, Protected()).kind == "read"
        times.append(time.thread_time() - start)
    assert sorted(times)[296] < 0.010


@pytest.mark.parametrize("what", ODD)
def test_oddities_are_given_up_in_time(what):
    """Where the parser or the walk never ends, a verdict still takes under 100 ms."""
    start = time.thread_time()
    assert classify(ODD[what], Protected()).kind == "unproven"
    assert time.thread_time() - start < 0.1


@pytest_twisted.ensureDeferred
async def test_a_known_eval_is_judged_at_once():
    """The second verdict on the same code takes under 0.1 ms."""
    guard = Guard(deferToThread, Protected())
    (code,) = of_4_kb(1)
    first = await guard.judge(code)
    times = []
    for _ in range(50):
        start = time.perf_counter()
        assert await guard.judge(str(code)) is first
        times.append(time.perf_counter() - start)
    assert sorted(times)[25] < 0.0001


async def _longest_hold(guard: Guard, code: str) -> float:
    """Judge *code*; the longest that the reactor waited while this process worked."""
    holds: list[float] = []
    last, worked = time.perf_counter(), time.process_time()

    def tick() -> None:
        nonlocal last, worked
        gap = time.perf_counter() - last
        # Of a longer gap, the rest is the machine's, which had other things to do.
        holds.append(min(gap, time.process_time() - worked))
        last, worked = time.perf_counter(), time.process_time()

    ticking = LoopingCall(tick)
    done: Deferred[None] = ticking.start(0.001)
    await guard.judge(code)
    await deferLater(reactor, 0.002)
    ticking.stop()
    await done
    return max(holds)


@pytest_twisted.ensureDeferred
async def test_the_reactor_is_never_blocked_for_long():
    """While oddities are judged, in a thread or on the spot, it turns every 40 ms."""
    codes = [*ODD.values(), *of_4_kb(5)]
    codes += [code[:SHORT] for code in codes]
    for code in codes:
        guard = Guard(deferToThread, Protected())
        assert await _longest_hold(guard, code) < 0.040, code[:100]
