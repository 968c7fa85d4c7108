"""Only this machine may reach the relay, whatever the endpoint says."""

from __future__ import annotations

import errno
import os
import socket

import pytest
from twisted.internet import reactor
from twisted.internet.endpoints import AdoptedStreamServerEndpoint
from twisted.internet.protocol import Factory, Protocol

from aagm.daemon.endpoints import (
    address_of,
    busy,
    loopback_endpoint,
    require_apart,
)
from aagm.daemon.run_file import Running, run_folders, write
from aagm.errors import StartFault


@pytest.mark.parametrize(
    "description",
    [
        "tcp:7898",
        "tcp:7898:interface=0.0.0.0",
        "tcp:7898:interface=192.168.1.20",
        "tcp:7898:interface=localhost",
        "tcp6:7898",
        "tcp6:7898:interface=\\:\\:",
        "haproxy:tcp:7898:interface=127.0.0.1",
        "stdio:",
    ],
)
def test_everything_but_loopback_is_refused(description):
    """An address that another machine could reach ends the start."""
    with pytest.raises(StartFault, match=r"^bridge: .*loopback"):
        loopback_endpoint(reactor, "bridge", description)


@pytest.mark.parametrize("description", ["", "tcp", "tcp:many", "gopher:1", "systemd:"])
def test_what_is_no_endpoint_is_refused(description):
    """A typing error in an endpoint is named, with the option it came from."""
    with pytest.raises(StartFault, match=r"^mcp: .* is no endpoint; "):
        loopback_endpoint(reactor, "mcp", description)


@pytest.mark.parametrize(
    "description",
    ["tcp:0:interface=127.0.0.1", "tcp:0:interface=127.3.2.1", "unix:/tmp/aagm.sock"],
)
def test_loopback_is_taken(description):
    """Loopback addresses and sockets in the file system are ours."""
    taken = loopback_endpoint(reactor, "mcp", description)
    assert (taken.name, taken.description) == ("mcp", description)


def test_foundrys_port_is_refused_by_name():
    """A relay on Foundry's port would keep Foundry itself from starting."""
    with pytest.raises(StartFault, match=r"bridge: port 30000 is Foundry VTT's own"):
        loopback_endpoint(reactor, "bridge", "tcp:30000:interface=127.0.0.1")


def test_a_busy_port_is_named():
    """A port that another program has is a fault; no other port is tried."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(StartFault, match=rf"mcp: tcp:{port}.* is busy") as no:
            loopback_endpoint(reactor, "mcp", f"tcp:{port}:interface=127.0.0.1")
    assert "stop the program that listens there" in str(no.value)
    assert str(no.value).endswith(" give another with --mcp")


def test_a_port_that_another_relay_has_is_told_with_the_cure(monkeypatch, tmp_path):
    """Whom to stop, and the option that gives this one another."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        running = Running(
            pid=os.getpid(),
            member="kimi",
            version="1.0.0",
            data_dir="/data/kimi",
            bridge=f"127.0.0.1:{port}",
            mcp="127.0.0.1:1",
            token="secret",
        )
        write(running, run_folders())
        with pytest.raises(StartFault) as no:
            loopback_endpoint(reactor, "bridge", f"tcp:{port}:interface=127.0.0.1")
    assert str(no.value).endswith(
        f" is busy: the relay 1.0.0 of kimi has it, pid {os.getpid()};"
        " stop that one, or give another with --bridge"
    )


def test_a_port_that_may_not_be_had_is_told_with_the_cure():
    """A port below 1024, say."""
    fault = busy("mcp", "tcp:80", "127.0.0.1:80", OSError(errno.EACCES, "no"))
    assert str(fault).endswith("cannot be listened on: no; give another with --mcp")


def test_one_address_for_two_is_told():
    """No other program is in the way, so none has to be stopped."""
    description = "unix:/tmp/aagm.sock"
    mcp = loopback_endpoint(reactor, "mcp", description)
    with pytest.raises(StartFault) as no:
        require_apart(mcp, bridge=mcp.address)
    said = f"mcp: {description} is the same address as bridge; give another with --mcp"
    assert str(no.value) == said


def test_two_ports_that_the_system_chooses_are_apart():
    """It chooses twice."""
    mcp = loopback_endpoint(reactor, "mcp", "tcp:0:interface=127.0.0.1")
    require_apart(mcp, bridge=mcp.address)


@pytest.mark.parametrize(("host", "ok"), [("127.0.0.1", True), ("0.0.0.0", False)])
def test_an_inherited_socket_is_looked_at(monkeypatch, host, ok):
    """A socket that systemd passed may be bound anywhere."""
    with socket.create_server((host, 0)) as passed:
        endpoint = inherited(passed.fileno())
        monkeypatch.setattr(
            "aagm.daemon.endpoints.serverFromString", lambda *_: endpoint
        )
        if ok:
            assert loopback_endpoint(reactor, "mcp", "systemd:index=0").endpoint
        else:
            with pytest.raises(StartFault, match=r"listens on 0\.0\.0\.0"):
                loopback_endpoint(reactor, "mcp", "systemd:index=0")


def inherited(descriptor: int):
    """Make what a ``systemd:`` description becomes."""
    return AdoptedStreamServerEndpoint(reactor, os.dup(descriptor), socket.AF_INET)


def test_an_address_is_written_as_a_person_types_it():
    """The start message has an address to paste."""
    port = reactor.listenTCP(0, Factory.forProtocol(Protocol), interface="127.0.0.1")
    try:
        assert address_of(port) == f"127.0.0.1:{port.getHost().port}"
    finally:
        port.stopListening()


def test_a_port_past_the_last_is_refused():
    """A typing slip in a port ends in one sentence."""
    with pytest.raises(StartFault, match="99999 is no port; ports go up to 65535"):
        loopback_endpoint(reactor, "bridge", "tcp:99999:interface=127.0.0.1")
