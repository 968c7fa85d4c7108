"""The real programs: twistd, Chromium, the official MCP client, a world in Node."""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from chat_page import HANDS, ChatPage, open_chat
from chromium import chromium
from playwright.sync_api import BrowserContext, Page, expect
from relay_process import RelayProcess
from static_site import static_site

# A busy machine may let a browser stand still for longer than Playwright's 5 seconds.
expect.set_options(timeout=30_000)


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


@pytest.fixture
def default_ports() -> Iterator[None]:
    """Have the ports of a relay without options; tests beside this one wait."""
    with (Path(tempfile.gettempdir()) / "aagm-tests.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


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


@pytest.fixture(scope="session")
def site():
    """Serve this checkout's files."""
    with static_site() as address:
        yield address


@pytest.fixture(scope="session")
def spare_pages(browser):
    """Give empty pages for a context's options; a test that is done gives them back.

    A new page costs a second: its renderer has none of our files compiled.
    """
    contexts: dict[str, BrowserContext] = {}
    spare: dict[BrowserContext, list[Page]] = {}

    def take(**options: object) -> Page:
        key = repr(sorted(options.items()))
        if key not in contexts:
            contexts[key] = browser.new_context(timezone_id="UTC", **options)
        context = contexts[key]
        pages = spare.setdefault(context, [])
        return pages.pop() if pages else context.new_page()

    def give_back(page: Page) -> None:
        spare[page.context].append(page)

    yield take, give_back
    for each in contexts.values():
        each.close()


@pytest.fixture
def make_chat(spare_pages, site):
    """Open game masters' pages with the chat window; errors on them fail the test."""
    take, give_back = spare_pages
    chats: list[ChatPage] = []

    def make(context: dict | None = None, site: str = site, **how: object) -> ChatPage:
        chats.append(open_chat(take(**(context or {})), site, **how))
        return chats[-1]

    yield make
    for chat in chats:
        if not chat.page.is_closed():
            chat.check()
            chat.leave()
            give_back(chat.page)


@pytest.fixture(params=HANDS)
def hand(request):
    """Give the mouse, or nothing but the keyboard: a class that takes the page."""
    return HANDS[request.param]
