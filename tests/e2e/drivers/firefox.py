"""Headless Firefox over WebDriver BiDi, which it speaks itself: no driver is needed.

Playwright brings a Firefox of its own and cannot drive Debian's.
Source: https://w3c.github.io/webdriver-bidi/
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from attrs import define, field
from websockets.sync.client import ClientConnection, connect

PATIENCE = 60  # seconds for anything that should take one
ENTER, SHIFT = "\ue007", "\ue008"  # WebDriver's names of keys
PREFERENCES = {
    "app.update.disabledForTesting": True,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "remote.prefs.recommended": True,
    "toolkit.telemetry.reportingpolicy.firstRun": False,
}
# Waits for an expression to hold, looking after each frame.
UNTIL = """new Promise((resolve) => {{
  const look = () => ({condition}) ? resolve(true) : requestAnimationFrame(look);
  look();
}})"""


def firefox_path() -> str:
    """Name the browser: $FIREFOX, or the first on PATH."""
    names = ("firefox-esr", "firefox")
    found = os.environ.get("FIREFOX") or next(
        filter(None, map(shutil.which, names)), ""
    )
    assert found, "no Firefox: install firefox-esr, or set FIREFOX to its path"
    return found


@define(eq=False)
class Firefox:
    """One window of Firefox."""

    _socket: ClientConnection
    _ids: Iterator[int] = field(factory=lambda: itertools.count(1), init=False)
    _context: str = field(default="", init=False)

    def open(self, url: str) -> None:
        """Go to a page and wait until it is loaded."""
        if not self._context:
            self._ask("session.new", capabilities={})
            [tree] = self._ask("browsingContext.getTree")["contexts"]
            self._context = tree["context"]
        self._ask(
            "browsingContext.navigate", context=self._context, url=url, wait="complete"
        )

    def run(self, expression: str) -> Any:
        """Evaluate JavaScript on the page; its value, a promise's when it is there."""
        target = {"context": self._context}
        answer = self._ask(
            "script.evaluate",
            expression=f"(async () => JSON.stringify(await ({expression})))()",
            target=target,
            awaitPromise=True,
        )
        assert answer["type"] == "success", answer["exceptionDetails"]["text"]
        text = answer["result"].get("value")
        return None if text is None else json.loads(text)

    def until(self, condition: str) -> None:
        """Wait until JavaScript holds on the page."""
        assert self.run(UNTIL.format(condition=condition))

    def press(self, *keys: str) -> None:
        """Press keys, one after the other, as a person does."""
        actions = [
            {"type": kind, "value": key}
            for key in keys
            for kind in ("keyDown", "keyUp")
        ]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def click(self, selector: str) -> None:
        """Click the middle of what the selector finds first."""
        at = self.run(
            f"""(() => {{
              const thing = document.querySelector({json.dumps(selector)});
              thing.scrollIntoView({{ block: "center" }});
              const {{ left, top, width, height }} = thing.getBoundingClientRect();
              return [Math.round(left + width / 2), Math.round(top + height / 2)];
            }})()"""
        )
        x, y = at
        move = {"type": "pointerMove", "x": x, "y": y}
        press = [
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._act({"type": "pointer", "id": "mouse", "actions": [move, *press]})

    def _act(self, source: dict[str, Any]) -> None:
        self._ask("input.performActions", context=self._context, actions=[source])

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._ids)
        self._socket.send(
            json.dumps({"id": number, "method": method, "params": params})
        )
        while True:
            heard = json.loads(self._socket.recv(PATIENCE))
            if heard.get("id") != number:
                continue  # an event
            assert heard["type"] == "success", f"{method}: {heard}"
            return heard["result"]


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Run the browser on an empty profile."""
    lines = [
        f"user_pref({json.dumps(name)}, {json.dumps(value)});"
        for name, value in PREFERENCES.items()
    ]
    (profile / "user.js").write_text("\n".join(lines))
    process = subprocess.Popen(
        [
            *(firefox_path(), "--headless", "--no-remote"),
            *("--profile", str(profile), "--remote-debugging-port", "0"),
            *("--width", "1000", "--height", "800", "about:blank"),
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "MOZ_HEADLESS_WIDTH": "1000", "MOZ_HEADLESS_HEIGHT": "800"},
    )
    try:
        with connect(f"{_address(process)}/session", max_size=None) as socket:
            yield Firefox(socket)
    finally:
        process.terminate()
        process.wait(PATIENCE)
        assert process.stderr is not None
        process.stderr.close()


def _address(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    for line in process.stderr:
        if found := re.search(r"WebDriver BiDi listening on (ws://\S+)", line):
            return found.group(1)
    raise AssertionError("Firefox ended before it listened")
