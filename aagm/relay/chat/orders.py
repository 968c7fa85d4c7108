"""Carry out the commands of the box; they work with no agent listening.

Source: DESIGN section 2; PROTOCOL_FACTS section 5.4.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from typing import Protocol

from attrs import define
from twisted.logger import Logger

from aagm.errors import AagmError
from aagm.relay.chat import words
from aagm.relay.chat.box import Box
from aagm.relay.chat.commands import (
    CloseTab,
    Command,
    ListPoints,
    ReadLog,
    Redo,
    RollBack,
    SwitchMode,
    Terminate,
)
from aagm.relay.chat.dispatch import Dispatch
from aagm.relay.chat.gate import Gate
from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.modes import Modes
from aagm.relay.chat.prompt import Parked, Queued
from aagm.relay.ports import Audit
from aagm.relay.start import start
from aagm.wire.jsonrpc import Json

TAIL = 30  # lines of the session log that ``/log`` says

_TYPED_AT = re.compile(r"p-(\d{12,14})-")


class Rollbacks(Protocol):
    """What the box asks of the rollback core; answers as the tools'."""

    async def rollback(self, target: str | None, *, via: str) -> Json:
        """Undo to before a point, the newest live one without *target*."""

    async def redo(self, *, via: str) -> Json:
        """Take the newest rollback back."""

    async def points(self) -> Json:
        """List the points, newest first: ``{points: [brief]}``."""


class Logs(Protocol):
    """What the box asks of the session logs."""

    async def tail(self, name: str | None, lines: int) -> str:
        """Give the last *lines* lines of a log, of the running one without *name*."""


@define(eq=False)
class Orders:
    """Carry out commands.

    Args:
        logs: Reads session logs; None when none are kept.
    """

    _log = Logger()

    _ledger: Ledger
    _box: Box
    _gate: Gate
    _modes: Modes
    _dispatch: Dispatch
    _rollbacks: Rollbacks
    _logs: Logs | None
    _arrived: Callable[[], None]
    _audit: Audit

    def carry_out(self, command: Command, prompt_id: str, tab: str) -> None:
        """Do what was typed in *tab*; what takes time goes on by itself.

        Raises:
            DiskFault: It could not be saved and was not done.
        """
        if isinstance(command, CloseTab):
            self._close(prompt_id, tab)
            return
        self._ledger.save("heard", prompt_id=prompt_id, tab=tab)
        self._audit("chat.command", command=repr(command), tab=tab)
        match command:
            case SwitchMode(is_external=is_external):
                self._modes.switch(is_external=is_external, tab=tab)
            case Terminate():
                self._terminate(prompt_id, tab)
            case RollBack(target=target):
                done = self._rollbacks.rollback(target, via="chat")
                self._say_later(tab, done, words.rolled_back)
            case Redo():
                done = self._rollbacks.redo(via="chat")
                self._say_later(tab, done, words.brought_back)
            case ListPoints():
                self._say_later(tab, self._rollbacks.points(), words.points)
            case ReadLog(name=name):
                self._read_log(tab, name)

    def _close(self, prompt_id: str, tab: str) -> None:
        """Close *tab*: its queue goes and is named elsewhere, the listener is told."""
        unsent = self._unsent(tab)
        marked = self._box.is_external and self._gate.marks(is_working=False)
        self._ledger.save(
            "closed_tab",
            prompt_id=prompt_id,
            tab=tab,
            ts=self._box.stamp(),
            interrupt=marked,
            external=self._box.is_external,
        )
        self._arrived()
        if unsent:
            self._box.say(None, "\n".join(["Closed. Not sent any more:", *unsent]))
        self._box.tabs()
        self._box.status()

    def _terminate(self, prompt_id: str, tab: str) -> None:
        found = _TYPED_AT.match(prompt_id)
        if found and not self._dispatch.is_meant(int(found[1]) / 1000):
            self._box.say(
                tab,
                "The listener that this was meant for has gone. "
                "Type it again to stop the one that listens now.",
            )
            return
        unsent = self._unsent()
        self._ledger.note("cleared")
        self._dispatch.terminate()
        if unsent:
            self._box.say(None, "\n".join(["Stopped. Not sent any more:", *unsent]))
        self._box.tabs()
        self._box.status()

    def _unsent(self, tab: str | None = None) -> list[str]:
        """List what waits to be sent, or is held back; of one tab or of all."""
        waiting = [
            p
            for p in self._ledger.room.prompts.values()
            if isinstance(p.place, Queued | Parked) and not p.is_close
        ]
        return [p.text for p in waiting if tab in (None, p.tab)]

    def _read_log(self, tab: str, name: str | None) -> None:
        if self._logs is None:
            self._box.say(tab, "This relay keeps no session log.")
        else:
            self._say_later(tab, self._logs.tail(name, TAIL), str)

    def _say_later(
        self, tab: str, work: Awaitable[Json], describe: Callable[[Json], str]
    ) -> None:
        """Say what *work* gives, or why it gave nothing, once it is done."""

        async def say() -> None:
            try:
                line = describe(await work)
            except AagmError as e:
                line = words.fault(e)
            self._box.say(tab, line)

        start(say(), self._log, "carrying out a command of the box")
