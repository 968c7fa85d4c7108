"""Argument names are code in Foundry: only harmless ones pass."""

from __future__ import annotations

import pytest

from aagm.relay.plugins.names import fault, first_fault


@pytest.mark.parametrize("name", ["uuid", "actorRef", "_x", "$el", "of", "async", "a1"])
def test_a_plain_identifier_passes(name):
    """What Foundry can bind as a parameter without harm is a name."""
    assert fault(name) is None


@pytest.mark.parametrize(
    "name",
    [
        *("speaker", "actor", "token", "character", "scope"),
        *("this", "arguments", "eval", "__proto__"),
        *("class", "await", "yield", "let", "null", "new"),
        *("0", "my-arg", "item name", "", "x=evil()", "{a}", "...x", "é", "a\n"),
    ],
)
def test_what_foundry_swallows_or_runs_is_refused(name):
    """Kept names, words of JavaScript, and what would be an expression."""
    assert fault(name) is not None


def test_the_reason_names_the_name_and_is_short():
    """A name of a thousand characters is not repeated whole."""
    assert "speaker" in str(fault("speaker"))
    assert len(str(fault("x" * 1000 + "-"))) < 150


def test_the_first_bad_name_is_told():
    """One is put right after the other."""
    assert "token" in str(first_fault(["uuid", "token", "actor"]))
    assert first_fault(["uuid", "name"]) is None
