"""The end of the conversation is followed, until the game master scrolls up."""

from __future__ import annotations

import pytest
from chat_page import line, tab
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

SHORT = "Aye."
LONG = "\n\n".join(["A rat was seen."] * 9)
# Gives new lines their true height when the test says so.
HOLD_IDLE = "window.requestIdleCallback = (run) => { window.freshen = run; };"
HELPERS = """
window.frames = async (count) => {
  for (let at = 0; at < count; at += 1) await new Promise(requestAnimationFrame);
};
window.below = (log) => log.scrollHeight - log.clientHeight - log.scrollTop;
"""
# Scrolls up in the one frame in which lines get their true height; tells how far the
# line that is then the first in sight was moved from there.
SCROLL_UP = """async (log, isBefore) => {
  const topOf = (line) => line.getBoundingClientRect().top;
  const isSeen = (line) => topOf(line) >= topOf(log);
  await frames(1);
  if (!isBefore) freshen();
  log.scrollTop -= 300;
  const first = [...log.querySelectorAll(".aagm-line")].find(isSeen);
  const before = topOf(first);
  if (isBefore) freshen();
  await frames(2);
  return [topOf(first) - before, below(log)];
}"""
# Scrolls up and lets a reply come, before the page is told of the scrolling.
REPLY_AT_ONCE = """async (log) => {
  log.scrollTop -= 30;
  const before = log.scrollTop;
  relay.tell("aagm.reply", { text: "News.", tabId: "t-a" });
  await null;
  return log.scrollTop - before;
}"""
GROW = """async (log) => {
  freshen();
  await frames(2);
  const window = document.querySelector("#aagm-chat-window");
  window.style.height = `${window.offsetHeight + 90}px`;
  await frames(2);
  return below(log);
}"""


@pytest.fixture(params=(SHORT, LONG), ids=("short", "long"))
def chat(request, make_chat):
    """Open a window with more lines than it can show, not yet of their true height."""
    lines = [line("assistant", f"{i}. {request.param}", i) for i in range(40)]
    told = {"tabs": [tab("t-a", "Ledger", "done", *lines)]}
    opened = make_chat(relay=told, before=HOLD_IDLE + HELPERS)
    expect(opened.lines().last).to_be_in_viewport()
    opened.run("frames(2)")
    return opened


@pytest.mark.parametrize("is_before", [True, False], ids=("before", "after"))
def test_who_scrolls_up_stays_there_while_lines_get_their_height(chat, is_before):
    """Even in the very frame in which they get shorter, or longer."""
    log = chat.panel.get_by_role("log")
    moved, below = log.evaluate(SCROLL_UP, is_before)
    assert moved == pytest.approx(0, abs=1)
    assert below > 0


def test_lines_that_get_their_height_leave_the_end_in_sight(chat):
    """Nobody scrolled: the end stays the end."""
    log = chat.panel.get_by_role("log")
    chat.run("async () => { freshen(); await frames(2); }")
    assert log.evaluate("below") == pytest.approx(0, abs=1)


def test_who_scrolled_up_is_not_torn_away_by_a_reply_of_that_moment(chat):
    """A small step counts, before the browser tells the window of it."""
    log = chat.panel.get_by_role("log")
    assert log.evaluate(REPLY_AT_ONCE) == 0
    expect(chat.button("Newest")).to_be_visible()


def test_a_taller_window_goes_on_following(chat):
    """The browser moves up what stood at the end; nobody scrolled."""
    log = chat.panel.get_by_role("log")
    assert log.evaluate(GROW) == pytest.approx(0, abs=1)
    chat.tell("aagm.reply", text=LONG, tabId="t-a")
    chat.run("frames(2)")
    expect(chat.lines().last).to_be_in_viewport()
    assert log.evaluate("below") == pytest.approx(0, abs=1)
