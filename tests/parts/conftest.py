"""A relay that is joined and not started."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from twisted.internet import reactor

from aagm.config import load
from aagm.members import MEMBERS
from aagm.parts import Relay, join


@pytest.fixture(params=sorted(MEMBERS))
def relay(request, tmp_path) -> Iterator[Relay]:
    """Join a relay of each member over a folder of its own."""
    given = {
        "member": request.param,
        "data-dir": str(tmp_path / "data"),
        "bridge": "tcp:0:interface=127.0.0.1",
        "mcp": "tcp:0:interface=127.0.0.1",
    }
    joined = join(reactor, load(given), show_code=lambda _code: None)
    yield joined
    joined.service._lock.release()
