"""A real `twistd -n aagm` in a folder of its own."""

from __future__ import annotations

import os
import pty
import random
import re
import signal
import socket
import subprocess
import sysconfig
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from select import select

from attrs import define, field

ROOT = Path(__file__).parent.parent.parent.parent
PATIENCE = 30  # seconds for anything that should take one
PORTS = (12_000, 29_000)


def free_port() -> int:
    """Find a port of this machine that nobody has.

    It lies below those that the system gives out by itself, so that no connection of a
    test beside this one takes it before it is used.
    """
    while True:
        port = random.SystemRandom().randrange(*PORTS)
        with suppress(OSError), socket.create_server(("127.0.0.1", port)):
            return port


def environment(**more: str) -> dict[str, str]:
    """Make the environment of a process that can import aagm."""
    env = {**os.environ, **more}
    try:
        distribution("aagm")
    except PackageNotFoundError:  # tests run in a checkout that nobody installed
        env["PYTHONPATH"] = str(ROOT)
    return env


def twistd() -> str:
    """Name the twistd of this environment."""
    return str(Path(sysconfig.get_path("scripts")) / "twistd")


@define(eq=False)
class RelayProcess:
    """Start, kill and start again one relay on one data folder.

    The terminal is a pseudo-terminal where a test wants the pairing code.
    """

    folder: Path
    options: tuple[str, ...] = ()
    has_terminal: bool = False
    program: tuple[str, ...] = field(factory=lambda: (twistd(),))
    bridge_port: int = field(factory=free_port)
    mcp_port: int = field(factory=free_port)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)
    _terminal: int | None = field(default=None, init=False)
    _starts: int = field(default=0, init=False)

    @property
    def data_dir(self) -> Path:
        """Name the data folder."""
        return self.folder / "data"

    @property
    def bridge_url(self) -> str:
        """Name what the module dials."""
        return f"ws://127.0.0.1:{self.bridge_port}"

    @property
    def mcp_url(self) -> str:
        """Name what a client dials."""
        return f"http://127.0.0.1:{self.mcp_port}/mcp"

    @property
    def pid(self) -> int:
        """Name the process."""
        assert self._process is not None
        return self._process.pid

    @property
    def log(self) -> str:
        """Read what it printed since it was last started."""
        return self._log_path.read_text(errors="replace")

    @property
    def _log_path(self) -> Path:
        return self.folder / f"relay-{self._starts}.log"

    def command(self) -> list[str]:
        """Write the command line."""
        return [
            *(*self.program, "--pidfile=", "-n", "aagm"),
            *("--data-dir", str(self.data_dir)),
            *("--bridge", f"tcp:{self.bridge_port}:interface=127.0.0.1"),
            *("--mcp", f"tcp:{self.mcp_port}:interface=127.0.0.1"),
            *self.options,
        ]

    def start(self) -> RelayProcess:
        """Start it, and wait until it says that it is ready."""
        self._starts += 1
        ready = self.folder / f"ready-{self._starts}"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
            systemd.bind(str(ready))
            with self._log_path.open("wb") as log:
                self._process = subprocess.Popen(
                    self.command(),
                    cwd=self.folder,
                    env=environment(
                        NOTIFY_SOCKET=str(ready), XDG_RUNTIME_DIR=str(self.folder)
                    ),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=self._open_terminal() if self.has_terminal else log,
                )
            ended = os.pidfd_open(self.pid)
            readable, _, _ = select([systemd, ended], [], [], PATIENCE)
            os.close(ended)
            assert systemd in readable, f"the relay is not ready:\n{self.log}"
            assert systemd.recv(100) == b"READY=1"
        return self

    def pairing_code(self) -> str:
        """Read the code off its terminal."""
        assert self._terminal is not None
        shown = b""
        while not (found := re.search(rb"\b\d{6}\b", shown)):
            readable, _, _ = select([self._terminal], [], [], PATIENCE)
            assert readable, f"no code on the terminal: {shown!r}"
            shown += os.read(self._terminal, 1000)
        return found.group().decode()

    def kill(self) -> None:
        """Kill it as a power cut would."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait(PATIENCE)

    def stop(self) -> None:
        """Ask it to end, as systemd does, and wait."""
        assert self._process is not None
        self._process.terminate()
        # twistd ends in order, then lets the signal say why.
        assert self._process.wait(PATIENCE) in (0, -signal.SIGTERM)

    def rss(self) -> int:
        """Measure its resident memory, in bytes."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
        assert found is not None
        return int(found.group(1)) * 1024

    def close(self) -> None:
        """Leave nothing running."""
        if self._process is not None and self._process.poll() is None:
            self.kill()
        if self._terminal is not None:
            os.close(self._terminal)
            self._terminal = None

    def _open_terminal(self) -> int:
        self._terminal, inner = pty.openpty()
        return inner
