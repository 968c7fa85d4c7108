"""What can be decided without a clock, a disk and a socket is decided there."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import aagm.relay.rollback

FOLDER = Path(aagm.relay.rollback.__file__).parent
PURE = (
    "changes",
    "entries",
    "expectation",
    "findings",
    "liveness",
    "lost",
    "overlap",
    "plan",
    "points",
    "told",
    "undone",
)


def imports(path):
    """List what a module imports."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""


@pytest.mark.parametrize("name", PURE)
def test_a_pure_module_knows_neither_twisted_nor_an_acting_one(name):
    """It imports pure modules of this package, and nothing of Twisted."""
    for each in imports(FOLDER / f"{name}.py"):
        assert not each.startswith("twisted")
        if each.startswith("aagm.relay"):
            assert each.removeprefix("aagm.relay.rollback.") in PURE


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.stem)
def test_a_module_stays_readable(path):
    """Four hundred lines at most."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 400


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda p: p.stem)
def test_only_the_lane_knows_a_lock(path):
    """The order of writes is settled in one place."""
    text = path.read_text(encoding="utf-8")
    assert ("DeferredLock" in text) is (path.stem == "lane")
