"""A relay as it is joined: what is logged of those whom its ports turn away."""

from __future__ import annotations

import pytest
from twisted.internet import reactor

from aagm.config import load
from aagm.loopback import Arrival, Denial
from aagm.parts import join
from aagm.parts import relay as relay_module
from aagm.parts.ground import lay_ground
from aagm.relay.refusal_log import WHOLE

EVIL = "https://evil.example"


@pytest.fixture
def joined(tmp_path, monkeypatch):
    """Join a relay; gives it with what its parts stand on."""
    grounds = []

    def kept(*given):
        grounds.append(lay_ground(*given))
        return grounds[-1]

    monkeypatch.setattr(relay_module, "lay_ground", kept)
    ports = dict.fromkeys(("bridge", "mcp"), "tcp:0:interface=127.0.0.1")
    settings = load({"data-dir": str(tmp_path / "data"), **ports})
    relay = join(reactor, settings, show_code=lambda _code: None)
    yield relay, grounds[0]
    grounds[0].refusals.stop()
    relay.service._lock.release()


def test_a_page_that_knocks_for_ever_costs_each_port_a_few_lines(joined):
    """Both ports ask the one that counts; a disk that fills would stop all writes."""
    relay, ground = joined
    bridge, mcp = (relay.service._listeners[name].factory for name in ("bridge", "mcp"))
    page = Arrival("127.0.0.1", EVIL, frozenset())
    for _ in range(1000):
        mcp.resource.page_refused(EVIL)
        bridge.door.deny(page, Denial(403, "a foreign page"))
    ground.refusals.stop()
    logged = [event.name for event in ground.log._waiting]
    assert logged.count("mcp.reject") == logged.count("ws.reject") == WHOLE
    assert logged.count("refusals.more") == 1
    counts = ground.log._waiting[-1].fields["counts"]
    assert sum(counts.values()) == 2 * (1000 - WHOLE)
