"""What damage is called, and when it is none."""

from __future__ import annotations

import pytest

from aagm.relay import damage

PLAN = {"committed": False, "lethal": True, "amount": 4, "preview": []}


@pytest.mark.parametrize("amount", [0, -1, -12])
def test_no_damage_is_refused_with_how_to_heal(amount):
    """The sentence names the two ways."""
    refused = damage.refusal(amount)
    assert refused["refused"] is True
    assert "damage only hurts" in refused["reason"]
    assert "foundry_rollback" in refused["fix"]
    assert "foundry_eval" in refused["fix"]


def test_one_point_is_damage():
    """Nothing is said against it."""
    assert damage.refusal(1) is None


def test_a_lethal_blow_says_so_at_the_end_of_its_label():
    """Whitespace around the summary goes."""
    assert damage.label(" The beam falls ", lethal=True) == "The beam falls (lethal)"
    assert damage.label("The beam falls", lethal=False) == "The beam falls"


def test_the_tab_is_asked_for_whole_points():
    """A client that writes 4.0 means 4; words for the GM stay here."""
    given = {"targets": ["Rat"], "amount": 4.0, "summary": "x", "note": "y"}
    asked = damage.request(given, commit=True)
    assert asked == {"targets": ["Rat"], "amount": 4, "commit": True}
    assert isinstance(asked["amount"], int)


def test_a_family_modules_commit_takes_its_lethal_from_the_plan():
    """Ours says it itself, and may say otherwise."""
    family = {"committed": True, "amount": 4, "applied": [{"name": "Rat", "hp": -5}]}
    assert damage.with_plan(family, PLAN) == family | {"lethal": True}
    assert damage.with_plan(family | {"lethal": False}, PLAN)["lethal"] is False


@pytest.mark.parametrize("answer", [None, "odd", {"error": "no actor"}])
def test_what_is_no_commit_is_left_as_it_is(answer):
    """An error gets no lethal beside it."""
    assert damage.with_plan(answer, PLAN) == answer
    assert damage.is_lethal(answer) is False
    assert damage.is_resolved(answer) is False
