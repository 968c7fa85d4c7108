"""Whatever the relay does, the command ends with a sentence."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator

import pytest

from aagm.cli.reach import ask
from aagm.daemon.run_file import Running
from aagm.errors import StartFault

HEAD = b"HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n"


def running(port: int) -> Running:
    """Make what the run file of a relay at *port* says."""
    return Running(
        pid=os.getpid(),
        member="kimi",
        version="1.0.0",
        data_dir="/data/kimi",
        bridge="127.0.0.1:1",
        mcp=f"127.0.0.1:{port}",
        token="secret",
    )


@pytest.fixture
def relay(request) -> Iterator[Running]:
    """Let a relay read one request, answer with these bytes and hang up."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.recv(65_536)
                line.sendall(request.param)

        thread = threading.Thread(target=serve)
        thread.start()
        yield running(server.getsockname()[1])
        thread.join()


@pytest.mark.parametrize(
    "relay", [b"", b"HTTP", HEAD % (b"200 OK", 90) + b"{"], indirect=True
)
def test_a_relay_that_ends_while_it_is_asked_brings_no_traceback(relay):
    """It may have done what was asked: the person is told to look first."""
    with pytest.raises(StartFault, match="gave no answer") as fault:
        ask(relay, "rollback", {"id": "rp-3fa2c1"})
    assert "aagm points list" in fault.value.fix


@pytest.mark.parametrize(
    "relay",
    [
        HEAD % (b"404 Not Found", 22) + b'{"error": "Not Found"}\n',
        HEAD % (b"404 Not Found", 90) + b"{",
        HEAD % (b"404 Not Found", 2) + b"[]",
    ],
    indirect=True,
)
def test_another_program_on_the_port_is_told_by_its_status(relay):
    """The run file of a relay that was killed may name a port that others have."""
    with pytest.raises(StartFault, match="the relay answered 404 Not Found") as fault:
        ask(relay, "points", {})
    assert "twistd" in fault.value.fix


def test_a_port_where_nobody_listens_is_named():
    """With how to start the relay."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(StartFault, match=f"127.0.0.1:{port} cannot be reached") as no:
        ask(running(port), "points", {})
    assert "twistd" in no.value.fix
