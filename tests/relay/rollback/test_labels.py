"""What the points of rollbacks and redos are called."""

from __future__ import annotations

import pytest

from aagm.relay.rollback.labels import labelled, unlabelled


@pytest.mark.parametrize(
    "summary",
    [
        "Hurt Mira",
        "Redone: Hurt Mira",
        "Rollback to before rp-0a1b2c: Hurt Mira",
        "Rollback to before rp-0a1b2c: Redo to before rp-3d4e5f: Hurt Mira",
    ],
)
def test_a_label_names_the_change_once(summary):
    """Whatever was undone and done again before, an older version's labels too."""
    assert unlabelled(summary) == "Hurt Mira"
    assert labelled("redo", "rp-6a7b8c", summary) == "Redone: Hurt Mira"
    undo = labelled("undo", "rp-6a7b8c", summary)
    assert undo == "Rollback to before rp-6a7b8c: Hurt Mira"
