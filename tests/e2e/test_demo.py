"""The demo as a newcomer meets it: page, buttons, an MCP client, Ctrl-C."""

from __future__ import annotations

import struct

import pytest
from demo_picture import SIZE, play, take_picture
from demo_process import demo_command, demo_process
from mcp_caller import mcp_caller
from relay_process import free_port

pytestmark = pytest.mark.browser


@pytest.fixture
def demo(tmp_path):
    """Run the demo on ports of its own."""
    with demo_process(tmp_path) as running:
        yield running


def open_page(page, demo):
    """Open the demo's page, and wait for the module."""
    page.goto(demo.page_url)
    page.wait_for_selector('#state[data-state="connected"]')
    return page


def hit_points(page, name: str) -> str:
    """Read an actor's hit points off the page."""
    return page.inner_text(f'[data-actor="{name}"] .number')


def test_the_page_shows_the_world_and_says_what_it_is(page, demo):
    """A newcomer sees the actors, the module's state, and that it is a simulation."""
    open_page(page, demo)
    assert "simulated world, not Foundry VTT; not affiliated" in page.inner_text("body")
    assert page.inner_text("#state-title") == "Connected to AAGM-K"
    assert hit_points(page, "Ottar Reed") == "31 / 34"
    assert "Eel spear" in page.inner_text('[data-actor="Ottar Reed"]')
    assert page.inner_text("#mcp") == demo.mcp_url
    page.wait_for_selector("#windows .window-title:text('AAGM-K Chat')")
    page.evaluate("new Promise((done) => requestAnimationFrame(done))")
    assert page.evaluate("scrollY") == 0


def test_the_other_member_has_a_demo_too(page, tmp_path):
    """`aagm demo --member grok` is the same page with the other relay."""
    ports = (free_port(), free_port(), free_port())
    command = [*demo_command(*ports), "--member", "grok"]
    with demo_process(tmp_path, command) as demo:
        open_page(page, demo)
        assert page.inner_text("#state-title") == "Connected to AAGM-G"


def test_rollback_and_redo_work_by_their_buttons(page, demo):
    """A change is shown, taken back and redone without any MCP client."""
    open_page(page, demo)
    card = play(page, "hurt")
    page.wait_for_function("document.body.innerText.includes('24 / 34')")
    card.get_by_role("button", name="Roll back").click()
    page.wait_for_function("document.body.innerText.includes('31 / 34')")
    card.get_by_role("button", name="Redo").click()
    page.wait_for_function("document.body.innerText.includes('24 / 34')")


def test_a_closed_chat_is_opened_again(page, demo):
    """The page has no other place where a change is taken back."""
    open_page(page, demo)
    page.click("#windows [data-action=close]")
    page.click("#open")
    page.wait_for_selector("#windows .aagm-chat")
    page.wait_for_selector("#open", state="hidden")


def test_the_chat_can_be_opened_while_the_settings_are_open(page, demo):
    """Another window of the module is no chat."""
    open_page(page, demo)
    page.get_by_role("button", name="Settings").first.click()
    page.wait_for_selector("#windows .aagm-settings")
    page.locator("#windows .application:has(.aagm-chat) [data-action=close]").click()
    page.click("#open")
    page.wait_for_selector("#windows .aagm-chat")
    page.wait_for_selector("#open", state="hidden")


def test_the_chat_fits_a_wide_screen(page, demo):
    """Its input box and its cards are there without scrolling the page."""
    page.set_viewport_size({"width": 1600, "height": 1000})
    open_page(page, demo)
    card = play(page, "hurt").bounding_box()
    log = page.locator(".aagm-log").bounding_box()
    room = page.locator(".aagm-hint").first.bounding_box()
    assert room["y"] + room["height"] < 1000
    assert log["x"] + log["width"] - card["x"] - card["width"] < 20
    box = page.locator(".aagm-composer textarea").first.bounding_box()
    assert room["y"] - box["y"] - box["height"] >= 5


def test_the_answer_of_points_is_a_list(page, demo):
    """The command's own line is gone once the relay has it; the list begins left."""
    open_page(page, demo)
    play(page, "hurt")
    play(page, "hurt")
    box = page.locator(".aagm-composer textarea").first
    for command in ("/points", "/redo"):
        box.fill(command)
        box.press("Enter")
    page.wait_for_selector(".aagm-line:has-text('Not brought back')")
    line = page.locator(".aagm-line[data-role=system][data-list]").first
    assert line.evaluate("each => getComputedStyle(each).textAlign") == "start"
    assert page.locator(".aagm-line[data-role=user]").count() == 0


def test_what_an_agent_does_appears_on_the_page(page, demo):
    """The address on the page is the one an MCP client needs."""
    open_page(page, demo)
    with mcp_caller(demo.mcp_url) as agent:
        answer = agent.call(
            "foundry_eval",
            code='await game.actors.getName("Old Pike").delete()',
            intent="write",
            summary="Old Pike leaves",
        )
        page.wait_for_selector('[data-actor="Old Pike"]', state="detached")
        point = answer["rollbackPoint"]["id"]
        page.wait_for_selector("#windows .aagm-card:has-text('Old Pike leaves')")
        agent.call("foundry_rollback", rollbackId=point)
        page.wait_for_selector('[data-actor="Old Pike"]')


def test_a_refused_overwrite_is_offered_to_the_gm(page, demo):
    """Where somebody changed the same since, the GM is asked and decides."""
    with page.expect_websocket() as link:
        open_page(page, demo)
    # What comes while the recording still listens would belong to the point.
    with link.value.expect_event("framesent", lambda sent: "rollback.closed" in sent):
        card = play(page, "hurt")
    page.evaluate(
        'game.actors.getName("Ottar Reed").update({"system.resource.value": 20})'
    )
    page.wait_for_function("document.body.innerText.includes('20 / 34')")
    card.get_by_role("button", name="Roll back").click()
    card.get_by_role("button", name="Overwrite").click()
    page.wait_for_function("document.body.innerText.includes('31 / 34')")


def test_a_reload_keeps_the_world_and_its_points(page, demo):
    """Reloading the page is no time machine: points and world still agree."""
    open_page(page, demo)
    play(page, "hurt")
    page.reload()
    page.wait_for_selector('#state[data-state="connected"]')
    card = page.locator("#windows .aagm-card").last
    button = card.get_by_role("button", name="Roll back")
    button.wait_for()
    assert hit_points(page, "Ottar Reed") == "24 / 34"
    button.click()
    page.wait_for_function("document.body.innerText.includes('31 / 34')")


def test_a_demo_that_is_started_again_has_its_page_back(page, tmp_path):
    """Nobody reloads the tab: it shows the new demo's world, with nothing undone."""
    command = demo_command(free_port(), free_port(), free_port())
    with demo_process(tmp_path, command) as first:
        open_page(page, first)
        play(page, "hurt")
        page.wait_for_function("document.body.innerText.includes('24 / 34')")
        first.interrupt()
    page.wait_for_selector('#state:not([data-state="connected"])')
    with demo_process(tmp_path, command):
        page.wait_for_function("document.body.innerText.includes('31 / 34')")
        page.wait_for_selector('#state[data-state="connected"]')
        assert page.locator("#windows .aagm-card").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_in_both_schemes(page, demo, scheme):
    """Ink and ground differ enough, whatever the newcomer's system prefers."""
    page.emulate_media(color_scheme=scheme)
    open_page(page, demo)
    for selector in ("h1", ".banner", ".tagline", "h3", ".number", "#tasks button"):
        assert page.evaluate(CONTRAST, selector) >= 4.5, selector


CONTRAST = """
(selector) => {
  const luminance = (color) => {
    const [r, g, b] = color.match(/[\\d.]+/g).map(Number).map((c) => {
      const s = c / 255;
      return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const element = document.querySelector(selector);
  let ground = element;
  while (getComputedStyle(ground).backgroundColor === "rgba(0, 0, 0, 0)") {
    ground = ground.parentElement;
  }
  const pair = [
    luminance(getComputedStyle(element).color),
    luminance(getComputedStyle(ground).backgroundColor),
  ].sort((a, b) => b - a);
  return (pair[0] + 0.05) / (pair[1] + 0.05);
}
"""


def test_ctrl_c_ends_everything_and_leaves_nothing(page, demo, tmp_path):
    """After Ctrl-C no process, no port and no file is left."""
    open_page(page, demo)
    play(page, "hurt")
    assert list(tmp_path.glob("aagm-demo-*"))
    page.goto("about:blank")
    assert "Traceback" not in demo.interrupt()
    assert list(tmp_path.glob("aagm-demo-*")) == []
    assert list(tmp_path.rglob("*.run.json")) == []


def test_the_readmes_picture_can_be_made(browser, demo, tmp_path):
    """The picture of the README is made by a script, not by hand."""
    path = tmp_path / "demo.png"
    take_picture(browser, demo.page_url, path)
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (SIZE["width"], SIZE["height"])
