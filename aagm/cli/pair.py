"""``aagm pair``: let one more Foundry tab in; prints the code to type there."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from aagm.cli.reach import add_options, ask, choose
from aagm.wire.jsonrpc import Json


def main(argv: Sequence[str]) -> int:
    """Open a pairing window in the running relay."""
    parser = argparse.ArgumentParser(
        prog="aagm pair", description="Let one more Foundry tab connect to the relay."
    )
    add_options(parser)
    running = choose(parser.parse_args(argv))
    sys.stdout.write(told(ask(running, "pair", {})))
    return 0


def told(answer: Json) -> str:
    """Say what to do with the code, and for how long it counts."""
    minutes = round(answer["seconds"] / 60)
    return (
        f"Pairing code: {answer['code']}\n"
        "In Foundry: Configure Settings, AAGM, type it into Pairing code and save.\n"
        f"It counts for {minutes} minutes, once.\n"
    )
