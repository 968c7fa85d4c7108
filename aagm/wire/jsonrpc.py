"""JSON-RPC 2.0 messages: one JSON object a frame, no batches.

Text keeps JSON's ASCII escapes, so that a lone surrogate passes unharmed.
"""

from __future__ import annotations

import json
from math import isinf
from typing import Any, NoReturn

from attrs import field, frozen

from aagm.errors import BadRequest, Unparseable

Json = Any
Params = dict[str, Any]

DEPTH = 200  # levels of arrays and objects that a message may always have
ID_LONGEST = 200  # characters of an id
NAME_LONGEST = 1000  # characters of a name; Foundry has no limit


@frozen
class Request:
    """A call that wants an answer."""

    id: str | int
    method: str
    params: Params = field(factory=dict)


@frozen
class Notification:
    """A call that wants none."""

    method: str
    params: Params = field(factory=dict)


@frozen
class Result:
    """The answer of a call that went well."""

    id: str | int
    value: Json


@frozen
class Fault:
    """The answer of a call that went wrong; ``error`` is ``{code, message, data?}``."""

    id: str | int | None
    error: dict[str, Any]


Message = Request | Notification | Result | Fault


def loads(text: str | bytes) -> Json:
    """Parse JSON text.

    Python's own words for numbers that JSON has none for are no JSON here: the other
    side could not read them, and no limit of a tool would hold.

    Raises:
        Unparseable: Not JSON, not UTF-8, or nested too deep to read.
    """
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_finite)
    except RecursionError as e:
        raise Unparseable(
            "the message is nested too deeply", fix=f"Nest it {DEPTH} levels at most."
        ) from e
    except ValueError as e:
        raise Unparseable(f"not JSON: {e}") from e


def _no_number(word: str) -> NoReturn:
    raise ValueError(f"{word} is no number")


def _finite(digits: str) -> float:
    if isinf(value := float(digits)):
        raise ValueError("a number is beyond what a number can be")
    return value


def dumps(value: Json) -> bytes:
    """Write *value* as compact ASCII JSON; key order is kept."""
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def parse(text: str | bytes) -> Message:
    """Parse one frame.

    Raises:
        Unparseable: Not JSON.
        BadRequest: JSON, but not a JSON-RPC 2.0 message.
    """
    return parse_value(loads(text))


def parse_value(value: Json) -> Message:
    """Parse one message whose JSON is read already.

    Raises:
        BadRequest: Not a JSON-RPC 2.0 message.
    """
    if isinstance(value, list):
        raise BadRequest(
            "batches are not taken, in no revision",
            fix="Send each JSON-RPC message by itself.",
        )
    if not isinstance(value, dict):
        raise BadRequest("a message must be one JSON object")
    if value.get("jsonrpc") != "2.0":
        raise BadRequest('a message must say "jsonrpc": "2.0"')
    if "method" in value:
        return _parse_call(value)
    return _parse_answer(value)


def _parse_call(value: dict[str, Any]) -> Request | Notification:
    method, params = value["method"], value.get("params", {})
    if not isinstance(method, str):
        raise BadRequest("a method must be a string")
    if not isinstance(params, dict):
        raise BadRequest("params must be an object")
    if "id" not in value:
        return Notification(method, params)
    return Request(_parse_id(value["id"]), method, params)


def _parse_answer(value: dict[str, Any]) -> Result | Fault:
    error = value.get("error")
    if isinstance(error, dict):
        id_ = value.get("id")
        return Fault(None if id_ is None else _parse_id(id_), error)
    if "result" not in value:
        raise BadRequest("a message needs a method, a result or an error")
    return Result(_parse_id(value.get("id")), value["result"])


def _parse_id(value: Json) -> str | int:
    if isinstance(value, bool) or not isinstance(value, str | int):
        raise BadRequest("an id must be a string or an integer")
    return value


def encode(message: Message) -> bytes:
    """Write *message* as one frame."""
    frame: dict[str, Any] = {"jsonrpc": "2.0"}
    match message:
        case Request():
            frame |= {"id": message.id, "method": message.method}
            frame["params"] = message.params
        case Notification():
            frame |= {"method": message.method, "params": message.params}
        case Result():
            frame |= {"id": message.id, "result": message.value}
        case Fault():
            frame |= {"id": message.id, "error": message.error}
    return dumps(frame)
