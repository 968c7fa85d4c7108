"""``aagm pair`` lets one more tab in."""

from __future__ import annotations

from pathlib import Path

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.bridge.pairing import Pairing
from aagm.bridge.verbs import pair_verbs
from aagm.cli.pair import told
from aagm.errors import BadParams
from aagm.testing import MemoryDisk


@pytest.fixture
def clock():
    """A clock that the test moves."""
    return Clock()


@pytest.fixture
def pairing(clock):
    """Pairings of a relay whose own terminal shows nothing."""
    return Pairing.load(
        clock, now=lambda: 0, disk=MemoryDisk(), path=Path("/paired"), show=[].append
    )


def asked(pairing):
    """Ask the relay's verb."""
    got = []
    Deferred.fromCoroutine(pair_verbs(pairing)["pair"]({})).addBoth(got.append)
    return got[0]


def test_the_code_that_is_printed_lets_a_tab_in_once(pairing):
    """What the person reads is what the module redeems."""
    answer = asked(pairing)
    assert f"Pairing code: {answer['code']}\n" in told(answer)
    assert "It counts for 5 minutes, once." in told(answer)
    tokens = []
    who = {"origin": "http://localhost:30000", "world_id": "w", "user_id": "u"}
    Deferred.fromCoroutine(pairing.redeem(answer["code"], **who)).addCallback(
        tokens.append
    )
    assert pairing.knows(tokens[0])
    assert not pairing.is_open


def test_the_code_counts_no_longer_than_it_says(pairing, clock):
    """After five minutes another code is needed."""
    clock.advance(asked(pairing)["seconds"])
    assert not pairing.is_open


def test_a_relay_without_pairing_says_so():
    """There is nothing to pair."""
    failure = asked(None)
    with pytest.raises(BadParams, match="--pairing off"):
        failure.raiseException()
