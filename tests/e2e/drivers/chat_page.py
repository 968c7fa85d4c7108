"""The chat window in Chromium: the simulated world, the real module, a relay.

The relay is a script in the page, which tells what a test wants told, or a real one.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

from attrs import define, field
from playwright.sync_api import Error, Locator, Page, WebSocket

WORLD = "sunken-inn"
API = 'game.modules.get("aagm").api'
MEMBERS = {"kimi": "AAGM-K", "grok": "AAGM-G"}
FURTHEST = 120  # steps of the Tab key


@define(eq=False)
class Mouse:
    """Press things with the mouse."""

    page: Page

    def press(self, thing: Locator) -> None:
        """Click it."""
        thing.click()

    def choose_tab(self, tab: Locator) -> None:
        """Open a tab of the window."""
        tab.click()

    def close_tab(self, tab: Locator) -> None:
        """Close a tab of the window."""
        tab.hover()
        tab.locator(".aagm-tab-close").click()


@define(eq=False)
class Keyboard:
    """Press things with nothing but keys, as somebody without a mouse does."""

    page: Page

    def reach(self, thing: Locator) -> None:
        """Go there with the Tab key."""
        for _ in range(FURTHEST):
            if thing.evaluate("(it) => it === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"the Tab key does not reach {thing}")

    def press(self, thing: Locator) -> None:
        """Reach it and press the key that activates it."""
        self.reach(thing)
        kind = thing.get_attribute("type")
        self.page.keyboard.press("Space" if kind in ("checkbox", "radio") else "Enter")

    def choose_tab(self, tab: Locator) -> None:
        """Go to the open tab, then on with the arrow keys."""
        self.reach(self.page.locator('[role=tab][tabindex="0"]'))
        for _ in range(5):
            if tab.get_attribute("aria-selected") == "true":
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError("the arrow keys do not reach the tab")

    def close_tab(self, tab: Locator) -> None:
        """Go there and press Delete."""
        self.choose_tab(tab)
        self.page.keyboard.press("Delete")


HANDS = {"mouse": Mouse, "keyboard": Keyboard}


@define(eq=False, slots=False)  # Playwright keeps its own marks on whoever listens
class ChatPage:
    """A game master's page, from before it is loaded."""

    page: Page
    sockets: list[WebSocket] = field(factory=list)  # real ones, oldest first
    _faults: list[str] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        """Begin to see what the page does."""
        self.page.on("websocket", self._saw_socket)
        self.page.on("pageerror", self._saw_fault)

    def _saw_socket(self, socket: WebSocket) -> None:
        self.sockets.append(socket)

    def _saw_fault(self, error: Error) -> None:
        self._faults.append(str(error))

    def __getattr__(self, name: str) -> Any:
        """Be the page in everything else."""
        return getattr(self.page, name)

    # What the scripted relay does.

    def tell(self, method: str, **params: Any) -> None:
        """Let the relay tell the module something."""
        self.page.evaluate(
            "([method, params]) => relay.tell(method, params)", [method, params]
        )

    def tell_tabs(self, *tabs: dict[str, Any]) -> None:
        """Let the relay tell its table."""
        self.page.evaluate("(tabs) => { relay.tabs = tabs; }", list(tabs))
        self.tell("aagm.tabs", tabs=list(tabs))

    def set_relay(self, **members: Any) -> None:
        """Let the relay be another from now on."""
        self.page.evaluate("(members) => Object.assign(relay, members)", members)

    def drop(self, close: int = 1006) -> None:
        """Let the relay close the connection."""
        self.page.evaluate("(close) => relay.drop(close)", close)

    def said(self, method: str) -> list[Any]:
        """List what the module said to the relay."""
        said: list[Any] = self.page.evaluate("(method) => relay.said(method)", method)
        return said

    # What is on the page.

    def run(self, code: str, argument: Any = None) -> Any:
        """Run JavaScript on the page."""
        return self.page.evaluate(code, argument)

    @property
    def chat(self) -> Locator:
        """The inside of the chat window."""
        return self.page.locator(".aagm-chat")

    @property
    def settings(self) -> Locator:
        """The settings window."""
        return self.page.locator("#aagm-settings")

    @property
    def status(self) -> Locator:
        """The status line's text."""
        return self.chat.locator(".aagm-status-text")

    @property
    def field(self) -> Locator:
        """Where the GM types."""
        return self.chat.get_by_role("textbox")

    @property
    def panel(self) -> Locator:
        """The open conversation."""
        return self.chat.locator(".aagm-panel:not([hidden])")

    def lines(self, role: str = "") -> Locator:
        """The lines of the open conversation."""
        selector = f'[data-role="{role}"]' if role else ""
        return self.panel.locator(f".aagm-line{selector}")

    def card(self, summary: str) -> Locator:
        """The card of a change."""
        return self.panel.locator(".aagm-card").filter(has_text=summary)

    def tab(self, title: str) -> Locator:
        """A tab of the window."""
        return self.chat.get_by_role("tab").filter(has_text=title)

    def button(self, name: str) -> Locator:
        """A button of the chat window."""
        return self.chat.get_by_role("button", name=name, exact=True)

    def send(self, text: str) -> None:
        """Type and send."""
        self.field.fill(text)
        self.field.press("Enter")

    def set_world(self, **settings: Any) -> None:
        """Change world settings, as another GM does."""
        for key, value in settings.items():
            self.run(
                "([key, value]) => game.settings.set('aagm', key, value)", [key, value]
            )

    def toasts(self) -> list[str]:
        """List what was told in notices."""
        told: list[str] = self.run(
            "booted.client.ui.notifications.shown.map(({message}) => message)"
        )
        return told

    def reload(self) -> None:
        """Press the browser's reload button."""
        self.page.reload()
        self.page.wait_for_function("window.booted !== undefined")

    def leave(self) -> None:
        """Leave the page as empty as it was, for the next world."""
        self.page.evaluate("sessionStorage.clear()")
        self.page.goto("about:blank")
        self.page.remove_listener("websocket", self._saw_socket)
        self.page.remove_listener("pageerror", self._saw_fault)

    def check(self) -> None:
        """Hold what must hold of every page: no error, no missing text, no old name."""
        assert self._faults == []
        assert self.run("[...booted.client.game.i18n.missing]") == []
        assert self.run("booted.client.deprecations") == []
        assert self.run("booted.client.errors.map(({error}) => String(error))") == []


def open_chat(
    page: Page,
    site: str,
    *,
    version: int = 12,
    member: str = "kimi",
    relay: dict[str, Any] | None = None,
    url: str | None = None,
    settings: dict[str, Any] | None = None,
    place: dict[str, Any] | None = None,
    is_first: bool = False,
    before: str = "",
    **options: Any,
) -> ChatPage:
    """Open a world whose chat window was open when it was left.

    Args:
        page: An empty page.
        site: Where this checkout's files are.
        version: Which Foundry.
        member: Whose relay it is.
        relay: What the scripted relay is to be; with *url* there is none.
        url: The address of a real relay.
        settings: Further client settings, by name without the world.
        place: Where the window stands.
        is_first: Nothing is remembered: the window was never open.
        before: A script for before the page's own, at every load.
        options: Further options of the simulator's ``boot()``.
    """
    who = {"member": member, "memberName": MEMBERS[member]}
    standing = {"left": 0, "top": 0, **(place or {}), "isOpen": True}
    client = {
        "enabled": True,
        **({} if url is None else {"relayUrl": url}),
        **({} if is_first else {"window": {**standing, "member": MEMBERS[member]}}),
        **(settings or {}),
    }
    boot = {
        "module": "/foundry/module/",
        "until": "aagm.ready",
        "storage": {
            name if "." in name else f"aagm.{name}-{WORLD}": value
            for name, value in client.items()
        },
        "world": {"version": version, **options.pop("world", {})},
        "relay": {**who, **(relay or {})} if url is None else None,
        "before": before,
        **options,
    }
    chat = ChatPage(page)
    page.goto(f"{site}/tests/e2e/pages/window.html#{quote(json.dumps(boot))}")
    page.wait_for_function("window.booted !== undefined")
    if not is_first:
        page.wait_for_selector(".aagm-chat")
    return chat


def line(role: str, text: str, minute: int = 0, **more: Any) -> dict[str, Any]:
    """Make a line of a tab's transcript."""
    return {"role": role, "text": text, "ts": stamp(minute), **more}


def tab(id_: str, title: str, state: str = "idle", *lines: Any) -> dict[str, Any]:
    """Make a tab of the relay's table."""
    return {"id": id_, "title": title, "state": state, "transcript": list(lines)}


def point(id_: str, minute: int = 0, **more: Any) -> dict[str, Any]:
    """Make a rollback point as the relay tells of it."""
    return {
        "id": id_,
        "ts": stamp(minute),
        "summary": f"change {id_}",
        "tabId": None,
        "kind": "eval",
        "state": "live",
        "via": None,
        "captured": "1 update",
        "docs": ["update Actor Ottar Reed"],
        "file": f"2026-03-01/{id_}.json",
        **more,
    }


def stamp(minute: int) -> str:
    """Give a time of the evening that the tests play in."""
    return f"2026-03-01T17:{minute:02d}:00.000Z"
