"""The demo as one process."""

from __future__ import annotations

import socket

import pytest
import pytest_twisted
from twisted.internet import reactor

from aagm.config import load
from aagm.demo.run import Demo, Place
from aagm.errors import StartFault
from aagm.mcp.registry import Call

NOWHERE = dict.fromkeys(("bridge", "mcp"), "tcp:0:interface=127.0.0.1")


@pytest_twisted.ensureDeferred
async def test_an_agent_without_a_tab_is_told_where_the_page_is(tmp_path):
    """No module has to be enabled, nor an address set."""
    place = Place(load({"data-dir": str(tmp_path), **NOWHERE}), 0)
    demo = Demo.make(reactor, place)
    [ping] = [tool for tool in demo._relay.tools if tool.name == "foundry_ping"]
    answer = await ping.run(Call("foundry_ping", {}, "session"))
    fix = f"Open {place.page} in a browser: it connects by itself."
    assert answer["reason"]["fix"] == fix
    assert place.page in demo.text()


@pytest.mark.parametrize("name", ["bridge", "mcp"])
def test_a_page_on_the_port_of_the_relay_is_told(tmp_path, name):
    """It would be called busy, with no program to stop."""
    with socket.socket() as held:  # so that no third can take it
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        endpoints = NOWHERE | {name: f"tcp:{port}:interface=127.0.0.1"}
        settings = load({"data-dir": str(tmp_path), **endpoints})
        with pytest.raises(StartFault) as no:
            Demo.make(reactor, Place(settings, port))
    assert str(no.value).startswith(f"page-port: {endpoints[name]} is the same address")
