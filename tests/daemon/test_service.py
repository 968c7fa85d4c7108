"""The relay as a process: what it opens, tells and leaves."""

from __future__ import annotations

import json
import socket

import pytest
import pytest_twisted
from twisted.internet import reactor
from twisted.internet.protocol import Factory, Protocol

from aagm.config import load
from aagm.daemon.endpoints import loopback_endpoint
from aagm.daemon.folder import open_data_folder
from aagm.daemon.lock import DataLock
from aagm.daemon.service import Listener, RelayService
from aagm.errors import StartFault


@pytest.fixture
def waiting(monkeypatch, tmp_path):
    """Keep what is to happen once the reactor runs."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    tmp_path.chmod(0o700)
    return []


def make(tmp_path, waiting, mcp: str = "tcp:0:interface=127.0.0.1") -> RelayService:
    """Make a relay whose parts answer nothing."""
    settings = load({"data-dir": str(tmp_path / "data")}, env={})

    def listener(name: str, description: str) -> Listener:
        at = loopback_endpoint(reactor, name, description)
        return Listener(at, Factory.forProtocol(Protocol))

    return RelayService(
        settings,
        lock=open_data_folder(settings),
        bridge=listener("bridge", "tcp:0:interface=127.0.0.1"),
        mcp=listener("mcp", mcp),
        control_token="secret",
        when_running=waiting.append,
    )


@pytest_twisted.ensureDeferred
async def test_it_is_ready_only_when_the_reactor_runs(tmp_path, waiting, monkeypatch):
    """Before, a signal would kill it in the middle, and nothing would be tidied up."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.setblocking(False)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        service = make(tmp_path, waiting)
        service.startService()
        with pytest.raises(BlockingIOError):
            systemd.recv(100)
        for each in waiting:
            each()
        assert systemd.recv(100) == b"READY=1"
        await service.stopService()
        assert systemd.recv(100) == b"STOPPING=1"


@pytest_twisted.ensureDeferred
async def test_it_leaves_only_the_data(tmp_path, waiting):
    """After the end the run file is gone, and another relay takes the folder."""
    service = make(tmp_path, waiting)
    service.startService()
    (run_file,) = tmp_path.glob("aagm/*.run.json")
    running = json.loads(run_file.read_text())
    assert running["mcp"] == service.address("mcp")
    await service.stopService()
    assert not run_file.exists()
    DataLock(tmp_path / "data" / "state" / "lock").acquire()


@pytest_twisted.ensureDeferred
async def test_a_port_that_was_taken_at_the_last_moment_is_named(tmp_path, waiting):
    """Between the look at a port and listening on it somebody may come."""
    with socket.socket() as other:
        # It has the port from the start, so that no third can take it; it is not in
        # the way until it listens.
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", 0))
        port = other.getsockname()[1]
        service = make(tmp_path, waiting, f"tcp:{port}:interface=127.0.0.1")
        other.listen()
        with pytest.raises(StartFault, match=rf"mcp: tcp:{port}.* is busy"):
            service.startService()
    await service.stopService()
