"""A listener without a model: it answers every prompt, to show the whole loop.

It uses the official MCP client as any agent's would. A real listener is an MCP client
with a model behind it that was given the prompt ``listen``.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import secrets
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from aagm.cli.reach import add_options, choose, start_command
from aagm.daemon.folder import read_token
from aagm.errors import AagmError, HandlerThrew, ListenerOccupied, StartFault
from aagm.relay.chat.lease import LEASE
from aagm.relay.chat.tab import MAX_LINE
from aagm.wire.codes import code_of

PAUSE = 1.0  # seconds until what is held by others is tried again
LONGEST_PAUSE = 30.0  # seconds; a connection that stays broken is tried less often
PLACE = LEASE + 5  # seconds in which a listener that was ended loses its place
OCCUPIED = code_of(ListenerOccupied("")).number
WAITING = (
    "another listener is there; if it was ended, its place is free within"
    f" {LEASE:g} seconds: waiting"
)
READ = 90.0  # seconds without a byte; a poll waits 25


def main(argv: Sequence[str]) -> int:
    """Listen until the GM types ``/exit``, or Ctrl-C."""
    parser = argparse.ArgumentParser(
        prog="aagm listen",
        description="Answer what is typed in Foundry's chat box, without a model.",
        epilog="A real listener is an MCP client that was given the prompt 'listen'.",
    )
    parser.add_argument(
        "--echo", action="store_true", required=True, help="repeat what was typed"
    )
    add_options(parser)
    parser.add_argument("--url", help="an MCP address [that of the running relay]")
    parser.add_argument(
        "--mcp-token-file", type=Path, help="file with the token the relay asks for"
    )
    given = parser.parse_args(argv)
    token = given.mcp_token_file and read_token(given.mcp_token_file)
    if given.url is None:
        running = choose(given)
        url = f"http://{running.mcp}/mcp"
        start = start_command(running.member, running.data_dir)
    else:
        url, start = given.url, start_command(given.member, given.data_dir)
    _require_http(url)
    asyncio.run(listen(url, echo=given.echo, token=token, start=start))
    return 0


def _require_http(url: str) -> None:
    """Refuse what no relay can be reached at.

    Raises:
        StartFault: It is no http address.
    """
    try:
        parts = urlsplit(url)
        is_one = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_one = is_one and parts.port != 0
    except ValueError:  # brackets without end, a port that there cannot be
        is_one = False
    if not is_one:
        raise StartFault(
            f"{url} is no http address",
            fix="Give the relay's as --url http://127.0.0.1:7899/mcp.",
        )


async def listen(
    url: str, *, echo: bool, token: str | None = None, start: str | None = None
) -> None:
    """Serve the box until it says terminate; broken connections are made anew.

    Args:
        url: The relay's MCP address.
        echo: Whether prompts are answered with their own words; else they are only
            shown here.
        token: The bearer token that the relay asks for.
        start: The command that starts the relay, for who has to.

    Raises:
        ListenerOccupied: Another listener is there, and stays.
        StartFault: The relay asks for a token, or for another.
    """
    listener = _Listener(f"echo-{secrets.token_hex(6)}", echo=echo)
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    outage = _Outage(url, start)
    statuses = _Statuses()
    while True:
        http = httpx2.AsyncClient(
            headers=headers,
            timeout=httpx2.Timeout(READ),
            event_hooks={"response": [statuses.note]},
        )
        try:
            async with http, Client(streamable_http_client(url, http_client=http)) as c:
                outage.ended()
                await listener.serve(c)
                return
        except Exception as e:  # a broken connection has many shapes
            if (occupied := _occupied(e)) is not None:
                raise occupied from e
            if statuses.last == httpx2.codes.UNAUTHORIZED:
                raise _unauthorized(url, token) from e
            pause = outage.noticed(next(_causes(e)))
        await asyncio.sleep(pause)


class _Statuses:
    """What the relay last answered with: the MCP client passes on no HTTP status."""

    last = 0

    async def note(self, response: httpx2.Response) -> None:
        """Take note of an answer."""
        self.last = response.status_code


def _unauthorized(url: str, token: str | None) -> StartFault:
    why = "asks for a token" if token is None else "takes another token than this"
    return StartFault(
        f"the relay at {url} {why}",
        fix="Give --mcp-token-file the same file that the relay was started with.",
    )


class _Outage:
    """What is said while the relay cannot be reached: once that, once the end."""

    def __init__(self, url: str, start: str | None = None) -> None:
        self._url = url
        self._start = start or start_command()
        self._said: str | None = None
        self._pause = PAUSE

    def noticed(self, cause: BaseException) -> float:
        """Say so unless it was said; the seconds until the next try."""
        if (text := str(cause) or type(cause).__name__) != self._said:
            self._said = text
            if isinstance(cause, AagmError):
                _show(f"the relay refused: {text.rstrip('.')}. {cause.fix}")
            else:
                _show(f"not connected to {self._url}: {text}")
            if isinstance(cause, httpx2.ConnectError):
                _show(f"start the relay with: {self._start}")
            _show("it is tried again by itself; Ctrl-C ends this")
        pause, self._pause = self._pause, min(2 * self._pause, LONGEST_PAUSE)
        return pause

    def ended(self) -> None:
        """Say so if there was one."""
        if self._said is not None:
            _show(f"connected to {self._url} again")
        self._said, self._pause = None, PAUSE


class _Listener:
    """The loop of one listener, over any number of connections."""

    def __init__(self, name: str, *, echo: bool) -> None:
        self._name = name
        self._echo = echo

    async def serve(self, client: Client) -> None:
        """Poll and answer until the GM ends it."""
        _show("listening; type in the chat box inside Foundry")
        while True:
            poll = await self._poll(client)
            if poll["terminate"]:
                _show("the GM ended it")
                return
            for prompt in poll["prompts"]:
                await self._answer(client, prompt)
            if poll.get("hold"):
                await _until_internal(client)

    async def _poll(self, client: Client) -> dict[str, Any]:
        """Wait for prompts; a listener that was ended leaves its place in `LEASE`."""
        until: float | None = None
        while True:
            wait = {} if until is None else {"waitSeconds": 0}
            try:
                poll = await _call(client, "get_prompts", listenerId=self._name, **wait)
            except MCPError as e:
                now = time.monotonic()
                if e.code != OCCUPIED or (until is not None and now >= until):
                    raise
                if until is None:
                    until = now + PLACE
                    _show(WAITING)
                await asyncio.sleep(PAUSE)
            else:
                if until is not None:
                    _show("the place is free: listening")
                return poll

    async def _answer(self, client: Client, prompt: dict[str, Any]) -> None:
        mark = " (interrupt)" if prompt.get("interrupt") else ""
        if prompt.get("close"):
            _show(f"{prompt['tabId']}: the tab was closed")
        else:
            _show(f"{prompt['tabId']}{mark}: {prompt['text']}")
        if prompt.get("close") or not self._echo:
            return
        said = f"You typed: {prompt['text']}"
        for start in range(0, len(said), MAX_LINE):
            await _call(
                client,
                "send_reply",
                text=said[start : start + MAX_LINE],
                promptId=prompt["promptId"],
                tabId=prompt["tabId"],
                final=start + MAX_LINE >= len(said),
            )


async def _until_internal(client: Client) -> None:
    """Wait, without a claim to the slot, until the GM types ``/int``."""
    _show("an agent outside Foundry drives; waiting for /int")
    mode = "external"
    while mode == "external":
        await asyncio.sleep(PAUSE)
        mode = (await _call(client, "ping")).get("interactionMode", "internal")


async def _call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool and read its answer, all parts of it.

    Raises:
        AagmError: The answer is an error.
    """
    answer = await _ask(client, f"foundry_{tool}", arguments)
    if answer.get("truncated"):
        text, part = answer["part"], answer
        while "cursor" in part:
            part = await _ask(client, "foundry_more", {"cursor": part["cursor"]})
            text += part["part"]
        answer = json.loads(text)
    return answer


async def _ask(client: Client, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    answer: dict[str, Any] = json.loads(result.content[0].text)  # type: ignore[union-attr]
    if result.is_error:
        error = answer["error"]
        raise HandlerThrew(error["message"], fix=error.get("fix", ""))
    return answer


def _occupied(error: BaseException) -> ListenerOccupied | None:
    """Find in *error* that another listener keeps its place."""
    for cause in _causes(error):
        if isinstance(cause, MCPError) and cause.code == OCCUPIED:
            return ListenerOccupied(
                "another listener is there, and goes on",
                fix="End it, or type /exit in the chat box; then start this again.",
            )
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    """List what is inside groups of exceptions."""
    if isinstance(error, BaseExceptionGroup):
        for each in error.exceptions:
            yield from _causes(each)
    else:
        yield error


def _show(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
