"""What is half typed in the chat window is lost to nothing but the game master."""

from __future__ import annotations

import pytest
from chat_page import API, line, tab
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

TABS = [
    tab("t-a", "Heal Ottar", "done", line("assistant", "Done.", 1)),
    tab("t-b", "Cellar", "done", line("assistant", "Four rats.", 2)),
]
# The relay can be down when a page is loaded, too.
MAYBE_DOWN = "relay.isDown = sessionStorage.getItem('relay') === 'down';"


@pytest.fixture
def chat(make_chat):
    """Open a window with two conversations."""
    opened = make_chat(relay={"tabs": TABS}, before=MAYBE_DOWN, persist="reload")
    opened.set_world(mode="cogm")
    expect(opened.tab("Heal Ottar")).to_be_visible()
    return opened


def come_up(chat) -> None:
    """Let the relay be there again."""
    chat.run("sessionStorage.removeItem('relay')")
    chat.set_relay(isDown=False)
    chat.run(f"{API}.restart()")
    expect(chat.tab("Heal Ottar")).to_be_visible()


def test_it_outlives_a_reload_in_every_tab_though_the_relay_is_down(chat):
    """Typing on meanwhile keeps what stands in tabs that are not there yet."""
    chat.field.fill("half a tho")
    chat.tab("Cellar").click()
    chat.field.fill("other")
    chat.run("sessionStorage.setItem('relay', 'down')")
    chat.reload()
    expect(chat.field).to_have_value("other")
    chat.field.fill("other than")
    come_up(chat)
    expect(chat.field).to_have_value("other than")
    chat.tab("Heal Ottar").click()
    expect(chat.field).to_have_value("half a tho")


def test_it_goes_on_in_the_tab_that_takes_the_place_of_its_own(chat):
    """The first table of the relay, or a tab closed elsewhere, empties no field."""
    chat.field.fill("half a tho")
    chat.tell_tabs(TABS[1])
    expect(chat.lines("assistant")).to_contain_text("Four rats.")
    expect(chat.field).to_have_value("half a tho")
    chat.reload()
    expect(chat.field).to_have_value("half a tho")


def test_it_goes_with_the_tab_that_the_gm_closes(chat, hand):
    """What was half typed for one conversation is nothing for another."""
    chat.field.fill("half a tho")
    hand(chat.page).close_tab(chat.tab("Heal Ottar"))
    expect(chat.lines("assistant")).to_contain_text("Four rats.")
    expect(chat.field).to_have_value("")


def test_closing_a_tab_with_the_command_leaves_what_stands_in_the_next(chat):
    """The field that is emptied is the one the command was typed in."""
    chat.tab("Cellar").click()
    chat.field.fill("other")
    chat.tab("Heal Ottar").click()
    chat.send("/close")
    expect(chat.lines("assistant")).to_contain_text("Four rats.")
    expect(chat.field).to_have_value("other")
