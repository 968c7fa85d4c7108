"""A listener that answers each prompt, until it dies in the middle of something."""

from __future__ import annotations

import http.client
import json
import random
import socket
import struct
import threading
from typing import Any

from attrs import define, field
from raw_socket import call

PAUSE = 0.05  # seconds until a refused or broken call is made again
THOUGHT = 0.03  # seconds before each reply
POLL = 5  # seconds that a poll waits
OCCUPIED = -33005
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: hang up with a reset
HEADERS = {
    "Content-Type": "application/json",
    "Accept": "application/json, text/event-stream",
}


@define(eq=False)
class Post:
    """Where all listeners put what they were given."""

    got: dict[str, list[bool]] = field(factory=dict)  # id -> marked, each time
    replied: set[str] = field(factory=set)  # ids whose reply the relay took
    doubtful: set[str] = field(factory=set)  # ids whose listener died replying
    faults: list[str] = field(factory=list)
    came: threading.Condition = field(factory=threading.Condition)

    def take(self, prompt: dict[str, Any]) -> None:
        """Note one prompt."""
        with self.came:
            again = self.got.setdefault(prompt["promptId"], [])
            again.append(prompt.get("redelivered", False))
            self.came.notify_all()

    def reply(self, prompt_id: str, *, is_taken: bool) -> None:
        """Note that the relay took a reply, or that nobody knows whether it did."""
        with self.came:
            (self.replied if is_taken else self.doubtful).add(prompt_id)
            self.came.notify_all()

    def has_all(self, ids: set[str], patience: float) -> bool:
        """Wait until each of *ids* came and was replied to."""
        with self.came:
            return self.came.wait_for(
                lambda: ids <= self.replied | self.doubtful, patience
            )


@define(eq=False)
class MortalListener:
    """Poll, note, reply; a thread of its own."""

    name: str
    port: int
    post: Post
    rng: random.Random
    _dead: threading.Event = field(factory=threading.Event, init=False)
    _socket: socket.socket | None = field(default=None, init=False)
    _thread: threading.Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Begin."""
        self._thread = threading.Thread(target=self._live, daemon=True)
        self._thread.start()

    def die(self) -> None:
        """End at once, whatever goes on; with a reset or in order, as chance has it."""
        self._dead.set()
        if (sock := self._socket) is not None:
            try:
                if self.rng.random() < 0.5:
                    linger = (socket.SOL_SOCKET, socket.SO_LINGER, RESET)
                    sock.setsockopt(*linger)
                sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it was hanging up itself
        self._thread.join(POLL * 2)

    def _live(self) -> None:
        connection: http.client.HTTPConnection | None = None
        todo: list[dict[str, Any]] = []
        while not self._dead.is_set():
            try:
                if connection is None:
                    connection = http.client.HTTPConnection("127.0.0.1", self.port)
                    connection.connect()
                    self._socket = connection.sock
                self._step(connection, todo)
            except (OSError, http.client.HTTPException, ValueError):
                if connection is not None:
                    connection.close()
                connection = None
                self._dead.wait(PAUSE)
        if connection is not None:
            connection.close()

    def _step(
        self, connection: http.client.HTTPConnection, todo: list[dict[str, Any]]
    ) -> None:
        """Reply to the oldest prompt, or poll for more."""
        if todo:
            prompt = todo[0]
            if self._dead.wait(THOUGHT):
                return
            prompt_id = prompt["promptId"]
            try:
                self._ask(
                    connection,
                    "foundry_send_reply",
                    text=f"reply to {prompt_id}",
                    promptId=prompt_id,
                    tabId=prompt["tabId"],
                )
            except (OSError, http.client.HTTPException):
                if self._dead.is_set():
                    self.post.reply(prompt_id, is_taken=False)
                raise
            self.post.reply(prompt_id, is_taken=True)
            todo.pop(0)
            return
        poll = self._ask(
            connection, "foundry_get_prompts", listenerId=self.name, waitSeconds=POLL
        )
        for prompt in [] if poll is None else poll["prompts"]:
            self.post.take(prompt)
            todo.append(prompt)

    def _ask(
        self, connection: http.client.HTTPConnection, tool: str, **given: Any
    ) -> dict[str, Any] | None:
        """Call a tool; None when another listener has the slot."""
        connection.request("POST", "/mcp", call(tool, **given), HEADERS)
        message = json.loads(_data(connection.getresponse()))
        if "error" in message:
            if message["error"]["code"] != OCCUPIED:
                self.post.faults.append(repr(message))
            self._dead.wait(PAUSE)
            return None
        answer: dict[str, Any] = json.loads(message["result"]["content"][0]["text"])
        if message["result"]["isError"]:
            self.post.faults.append(repr(answer))
        return answer


def _data(response: http.client.HTTPResponse) -> bytes:
    """Read the message of an answer, streamed or not."""
    body = response.read()
    lines = [line for line in body.splitlines() if line.startswith(b"data: ")]
    return lines[-1].removeprefix(b"data: ") if lines else body
