"""Headless Chromium: Debian's own, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

_FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP inn.example 127.0.0.1",  # a page with a name
]


def chromium_path() -> str:
    """Name the browser: $CHROME, or the first on PATH."""
    names = ("chromium", "chromium-browser", "google-chrome")
    found = os.environ.get("CHROME") or next(filter(None, map(shutil.which, names)), "")
    assert found, "no browser: install chromium, or set CHROME to its path"
    return found


@contextmanager
def chromium() -> Iterator[Browser]:
    """Run the browser."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium_path(), args=_FLAGS
        )
        try:
            yield browser
        finally:
            browser.close()
