"""The HTTP connection: bodies limited while they arrive, endings that are told.

twisted.web buffers a whole body before anybody sees the request, and forgets a request
once it is answered; these two classes are what we need besides.

Source: MCP_FACTS section 12, pitfall 2; WIRE sections 3 and 6.
"""

from __future__ import annotations

from collections.abc import Callable
from io import BytesIO
from typing import Any

from twisted.internet.interfaces import IAddress
from twisted.python.failure import Failure
from twisted.web.http import HTTPChannel
from twisted.web.server import Request, Site
from typing_extensions import override

from aagm.loopback import is_loopback
from aagm.mcp.replies import too_large
from aagm.relay.ports import Clock

BODY_LIMIT = 4 * 1024 * 1024  # bytes
LINGER = 5  # seconds for a refused client to read its answer and hang up
IDLE = 60  # seconds with nothing asked, and for a request from first byte to last
MOST = 200  # connections at once: each may have a body in memory

Lost = Callable[[Failure], None]


class Channel(HTTPChannel):
    """One connection."""

    site: LoopbackSite  # twisted.web sets it

    def __init__(self) -> None:
        """Begin with nobody watching."""
        super().__init__()
        self._watching: dict[Lost, None] = {}
        self._refused = False
        self._is_reading = False  # a request whose end is not here yet

    def watch(self, lost: Lost) -> None:
        """Call *lost* when the connection ends, unless it is unwatched before."""
        self._watching[lost] = None

    def unwatch(self, lost: Lost) -> None:
        """Do not call *lost* any more."""
        self._watching.pop(lost, None)

    def refuse(self, answer: bytes) -> None:
        """Write *answer* at once, in the middle of a request, and read no more.

        What still arrives is thrown away, so that the client can finish writing
        and read why; closing now could take the answer back.
        """
        self._refused = True
        self.write(answer)
        self.setTimeout(LINGER)

    @override
    def connectionMade(self) -> None:
        """Count the connection."""
        super().connectionMade()
        self.site.channels.add(self)

    @override
    def resetTimeout(self) -> None:
        """Begin to count at a request's first byte: one that trickles in ends, too."""
        if not self._is_reading:
            self._is_reading = True
            super().resetTimeout()

    @override
    def allContentReceived(self) -> None:
        """Take note that the whole request is here."""
        self._is_reading = False
        super().allContentReceived()

    @override
    def dataReceived(self, data: bytes) -> None:
        """Take bytes from the client."""
        if not self._refused:
            super().dataReceived(data)

    @override
    def connectionLost(self, reason: Failure) -> None:  # type: ignore[override]
        """Tell those who watch how the connection ended."""
        super().connectionLost(reason)
        self.site.channels.discard(self)
        watching, self._watching = self._watching, {}
        for lost in watching:
            lost(reason)


class LimitedRequest(Request):
    """A request whose body may not grow past the limit, and is never a form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Switch the parsing of forms off."""
        super().__init__(*args, **kwargs)
        self._parsePOSTFormSubmission = False  # Site has no option for it in 24.10
        self._refused = False

    @override
    def gotLength(self, length: int | None) -> None:
        """Prepare for a body of *length* bytes; None when the client did not say."""
        self.content = self._body = BytesIO()
        if length is not None and length > BODY_LIMIT:
            self._refuse()

    @override
    def handleContentChunk(self, data: bytes) -> None:
        """Take a piece of the body."""
        if self._refused:
            return
        self._body.write(data)
        if self._body.tell() > BODY_LIMIT:
            self._refuse()

    @override
    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:
        """Begin to answer, the body being complete."""
        if not self._refused:
            super().requestReceived(command, path, version)

    def _refuse(self) -> None:
        self._refused = True
        self.content = self._body = BytesIO()
        self.requestHeaders.removeHeader(b"expect")  # no "100 Continue" after it
        channel: Channel = self.channel  # type: ignore[assignment]
        channel.refuse(too_large(BODY_LIMIT))


class LoopbackSite(Site):
    """A site for this machine only, which writes no access log."""

    noisy = False
    protocol = Channel  # type: ignore[assignment]
    requestFactory = LimitedRequest  # noqa: N815 - twisted.web reads it

    def __init__(self, resource: Any, clock: Clock, stop: Callable[[], None]) -> None:
        """Serve *resource*; *stop* is called when the port is closed."""
        super().__init__(resource, timeout=IDLE, reactor=clock)
        self._stop = stop
        self.channels: set[Channel] = set()  # that are open

    @override
    def buildProtocol(self, addr: IAddress | None) -> Any:
        """Make a channel; None for a peer that is not this machine, or too many."""
        host = getattr(addr, "host", None)
        if host is not None and not is_loopback(host):
            return None
        if len(self.channels) >= MOST:
            return None
        return super().buildProtocol(addr)

    @override
    def logPrefix(self) -> str:
        """Name the port as the log shows it."""
        return "The port for MCP clients"

    @override
    def startFactory(self) -> None:
        """Begin; Twisted's own would tick every second for the access log."""

    @override
    def stopFactory(self) -> None:
        """End; no timer is left behind."""
        self._stop()

    @override
    def log(self, request: Any) -> None:
        """Write no access log."""
