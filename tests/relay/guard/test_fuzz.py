"""Random and mutated sources; ``python -m tests.relay.guard.fuzz 100000`` is longer."""

from __future__ import annotations

import runpy
from pathlib import Path

FUZZ = runpy.run_path(str(Path(__file__).with_name("fuzz.py")))


def test_no_source_breaks_the_guard():
    """Two thousand odd sources raise nothing, and each gets its verdict in time."""
    report = FUZZ["run"](2000, seed=20261)
    assert report["faults"] == []
    assert report["kinds"]["read"] > 100  # the mutants are not all broken
