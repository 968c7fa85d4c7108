"""Who may listen, by the rules alone."""

from __future__ import annotations

import pytest

from aagm.errors import ListenerOccupied
from aagm.relay.chat.lease import LEASE, Held, Vacant, claim


def test_the_first_takes_it_and_renews_it():
    """The first listener holds the lease, and longer with each call."""
    held = claim(Vacant(), "ann", now=100)
    assert held == Held("ann", 100 + LEASE)
    assert claim(held, "ann", now=130) == Held("ann", 130 + LEASE)


def test_another_is_refused_until_it_ends():
    """A second listener is told so; after 45 s of quiet it takes over."""
    held = Held("ann", 145, frozenset({"t-1"}))
    with pytest.raises(ListenerOccupied):
        claim(held, "bob", now=144.9)
    assert claim(held, "bob", now=145) == Held("bob", 145 + LEASE)
