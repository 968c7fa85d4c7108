"""The demo as one process."""

from __future__ import annotations

import socket

import pytest
from twisted.internet import reactor

from aagm.config import load
from aagm.demo.run import Demo, Place
from aagm.errors import StartFault


@pytest.mark.parametrize("name", ["bridge", "mcp"])
def test_a_page_on_the_port_of_the_relay_is_told(tmp_path, name):
    """It would be called busy, with no program to stop."""
    with socket.socket() as held:  # so that no third can take it
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        endpoints = dict.fromkeys(("bridge", "mcp"), "tcp:0:interface=127.0.0.1")
        endpoints[name] = f"tcp:{port}:interface=127.0.0.1"
        settings = load({"data-dir": str(tmp_path), **endpoints})
        with pytest.raises(StartFault) as no:
            Demo.make(reactor, Place(settings, port))
    assert str(no.value).startswith(f"page-port: {endpoints[name]} is the same address")
