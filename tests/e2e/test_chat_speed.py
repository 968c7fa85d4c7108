"""From what is typed to the listener's answer: the benchmark, in small.

Done when 2 of the fourth issue; ``tests/bench_chat.py`` prints the whole.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytestmark = pytest.mark.speed

BENCH = Path(__file__).parent.parent / "bench_chat.py"
PROMPTS = 100


@pytest.fixture
def bench():
    """The benchmark beside the tests."""
    spec = importlib.util.spec_from_file_location("bench_chat", BENCH)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_prompt_costs_the_relay_a_few_milliseconds(bench, make_relay):
    """Each answer has its prompt; time on the clock depends on who else is busy."""
    relay = make_relay("--pairing", "off").start()
    server = (relay.pid, relay.bridge_port, relay.mcp_port)
    seen = bench.run(server, PROMPTS, says_hello=True)
    assert len(seen.took) == PROMPTS
    # Of the processor, on a machine that may be busy; 10 ms are all there is.
    assert seen.cpu_each < 10
    assert seen.p50 < 100


def test_the_floor_answers_too(bench):
    """The bare servers that the benchmark compares with do the same work."""
    with bench.floor() as server:
        seen = bench.run(server, PROMPTS, says_hello=False)
    assert len(seen.took) == PROMPTS
    assert 0 < seen.cpu_each < 10
