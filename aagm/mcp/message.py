"""Read one message from an HTTP request: headers, media types, body."""

from __future__ import annotations

from attrs import frozen
from twisted.web.server import Request

from aagm.errors import BadRequest
from aagm.mcp.revisions import Headers
from aagm.wire.jsonrpc import DEPTH, Json, Message, loads, parse_value

_JSON = "application/json"
_EVENTS = "text/event-stream"


@frozen
class MediaFault:
    """Why the media types of a request do not do."""

    status: int
    reason: str


def headers_of(request: Request) -> Headers:
    """Make a function that gives all values of a header by its name."""

    def values(name: str) -> list[str]:
        raw = request.requestHeaders.getRawHeaders(name.encode())
        return [] if raw is None else [each.decode("latin-1") for each in raw]

    return values


def header(request: Request, name: str) -> str | None:
    """Give a header's value; several are joined by commas, and are then no one's.

    None only when it was not sent: an empty one says something, too.
    """
    values = headers_of(request)(name)
    return ", ".join(values) if values else None


def body_of(request: Request) -> bytes:
    """Read the whole body."""
    return b"" if request.content is None else bytes(request.content.read())


def media_fault(request: Request) -> MediaFault | None:
    """Find what is wrong with Content-Type or Accept; None if nothing."""
    kinds = _media(header(request, "content-type"))
    if kinds != [_JSON]:
        return MediaFault(415, f"the body must be {_JSON}")
    accepted = _media(header(request, "accept"))
    for kind in (_JSON, _EVENTS):
        family = f"{kind.partition('/')[0]}/*"
        if not any(each in (kind, family, "*/*") for each in accepted):
            return MediaFault(406, f"Accept must list {_JSON} and {_EVENTS}")
    return None


def read_message(body: bytes) -> Message:
    """Parse the body of a POST.

    Raises:
        Unparseable: Not JSON.
        BadRequest: Not one JSON-RPC message, or nested too deep.
    """
    value = loads(body)
    if _is_deeper(value, DEPTH):
        raise BadRequest(
            "the message is nested too deeply", fix=f"Nest it {DEPTH} levels at most."
        )
    if isinstance(value, dict) and value.get("params", ...) is None:
        del value["params"]  # null is how some clients say that there are none
    return parse_value(value)


def _media(value: str | None) -> list[str]:
    """List the media types in a header, without their parameters."""
    parts = (value or "").split(",")
    return [part.partition(";")[0].strip().lower() for part in parts]


def _is_deeper(value: Json, limit: int) -> bool:
    """Whether *value* has more than *limit* levels of arrays and objects."""
    level = [value]
    for _ in range(limit + 1):
        level = [
            child
            for each in level
            if isinstance(each, dict | list)
            for child in (each.values() if isinstance(each, dict) else each)
        ]
        if not level:
            return False
    return True
