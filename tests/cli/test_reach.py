"""Whatever the relay does, the command ends with a sentence."""

from __future__ import annotations

import os
import socket
import threading
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import evolve

from aagm.cli.reach import ask, choose
from aagm.daemon.run_file import Running, run_folders, write
from aagm.errors import StartFault

START = "twistd --pidfile= -n aagm --member kimi --data-dir /data/kimi"
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
            with line, line.makefile("rb") as asked:
                while size := asked.readline().strip():
                    if size.lower().startswith(b"content-length:"):
                        length = int(size.split()[1])
                asked.read(length)  # what is left unread would reset the line
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
    assert fault.value.fix.endswith(START)


def test_a_port_where_nobody_listens_is_named():
    """With how to start the relay."""
    with socket.socket() as held:  # nobody else can take it, and it does not listen
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
        said = f"127.0.0.1:{port} cannot be reached"
        with pytest.raises(StartFault, match=said) as no:
            ask(running(port), "points", {})
    assert no.value.fix.endswith(START)


@pytest.fixture
def kimi(monkeypatch, tmp_path) -> Running:
    """Let a relay of kimi run, in a folder of its own."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    data_dir = tmp_path / "kimi's inn"
    data_dir.mkdir()
    here = evolve(running(7899), data_dir=str(data_dir))
    write(here, run_folders())
    return here


@pytest.mark.parametrize(
    ("asked", "said", "options"),
    [
        ({"member": "grok"}, " of grok is running", " --member grok"),
        (
            {"data_dir": Path("/data/grok")},
            " is running in /data/grok",
            " --data-dir /data/grok",
        ),
        (
            {"member": "grok", "data_dir": Path("/data/a b")},
            " of grok is running in /data/a b",
            " --member grok --data-dir '/data/a b'",
        ),
    ],
)
def test_a_relay_that_does_not_run_is_named_beside_that_which_does(
    kimi, asked, said, options
):
    """The person asked for one of several; the command starts that one."""
    with pytest.raises(StartFault) as no:
        choose(Namespace(**{"member": None, "data_dir": None} | asked))
    assert str(no.value) == f"no relay{said}; there is kimi in {kimi.data_dir}"
    assert no.value.fix == f"Start it with: twistd --pidfile= -n aagm{options}"


def test_the_only_relay_is_chosen_by_its_member_and_folder(kimi):
    """By either, by both, or because it is alone."""
    folder = Path(kimi.data_dir)
    for member in (None, "kimi"):
        for data_dir in (None, folder):
            given = Namespace(member=member, data_dir=data_dir)
            assert choose(given) == kimi
