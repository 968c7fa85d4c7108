"""`aagm demo` as a process, on ports of its own or on the usual ones."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import define
from relay_process import PATIENCE, environment, free_port


@define(eq=False)
class DemoProcess:
    """The running demo."""

    process: subprocess.Popen[str]
    page_url: str
    mcp_url: str

    def interrupt(self) -> str:
        """Press Ctrl-C and wait for the end; what it still said."""
        self.process.send_signal(signal.SIGINT)
        said, _ = self.process.communicate(timeout=PATIENCE)
        assert self.process.returncode == 0
        return said


def demo_command(page_port: int, bridge_port: int, mcp_port: int) -> list[str]:
    """Write the command line of a demo on these ports."""
    return [
        *(sys.executable, "-m", "aagm", "demo", "--page-port", str(page_port)),
        *("--bridge", f"tcp:{bridge_port}:interface=127.0.0.1"),
        *("--mcp", f"tcp:{mcp_port}:interface=127.0.0.1"),
    ]


@contextmanager
def demo_process(
    folder: Path, command: list[str] | None = None
) -> Iterator[DemoProcess]:
    """Run the demo in *folder*, until it has said that it can be opened."""
    process = subprocess.Popen(
        command or demo_command(free_port(), free_port(), free_port()),
        cwd=folder,
        env=environment(TMPDIR=str(folder), XDG_RUNTIME_DIR=str(folder)),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield DemoProcess(process, *addresses(process))
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        if process.stdout is not None:
            process.stdout.close()


def addresses(process: subprocess.Popen[str]) -> list[str]:
    """Read the page's and the MCP port's address off what the demo prints."""
    found: list[str] = []
    said = []
    assert process.stdout is not None
    for line in process.stdout:
        said.append(line)
        if line.strip().startswith(("The Sunken Inn is open", "MCP clients connect")):
            found.append(line.split()[-1])
        if "Ctrl-C" in line:
            return found
    raise AssertionError(f"the demo did not start:\n{''.join(said)}")
