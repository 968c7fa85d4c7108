"""`tests.rules` switches off what is really there."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


def load():
    """Load the command as a module."""
    path = ROOT / "tests" / "rules.py"
    spec = importlib.util.spec_from_file_location("rules_command", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


RULES = load().RULES


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_the_text_that_upholds_a_rule_stands_in_its_module(rule):
    """Once, so that switching it off switches off that rule; its tests exist."""
    assert rule.is_found()
    assert rule.off not in ("", rule.upheld)
    assert (ROOT / rule.tests).is_file()


def test_there_are_enough_rules():
    """Each protection of the undo has its own line."""
    assert len({rule.name for rule in RULES}) == len(RULES) >= 15
