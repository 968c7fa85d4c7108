"""The Sunken Inn as a Node process, with the real module in its game master's tab."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

from attrs import define, field

ROOT = Path(__file__).parent.parent.parent.parent
PROGRAM = ROOT / "foundry" / "tests" / "harness" / "node-world.mjs"
PATIENCE = 30  # seconds for anything that should take one
WORLD = "sunken-inn"
API = 'game.modules.get("aagm").api'
# Connected for the first time, the module makes its macros (two parts of it do, side by
# side) and says so in settings: whoever compares the world later must not meet them.
CONNECTED = f"""
const api = {API};
const settings = () => [...world.server.store.primary("Setting").values()];
return new Promise((resolve) => {{
  const look = () => {{
    const keys = new Set(settings().map(({{ key }}) => key));
    const isMade = keys.has("aagm.provisionedMacros") && keys.has("aagm.lootMacros");
    if (api.isConnected() && isMade) resolve(true);
  }};
  api.onConnection(look);
  Hooks.on("createSetting", look);
  look();
}});
"""


def client_settings(url: str, **more: Any) -> dict[str, Any]:
    """Write what the GM has set in this browser: the module is on and dials *url*."""
    settings = {"enabled": True, "relayUrl": url, **more}
    return {f"aagm.{name}-{WORLD}": value for name, value in settings.items()}


@define(eq=False)
class Pending:
    """A command whose answer is still to come."""

    _number: int
    _answers: queue.Queue[dict[str, Any]] = field(factory=queue.Queue)

    def result(self, patience: float = PATIENCE) -> Any:
        """Wait for the answer."""
        answer = self._answers.get(timeout=patience)
        assert answer["ok"], f"{answer['error']}\n{answer['stack']}"
        return answer["value"]


@define(eq=False)
class NodeWorld:
    """Start the process, send it commands, end it."""

    settings: dict[str, Any]
    options: tuple[str, ...] = ()
    _process: subprocess.Popen[str] = field(init=False)
    _pending: dict[int, Pending] = field(factory=dict, init=False)
    _next: int = field(default=1, init=False)
    _ready: threading.Event = field(factory=threading.Event, init=False)

    def __attrs_post_init__(self) -> None:
        """Start it, and wait until the module's hooks have run."""
        self._process = subprocess.Popen(
            [
                *("node", str(PROGRAM), "--settings", json.dumps(self.settings)),
                *self.options,
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "NODE_NO_WARNINGS": "1"},
        )
        threading.Thread(target=self._read, daemon=True).start()
        assert self._ready.wait(PATIENCE), "the world did not start"

    def send(self, cmd: str, **given: Any) -> Pending:
        """Send a command and do not wait."""
        number, self._next = self._next, self._next + 1
        pending = self._pending[number] = Pending(number)
        assert self._process.stdin is not None
        line = json.dumps({"id": number, "cmd": cmd, **given})
        self._process.stdin.write(f"{line}\n")
        self._process.stdin.flush()
        return pending

    def do(self, cmd: str, **given: Any) -> Any:
        """Send a command and give what it answers."""
        return self.send(cmd, **given).result()

    def run(self, code: str) -> Any:
        """Run code on the page."""
        return self.do("eval", code=code)

    def canonical(self) -> Any:
        """Give all documents, for comparing."""
        return self.do("canonical")

    def is_connected(self) -> bool:
        """Say whether the relay has accepted the tab."""
        return bool(self.run(f"return {API}.isConnected();"))

    def until_connected(self) -> None:
        """Wait until the relay has accepted the tab."""
        assert self.run(CONNECTED)

    def freeze(self) -> None:
        """Stop the tab and its clock, as an endless loop in the page does."""
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._process.send_signal(signal.SIGCONT)

    def kill(self) -> None:
        """Kill the tab, and the world with it."""
        self._process.kill()
        self._process.wait(PATIENCE)

    def close(self) -> None:
        """Leave nothing running."""
        if self._process.poll() is None:
            self.kill()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            try:
                said = json.loads(line)
            except ValueError:
                continue  # what the page wrote to the console
            if said.get("event") == "ready":
                self._ready.set()
            elif (pending := self._pending.pop(said.get("id"), None)) is not None:
                pending._answers.put(said)
