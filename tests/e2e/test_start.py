"""Starting and ending the relay as its owner does: Done when 2 of the first issue."""

from __future__ import annotations

import json
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from relay_process import PATIENCE, environment, free_port, twistd

ANY = "tcp:0:interface=127.0.0.1"  # a port that nobody has
ON_ANY = ("--bridge", ANY, "--mcp", ANY)  # what comes after it on the line counts


def refuse(tmp_path: Path, *options: str, environ: dict[str, str] | None = None) -> str:
    """Start a relay that must not start; its one sentence."""
    done = subprocess.run(
        [
            *(twistd(), "--pidfile=", "-n", "aagm", "--data-dir", tmp_path / "d"),
            *(*ON_ANY, *options),
        ],
        cwd=tmp_path,
        env=environment(**(environ or {})),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("aagm: ")
    assert done.stderr.endswith(".\n")
    assert done.stderr.count("\n") == 1
    return done.stderr


@pytest.mark.parametrize("name", ["bridge", "mcp"])
@pytest.mark.parametrize(
    "endpoint",
    [
        "tcp:7898",
        "tcp:7898:interface=0.0.0.0",
        "tcp:7898:interface=192.168.0.7",
        "tcp6:7898:interface=\\:\\:",
    ],
)
def test_an_address_that_others_reach_is_refused(tmp_path, name, endpoint):
    """Only this machine may ever connect."""
    assert f"{name}: {endpoint} listens on" in refuse(tmp_path, f"--{name}", endpoint)


@pytest.mark.parametrize("name", ["bridge", "mcp"])
def test_a_busy_port_is_named(tmp_path, name):
    """The relay takes no other port than the one it was given."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        endpoint = f"tcp:{other.getsockname()[1]}:interface=127.0.0.1"
        said = refuse(tmp_path, f"--{name}", endpoint)
    assert f"{name}: {endpoint} is busy" in said


def test_a_port_that_another_relay_has_names_that_relay(tmp_path, make_relay):
    """The owner who starts the relay twice learns which process runs already."""
    first = make_relay().start()
    endpoint = f"tcp:{first.mcp_port}:interface=127.0.0.1"
    said = refuse(
        tmp_path, "--mcp", endpoint, environ={"XDG_RUNTIME_DIR": str(first.folder)}
    )
    assert f"mcp: {endpoint} is busy: the relay" in said
    assert f"pid {first.pid}" in said


def test_a_busy_port_is_named_when_it_should_become_a_daemon(tmp_path):
    """Without -n the sentence comes too, before twistd goes to the background."""
    with socket.create_server(("127.0.0.1", 0)) as other:
        endpoint = f"tcp:{other.getsockname()[1]}:interface=127.0.0.1"
        done = subprocess.run(
            [
                *(twistd(), "--pidfile=", "aagm", "--data-dir", "d"),
                *(*ON_ANY, "--mcp", endpoint),
            ],
            cwd=tmp_path,
            env=environment(),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.startswith(f"aagm: mcp: {endpoint} is busy")
    assert done.stderr.count("\n") == 1


def test_a_locked_folder_names_the_first_relay(tmp_path, make_relay):
    """The owner learns which process to stop."""
    first = make_relay().start()
    said = refuse(
        tmp_path,
        *("--data-dir", str(first.data_dir)),
    )
    assert f"pid {first.pid}" in said


def test_a_bad_config_names_the_key(tmp_path):
    """A typing error in the file is found at the start, not in the middle of a game."""
    (tmp_path / "aagm.toml").write_text("[limits]\nwrite_second = 3\n")
    said = refuse(tmp_path, "--config", str(tmp_path / "aagm.toml"))
    assert "limits.write_second" in said


def test_an_unknown_option_brings_no_help_text(tmp_path):
    """One sentence also for a typing error on the command line."""
    assert "colour" in refuse(tmp_path, "--colour", "red")


def health(port: int) -> dict:
    """Ask a relay how it is."""
    with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE) as answer:
        return json.load(answer)


@pytest.mark.usefixtures("default_ports")
def test_with_no_options_it_has_the_familys_ports_and_grok_runs_beside(tmp_path):
    """Both members run on one machine, each where its clients look for it."""
    running = []
    try:
        for member, options in (("kimi", []), ("grok", ["--member", "grok"])):
            running.append(start_bare(tmp_path / member, options))
        assert health(7899)["member"] == "kimi"
        assert health(7891)["member"] == "grok"
        for (process, log), ports in zip(
            running, [(7898, 7899), (7890, 7891)], strict=True
        ):
            process.terminate()
            assert process.wait(PATIENCE) == -signal.SIGTERM
            said = log.read_text()
            assert f"ws://127.0.0.1:{ports[0]}" in said
            assert f"http://127.0.0.1:{ports[1]}/mcp" in said
    finally:
        for process, _ in running:
            process.kill()
            process.wait()


def start_bare(folder: Path, options: list[str]):
    """Run `twistd --pidfile= -n aagm` with nothing but *options*, until it is ready."""
    folder.mkdir(mode=0o700)
    log = folder / "log"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(str(folder / "ready"))
        systemd.settimeout(PATIENCE)
        with log.open("wb") as out:
            process = subprocess.Popen(
                [twistd(), "--pidfile=", "-n", "aagm", *options],
                cwd=folder,
                env=environment(
                    XDG_DATA_HOME=str(folder / "data"),
                    XDG_RUNTIME_DIR=str(folder),
                    NOTIFY_SOCKET=str(folder / "ready"),
                ),
                stdout=out,
                stderr=out,
            )
        try:
            assert systemd.recv(100) == b"READY=1"
        except BaseException:
            process.kill()
            process.wait()
            raise
    return process, log


def test_its_files_are_the_owners_alone_and_the_run_file_goes(make_relay):
    """Nobody else on the machine reads the data or the control token."""
    relay = make_relay().start()
    (run_file,) = relay.folder.glob("aagm/*.run.json")
    assert stat.S_IMODE(relay.data_dir.stat().st_mode) == 0o700
    assert stat.S_IMODE(run_file.stat().st_mode) == 0o600
    running = json.loads(run_file.read_text())
    assert running["pid"] == relay.pid
    assert running["mcp"] == f"127.0.0.1:{relay.mcp_port}"
    assert running["token"] not in relay.log
    relay.stop()
    assert not run_file.exists()


def test_after_a_kill_it_starts_again_on_the_same_folder(make_relay):
    """Nobody has to remove a lock by hand."""
    relay = make_relay().start()
    relay.kill()
    relay.start()
    assert health(relay.mcp_port)["ok"] is True


def test_it_takes_sockets_from_systemd_if_they_are_loopback(tmp_path):
    """Socket activation works, and a socket bound to every interface is refused."""
    for host, status in (("127.0.0.1", 0), ("0.0.0.0", 1)):
        folder = tmp_path / host
        folder.mkdir()
        with (
            socket.create_server((host, 0)) as passed,
            socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd,
        ):
            systemd.bind(str(folder / "ready"))
            systemd.settimeout(PATIENCE)
            process = start_with_socket(folder, passed)
            if status == 0:
                assert systemd.recv(100) == b"READY=1"
                assert health(passed.getsockname()[1])["ok"] is True
                process.send_signal(signal.SIGTERM)
                assert systemd.recv(100) == b"STOPPING=1"
            _, said = process.communicate(timeout=PATIENCE)
            assert process.returncode == (status or -signal.SIGTERM)
            assert (b"listens on 0.0.0.0" in said) == (status == 1)


AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.environ["LISTEN_FDNAMES"] = "mcp"
os.execv(sys.argv[2], sys.argv[2:])
"""


def start_with_socket(folder: Path, passed: socket.socket) -> subprocess.Popen[bytes]:
    """Start a relay as systemd does: the socket is descriptor 3."""
    return subprocess.Popen(
        [
            *(sys.executable, "-c", AS_SYSTEMD, str(passed.fileno())),
            *(twistd(), "--pidfile=", "-n", "aagm", "--data-dir", folder / "data"),
            *("--bridge", f"tcp:{free_port()}:interface=127.0.0.1"),
            *("--mcp", "systemd:domain=INET:name=mcp"),
        ],
        cwd=folder,
        env=environment(
            NOTIFY_SOCKET=str(folder / "ready"), XDG_RUNTIME_DIR=str(folder)
        ),
        pass_fds=[passed.fileno()],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
