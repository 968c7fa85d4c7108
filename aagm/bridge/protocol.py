"""The Autobahn shell: it passes callbacks on and decides nothing.

Source: MCP_FACTS section 11.
"""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus
from typing import Any

import txaio
from attrs import frozen
from autobahn.twisted.websocket import WebSocketServerFactory, WebSocketServerProtocol
from autobahn.websocket.types import ConnectionDeny
from twisted.internet.interfaces import IAddress
from twisted.logger import Logger
from typing_extensions import override

from aagm.bridge.door import Door
from aagm.bridge.settings import BridgeSettings
from aagm.bridge.visit import Visit
from aagm.loopback import Arrival, Denial, is_loopback
from aagm.relay.ports import Clock

LONGEST_HEAD = 16 * 1024  # bytes of an HTTP request before its end
LONGEST_REASON = 123  # bytes that a close frame has room for
OLDEST_VERSION = 13  # RFC 6455: where Origin is called Origin

_log = Logger()


@frozen(eq=False)
class AutobahnWire:
    """The way out through autobahn (`aagm.bridge.connection.Wire`)."""

    _protocol: Any

    def trust(self) -> None:
        """Take frames up to the full size, and log what goes wrong."""
        protocol, largest = self._protocol, self._protocol.factory.largest
        protocol.maxFramePayloadSize = protocol.maxMessagePayloadSize = largest
        protocol.log = WebSocketServerProtocol.log

    def write_frame(self, frame: bytes) -> None:
        """Send one text message; dropped when the WebSocket is not open."""
        if self._is_open():
            self._protocol.sendMessage(frame, isBinary=False)

    def write_ping(self) -> None:
        """Send a ping; dropped when the WebSocket is not open."""
        if self._is_open():
            self._protocol.sendPing()

    def write_close(self, code: int, reason: str) -> None:
        """Begin to close; ``sendClose`` would not take 1001."""
        if self._is_open():
            told = reason.encode("ascii", "replace")[:LONGEST_REASON]
            self._protocol.sendCloseFrame(code=int(code), reasonUtf8=told)

    def cut(self) -> None:
        """Drop the TCP connection now."""
        self._protocol.transport.abortConnection()

    def _is_open(self) -> bool:
        return bool(self._protocol.state == WebSocketServerProtocol.STATE_OPEN)


class BridgeProtocol(WebSocketServerProtocol):  # type: ignore[misc]
    """One socket; everything of ours is in its `Visit`."""

    # autobahn says a line or two of each socket that fails: of a stranger's, of whom
    # there may be any number, the door says what is worth it.
    log = txaio.make_logger(level="error")
    visit: Visit

    @override
    def connectionMade(self) -> None:
        super().connectionMade()
        self.visit.arrived()

    @override
    def dataReceived(self, data: bytes) -> None:
        self.visit.connection.heard()
        if self.state == self.STATE_CONNECTING and len(self.data) > LONGEST_HEAD:
            self.failHandshake("the request's head is too long", 431)
            return
        super().dataReceived(data)

    @override
    def onConnect(self, request: Any) -> None:
        if not _is_local(self.transport.getPeer()):
            return  # it is closed as soon as it is open
        denial = self.factory.door.judge(self._arrival(), is_socket=True)
        if denial is not None:
            raise ConnectionDeny(denial.status, denial.reason)

    @override
    def onOpen(self) -> None:
        def opened() -> None:
            self.registerProducer(self.visit.connection.outbox, True)
            origin = self.http_headers.get("origin")
            is_local = _is_local(self.transport.getPeer())
            self.visit.opened(origin, is_local=is_local)

        _guard(opened, "opening a socket")

    @override
    def onMessage(self, payload: bytes, isBinary: bool) -> None:
        def received() -> None:
            self.visit.received(payload, is_text=not isBinary)

        _guard(received, "taking a frame")

    @override
    def onClose(self, wasClean: bool, code: int | None, reason: str | None) -> None:
        _guard(lambda: self.visit.closed(code), "closing a socket")

    @override
    def sendCloseFrame(
        self,
        code: int | None = None,
        reasonUtf8: bytes | None = None,
        isReply: bool = False,
    ) -> None:
        self.visit.closing(code)
        super().sendCloseFrame(code, reasonUtf8, isReply)

    @override
    def failHandshake(
        self, reason: str, code: int = 400, responseHeaders: Any = None
    ) -> None:
        """Let the door say why; autobahn comes here before and after `onConnect`."""
        arrival = self._arrival() if hasattr(self, "http_headers") else None
        # What a bug of ours raised in `onConnect` may hold anything.
        told = "internal error" if code == HTTPStatus.INTERNAL_SERVER_ERROR else reason
        denial = self.factory.door.deny(arrival, Denial(code, told))
        super().failHandshake(denial.reason, denial.status, responseHeaders)

    @override
    def sendHttpErrorResponse(
        self, code: int, reason: str, responseHeaders: Any = None
    ) -> None:
        """Answer what is no WebSocket: one line of text, and no CORS header."""
        body = f"{reason}\n".encode("ascii", "replace")
        lines = [
            f"HTTP/1.1 {code} {HTTPStatus(code).phrase}",
            "Content-Type: text/plain; charset=utf-8",
            f"Content-Length: {len(body)}",
            "X-Content-Type-Options: nosniff",
            "Cache-Control: no-store",
            "Connection: close",
            *(f"{name}: {value}" for name, value in responseHeaders or ()),
        ]
        if code == HTTPStatus.UPGRADE_REQUIRED:
            lines.append("Upgrade: websocket")
        self.sendData("\r\n".join([*lines, "", ""]).encode("ascii", "replace") + body)

    def _arrival(self) -> Arrival:
        headers: dict[str, str] = self.http_headers
        words = self.http_status_line.split()
        return Arrival(
            headers.get("host"),
            headers.get("origin"),
            frozenset(headers),
            words[1] if len(words) > 1 else "/",
        )


class BridgeFactory(WebSocketServerFactory):  # type: ignore[misc]
    """Make a protocol for each socket, with its visit.

    autobahn's own timers are off: they do not run on the clock that is passed in.
    """

    noisy = False

    def __init__(
        self,
        clock: Clock,
        settings: BridgeSettings,
        door: Door,
        receive: Callable[[AutobahnWire], Visit | None],
    ) -> None:
        """Set every limit; autobahn's defaults are none.

        Args:
            clock: Handed to autobahn as its reactor.
            settings: The limits.
            door: Who judges requests.
            receive: Makes a visit; None when no more come in.
        """
        super().__init__(server="", reactor=clock)
        self.door = door
        self.largest = settings.message
        self._receive = receive
        self.setProtocolOptions(
            versions=[OLDEST_VERSION],
            webStatus=False,
            maxFramePayloadSize=min(settings.stranger, settings.message),
            maxMessagePayloadSize=min(settings.stranger, settings.message),
            maxConnections=settings.sockets,
            failByDrop=False,
            tcpNoDelay=True,
            openHandshakeTimeout=0,
            closeHandshakeTimeout=0,
            allowedOrigins=["*"],
            allowNullOrigin=True,  # so that `onConnect` sees it and answers 403
        )

    @override
    def logPrefix(self) -> str:
        """Name the port as the log shows it."""
        return "The port for Foundry"

    @override
    def buildProtocol(self, addr: IAddress) -> BridgeProtocol | None:
        protocol = BridgeProtocol()
        visit = self._receive(AutobahnWire(protocol))
        if visit is None:
            return None
        protocol.factory = self
        protocol.visit = visit
        return protocol


def _is_local(peer: IAddress) -> bool:
    """Whether a peer is this machine; one on a Unix socket has no host and is."""
    host = getattr(peer, "host", None)
    return host is None or is_loopback(host)


def _guard(act: Callable[[], None], what: str) -> None:
    """Do *act*; autobahn swallows or passes on what it raises, so it is logged here."""
    try:
        act()
    except Exception:  # noqa: BLE001 - last stop: a bug must not close the socket
        _log.failure("{what}", what=what)
