"""The one table of error codes, for WebSocket and MCP alike.

Source: WIRE section 3; JSON-RPC 2.0 section 5.1.
"""

from __future__ import annotations

from typing import Any

from attrs import frozen

from aagm import errors
from aagm.errors import AagmError


@frozen
class Code:
    """A JSON-RPC error code and its name in answers to a model."""

    number: int
    name: str


_TABLE: dict[type[AagmError], Code] = {
    errors.Unparseable: Code(-32700, "parse-error"),
    errors.BadRequest: Code(-32600, "invalid-request"),
    errors.MethodUnknown: Code(-32601, "method-not-found"),
    errors.BadParams: Code(-32602, "invalid-params"),
    errors.Internal: Code(-32603, "internal-error"),
    errors.StartFault: Code(-32603, "internal-error"),
    errors.NotCapable: Code(-33001, "not-capable"),
    errors.HandlerThrew: Code(-33002, "handler-threw"),
    errors.NoModule: Code(-33003, "no-module"),
    errors.BridgeLost: Code(-33003, "no-module"),
    errors.ListenerOccupied: Code(-33005, "listener-occupied"),
    errors.PairingRequired: Code(-33006, "pairing-required"),
    errors.VersionMismatch: Code(-33007, "version-mismatch"),
    errors.NotGameMaster: Code(-33008, "not-gm"),
    errors.TooLarge: Code(-33009, "too-large"),
    errors.TimeLimit: Code(-33010, "time-limit"),
    errors.LaneBusy: Code(-33012, "lane-busy"),
    errors.DiskFault: Code(-33013, "disk"),
    errors.CallerLeft: Code(-32603, "internal-error"),
    errors.UnknownVersion: Code(-32603, "internal-error"),
    errors.ProtectedDocument: Code(-33014, "protected"),
}

# What a peer's error number becomes here; HandlerThrew where it is not listed.
_BY_NUMBER: dict[int, type[AagmError]] = {
    -32601: errors.MethodUnknown,
    -32602: errors.BadParams,
    -33009: errors.TooLarge,
    -33010: errors.TimeLimit,
    -33014: errors.ProtectedDocument,
}

INTERNAL_MESSAGE = "internal error; the relay's log has it"


def code_of(error: AagmError) -> Code:
    """Give the code of *error*."""
    return _TABLE[type(error)]


def to_error(error: AagmError) -> dict[str, Any]:
    """Shape *error* as the ``error`` member of a JSON-RPC answer.

    Returns:
        ``{"code", "message", "data": {"name", "fix"?, …}}``
    """
    code = code_of(error)
    data: dict[str, Any] = {"name": code.name, **error.data}
    if error.fix:
        data["fix"] = error.fix
    return {"code": code.number, "message": str(error), "data": data}


def from_error(error: dict[str, Any]) -> AagmError:
    """Turn the ``error`` member that the other side sent into an exception of ours.

    Its ``data.fix`` is the exception's; without one that of its kind is.
    """
    data = error.get("data")
    data = dict(data) if isinstance(data, dict) else {}
    fix = data.pop("fix", "")
    kind = _BY_NUMBER.get(error.get("code", 0), errors.HandlerThrew)
    message = str(error.get("message") or "the module gave no message")
    return kind(message, fix=fix if isinstance(fix, str) else "", data=data)


def internal() -> dict[str, Any]:
    """Shape the answer to a stranger's exception: its text is not sent."""
    return to_error(errors.Internal(INTERNAL_MESSAGE))
