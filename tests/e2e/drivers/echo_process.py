"""`aagm listen --echo` as a process."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field
from relay_process import PATIENCE, environment


@define(eq=False)
class EchoProcess:
    """The running listener, and what it prints."""

    process: subprocess.Popen[str]
    _lines: queue.Queue[str] = field(factory=queue.Queue, init=False)

    def __attrs_post_init__(self) -> None:
        """Read what it prints as it comes."""
        threading.Thread(target=self._read, daemon=True).start()

    def line(self) -> str:
        """Wait for its next line."""
        return self._lines.get(timeout=PATIENCE)

    def end(self) -> int:
        """Wait for its end; the status."""
        return self.process.wait(PATIENCE)

    def kill(self) -> None:
        """Kill it."""
        self.process.kill()
        self.process.wait(PATIENCE)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self.process.stdout.close()


@contextmanager
def echo_process(url: str) -> Iterator[EchoProcess]:
    """Run it against the relay at *url*; its first line is still to be read."""
    process = subprocess.Popen(
        [sys.executable, "-m", "aagm", "listen", "--echo", "--url", url],
        env=environment(PYTHONUNBUFFERED="1"),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    echo = EchoProcess(process)
    try:
        yield echo
    finally:
        if process.poll() is None:
            echo.kill()
