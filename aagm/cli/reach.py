"""Reach a running relay: find its run file, post a verb.

Source: WIRE section 7.
"""

from __future__ import annotations

import argparse
import json
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
_IS_IT_UP = "Look whether it runs; it is started with: twistd --pidfile= -n aagm"
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
            raise StartFault(
                "no relay is running", fix="Start it with: twistd --pidfile= -n aagm"
            )
    names = ", ".join(f"{each.member} in {each.data_dir}" for each in found)
    raise StartFault(
        f"several relays run ({names})", fix="Choose with --member or --data-dir."
    )


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
        raise _told(e) from e
    except (URLError, ValueError) as e:
        raise StartFault(
            f"the relay at {running.mcp} cannot be reached: {e}", fix=_IS_IT_UP
        ) from e
    except (OSError, HTTPException) as e:  # once connected, urllib passes them on
        raise StartFault(
            f"the relay at {running.mcp} gave no answer: {e}", fix=_LOOK
        ) from e


def _told(error: HTTPError) -> AagmError:
    try:
        body: Any = json.load(error)
        return from_error(body["error"])
    except (OSError, HTTPException, ValueError, KeyError, TypeError, AttributeError):
        said = f"the relay answered {error.code} {error.reason}"
        return StartFault(said, fix=_IS_IT_UP)
