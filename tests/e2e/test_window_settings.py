"""The settings window, and what the windows say when there is no connection."""

from __future__ import annotations

import pytest
from chat_page import API
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

VERSIONS = (12, 13, 14)
UNPAIRED = {
    "error": {"code": -33006, "message": "pairing required", "data": {}},
    "close": 4005,
}
WRONG_VERSION = {
    "error": {"code": -33007, "message": "Update the module: relay 9, module 3."},
    "close": 4006,
}
NO_GM = {"error": {"code": -33008, "message": "no game master"}, "close": 4001}
USERS = [{"name": "Gamemaster", "role": 4}, {"name": "Ottar's player", "role": 1}]
NOBODY = {"relayUrl": "ws://127.0.0.1:9"}  # where nothing ever listens
ANSWERS = """
window.fetch = ((real) => async (url, how) =>
  String(url).includes(":9/") ? new Response() : real(url, how))(window.fetch);
"""
SAYS = """(([state, isSecure]) => {
  navigator.permissions.query = async () => ({ state });
  Object.defineProperty(window, "isSecureContext", { value: isSecure });
})"""


@pytest.fixture(params=VERSIONS)
def chat(request, make_chat):
    """Open a world whose relay does not know this browser, and its settings."""
    opened = make_chat(version=request.param, relay={"refusal": UNPAIRED})
    opened.run(f"{API}.openSettings()")
    expect(opened.settings).to_be_visible()
    return opened


def labelled(chat, name: str):
    """Find a field of the settings by its label."""
    return chat.settings.get_by_label(name, exact=False).first


def setting(chat, name: str):
    """Read a setting."""
    return chat.run("(name) => game.settings.get('aagm', name)", name)


def test_presets_lock_the_multitasking_box_while_they_are_chosen(chat, hand):
    """Assistant off, Co-GM on, Custom as it was; what is saved is what was shown."""
    hands, box = hand(chat.page), chat.settings.locator("[name=multitasking]")
    radio = {
        mode: chat.settings.locator(f"[name=mode][value={mode}]")
        for mode in ("assistant", "cogm", "custom")
    }
    expect(radio["assistant"]).to_be_checked()
    expect(box).to_be_disabled()
    expect(box).not_to_be_checked()
    choose(hands, radio["assistant"], radio["cogm"], steps=1)
    expect(box).to_be_disabled()
    expect(box).to_be_checked()
    choose(hands, radio["cogm"], radio["custom"], steps=1)
    expect(box).to_be_enabled()
    expect(box).not_to_be_checked()
    hands.press(box)
    hands.press(chat.settings.get_by_role("button", name="Save"))
    expect(chat.settings).to_have_count(0)
    assert (setting(chat, "mode"), setting(chat, "multitasking")) == ("custom", True)
    assert any("saved" in told for told in chat.toasts())


def choose(hands, chosen, wanted, *, steps: int) -> None:
    """Choose a radio button; with keys by arrows from the chosen one."""
    if not hasattr(hands, "reach"):
        wanted.click()
        return
    hands.reach(chosen)
    for _ in range(steps):
        hands.page.keyboard.press("ArrowDown")


def test_the_mirror_and_the_connection_are_saved_and_the_relay_is_told(chat, hand):
    """Each field of the form reaches its setting."""
    hands = hand(chat.page)
    hands.press(chat.settings.locator("[name=mirrorEnabled]"))
    hands.press(chat.settings.locator("[name=mirrorContextualSort]"))
    labelled(chat, "Folder").fill("/home/brunna/Macro Mirror")
    labelled(chat, "Relay address").fill("ws://127.0.0.1:7890")
    chat.set_relay(refusal=None)
    hands.press(chat.settings.get_by_role("button", name="Save"))
    expect(chat.settings).to_have_count(0)
    assert setting(chat, "mirrorEnabled") is True
    assert setting(chat, "mirrorContextualSort") is True
    assert setting(chat, "mirrorPath") == "/home/brunna/Macro Mirror"
    expect(chat.status).to_contain_text("Ready")
    assert chat.run("relay.socket.url") == "ws://127.0.0.1:7890/"
    assert chat.said("hello")[-1]["settings"]["mirrorEnabled"] is True


def test_what_another_gm_sets_meanwhile_is_not_set_back(chat):
    """Only what was changed in the form is saved."""
    chat.set_world(mode="cogm", multitasking=True, mirrorPath="Elsewhere")
    chat.settings.locator("[name=mirrorContextualSort]").check()
    chat.settings.get_by_role("button", name="Save").click()
    expect(chat.settings).to_have_count(0)
    assert setting(chat, "mirrorContextualSort") is True
    assert setting(chat, "mirrorPath") == "Elsewhere"
    assert (setting(chat, "mode"), setting(chat, "multitasking")) == ("cogm", True)


def test_a_browser_is_paired(chat, hand):
    """The field says how it stands: missing, malformed, refused, paired."""
    hands = hand(chat.page)
    state = chat.settings.locator(".aagm-pairing")
    expect(state).to_contain_text("Not paired")
    expect(chat.settings.locator(".aagm-status-text")).to_contain_text("aagm pair")
    code = labelled(chat, "Pairing code")
    pair = chat.settings.get_by_role("button", name="Pair", exact=True)
    code.fill("12 34")
    hands.press(pair)
    expect(state).to_have_text("A code has six digits.")
    code.fill("000 000")
    hands.press(pair)
    expect(state).to_have_text("The relay did not take that code. Pairing required.")
    expect(chat.settings.locator(".aagm-status-text")).to_contain_text(
        "did not take that code. Pairing required."
    )
    assert chat.said("hello")[-1]["pairingCode"] == "000000"
    hello = chat.run("relay.hello") | {"token": "t0ken"}
    chat.set_relay(refusal=None, hello=hello)
    code.fill("123456")
    code.press("Enter")
    expect(state).to_have_text("Paired with this relay.")
    expect(code).to_have_value("")
    expect(chat.status).to_contain_text("Ready")
    expect(chat.settings).to_have_count(1)


def test_a_switched_off_browser_is_switched_on_and_tries_again_when_asked(chat, hand):
    """Off means that nothing is dialled."""
    hands = hand(chat.page)
    chat.run("game.settings.set('aagm', 'enabled-sunken-inn', false)")
    expect(chat.status).to_contain_text("switched off")
    expect(chat.settings.locator(".aagm-status-text")).to_contain_text("switched off")
    chat.set_relay(refusal=None)
    hands.press(chat.settings.get_by_role("button", name="Save"))
    expect(chat.status).to_contain_text("Ready")
    expect(chat.settings).to_have_count(0)  # it closes last
    hands.press(chat.button("Settings"))
    dials = chat.run("relay.sockets.length")
    hands.press(chat.settings.get_by_role("button", name="Try again"))
    chat.page.wait_for_function("(dials) => relay.sockets.length > dials", arg=dials)
    expect(chat.settings.locator(".aagm-status-text")).to_contain_text("Connected")


def test_the_first_accepted_hello_opens_the_window(make_chat, hand):
    """Before it the button leads to the settings, where what is missing is said."""
    chat = make_chat(relay={"refusal": UNPAIRED}, is_first=True)
    expect(chat.chat).to_have_count(0)
    chat.run(f"{API}.openChat()")
    expect(chat.settings).to_be_visible()
    chat.set_relay(refusal=None)
    labelled(chat, "Pairing code").fill("123456")
    hand(chat.page).press(chat.settings.get_by_role("button", name="Pair", exact=True))
    expect(chat.chat).to_be_visible()
    title = chat.page.locator("#aagm-chat-window .window-title")
    expect(title).to_have_text("AAGM-K Chat")


@pytest.mark.parametrize(
    ("refusal", "says"),
    [
        (WRONG_VERSION, "Update the module: relay 9, module 3. Update the one"),
        (NO_GM, "takes a game master's session only. Log in as a GM"),
    ],
)
def test_a_refused_hello_says_why_and_what_to_do(make_chat, hand, refusal, says):
    """In the line and with a button; when it is cured, the press connects."""
    chat = make_chat(relay={"refusal": refusal})
    expect(chat.status).to_contain_text(says)
    chat.set_relay(refusal=None)
    hand(chat.page).press(chat.button("Try again now"))
    expect(chat.status).to_contain_text("Ready")


def test_an_unpaired_browser_is_led_to_the_settings(make_chat, hand):
    """Where the code is typed."""
    chat = make_chat(relay={"refusal": UNPAIRED})
    expect(chat.status).to_contain_text("not paired with the relay. Run aagm pair")
    hand(chat.page).press(chat.button("Open settings"))
    expect(chat.settings).to_be_visible()


def test_a_relay_that_is_down_is_tried_again_by_itself(make_chat):
    """The line says how to start it; once it is there, nothing is to be pressed."""
    chat = make_chat(relay={"isDown": True}, settings=NOBODY)
    expect(chat.status).to_contain_text("No relay answers")
    expect(chat.status).to_contain_text("twistd --pidfile= -n aagm")
    expect(chat.button("Try again now")).to_be_visible()
    chat.set_relay(isDown=False)
    expect(chat.status).to_contain_text("Ready")


@pytest.mark.parametrize(
    ("before", "says", "fix"),
    [
        (f"{SAYS}(['denied', true]);", "does not let this site", "lock left of"),
        (f"{SAYS}(['prompt', true]);", "asks whether", "with Allow"),
        (f"{SAYS}(['denied', false]);", "public http address", "by https"),
        (
            "window.WebSocket = class { constructor() { throw new Error('no'); } };",
            "refused to open",
            "network.websocket.allowInsecureFromHTTPS",
        ),
        (
            ANSWERS,
            "does not admit pages from http://inn.example",
            "--allow-origin",
        ),
    ],
)
def test_what_the_browser_does_is_diagnosed(make_chat, site, before, says, fix):
    """The browser's own error says nothing; the line says what to change where."""
    named = site.replace("127.0.0.1", "inn.example")
    chat = make_chat(site=named, relay={"isDown": True}, settings=NOBODY, before=before)
    expect(chat.status).to_contain_text(says)
    expect(chat.status).to_contain_text(fix)


def test_a_page_inside_another_page_is_told_of_the_frames_attribute(make_chat):
    """An embedded Foundry may not reach this machine unless its frame allows it."""
    chat = make_chat(
        relay={"isDown": True}, settings=NOBODY, before=f"{SAYS}(['denied', true]);"
    )
    address = chat.page.url.replace("window.html", "framed.html")
    chat.page.goto("about:blank")
    chat.page.goto(address)
    status = chat.page.frame_locator("iframe").locator(".aagm-status-text")
    expect(status).to_contain_text("inside another page")
    expect(status).to_contain_text('allow="loopback-network"')
    chat.page.close()


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"enabled": False}, "switched off"),
        ({"relayUrl": "ws://192.168.1.5:7898"}, "not on this machine"),
    ],
)
def test_what_is_set_wrong_leads_to_the_settings(make_chat, settings, says):
    """The button opens the window where it is put right."""
    chat = make_chat(settings=settings)
    expect(chat.status).to_contain_text(says)
    chat.button("Open settings").click()
    expect(chat.settings).to_be_visible()


def test_another_tab_that_took_over_is_named_and_taken_back(make_chat, hand):
    """The old tab stays off until the GM wants it back."""
    chat = make_chat()
    expect(chat.status).to_contain_text("Ready")
    chat.drop(4007)
    expect(chat.status).to_contain_text("took the bridge over")
    hand(chat.page).press(chat.button("Take over"))
    expect(chat.status).to_contain_text("Ready")


def test_a_break_in_a_background_tab_says_how_to_avoid_it(make_chat):
    """Browsers freeze busy tabs that nobody looks at."""
    chat = make_chat()
    expect(chat.status).to_contain_text("Ready")
    chat.run("Object.defineProperty(document, 'hidden', { get: () => window.away })")
    chat.run("window.away = true; relay.isDown = true;")
    chat.drop()
    chat.run(
        "window.away = false; document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(chat.chat.locator(".aagm-notes")).to_contain_text("window of its own")


@pytest.mark.parametrize("version", VERSIONS)
def test_a_players_page_fetches_one_file_and_shows_nothing(make_chat, version):
    """Nothing of ours but the manifest's own entries."""
    chat = make_chat(
        version=version,
        is_first=True,
        user="Ottar's player",
        until=None,
        world={"users": USERS},
    )
    fetched = chat.run(
        """performance.getEntriesByType("resource")
          .map(({name}) => new URL(name).pathname)
          .filter((path) => path.startsWith("/foundry/module/scripts/"))"""
    )
    assert fetched == ["/foundry/module/scripts/bridge.js"]
    assert chat.run("document.querySelector('.aagm')") is None
    assert chat.run("game.modules.get('aagm').api") is None
    assert (
        chat.run(
            "[...game.settings.settings.keys(), ...game.settings.menus.keys()]"
            ".filter((key) => key.startsWith('aagm'))"
        )
        == []
    )
