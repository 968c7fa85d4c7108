"""Say what an eval may do, without running it."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from typing import BinaryIO, TextIO

from aagm.errors import BadParams
from aagm.relay.guard import Protected
from aagm.relay.guard import classify as judge


def classify(source: BinaryIO, stdout: TextIO) -> int:
    """Read code from *source* and print its verdict as one line of JSON.

    ``line`` counts from 1, ``column`` from 0. The status is 0 whatever the
    verdict. A syntax error is ``unproven``, with a reason that says so.

    Raises:
        BadParams: It is no text.
    """
    try:
        code = source.read().decode()  # stdin's own text lets bytes through as escapes
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
    """Classify a file, or what comes on standard input."""
    parser = argparse.ArgumentParser(
        prog="aagm classify",
        description="Read JavaScript, as foundry_eval takes it, and print what the"
        " guard says of it.",
    )
    parser.add_argument(
        "file", nargs="?", default="-", help="its file; standard input without"
    )
    file = parser.parse_args(argv).file
    with nullcontext(sys.stdin.buffer) if file == "-" else _opened(file) as code:
        return classify(code, sys.stdout)


def _opened(file: str) -> BinaryIO:
    """Open the code's file.

    Raises:
        BadParams: It cannot be read.
    """
    try:
        return Path(file).open("rb")
    except OSError as e:
        raise BadParams(
            f"{file} cannot be read: {e.strerror}",
            fix="Give a file that you may read, or the code on standard input.",
        ) from e
