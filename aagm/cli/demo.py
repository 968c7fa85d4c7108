"""``aagm demo``: the relay with a simulated world, driven in a browser."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from tempfile import TemporaryDirectory
from typing import Any

from twisted.internet.task import react
from twisted.logger import (
    FilteringLogObserver,
    LogLevel,
    LogLevelFilterPredicate,
    globalLogBeginner,
    textFileLogObserver,
)

from aagm.config import load
from aagm.demo.run import Place, run_demo
from aagm.errors import StartFault
from aagm.members import MEMBERS
from aagm.tap import end

PAGE_PORT = 7897


def main(argv: Sequence[str]) -> int:
    """Run the demo until Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="aagm demo",
        description="Run the relay on its usual ports with a simulated world,"
        " shown as a page of this machine.",
    )
    parser.add_argument("--page-port", type=int, default=PAGE_PORT)
    parser.add_argument("--member", choices=MEMBERS, default="kimi")
    parser.add_argument("--bridge", help="endpoint for the page's module")
    parser.add_argument("--mcp", help="endpoint for MCP clients")
    given = vars(parser.parse_args(argv))
    page_port = given.pop("page_port")
    _log_warnings()
    with TemporaryDirectory(prefix="aagm-demo-") as folder:
        settings = load({"data-dir": folder, **given})
        react(_run, (Place(settings, page_port),))
    return 0


async def _run(reactor: Any, place: Place) -> None:
    try:
        await run_demo(reactor, place, _say)
    except StartFault as fault:
        end(fault)


def _say(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def _log_warnings() -> None:
    """Show what went wrong, and nothing else; without this Twisted keeps it all."""
    observer = FilteringLogObserver(
        textFileLogObserver(sys.stderr),
        [LogLevelFilterPredicate(defaultLogLevel=LogLevel.warn)],
    )
    globalLogBeginner.beginLoggingTo([observer], redirectStandardIO=False)
