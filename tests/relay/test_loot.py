"""What a restore of lost loot is called."""

from __future__ import annotations

import pytest

from aagm.relay import loot

PEARLS = {"eventId": "lw-1", "item": "Lake pearl", "qty": 2, "recipient": "Ottar"}


def test_a_restore_is_called_by_what_it_granted():
    """Amount, item and recipient, one after the other."""
    coins = {"item": "3 GP", "qty": 300, "recipient": "Chest"}
    name = loot.label_of("AAGM-K", {"restored": [PEARLS, coins], "failed": []})
    assert name == (
        "AAGM-K Loot Watchdog: restore 2 × Lake pearl to Ottar, 300 × 3 GP to Chest"  # noqa: RUF001 - a multiplication sign is meant
    )


def test_a_long_list_is_cut():
    """A card has little room."""
    name = loot.label_of("AAGM-G", {"restored": [PEARLS] * 40})
    assert name.startswith("AAGM-G Loot Watchdog: restore 2 ")
    assert name.endswith("…")
    assert len(name) == len(loot.label("AAGM-G")) + 1 + loot.LONGEST


def test_a_restore_that_granted_nothing_says_so():
    """Only phantoms were acknowledged, or all failed."""
    name = loot.label_of("AAGM-K", {"restored": [], "failed": [{}]})
    assert name == "AAGM-K Loot Watchdog: restore, nothing granted"


@pytest.mark.parametrize("result", [None, [], {"odd": 1}, {"restored": 3}])
def test_an_answer_of_another_shape_keeps_the_plain_name(result):
    """A family module may answer otherwise."""
    assert loot.label_of("AAGM-K", result) == loot.label("AAGM-K")
