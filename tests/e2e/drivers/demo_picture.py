"""Make the picture of the demo that README.md shows.

python tests/e2e/drivers/demo_picture.py aagm/docs/demo.png
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from chromium import chromium
from demo_process import demo_command, demo_process
from playwright.sync_api import Browser, Locator, Page

SIZE = {"width": 1200, "height": 1360}


def play(page: Page, task: str) -> Locator:
    """Send one of the tasks; gives its card in the chat."""
    button = page.locator(f'[data-task="{task}"]')
    cards = page.locator("#windows .aagm-card")
    before = cards.count()
    button.click()
    cards.nth(before).wait_for()
    return cards.filter(has_text=button.inner_text()).first


def take_picture(browser: Browser, page_url: str, path: Path) -> None:
    """Let three things happen, take the newest back, and take the picture."""
    context = browser.new_context(
        viewport=SIZE, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(page_url)
    page.wait_for_selector('#state[data-state="connected"]')
    page.wait_for_selector("#windows .aagm-chat")
    for task in ("hurt", "give", "arrive"):
        card = play(page, task)
    card.get_by_role("button", name="Roll back").click()
    card.get_by_role("button", name="Redo").wait_for()
    page.wait_for_load_state("networkidle")  # the windows' styles come last
    page.screenshot(path=path)
    context.close()


def main(path: str) -> None:
    """Run the demo and the browser, and write the picture to *path*."""
    with (
        TemporaryDirectory() as folder,
        demo_process(Path(folder), demo_command(7897, 7898, 7899)) as demo,
        chromium() as browser,
    ):
        take_picture(browser, demo.page_url, Path(path))


if __name__ == "__main__":
    main(sys.argv[1])
