"""The game master's side of the chat: the real module's API in a Node world."""

from __future__ import annotations

import json
from typing import Any

from attrs import define
from node_world import API, NodeWorld, Pending

# Keeps what the module is told, each kind by the name of the function that hears it.
_HEAR = f"""
const kinds = ["Reply", "Status", "Mode", "Tabs", "Cancelled", "ListenerRefused"];
globalThis.heard = Object.fromEntries(kinds.map((kind) => [kind, []]));
for (const kind of kinds) {{
  {API}[`on${{kind}}`]((what) => globalThis.heard[kind].push(what));
}}
"""

# Types, and waits until the relay has said that it has it.
_TYPE = """
const id = api.sendPrompt(text, tabId);
return new Promise((resolve) => {
  const look = (waiting) => {
    if (waiting.some(({ promptId }) => promptId === id)) return;
    off();
    resolve(id);
  };
  const off = api.onWaiting(look);
});
"""

# Asks for everything, as a box that opens does; the cards come last.
_LOOK = """
return new Promise((resolve) => {
  const cancelled = new Map(); // told again, a tab's newest counts
  const seen = {};
  const offs = [
    api.onTabs(({ tabs }) => (seen.tabs = tabs)),
    api.onCancelled((what) => cancelled.set(what.tabId, what)),
    api.onStatus((status) => (seen.status = status)),
    api.onMode(({ mode }) => (seen.mode = mode)),
    api.onRollback(({ event }) => {
      if (event !== "sync") return;
      for (const off of offs) off();
      resolve({ ...seen, cancelled: [...cancelled.values()] });
    }),
  ];
  api.requestStatus();
});
"""

_UNTIL = """
return new Promise((resolve) => {
  const look = ({ tabs }) => {
    if (!(HOLDS)) return;
    off();
    resolve(tabs);
  };
  const off = api.onTabs(look);
  api.requestStatus();
});
"""


def said_by(api_code: str, **given: Any) -> str:
    """Write code that runs with the module's API and what is given by name."""
    values = [f"const {name} = {json.dumps(value)};" for name, value in given.items()]
    return "\n".join([f"const api = {API};", *values, api_code])


@define(eq=False)
class ChatBox:
    """Type, and see what the module is told."""

    world: NodeWorld

    def open(self) -> None:
        """Begin to hear; again after each reload."""
        self.world.run(_HEAR)

    def type(self, text: str, tab: str | None = "t-1") -> str:
        """Type something and wait until the relay has it; its id."""
        prompt_id: str = self.typing(text, tab).result()
        return prompt_id

    def typing(self, text: str, tab: str | None = "t-1") -> Pending:
        """Type something and do not wait."""
        tab_code = "undefined" if tab is None else json.dumps(tab)
        code = f"const tabId = {tab_code};\n{_TYPE}"
        return self.world.send("eval", code=said_by(code, text=text))

    def drop(self, text: str, tab: str) -> str:
        """Type something that the module may have to keep; its id."""
        code = "return api.sendPrompt(text, tabId);"
        prompt_id: str = self.world.run(said_by(code, text=text, tabId=tab))
        return prompt_id

    def waiting(self) -> list[dict[str, Any]]:
        """List what the relay has not confirmed."""
        waiting: list[dict[str, Any]] = self.world.run(f"return {API}.waiting();")
        return waiting

    def until_taken(self) -> None:
        """Wait until the relay has confirmed everything that was typed."""
        code = """
        return new Promise((resolve) => {
          const look = (waiting) => waiting.length || resolve(true);
          api.onWaiting(look);
          look(api.waiting());
        });
        """
        assert self.world.run(said_by(code))

    def look(self) -> dict[str, Any]:
        """Ask for everything: tabs, cancelled prompts, status, mode.

        What the relay told before has been heard when this comes back.
        """
        seen: dict[str, Any] = self.world.run(said_by(_LOOK))
        return seen

    def tabs(self) -> dict[str, dict[str, Any]]:
        """Ask for the tabs, by id."""
        return {tab["id"]: tab for tab in self.look()["tabs"]}

    def lines(self, tab: str) -> list[tuple[str, str]]:
        """Ask for a tab's transcript: role and text of each line."""
        return [(each["role"], each["text"]) for each in self.tabs()[tab]["transcript"]]

    def until_tabs(self, holds: str) -> None:
        """Wait until a condition in JavaScript holds of the array ``tabs``."""
        self.world.run(said_by(_UNTIL.replace("HOLDS", holds)))

    def expect_status(self) -> None:
        """Begin to wait for the next status, once all that was told is heard."""
        self.look()
        next_one = "new Promise((resolve) => api.onStatus(() => resolve(true)))"
        self.world.run(said_by(f"globalThis.nextStatus = {next_one};"))

    def expected_status(self) -> None:
        """Wait for the status that was expected."""
        assert self.world.run("return globalThis.nextStatus;")

    def until_status(self, state: str) -> None:
        """Wait until the box is told that state."""
        code = """
        return new Promise((resolve) => {
          const look = (status) => status.state === wanted && resolve(true);
          api.onStatus(look);
          api.requestStatus();
        });
        """
        assert self.world.run(said_by(code, wanted=state))

    def until_replied(self, text: str, tab: str) -> None:
        """Wait until an answer shows in a tab."""
        line = f"each.text === {json.dumps(text)} && each.role === 'assistant'"
        self.until_tabs(
            f"tabs.some((tab) => tab.id === {json.dumps(tab)}"
            f" && tab.transcript.some((each) => {line}))"
        )

    def heard(self, kind: str) -> list[Any]:
        """List what was told of a kind since the last look, and forget it."""
        self.look()
        code = f'return globalThis.heard["{kind}"].splice(0);'
        heard: list[Any] = self.world.run(code)
        return heard

    def forget(self) -> None:
        """Forget what was heard."""
        self.look()
        self.world.run(
            "for (const all of Object.values(globalThis.heard)) all.length = 0;"
        )

    def said(self) -> list[str]:
        """List what the relay itself said since the last look."""
        return [each["text"] for each in self.heard("Reply") if each.get("system")]

    def set(self, name: str, value: Any) -> None:
        """Change one of our world settings; the relay knows it then."""
        self.world.do("settings", key=f"aagm.{name}", value=value)
        self.look()
