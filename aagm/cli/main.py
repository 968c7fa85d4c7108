"""The ``aagm`` command: one module a sub-command, imported only when it is used."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from io import TextIOWrapper

from attrs import frozen

from aagm.errors import AagmError
from aagm.foundry import version

PIPE_CLOSED = 141  # as a shell reports a program that SIGPIPE ended
INTERRUPTED = 130  # or SIGINT


@frozen
class Verb:
    """A sub-command: ``module`` has ``main(argv) -> int``."""

    module: str
    help: str


VERBS = {
    "demo": Verb("aagm.cli.demo", "run the relay with a simulated world in a page"),
    "pair": Verb("aagm.cli.pair", "let one more Foundry tab connect"),
    "points": Verb("aagm.cli.points", "list rollback points, and take them back"),
    "listen": Verb("aagm.cli.listen", "answer what is typed in Foundry's chat box"),
    "classify": Verb("aagm.cli.classify", "say what an eval may do, not running it"),
    "plugin": Verb("aagm.cli.plugin", "try a plug-in in the simulated world"),
    "unit": Verb("aagm.cli.unit", "print a systemd user unit for the relay"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one sub-command; the exit status.

    It ends quietly when whoever reads its output, as ``head``, has seen enough, and
    writes as an escape what the output's encoding does not have.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            return _run(sys.argv[1:] if argv is None else argv)
        finally:
            sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # Python flushes stdout once more when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED


def _run(argv: Sequence[str]) -> int:
    width = max(map(len, VERBS)) + 2
    parser = argparse.ArgumentParser(
        prog="aagm",
        description="A bridge between an AI agent and a live Foundry VTT world.",
        epilog="\n".join(
            [
                "commands:",
                *(f"  {name:{width}}{verb.help}" for name, verb in VERBS.items()),
                "",
                "The relay itself is started with: twistd --pidfile= -n aagm",
            ]
        ),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=version())
    parser.add_argument("command", nargs="?", choices=VERBS, metavar="command")
    # Of the rest argparse would take a -- for itself, which is the command's.
    given = parser.parse_args(argv[:1])
    if given.command is None:  # after an option that there is not was named
        parser.error("a command is needed, one of those that aagm --help lists")
    try:
        status: int = import_module(VERBS[given.command].module).main(argv[1:])
    except AagmError as e:
        fix = f"\n      {e.fix}" if e.fix else ""
        sys.stderr.write(f"aagm: {e}{fix}\n")
        return 1
    return status
