"""The corpus: snippets as agents write them, each with the class it must get."""

from __future__ import annotations

from pathlib import Path

import pytest

from aagm.relay.guard import Protected, Verdict, classify

CORPUS = Path(__file__).parent / "corpus"


def snippets(name: str) -> list[tuple[str, str, str]]:
    """List title, expected class and code of the snippets in one file."""
    found = []
    text = (CORPUS / f"{name}.js").read_text(encoding="utf-8")
    for part in text.split("//# ")[1:]:
        head, _, code = part.partition("\n")
        kind, bar, title = head.partition(" | ")
        found.append((title, kind, code) if bar else (head, "read", code))
    return found


def verdicts(name: str) -> list[tuple[str, str, Verdict]]:
    """List title, expected class and verdict of the snippets in one file."""
    return [(t, kind, classify(c, Protected())) for t, kind, c in snippets(name)]


def test_the_corpus_is_large_enough():
    """There are at least 250 snippets, and at least 100 harmless reads of agents."""
    sizes = {
        name: len(snippets(name))
        for name in ("acts", "disguised", "held_back", "unseen")
    }
    assert sum(sizes.values()) >= 250
    assert sizes["held_back"] >= 100


@pytest.mark.parametrize("name", ["held_back", "unseen"])
def test_what_agents_read_runs_as_a_read(name):
    """Idiomatic reads, written before the rules were looked at, are reads."""
    found = verdicts(name)
    refused = [t for t, _, v in found if v.kind in ("side-effect", "protected")]
    missed = [(t, v.reason) for t, _, v in found if v.kind != "read"]
    assert refused == []
    assert len(missed) <= len(found) // 10
    assert missed == []  # more than was promised; a new miss is a step back


@pytest.mark.parametrize("name", ["acts", "disguised"])
def test_what_acts_gets_its_class(name):
    """Writes, deletes, side effects and what is protected are told apart."""
    wrong = [
        (title, kind, verdict.kind, verdict.reason)
        for title, kind, verdict in verdicts(name)
        if verdict.kind != kind
    ]
    assert wrong == []


def test_no_snippet_is_taken_for_a_syntax_error():
    """The whole corpus is valid JavaScript, and the guard agrees."""
    names = ("acts", "disguised", "held_back", "unseen")
    wrong = [
        (title, verdict.reason)
        for name in names
        for title, _, verdict in verdicts(name)
        if verdict.syntax_error
    ]
    assert wrong == []
