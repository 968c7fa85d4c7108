"""The chat window: every control with the mouse and the keyboard, on 12, 13, 14."""

from __future__ import annotations

import pytest
from chat_page import line, point, stamp, tab
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

VERSIONS = (12, 13, 14)
TABS = [
    tab(
        "t-a",
        "Heal Ottar",
        "done",
        line(
            "user", "Heal @UUID[Actor.OttarReed0000000]{Ottar Reed}", 1, promptId="p-1"
        ),
        line("assistant", "He is **well** again.", 2, promptId="p-1"),
    ),
    tab("t-b", "Cellar", "working", line("assistant", "Counting rats.", 3)),
]


@pytest.fixture(params=VERSIONS)
def chat(request, make_chat):
    """Open a window with two conversations, worked on side by side."""
    relay = {"tabs": TABS}
    opened = make_chat(version=request.param, relay=relay)
    opened.set_world(mode="cogm")
    expect(opened.tab("Heal Ottar")).to_be_visible()
    return opened


def test_a_prompt_is_typed_sent_and_shown(chat, hand):
    """It shows at once, and once; the field is empty again."""
    chat.field.fill("Light the lamps")
    hand(chat.page).press(chat.button("Send"))
    expect(chat.lines("user").last).to_contain_text("Light the lamps")
    expect(chat.field).to_have_value("")
    expect(chat.field).to_be_focused()
    [prompt] = chat.said("aagm.prompt")
    assert (prompt["text"], prompt["tabId"]) == ("Light the lamps", "t-a")
    new = line("user", "Light the lamps", 5, promptId=prompt["promptId"])
    chat.tell_tabs({**TABS[0], "transcript": [*TABS[0]["transcript"], new]}, TABS[1])
    expect(chat.lines("user").filter(has_text="Light the lamps")).to_have_count(1)
    expect(chat.tab("Heal Ottar")).to_contain_text("done")


def test_enter_sends_and_shift_enter_begins_a_line(chat):
    """Nothing else does, and blank text is not sent."""
    chat.field.focus()
    chat.page.keyboard.type("one")
    chat.page.keyboard.press("Shift+Enter")
    chat.page.keyboard.type("two")
    expect(chat.field).to_have_value("one\ntwo")
    chat.page.keyboard.press("Enter")
    assert [each["text"] for each in chat.said("aagm.prompt")] == ["one\ntwo"]
    chat.page.keyboard.press("Space")
    chat.page.keyboard.press("Enter")
    expect(chat.button("Send")).to_be_disabled()
    assert len(chat.said("aagm.prompt")) == 1


def test_tabs_are_chosen_added_and_closed(chat, hand):
    """Five are the most; an unread one says so until it is opened."""
    hands = hand(chat.page)
    expect(chat.tab("Cellar")).to_contain_text("unread")
    hands.choose_tab(chat.tab("Cellar"))
    expect(chat.lines("assistant")).to_have_text(["AAGM-K05:03 PMCounting rats."])
    expect(chat.tab("Cellar")).not_to_contain_text("unread")
    for _ in range(3):
        hands.press(chat.button("New conversation"))
    expect(chat.chat.get_by_role("tab")).to_have_count(5)
    expect(chat.button("New conversation")).to_be_disabled()
    hands.close_tab(chat.chat.get_by_role("tab").nth(4))
    expect(chat.chat.get_by_role("tab")).to_have_count(4)
    assert chat.said("aagm.prompt") == []
    hands.close_tab(chat.tab("Heal Ottar"))
    [closed] = chat.said("aagm.prompt")
    assert (closed["text"], closed["tabId"]) == ("/close", "t-a")


def test_what_is_half_typed_belongs_to_its_tab(chat, hand):
    """Going to another tab and back loses nothing."""
    chat.field.fill("half a tho")
    hand(chat.page).choose_tab(chat.tab("Cellar"))
    expect(chat.field).to_have_value("")
    chat.field.fill("other")
    hand(chat.page).choose_tab(chat.tab("Heal Ottar"))
    expect(chat.field).to_have_value("half a tho")


def test_one_conversation_has_no_bar_of_tabs(chat):
    """When multitasking goes off live, nothing that is open gets lost."""
    chat.tell_tabs(TABS[0])
    chat.set_world(mode="assistant")
    expect(chat.chat.get_by_role("tablist")).to_be_hidden()
    chat.tell_tabs(*TABS)
    expect(chat.chat.get_by_role("tablist")).to_be_visible()
    expect(chat.button("New conversation")).to_be_disabled()


def test_the_mode_is_switched(chat, hand):
    """The switch types the command; the line says who drives and how to change it."""
    hands = hand(chat.page)
    switch = chat.chat.get_by_role("switch")
    hands.press(switch)
    chat.tell("aagm.mode", mode="external")
    expect(chat.status).to_contain_text("An agent outside Foundry drives")
    expect(switch).to_be_checked()
    hands.press(chat.button("Drive from here"))
    chat.tell("aagm.mode", mode="internal")
    expect(chat.status).to_contain_text("Ready")
    assert [each["text"] for each in chat.said("aagm.prompt")] == ["/ext", "/int"]


def test_a_cancelled_prompt_stays_and_is_sent_again(chat, hand):
    """Its text is never gone before it was delivered."""
    lost = line("user", "Ring the bell", 4, promptId="p-9", cancelled=True)
    chat.tell_tabs({**TABS[0], "transcript": [*TABS[0]["transcript"], lost]})
    expect(chat.lines("user").last).to_contain_text("Not delivered")
    hand(chat.page).press(chat.button("Send again"))
    [prompt] = chat.said("aagm.prompt")
    assert (prompt["text"], prompt["tabId"]) == ("Ring the bell", "t-a")
    again = line("user", "Ring the bell", 5, promptId=prompt["promptId"])
    chat.tell_tabs({**TABS[0], "transcript": [{**lost, "cancelled": False}, again]})
    expect(chat.button("Send again")).to_have_count(0)


def test_what_is_typed_while_the_relay_is_down_waits_and_arrives(chat):
    """It shows as waiting, over a reload too, and is sent once."""
    chat.set_relay(isDown=True)
    chat.drop()
    chat.send("Light the lamps")
    expect(chat.lines("user").last).to_contain_text("Waiting for the relay")
    expect(chat.chat.locator(".aagm-notes")).to_contain_text("1 prompt waits")
    chat.reload()
    expect(chat.lines("user").last).to_contain_text("Light the lamps")
    assert [each["text"] for each in chat.said("aagm.prompt")] == ["Light the lamps"]
    expect(chat.lines("user").last).not_to_contain_text("Waiting")


def test_documents_are_linked_and_opened(chat, hand):
    """A link opens the document's sheet; one that is gone is told."""
    chat.run(
        """() => {
          const actor = game.actors.get("OttarReed0000000");
          const render = async () => { window.sheetOpened = true; };
          Object.defineProperty(actor, "sheet", { value: { ...actor.sheet, render } });
        }"""
    )
    hand(chat.page).press(chat.panel.get_by_role("button", name="Ottar Reed"))
    chat.page.wait_for_function("window.sheetOpened")
    chat.tell("aagm.reply", text="See @UUID[Actor.gone]{him}.", tabId="t-a")
    hand(chat.page).press(chat.panel.get_by_role("button", name="him"))
    chat.page.wait_for_function(
        "booted.client.ui.notifications.shown"
        ".some(({message}) => /not in this world/.test(message))"
    )


def test_a_dropped_document_becomes_a_reference_where_the_cursor_is(chat):
    """Anywhere on the window; what is no document is told."""
    chat.field.fill("Heal please")
    chat.field.evaluate("(it) => it.setSelectionRange(4, 4)")
    drop = """([selector, data]) => {
      const transfer = new DataTransfer();
      transfer.setData("text/plain", JSON.stringify(data));
      const zone = document.querySelector(selector);
      for (const type of ["dragenter", "dragover", "drop"]) {
        const how = { dataTransfer: transfer, bubbles: true, cancelable: true };
        zone.dispatchEvent(new DragEvent(type, how));
      }
    }"""
    actor = {"type": "Actor", "uuid": "Actor.OttarReed0000000"}
    chat.run(drop, [".aagm-panel:not([hidden]) .aagm-log", actor])
    expected = "Heal @UUID[Actor.OttarReed0000000]{Ottar Reed} please"
    expect(chat.field).to_have_value(expected)
    chat.run(drop, [".aagm-status", {"type": "Compendium", "collection": "world.x"}])
    expect(chat.field).to_have_value(expected)
    assert any("only documents" in told for told in chat.toasts())


def test_background_work_and_progress_are_shown(chat):
    """What agents work on, how many, and how far long work is."""
    chat.tell("aagm.status", state="working", text="Drawing the cellar", count=2)
    expect(chat.status).to_contain_text("Drawing the cellar 2 agents.")
    chat.tell("aagm.progress", label="Rolling back", done=1, total=4, tabId="t-b")
    bar = chat.chat.get_by_role("progressbar")
    expect(bar).to_have_attribute("value", "1")
    expect(bar).to_have_accessible_name("Rolling back · Cellar")
    chat.tell("aagm.progress", label="Rolling back", done=4, total=4, tabId="t-b")
    expect(bar).to_have_count(0)


def test_the_window_elsewhere_is_said_and_taken_over(chat, hand):
    """The line names whose tab it is; the button takes the bridge."""
    chat.tell("aagm.owner", owner=False, userName="Second GM")
    expect(chat.status).to_contain_text("requests go to the tab of Second GM")
    chat.field.fill("mine")
    expect(chat.button("Send")).to_be_disabled()
    hand(chat.page).press(chat.button("Take over"))
    expect(chat.status).to_contain_text("Ready")
    assert chat.said("hello")[-1]["takeOver"] is True
    expect(chat.field).to_have_value("mine")


def test_the_conversation_scrolls_by_keys_and_follows_what_is_new(chat, hand):
    """Who reads further up is not torn away, and gets down again with one press."""
    many = [
        line("assistant", f"Line {i} of the ledger.\n\nMore.", i) for i in range(40)
    ]
    chat.tell_tabs({**TABS[0], "transcript": many}, TABS[1])
    log = chat.panel.get_by_role("log")
    at_end = "(it) => it.scrollTop + it.clientHeight >= it.scrollHeight - 2"
    expect(chat.lines().last).to_be_in_viewport()
    # The browser scrolls for a key beside the page: until lines have their true height,
    # the end may be sought in the same moment, and the key be pressed in vain.
    expect(chat.panel.locator(".aagm-fresh")).to_have_count(0)
    log.focus()
    chat.page.keyboard.press("Home")
    chat.page.wait_for_function(
        "document.querySelector('.aagm-panel:not([hidden]) .aagm-log').scrollTop === 0"
    )
    chat.tell("aagm.reply", text="News from the cellar.", tabId="t-a")
    assert log.evaluate("(it) => it.scrollTop") == 0
    hand(chat.page).press(chat.button("Newest"))
    assert log.evaluate(at_end)
    chat.tell("aagm.reply", text="More news.", tabId="t-a")
    expect(chat.lines().last).to_be_in_viewport()
    assert log.evaluate(at_end)


def test_older_changes_are_shown_on_request(chat, hand):
    """A window with two hundred cards would be of no use."""
    points = [point(f"rp-{i:06x}", 0) for i in range(50)]
    chat.tell("aagm.rollback", event="sync", points=points)
    expect(chat.panel.locator(".aagm-card")).to_have_count(30)
    hand(chat.page).press(chat.button("Show 20 older changes"))
    expect(chat.panel.locator(".aagm-card")).to_have_count(50)


def test_the_settings_open_from_the_window(chat, hand):
    """One window of them, however often they are asked for."""
    hand(chat.page).press(chat.button("Settings"))
    expect(chat.settings).to_have_count(1)
    chat.run("booted.client.game.modules.get('aagm').api.openSettings()")
    expect(chat.settings).to_have_count(1)


def test_two_presses_at_once_open_one_settings_window(chat):
    """It is drawn once, and opens again after it was closed."""
    drawn = chat.run(
        """async () => {
          let drawn = 0;
          Hooks.on("renderSettingsWindow", () => { drawn += 1; });
          const { openSettings } = game.modules.get("aagm").api;
          await Promise.all([openSettings(), openSettings()]);
          return drawn;
        }"""
    )
    assert drawn == 1
    chat.settings.locator("[data-action=close]").click()
    expect(chat.settings).to_have_count(0)
    chat.button("Settings").click()
    expect(chat.settings).to_be_visible()


def test_settings_that_failed_to_open_open_the_next_time(chat):
    """What went wrong once does not lock the GM out until a reload."""
    failed = chat.run(
        """async () => {
          const { openSettings } = game.modules.get("aagm").api;
          document.createElement = () => { throw new Error("no more elements"); };
          const told = await openSettings().catch(({ message }) => message);
          delete document.createElement;
          return told;
        }"""
    )
    assert failed == "no more elements"
    chat.button("Settings").click()
    expect(chat.settings).to_be_visible()


def test_place_and_size_are_remembered_and_the_window_opens_again(chat):
    """It is dragged by its bar and resized by its corner, like all of Foundry's."""
    window = chat.page.locator("#aagm-chat-window")
    mouse = chat.page.mouse
    before = window.bounding_box()
    mouse.move(before["x"] + 100, before["y"] + 10)
    mouse.down()
    mouse.move(before["x"] + 160, before["y"] + 40)
    mouse.up()
    mouse.move(before["x"] + before["width"] + 55, before["y"] + before["height"] + 25)
    mouse.down()
    mouse.move(before["x"] + before["width"] + 25, before["y"] + before["height"] - 75)
    mouse.up()
    moved = window.bounding_box()
    assert (moved["x"], moved["y"]) == (before["x"] + 60, before["y"] + 30)
    assert moved["width"] == before["width"] - 30
    chat.page.wait_for_function(
        "(width) => game.settings.get('aagm', 'window-sunken-inn').width === width",
        arg=moved["width"],
    )
    kept = chat.run("game.settings.get('aagm', 'window-sunken-inn')")
    assert {key: kept[key] for key in ("left", "top", "width", "height")} == {
        "left": moved["x"],
        "top": moved["y"],
        "width": moved["width"],
        "height": moved["height"],
    }


def test_a_closed_window_stays_closed_and_macro_and_button_open_it(chat):
    """Until the GM opens it with the macro that was made for it."""
    chat.page.locator("#aagm-chat-window [data-action=close]").click()
    expect(chat.chat).to_have_count(0)
    chat.page.wait_for_function(
        "game.settings.get('aagm', 'window-sunken-inn').isOpen === false"
    )
    chat.run("game.macros.getName('Open AAGM-K Chat').execute()")
    expect(chat.lines("assistant")).to_contain_text("He is well again.")
    expect(chat.field).to_be_focused()


def test_lines_say_who_when_and_that_they_interrupt(chat):
    """A prompt that came while the agent worked is marked as such."""
    new = line("user", "Stop, the rats first", 6, promptId="p-7", interrupt=True)
    system = line("system", "The session is internal already.", 7)
    chat.tell_tabs({**TABS[0], "transcript": [*TABS[0]["transcript"], new, system]})
    shown = chat.lines("user").last
    expect(shown).to_contain_text("You")
    expect(shown.locator("time")).to_have_attribute("datetime", stamp(6))
    expect(shown).to_contain_text("Interrupt")
    expect(chat.lines("system")).to_have_text("The session is internal already.")
