"""One accepted Foundry tab: what it said, what it is told, what it is asked.

Source: WIRE sections 1 and 2; PROTOCOL_FACTS section 2.
"""

from __future__ import annotations

from uuid import uuid4

from attrs import define, field
from twisted.logger import Logger

from aagm.bridge.calls import Calls, LateAnswers
from aagm.bridge.connection import Connection
from aagm.bridge.starting import start
from aagm.errors import AagmError, BadRequest, TooLarge
from aagm.relay.ports import BridgeEvents, Clock
from aagm.wire.codes import from_error, internal, to_error
from aagm.wire.hello import Hello
from aagm.wire.jsonrpc import (
    Fault,
    Message,
    Notification,
    Params,
    Request,
    Result,
    encode,
)

LONGEST_WORD = 80  # characters of what a tab sent, in a line of the log
HIDDEN = "aagm.hidden"  # {hidden}: ours, so that what is slow can say why


@define(eq=False)
class Tab:
    """An accepted tab (`TabLink`).

    What is sent to it before `greet` follows the hello's answer.

    Args:
        clock: What limits run on.
        hello: What the tab said of itself.
        since: When it came, seconds since 1970.
        connection: Its WebSocket.
        events: Who hears what it says.
        largest: Bytes a frame may have.
        late_answers: Shared by all tabs.
    """

    _log = Logger()

    _clock: Clock
    hello: Hello
    since: float  # seconds since 1970
    connection: Connection
    _events: BridgeEvents
    _largest: int
    _late_answers: LateAnswers
    session_id: str = field(init=False)
    calls: Calls = field(init=False)
    is_owner: bool = field(default=False, init=False)
    is_hidden: bool = field(default=False, init=False)
    _is_gone: bool = field(default=False, init=False)
    _held: list[bytes] | None = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        """Name the session, and be ready to ask."""
        self.session_id = f"sess-{uuid4()}"
        self.is_hidden = self.hello.is_hidden
        self.calls = Calls(
            self._clock,
            send=self.send,
            largest=self._largest,
            late_answers=self._late_answers,
            is_hidden=lambda: self.is_hidden,
        )

    def greet(self, answer: Result) -> None:
        """Answer the hello, then send what was held back."""
        held, self._held = self._held or [], None
        for frame in [encode(answer), *held]:
            self.connection.send(frame)

    def send(self, frame: bytes) -> None:
        """Send a frame; dropped when the socket is gone."""
        if self._is_gone:
            return
        if self._held is not None:
            self._held.append(frame)
        else:
            self.connection.send(frame)

    def notify(self, method: str, params: Params) -> None:
        """Send a notification; dropped when the socket is gone."""
        frame = encode(Notification(method, params))
        if len(frame) > self._largest:
            self._log.warn(
                "{method} was not sent: {size} bytes", method=method, size=len(frame)
            )
            return
        self.send(frame)

    def take(self, message: Message) -> None:
        """Take one message of the tab's; dropped when the tab was replaced."""
        if self._is_gone:
            return
        match message:
            case Result(id_, value):
                self.calls.settle(id_, value)
            case Fault(id_, error):
                self.calls.settle(id_, from_error(error))
            case Notification(method, params):
                self._notified(method, params)
            case Request():
                start(self._answer(message), self._log, "answering the module")

    def complain(self, error: AagmError) -> None:
        """Say that a frame could not be read."""
        self.send(encode(Fault(None, to_error(error))))

    def leave(self, reason: str) -> None:
        """Fail what is pending: the socket is gone."""
        self._is_gone = True
        self.calls.lose(reason)

    def _notified(self, method: str, params: Params) -> None:
        if method == HIDDEN:
            self.is_hidden = params.get("hidden") is True
            return
        try:
            self._events.notified(self, method, params)
        except AagmError as e:
            self._log.warn(
                "{method} was dropped: {error}", method=cut(method), error=cut(str(e))
            )
        except Exception:  # noqa: BLE001 - last stop: a bug must not close the socket
            self._log.failure("taking {method}", method=cut(method))

    async def _answer(self, request: Request) -> None:
        try:
            frame = await self._ask(request)
        except AagmError as e:
            frame = encode(Fault(request.id, to_error(e)))
        except Exception:  # noqa: BLE001 - last stop: a bug must not close the socket
            self._log.failure("answering {method}", method=cut(request.method))
            frame = encode(Fault(request.id, internal()))
        self.send(frame)

    async def _ask(self, request: Request) -> bytes:
        if request.method == "hello":
            raise BadRequest("hello was said already")
        value = await self._events.asked(self, request.method, request.params)
        frame = encode(Result(request.id, value))
        if len(frame) > self._largest:
            raise TooLarge(f"the answer to {request.method} is too large to be sent")
        return frame


def cut(text: str) -> str:
    """Shorten what a tab sent, for a line of the log."""
    return text[:LONGEST_WORD]
