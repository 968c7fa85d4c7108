"""``twistd -n aagm``: the options, and what twistd starts; `aagm.parts` joins."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn, TextIO

from twisted.application.service import IService, MultiService
from twisted.python import usage
from typing_extensions import override

from aagm.config import load
from aagm.daemon.turns import settle
from aagm.errors import StartFault
from aagm.parts import Relay, join


class Options(usage.Options):
    """What stands after ``aagm`` on twistd's command line."""

    synopsis = "[options]"
    longdesc = "Connect an AI agent with a live Foundry VTT world, on this machine."
    optParameters = tuple(  # noqa: N815 - usage.Options reads this name
        (name, None, None, help_text)
        for name, help_text in {
            "member": "who the agent is: kimi (the default) or grok",
            "bridge": "endpoint for the Foundry module [tcp:7898 on loopback]",
            "mcp": "endpoint for MCP clients [tcp:7899 on loopback]",
            "data-dir": "folder of points, logs and state",
            "config": "TOML file with the same names; options win",
            "pairing": "required (the default) or off",
            "mcp-token-file": "file with a token that MCP clients must send",
        }.items()
    )

    def __init__(self) -> None:
        """Begin with nothing given."""
        super().__init__()
        self["allow-origin"] = []
        self["mirror-root"] = []

    def opt_allow_origin(self, origin: str) -> None:
        """Let pages of this origin connect, beside this machine's own (repeatable)."""
        self["allow-origin"].append(origin)

    def opt_mirror_root(self, folder: str) -> None:
        """Folder under which macros may be mirrored (repeatable)."""
        self["mirror-root"].append(folder)

    @override
    def parseOptions(self, options: Sequence[str] | None = None) -> None:
        """Parse; what is wrong ends the process with one sentence, without help."""
        try:
            super().parseOptions(options)
        except usage.UsageError as e:
            end(StartFault(str(e).rstrip(".")))


def end(fault: StartFault) -> NoReturn:
    """End the process: one sentence on stderr, its own cure if it has one, status 1.

    twistd turns stderr into log lines while a service starts; the person who typed
    the command reads the real one.
    """
    if sys.__stderr__ is not None:
        cure = "" if fault.fix == fault.usual_fix else f" {fault.fix}"
        sys.__stderr__.write(f"aagm: {fault}.{cure}\n")
        sys.__stderr__.flush()
    raise SystemExit(1)


def terminal() -> TextIO | None:
    """Find the terminal of whoever started the relay by hand.

    What is written there reaches no log: twistd has its own idea of stdout by then.
    """
    for stream in (sys.__stderr__, sys.__stdout__):
        if stream is not None and stream.isatty():
            return stream
    return None


def show_on_terminal(code: str) -> None:
    """Show a pairing code, if there is a terminal."""
    if (stream := terminal()) is not None:
        stream.write(f"Pairing code for a new Foundry tab: {code}\n")
        stream.flush()


class Daemon(MultiService):
    """The relay under twistd: a fault ends the process, a terminal gets a code."""

    def __init__(self, relay: Relay) -> None:
        """Take the relay in."""
        super().__init__()
        relay.service.setServiceParent(self)
        self._pairing = relay.pairing

    @override
    def startService(self) -> None:
        """Start the relay, or end."""
        try:
            super().startService()
        except StartFault as fault:
            end(fault)
        settle()
        if self._pairing is not None and terminal() is not None:
            self._pairing.open_window(None)


def makeService(options: Options) -> IService:  # noqa: N802 - twistd calls this name
    """Make the relay that *options* describe; twistd starts it."""
    from twisted.internet import reactor  # noqa: PLC0415 - only when we are chosen

    given = dict(options)
    config = given.pop("config")
    try:
        settings = load(given, config=None if config is None else Path(config))
        relay = join(reactor, settings, show_code=show_on_terminal)
    except StartFault as fault:
        end(fault)
    return Daemon(relay)
