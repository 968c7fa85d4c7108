"""Say what an eval may do, without running it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import BinaryIO, TextIO

from aagm.errors import BadParams
from aagm.relay.guard import Protected
from aagm.relay.guard import classify as judge


def classify(stdin: BinaryIO, stdout: TextIO) -> int:
    """Read code from *stdin* and print its verdict as one line of JSON.

    ``line`` counts from 1, ``column`` from 0. The status is 0 whatever the
    verdict. A syntax error is ``unproven``, with a reason that says so.

    Raises:
        BadParams: It is no text.
    """
    try:
        code = stdin.read().decode()  # stdin's own text lets bytes through as escapes
    except UnicodeDecodeError as e:
        raise BadParams("the code is not UTF-8 text") from e
    verdict = judge(code, Protected())
    json.dump(
        {
            "class": verdict.kind,
            "reason": verdict.reason,
            "line": verdict.line,
            "column": verdict.column,
        },
        stdout,
    )
    stdout.write("\n")
    return 0


def main(argv: Sequence[str]) -> int:
    """Classify what comes on standard input."""
    parser = argparse.ArgumentParser(
        prog="aagm classify",
        description="Read JavaScript on standard input, as foundry_eval takes it,"
        " and print what the guard says of it.",
    )
    parser.parse_args(argv)
    return classify(sys.stdin.buffer, sys.stdout)
