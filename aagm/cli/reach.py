"""Reach a running relay: find its run file, post a verb.

Source: WIRE section 7.
"""

from __future__ import annotations

import argparse
import json
import shlex
from collections.abc import Iterable
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import ProxyHandler, Request, build_opener

from aagm.daemon.run_file import Running, find, run_folders
from aagm.errors import AagmError, StartFault
from aagm.members import MEMBERS
from aagm.wire.codes import from_error
from aagm.wire.jsonrpc import Json, Params

PATIENCE = 330.0  # seconds; a rollback of one point may take 300
_LOOK = "Look with aagm points list at what was done, before you repeat it."


def add_options(parser: argparse.ArgumentParser, *, again: bool = False) -> None:
    """Let *parser* take what chooses among several relays.

    Args:
        parser: Of a command, or of one of its sub-commands.
        again: A sub-command takes them as well, and leaves what stood before it.
    """
    default = argparse.SUPPRESS if again else None
    parser.add_argument(
        "--member", choices=MEMBERS, default=default, help="the relay of this member"
    )
    parser.add_argument(
        "--data-dir", type=Path, default=default, help="the relay of this data folder"
    )


def choose(given: argparse.Namespace) -> Running:
    """Find the one running relay that is meant.

    Raises:
        StartFault: There is none, or more than one.
    """
    data_dir = given.data_dir and given.data_dir.resolve()
    state = data_dir and data_dir / "state"
    found = [
        running
        for running in find(run_folders(state), data_dir=data_dir)
        if given.member in (None, running.member)
    ]
    match found:
        case [running]:
            return running
        case []:
            of = f" of {given.member}" if given.member else ""
            where = f" in {data_dir}" if data_dir else ""
            others = find(run_folders(state))
            but = f"; there is {_names(others)}" if others else ""
            raise StartFault(
                f"no relay{of} is running{where}{but}",
                fix=f"Start it with: {start_command(given.member, data_dir)}",
            )
    raise StartFault(
        f"several relays run ({_names(found)})",
        fix="Choose with --member or --data-dir.",
    )


def start_command(member: str | None = None, data_dir: str | Path | None = None) -> str:
    """Write how the relay of *member* in *data_dir* is started; None: the usual."""
    words = ["twistd", "--pidfile=", "-n", "aagm"]
    for option, value in (("--member", member), ("--data-dir", data_dir)):
        words += [] if value is None else [option, str(value)]
    return shlex.join(words)


def _names(found: Iterable[Running]) -> str:
    return ", ".join(f"{each.member} in {each.data_dir}" for each in found)


def ask(running: Running, verb: str, params: Params) -> Json:
    """Post a verb and give what the relay answers.

    Raises:
        StartFault: The relay cannot be reached, or ended before it answered.
        AagmError: What the relay answered.
    """
    request = Request(
        f"http://{running.mcp}/control/{verb}",
        data=json.dumps(params).encode(),
        headers={
            "Authorization": f"Bearer {running.token}",
            "Content-Type": "application/json",
        },
        method="POST",
    )
    opener = build_opener(ProxyHandler({}))  # loopback never goes through a proxy
    try:
        with opener.open(request, timeout=PATIENCE) as answer:
            return json.load(answer)
    except HTTPError as e:
        raise _told(e, running) from e
    except (URLError, ValueError) as e:
        raise StartFault(
            f"the relay at {running.mcp} cannot be reached: {e}",
            fix=_is_it_up(running),
        ) from e
    except (OSError, HTTPException) as e:  # once connected, urllib passes them on
        raise StartFault(
            f"the relay at {running.mcp} gave no answer: {e}", fix=_LOOK
        ) from e


def _is_it_up(running: Running) -> str:
    command = start_command(running.member, running.data_dir)
    return f"Look whether it runs; it is started with: {command}"


def _told(error: HTTPError, running: Running) -> AagmError:
    try:
        body: Any = json.load(error)
        return from_error(body["error"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError, AttributeError):
        said = f"the relay answered {error.code} {error.reason}"
        return StartFault(said, fix=_is_it_up(running))
