"""Which revisions of MCP we speak, and how a message says which it is.

Pure. There are two eras on one address: up to 2025-11-25 a client begins with
``initialize``; from 2026-07-28 on, every request carries an envelope in ``_meta``.

Source: MCP_FACTS section 5.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable

from attrs import frozen

from aagm.wire.jsonrpc import Json, Params, Request

HANDSHAKE = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN = ("2026-07-28",)
REVISIONS = (*HANDSHAKE, *MODERN)
LATEST_HANDSHAKE = HANDSHAKE[-1]
ASSUMED = "2025-03-26"  # of a handshake client that sends no version header

_PREFIX = "io.modelcontextprotocol/"
VERSION_KEY = f"{_PREFIX}protocolVersion"
CAPABILITIES_KEY = f"{_PREFIX}clientCapabilities"
LOG_LEVEL_KEY = f"{_PREFIX}logLevel"
SERVER_KEY = f"{_PREFIX}serverInfo"

CANCELLED = -32800
HEADER_MISMATCH = -32020
UNSUPPORTED_VERSION = -32022
INVALID_PARAMS = -32602

# Which member of params the header Mcp-Name repeats.
_NAMED = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
_STATUS = {
    -32700: 400,
    -32600: 400,
    -32602: 400,
    -32601: 404,
    HEADER_MISMATCH: 400,
    UNSUPPORTED_VERSION: 400,
}

Headers = Callable[[str], list[str]]  # all values of a header, by its name


@frozen
class Refusal:
    """Why a message is not taken, as JSON-RPC and HTTP say it."""

    status: int
    code: int
    message: str
    data: Json = None


def meta_of(params: Params) -> Params:
    """Give the ``_meta`` of *params*; empty where it is none."""
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def is_modern(method: str, params: Params, version: str | None) -> bool:
    """Whether a request belongs to the era without a handshake.

    A request with an envelope does, even when its *version* header is missing or
    of the other era: it is then told what it did wrong.
    """
    if version in MODERN:
        return True
    return method != "initialize" and VERSION_KEY in meta_of(params)


def negotiate(requested: Json) -> str:
    """Choose the revision of a handshake: the one asked for, else our latest."""
    return requested if requested in HANDSHAKE else LATEST_HANDSHAKE


def status_of(code: int, revision: str) -> int:
    """Give the HTTP status of a JSON-RPC error; the handshake era has always 200."""
    return _STATUS.get(code, 200) if revision in MODERN else 200


def unsupported(version: str) -> Refusal:
    """Refuse a message of a revision that we do not speak."""
    return Refusal(
        400,
        UNSUPPORTED_VERSION,
        "Unsupported protocol version",
        {"supported": list(REVISIONS), "requested": version},
    )


def envelope_fault(request: Request, headers: Headers) -> Refusal | None:
    """Find what is wrong with the envelope of a modern request; None if nothing.

    The order is the spec's: the envelope's shape, the headers, the version.
    """
    meta = meta_of(request.params)
    missing = [key for key in (VERSION_KEY, CAPABILITIES_KEY) if key not in meta]
    if missing:
        return Refusal(
            400, INVALID_PARAMS, f"params._meta lacks {' and '.join(missing)}"
        )
    if (name := _mismatch(request, headers)) is not None:
        return Refusal(
            400, HEADER_MISMATCH, f"the header {name} does not match the body"
        )
    version = meta[VERSION_KEY]
    if version in MODERN:
        return None
    return Refusal(
        400,
        UNSUPPORTED_VERSION,
        "Unsupported protocol version",
        {"supported": list(MODERN), "requested": version},
    )


def _mismatch(request: Request, headers: Headers) -> str | None:
    """Name the first header that is missing, doubled, or not what the body says."""
    if headers("mcp-protocol-version") != [meta_of(request.params)[VERSION_KEY]]:
        return "MCP-Protocol-Version"
    if headers("mcp-method") != [request.method]:
        return "Mcp-Method"
    key = _NAMED.get(request.method)
    name = None if key is None else request.params.get(key)
    if name is not None and [_decode(v) for v in headers("mcp-name")] != [name]:
        return "Mcp-Name"
    return None


def _decode(value: str) -> str | None:
    """Decode a header value, which may be ``=?base64?...?=``; None when broken."""
    if not (value.startswith("=?base64?") and value.endswith("?=")):
        return value
    try:
        return base64.b64decode(value[9:-2], validate=True).decode()
    except (binascii.Error, ValueError):
        return None
