"""The simulated world in a real page: windows, dialogs, chat, and a reload."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from typing_extensions import override

from aagm.foundry import simulator_folder

pytestmark = pytest.mark.browser

BOOT = """async ({version, ...options}) => {
  const { boot } = await import("/boot.js");
  globalThis.booted = await boot({ world: { version }, ...options });
}"""

WINDOW = """async () => {
  const { ApplicationV2 } = foundry.applications.api;
  class Ledger extends ApplicationV2 {
    static DEFAULT_OPTIONS = {
      id: "ledger", tag: "form", window: { title: "Ledger" },
      actions: { turn() { this.turned = true; } },
      form: {
        handler(event, form, data) { this.sent = data.object; },
        closeOnSubmit: true,
      },
    };
    async _renderHTML() {
      const made = document.createElement("div");
      made.innerHTML = `<button type="button" data-action="turn">Turn</button>
        <input name="debt" type="number" value="11">
        <input name="paid" type="checkbox" checked>
        <button type="submit">Write</button>`;
      return made;
    }
    _replaceHTML(made, content) { content.replaceChildren(made); }
  }
  globalThis.heard = [];
  Hooks.on("renderLedger", (app, element, ...rest) =>
    heard.push([element instanceof HTMLElement, rest.length]));
  globalThis.ledger = await new Ledger().render({ force: true });
}"""

DIALOG = """() => {
  const asked = foundry.applications.api.DialogV2.wait({
    window: { title: "Room four?" },
    content: "<p>It is under water.</p>",
    rejectClose: false,
    buttons: [
      { action: "in", label: "Go in" },
      { action: "out", label: "Stay", default: true },
    ],
  });
  asked.then((answer) => { globalThis.answer = answer; });
}"""


class _Quiet(SimpleHTTPRequestHandler):
    """Static files, and an empty page at the root."""

    @override
    def do_GET(self) -> None:
        if self.path == "/":
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(
                b"<!doctype html><link rel=icon href='data:,'><body></body>"
            )
        else:
            super().do_GET()

    @override
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """Serve the simulator's files."""
    serve = partial(_Quiet, directory=str(simulator_folder()))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("version", [12, 13, 14])
def test_a_modules_window_works_in_the_page(page, address, version):
    """A window is drawn, its buttons act, its form is read, and it closes."""
    page.goto(address)
    page.evaluate(BOOT, {"version": version})
    page.evaluate(WINDOW)
    window = page.get_by_role("dialog", name="Ledger")
    window.get_by_text("Turn").click()
    assert page.evaluate("ledger.turned") is True
    assert page.evaluate("heard") == [[True, 0 if version == 12 else 2]]
    assert ("theme-dark" in window.get_attribute("class")) == (version >= 13)
    window.get_by_text("Write").click()
    window.wait_for(state="detached")
    assert page.evaluate("ledger.sent") == {"debt": 11, "paid": True}
    assert page.evaluate("foundry.applications.instances.size") == 0


def test_a_dialog_is_answered_by_its_buttons_and_by_closing_it(page, address):
    """The answer is the button's name; a dismissed dialog answers null."""
    page.goto(address)
    page.evaluate(BOOT, {"version": 13})
    page.evaluate(DIALOG)
    page.get_by_role("button", name="Go in").click()
    page.wait_for_function("globalThis.answer === 'in'")
    page.evaluate(DIALOG)
    page.get_by_role("dialog").get_by_label("Close").click()
    page.wait_for_function("globalThis.answer === null")


def test_a_message_goes_through_the_hook_of_its_version(page, address):
    """12 hands out a wrapped element, 13 the element itself."""
    for version, hook in ((12, "renderChatMessage"), (13, "renderChatMessageHTML")):
        page.goto(address)
        page.evaluate(BOOT, {"version": version})
        seen = page.evaluate(
            """async (hook) => {
              let seen;
              Hooks.on(hook, (message, html) => {
                const isElement = html instanceof HTMLElement;
                const text = isElement ? html.textContent : html.find("div").html();
                seen = [message.content, text.includes("Glug"), isElement];
              });
              await ChatMessage.create({ content: "Glug" });
              return seen;
            }""",
            hook,
        )
        assert seen == ["Glug", True, version == 13]


def test_the_world_outlives_a_reload_when_it_is_kept(page, address):
    """What was written is there again, settings of the browser too."""
    kept = {"version": 12, "persist": "inn", "storage": {"core.language": "en"}}
    page.goto(address)
    page.evaluate(BOOT, kept)
    page.evaluate("game.actors.getName('Old Pike').update({ name: 'Young Pike' })")
    page.evaluate("game.settings.set('core', 'rollMode', 'gmroll')")
    page.reload()
    page.evaluate(BOOT, kept)
    assert page.evaluate("Boolean(game.actors.getName('Young Pike'))") is True
    assert page.evaluate("game.settings.get('core', 'rollMode')") == "gmroll"
