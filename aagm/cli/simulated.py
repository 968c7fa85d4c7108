"""A plug-in in the simulated world: a Node process, one question at a time."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any, cast

from attrs import define, field

from aagm.errors import HandlerThrew, StartFault, TimeLimit
from aagm.foundry import simulator_folder
from aagm.wire.jsonrpc import Params

OLDEST_NODE = 20
PATIENCE = 60.0  # seconds for one answer; the world's own clock does not run


def node() -> str:
    """Find Node.

    Raises:
        StartFault: There is none, or one that is too old.
    """
    need = f"this needs Node {OLDEST_NODE} or newer on the path"
    fix = "Install it from https://nodejs.org, and start again."
    if (found := shutil.which("node")) is None:
        raise StartFault(need, fix=fix)
    told = subprocess.run(  # noqa: S603 - the program that was just found
        [found, "--version"], capture_output=True, text=True, check=False
    ).stdout.strip()
    major = told.removeprefix("v").split(".")[0]
    if not major.isdigit() or int(major) < OLDEST_NODE:
        raise StartFault(f"{need}, not {told or 'this one'}", fix=fix)
    return found


@define(eq=False)
class Simulated:
    """The sample world with one macro in it; `open` it first."""

    _to: IO[str]
    _said: IO[str]
    _kill: Callable[[], None]
    _answers: Queue[str] = field(factory=Queue)

    def open(self, version: str, system: str, *, select: bool = False) -> None:
        """Begin with a fresh world.

        Args:
            version: Foundry's, 12, 13 or 14.
            system: The simulated system's name.
            select: Whether the GM has a token selected.
        """
        self._ask("open", version=version, system=system, select=select)

    def write(self, name: str, source: str) -> None:
        """Make the macro, or have it called or written otherwise."""
        self._ask("macro", name=name, command=source)

    def set_up(self, code: str) -> None:
        """Run code before anything is tried."""
        self._ask("setup", code=code)

    def run(self, params: Params) -> dict[str, Any]:
        """Run an eval recorded: ``{result | error, entries, uncovered}``."""
        ran: dict[str, Any] = self._ask("run", method="eval", params=params)
        return ran

    def undo(self) -> dict[str, Any]:
        """Take the last run back: ``{failed, differ}``."""
        undone: dict[str, Any] = self._ask("undo")
        return undone

    def _ask(self, verb: str, /, **given: Any) -> Any:
        try:
            self._to.write(f"{json.dumps({'cmd': verb, **given})}\n")
            self._to.flush()
        except BrokenPipeError as e:
            raise HandlerThrew("the simulated world ended") from e
        try:
            line = self._answers.get(timeout=PATIENCE)
        except Empty:
            self._kill()
            raise TimeLimit(
                f"no answer within {PATIENCE:.0f} s: an endless loop?"
            ) from None
        if not line:
            raise HandlerThrew("the simulated world ended")
        answer = json.loads(line)
        if not answer["ok"]:
            raise HandlerThrew(answer["error"])
        return answer["value"]

    def read(self) -> None:
        """Take in what the process says, until it ends."""
        for line in self._said:
            if line.startswith('{"ok":'):  # and not what the macro logs
                self._answers.put(line)
        self._answers.put("")


@contextmanager
def simulated() -> Iterator[Simulated]:
    """Start the process; nothing is left running.

    Raises:
        StartFault: There is no Node.
    """
    program = simulator_folder() / "plugins" / "check.js"
    process = subprocess.Popen(  # noqa: S603 - our own script
        [node(), str(program)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    to, said = cast("IO[str]", process.stdin), cast("IO[str]", process.stdout)
    world = Simulated(to, said, process.kill)
    reader = Thread(target=world.read, daemon=True)
    reader.start()
    try:
        yield world
    finally:
        process.kill()
        process.wait()
        reader.join()
        to.close()
        said.close()
