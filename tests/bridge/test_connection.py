"""Pings, and what happens to a socket on which nothing comes back."""

from __future__ import annotations

import pytest


@pytest.fixture
def page(bench):
    """A tab that is let in."""
    return bench.dial().hello()


def test_a_tab_that_answers_pings_stays(bench, page):
    """An idle tab is pinged every 20 s and stays for hours."""
    pings = []
    page.onPing = lambda payload: (pings.append(1), page.sendPong(payload))
    bench.advance(*[10] * 100)
    assert page.close_code is None
    assert len(pings) == 50


def test_a_tab_that_answers_no_ping_is_dropped(bench, page):
    """Ten seconds after a ping without a word the socket is cut, and all fails."""
    page.is_mute = True
    outcomes = bench.call("eval", limit=300)
    bench.advance(20, 9.9)
    assert outcomes == []
    bench.advance(0.1)
    assert page.close_code == 1006
    assert "eval was not answered" in str(outcomes[0])
    assert bench.service.owner is None


def test_a_tab_that_talks_is_alive(bench, page):
    """A long message on its way counts as a sign of life: the pong is behind it."""
    page.is_mute = True
    for _ in range(20):
        bench.advance(5)
        page.tell("rollback.entry", pointId="rp-00000a", entries=[])
    assert page.close_code is None


def test_a_tab_that_does_not_read_is_dropped_at_the_cap(make_bench):
    """What waits for one tab is bounded; past it the tab is given up."""
    bench = make_bench(outgoing=5000)
    page = bench.dial().hello()
    outbox = bench.service.owner.connection.outbox
    outbox.pauseProducing()  # as the transport does when its buffer is full
    for _ in range(4):
        bench.service.notify("aagm.reply", {"text": "a" * 1000})
    bench.flush()
    assert page.close_code is None
    assert 4000 < outbox.waiting < 5000

    outcomes = bench.call("eval", {"code": "b" * 1000})

    assert page.close_code == 1006
    assert "eval was not answered" in str(outcomes[0])


def test_a_slow_tab_gets_everything_in_the_end(bench, page):
    """A tab that reads on gets what waited, in order."""
    outbox = bench.service.owner.connection.outbox
    outbox.pauseProducing()
    for n in range(5):
        bench.service.notify("aagm.reply", {"n": n})
    bench.flush()
    assert page.told("aagm.reply") == []
    outbox.resumeProducing()
    bench.flush()
    assert page.told("aagm.reply") == [{"n": n} for n in range(5)]


def test_the_transport_pauses_the_outbox(bench, page):
    """The outbox is what the transport pauses and resumes."""
    (visit,) = bench.service._visits
    transport = visit.connection._wire._protocol.transport
    assert transport.producer is visit.connection.outbox
    assert transport.streamingProducer
