"""``/mcp``: Streamable HTTP in both eras, on the default reactor.

A POST carries one JSON-RPC message. There is no stream of its own for a GET: what a
call has to say rides on its answer.

Source: MCP_FACTS sections 1, 5 and 12; FIELD_LESSONS 93 to 98.
"""

from __future__ import annotations

from attrs import define
from twisted.web.server import Request

from aagm.errors import BadRequest, Unparseable
from aagm.mcp import revisions
from aagm.mcp.bearer import Bearer
from aagm.mcp.calls import Calls
from aagm.mcp.message import body_of, header, headers_of, media_fault, read_message
from aagm.mcp.replies import REFUSED, accept, refusal, refuse, reply
from aagm.mcp.revisions import Refusal
from aagm.mcp.sessions import LONGEST, Session, Sessions
from aagm.wire import jsonrpc
from aagm.wire.codes import to_error

VERSION = "mcp-protocol-version"
SESSION = "mcp-session-id"

_ASKS_BEARER = "a bearer token is needed: that in the relay's mcp-token-file"
_ENDED = Refusal(404, REFUSED, "this session was ended; initialize again")
_NO_ID = Refusal(
    404,
    REFUSED,
    f"Mcp-Session-Id must be 1 to {LONGEST} visible ASCII characters; initialize, and "
    "send the id that the answer has",
)
_NO_ANSWERS = Refusal(400, -32600, "a server of this revision asks nothing")


@define(eq=False)
class Endpoint:
    """The resource at ``/mcp``."""

    _calls: Calls
    _sessions: Sessions
    _token: Bearer | None  # None: anybody on this machine may ask

    def render(self, request: Request) -> int:
        """Answer one HTTP request."""
        if self._token is not None and not self._token.admits(request):
            return refuse(request, 401, _ASKS_BEARER, www_authenticate="Bearer")
        is_modern = header(request, VERSION) in revisions.MODERN
        match request.method:
            case b"POST":
                return self._post(request)
            case b"DELETE" if not is_modern:
                return self._delete(request)
        allow = "POST" if is_modern else "POST, DELETE"
        return refuse(request, 405, "POST a message; there is no stream", allow=allow)

    def _delete(self, request: Request) -> int:
        if (id_ := header(request, SESSION)) is None:
            return refuse(request, 400, "DELETE needs the header Mcp-Session-Id")
        if not self._sessions.end(id_):
            return refuse(request, 404, "there is no such session")
        return reply(request, 200, {"ended": True})

    def _post(self, request: Request) -> int:
        if (fault := media_fault(request)) is not None:
            return refuse(request, fault.status, fault.reason)
        try:
            message = read_message(body_of(request))
        except (Unparseable, BadRequest) as e:
            return reply(request, 400, refusal(**to_error(e)))
        version = header(request, VERSION)
        match message:
            case jsonrpc.Request():
                return self._ask(request, message, version)
            case _ if version is not None and version not in revisions.REVISIONS:
                return _refuse(request, revisions.unsupported(version))
            case jsonrpc.Notification():
                self._take(request, message, version)
            case _ if version in revisions.MODERN:
                return _refuse(request, _NO_ANSWERS)
        return accept(request)

    def _ask(
        self, request: Request, message: jsonrpc.Request, version: str | None
    ) -> int:
        if revisions.is_modern(message.method, message.params, version):
            fault = revisions.envelope_fault(message, headers_of(request))
            if fault is not None:
                return _refuse(request, fault, message.id)
            return self._calls.modern(request, message)
        if version is not None and version not in revisions.HANDSHAKE:
            return _refuse(request, revisions.unsupported(version), message.id)
        if message.method == "initialize":
            version = revisions.negotiate(message.params.get("protocolVersion"))
            return self._calls.handshake(request, message, version, None)
        session: Session | None = None
        if (id_ := header(request, SESSION)) is not None:
            session = self._sessions.find(id_)
            if session is None:
                fault = _ENDED if self._sessions.was_ended(id_) else _NO_ID
                return _refuse(request, fault, message.id)
        if version is None:
            version = revisions.ASSUMED if session is None else session.revision
        return self._calls.handshake(request, message, version, session)

    def _take(
        self, request: Request, message: jsonrpc.Notification, version: str | None
    ) -> None:
        """Take what wants no answer; only a cancellation means something here.

        It counts inside its own session. In the modern era a client cancels by
        hanging up, and a posted cancellation may be about somebody else's call.
        """
        session_id, id_ = header(request, SESSION), message.params.get("requestId")
        if (
            message.method == "notifications/cancelled"
            and version not in revisions.MODERN
            and session_id is not None
            and isinstance(id_, str | int)
            and (session := self._sessions.find(session_id)) is not None
        ):
            session.cancel(id_)


def _refuse(request: Request, fault: Refusal, id_: str | int | None = None) -> int:
    body = refusal(fault.code, fault.message, fault.data, id_)
    return reply(request, fault.status, body)
