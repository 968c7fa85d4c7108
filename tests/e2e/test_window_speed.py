"""What a large, hostile reply does to the window: nothing but show as text, at once."""

from __future__ import annotations

import statistics

import pytest
from chat_page import line, tab
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.speed]

KEY = 100  # ms from a key press until it shows
TABLE = 50  # ms to show forty lines in each of five tabs
TRIES = 7  # other tests run beside this one: the best, or the middle, counts
PIECES = [
    "<img src=x onerror=window.hacked=1> <script>window.hacked=1</script>",
    "שלום **עולם** \u202e",
    "👩‍👩‍👧‍👦 naïve \ud800 alone",
    "[x](javascript:window.hacked=1) `<b>` ***",
]
# Measures from each key's own time stamp until the frame after it was drawn.
WATCH_KEYS = """() => {
  window.keys = [];
  document.addEventListener("keydown", ({ timeStamp }) => {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port2.onmessage = () => keys.push(performance.now() - timeStamp);
      port1.postMessage(null);
    });
  }, true);
}"""
# Tells a table of tabs nobody has seen, opens each tab, and lets it be laid out.
DRAW = """(tabs) => {
  const started = performance.now();
  relay.tell("aagm.tabs", { tabs });
  return Promise.resolve().then(async () => {
    for (const each of document.querySelectorAll(".aagm-chat [role=tab]")) {
      each.click();
      await null;
      void document.querySelector(".aagm-panel:not([hidden]) .aagm-log").scrollHeight;
    }
    return performance.now() - started;
  });
}"""


def huge() -> str:
    """Write a reply of 200 KB with everything in it that must be text."""
    text = "\n\n".join(PIECES)
    while len(text) < 200_000:
        text += "\n" + " ".join(PIECES) + " word" * 80
    return text


@pytest.fixture
def chat(make_chat):
    """Open a window with one conversation."""
    opened = make_chat(relay={"tabs": [tab("t-main", "One", "working")]})
    opened.run(WATCH_KEYS)
    expect(opened.status).to_contain_text("Working")
    return opened


def press_keys(chat) -> float:
    """Press keys in the field; the middle of the times until they showed."""
    chat.run("keys.length = 0")
    chat.field.focus()
    for _ in range(TRIES):
        chat.page.keyboard.press("a")
    chat.page.wait_for_function("(count) => keys.length >= count", arg=TRIES)
    times: list[float] = chat.run("keys")
    return statistics.median(times)


def test_a_huge_hostile_reply_is_text_and_typing_goes_on(chat):
    """It is shown as it is, in part at first, whole on request; nothing of it runs."""
    text = huge()
    chat.run("(text) => { window.huge = text; }", text)
    chat.run("relay.tell('aagm.reply', { text: huge, tabId: 't-main' })")
    begun = press_keys(chat)
    expect(chat.lines("assistant")).to_contain_text("<img src=x onerror")
    chat.tell_tabs(tab("t-main", "One", "done", line("assistant", text[:8000], 1)))
    expect(chat.lines("assistant")).to_have_count(1)
    chat.panel.get_by_role("button", name="Show the whole reply").click()
    whole = press_keys(chat)
    rest = chat.lines("assistant").locator(".aagm-rest")
    assert rest.evaluate("(it) => huge.endsWith(it.textContent)")
    assert rest.evaluate("(it) => it.textContent.length") > 190_000
    assert chat.panel.locator("img, script, b").count() == 0
    assert chat.run("window.hacked") is None
    assert max(begun, whole) < KEY, (begun, whole)


def test_two_hundred_lines_in_five_tabs_are_drawn_at_once(chat):
    """The table arrives, and each tab is opened in turn."""
    chat.set_world(mode="cogm")
    words = "Ottar has **five** more, see @UUID[Actor.x]{him}; the `rats` fled."
    took = []
    for attempt in range(TRIES):
        tabs = [
            tab(
                f"t-{attempt}-{n}",
                f"Tab {n}",
                "done",
                *[
                    line("assistant", f"{attempt} {n} {i} {words}", i)
                    for i in range(40)
                ],
            )
            for n in range(5)
        ]
        took.append(chat.run(DRAW, tabs))
    expect(chat.chat.get_by_role("tab")).to_have_count(5)
    expect(chat.lines()).to_have_count(40)
    assert min(took) < TABLE, took
