"""The README's first command, pasted into a shell in a fresh clone: Done when 1."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess

import pytest
from demo_process import addresses
from readme import ROOT, command
from relay_process import PATIENCE

pytestmark = pytest.mark.browser

NOT_COMMITTED = shutil.ignore_patterns(
    ".git", ".venv", "node_modules", "build", "dist", "*.egg-info", "__pycache__"
)


@pytest.fixture
def clone(tmp_path):
    """Copy what a clone has: no virtual environment, no caches."""
    folder = tmp_path / "aagm"
    shutil.copytree(ROOT, folder, ignore=NOT_COMMITTED)
    return folder


@pytest.mark.usefixtures("default_ports")
def test_it_brings_up_a_demo_whose_module_is_connected(clone, page, tmp_path):
    """A newcomer pastes one line and opens one page."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    env = {
        k: v for k, v in os.environ.items() if k not in ("VIRTUAL_ENV", "PYTHONPATH")
    }
    shell = subprocess.Popen(
        ["sh", "-c", command(1)],
        cwd=clone,
        env=env | {"HOME": str(home), "PIP_NO_CACHE_DIR": "1", "TMPDIR": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        page_url, mcp_url = addresses(shell)
        assert (page_url, mcp_url) == (
            "http://127.0.0.1:7897/",
            "http://127.0.0.1:7899/mcp",
        )
        page.goto(page_url)
        page.wait_for_selector('#state[data-state="connected"]')
        page.goto("about:blank")
        os.killpg(shell.pid, signal.SIGINT)  # Ctrl-C reaches the whole group
        shell.communicate(timeout=PATIENCE)
    finally:
        if shell.poll() is None:
            os.killpg(shell.pid, signal.SIGKILL)
            shell.wait()
        if shell.stdout is not None:
            shell.stdout.close()
    assert [each.name for each in home.glob("aagm-demo-*")] == []
