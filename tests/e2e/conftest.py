"""The real programs: twistd, Chromium, the official MCP client, a world in Node."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack

import pytest
from chromium import chromium
from relay_process import RelayProcess


@pytest.fixture
def make_relay(tmp_path) -> Iterator[object]:
    """Make relays in this test's folder; none is left running."""
    with ExitStack() as running:

        def make(*options: str, **more: object) -> RelayProcess:
            folder = tmp_path / f"relay{len(made)}"
            folder.mkdir(mode=0o700)  # as a runtime folder must be
            relay = RelayProcess(folder, options, **more)
            made.append(relay)
            running.callback(relay.close)
            return relay

        made: list[RelayProcess] = []
        yield make


@pytest.fixture(scope="session")
def browser():
    """Run one Chromium for all tests."""
    with chromium() as running:
        yield running


@pytest.fixture
def page(browser):
    """Open an empty page whose errors fail the test."""
    context = browser.new_context()
    opened = context.new_page()
    faults: list[str] = []
    opened.on("pageerror", lambda error: faults.append(str(error)))
    yield opened
    context.close()
    assert faults == []
