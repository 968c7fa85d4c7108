"""Answers of the HTTP port: always JSON, refusals as well."""

from __future__ import annotations

from typing import Any

from twisted.web.server import NOT_DONE_YET, Request

from aagm.wire.jsonrpc import Json, dumps

REFUSED = -32000  # JSON-RPC's own range for what a server refuses


def reply(request: Request, status: int, body: Json, **headers: str) -> int:
    """Answer *request* with JSON; header names are given with underscores."""
    for name, value in headers.items():
        request.setHeader(name.replace("_", "-"), value)
    write_json(request, status, dumps(body))
    return NOT_DONE_YET


def write_json(request: Request, status: int, payload: bytes) -> None:
    """Write a whole JSON answer and end it."""
    request.setResponseCode(status)
    request.setHeader(b"content-type", b"application/json")
    request.setHeader(b"content-length", b"%d" % len(payload))
    request.setHeader(b"cache-control", b"no-store")
    request.write(payload)
    request.finish()


def accept(request: Request) -> int:
    """Answer 202 with no body: a notification was taken."""
    request.setResponseCode(202)
    request.setHeader(b"content-length", b"0")
    request.finish()
    return NOT_DONE_YET


def refuse(request: Request, status: int, message: str, **headers: str) -> int:
    """Answer *request* with a refusal that says why."""
    return reply(request, status, refusal(REFUSED, message), **headers)


def dismiss(request: Request, status: int, message: str) -> int:
    """Answer *request* with a refusal, and end its connection with it."""
    request.channel.persistent = False
    return refuse(request, status, message, connection="close")


def refusal(
    code: int, message: str, data: Json = None, id_: str | int | None = None
) -> dict[str, Any]:
    """Shape a refusal as a JSON-RPC error, which every client of the port reads."""
    error: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        error["data"] = data
    return {"jsonrpc": "2.0", "id": id_, "error": error}


def too_large(limit: int) -> bytes:
    """Write a whole HTTP answer for a body past *limit* bytes that still arrives."""
    body = dumps(refusal(REFUSED, f"a body may have at most {limit} bytes"))
    head = (
        "HTTP/1.1 413 Content Too Large\r\n"
        "content-type: application/json\r\n"
        f"content-length: {len(body)}\r\n"
        "connection: close\r\n"
        "\r\n"
    )
    return head.encode() + body
