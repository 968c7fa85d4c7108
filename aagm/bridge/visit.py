"""One socket, from its first byte to its end: silence, hello, seat.

Source: WIRE sections 1 and 3.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field, frozen
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.bridge import admission
from aagm.bridge.admission import Close, Refusal
from aagm.bridge.connection import Connection
from aagm.bridge.reception import Reception, Refused
from aagm.bridge.starting import start
from aagm.bridge.tab import Tab
from aagm.errors import AagmError, BadRequest
from aagm.wire.codes import internal, to_error
from aagm.wire.jsonrpc import Fault, Message, Request, encode, parse


@frozen
class Knocking:
    """Nothing was said yet."""

    limit: IDelayedCall


@define
class Greeting:
    """The hello is being judged; what comes meanwhile waits."""

    held: list[tuple[bytes, bool]] = field(factory=list)  # with `is_text`
    size: int = 0  # bytes


@frozen
class Seated:
    """The hello was accepted."""

    tab: Tab


@frozen
class Over:
    """The socket is closed, or about to be."""


VisitState = Knocking | Greeting | Seated | Over


@define(eq=False)
class Visit:
    """Follow one socket; the protocol passes its callbacks on to here.

    Args:
        reception: What all visits share.
        connection: The socket's way out.
        ended: Called once when the socket is gone.
    """

    _log = Logger()

    _reception: Reception
    connection: Connection
    _ended: Callable[[Visit], None]
    _origin: str | None = field(default=None, init=False)
    _is_open: bool = field(default=False, init=False)
    _state: VisitState = field(factory=Over, init=False)
    bad_frames: int = field(default=0, init=False)

    def arrived(self) -> None:
        """Begin: a TCP connection was made."""
        seconds = self._reception.settings.hello_seconds
        self._state = Knocking(self._reception.clock.callLater(seconds, self._too_late))

    def opened(self, origin: str | None, *, is_local: bool) -> None:
        """Take note that the WebSocket is open.

        Args:
            origin: The Origin header.
            is_local: Whether the peer is this machine.
        """
        self._is_open = True
        self._origin = origin
        if not is_local:
            self.dismiss(Close.NOT_LOOPBACK, "only this machine may connect")
            return
        self.connection.watch()

    def received(self, payload: bytes, *, is_text: bool) -> None:
        """Take one frame."""
        match self._state:
            case Knocking():
                self._first(payload, is_text=is_text)
            case Greeting(held):
                held.append((payload, is_text))
                if (
                    sum(len(each) for each, _ in held)
                    > self._reception.settings.message
                ):
                    self.connection.cut()
            case Seated(tab):
                self._further(tab, payload, is_text=is_text)
            case Over():
                pass

    def dismiss(self, code: int, reason: str) -> None:
        """Close the socket from this side; what it still says is dropped."""
        state = self._end()
        if isinstance(state, Seated):
            self._reception.leave(state.tab, reason)
        if self._is_open:
            self.connection.close(code, reason)
        else:
            self.connection.cut()

    def closing(self, code: int | None) -> None:
        """Take note that the socket is closed from this side, by whomever."""
        if isinstance(self._state, Knocking) and code == Close.TOO_LARGE:
            most = self._reception.settings.stranger
            self._reception.door.note(admission.spoke_too_long(most))
        self.connection.closing()

    def closed(self, code: int | None) -> None:
        """Take note that the socket is gone."""
        state = self._end()
        self.connection.lost()
        if isinstance(state, Seated):
            self._reception.leave(state.tab, f"its socket closed ({code or 'no code'})")
        self._ended(self)

    def _end(self) -> VisitState:
        state, self._state = self._state, Over()
        if isinstance(state, Knocking) and state.limit.active():
            state.limit.cancel()
        return state

    def _too_late(self) -> None:
        seconds = self._reception.settings.hello_seconds
        if self._is_open:
            self._reception.door.note(admission.never_spoke(seconds))
        self.dismiss(Close.NO_HELLO, f"no hello within {seconds:g} s")

    def _first(self, payload: bytes, *, is_text: bool) -> None:
        try:
            message = _parse(payload, is_text=is_text)
        except AagmError as e:
            self._refuse(None, admission.not_a_hello(e))
            return
        if isinstance(message, Request) and message.method == "hello":
            self._end()
            self._state = Greeting()
            start(self._greet(message), self._log, "judging a hello")
        else:
            id_ = message.id if isinstance(message, Request) else None
            self._refuse(id_, admission.not_a_hello())

    async def _greet(self, request: Request) -> None:
        door = self._reception.door
        door.greeting += 1
        try:
            entrant = await self._reception.admit(request.params, self._origin)
            if not isinstance(self._state, Greeting):  # it closed meanwhile
                return
            held = self._state.held
            tab = self._reception.seat(entrant, request.id, self.connection)
        except Refused as e:
            self._refuse(request.id, e.refusal)
            return
        except Exception:  # noqa: BLE001 - last stop: a bug must not hang the tab
            self._log.failure("judging a hello")
            self.connection.send(encode(Fault(request.id, internal())))
            self.dismiss(Close.INTERNAL, "internal error")
            return
        finally:
            door.greeting -= 1
        self._state = Seated(tab)
        for payload, is_text in held:
            self._further(tab, payload, is_text=is_text)

    def _refuse(self, request_id: str | int | None, refusal: Refusal) -> None:
        if self._reception.door.note(refusal.reason):
            self._log.info(
                "a hello was refused: {reason} ({code})",
                reason=str(refusal.error),
                code=int(refusal.close),
            )
        if isinstance(self._state, Over):
            return
        self.connection.send(encode(Fault(request_id, to_error(refusal.error))))
        self.dismiss(refusal.close, str(refusal.error))

    def _further(self, tab: Tab, payload: bytes, *, is_text: bool) -> None:
        try:
            message = _parse(payload, is_text=is_text)
        except AagmError as e:
            self.bad_frames += 1
            self._log.warn(
                "frame {count} that is no message: {error}",
                count=self.bad_frames,
                error=str(e),
            )
            tab.complain(e)
            return
        tab.take(message)


def _parse(payload: bytes, *, is_text: bool) -> Message:
    if not is_text:
        raise BadRequest("a message must be a text frame")
    return parse(payload)
