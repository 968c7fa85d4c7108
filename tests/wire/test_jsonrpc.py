"""Frames between relay and module."""

from __future__ import annotations

import pytest

from aagm.errors import BadRequest, Unparseable
from aagm.wire.jsonrpc import Fault, Notification, Request, Result, encode, parse


@pytest.mark.parametrize(
    "message",
    [
        Request(id="req-1", method="eval", params={"code": "1"}),
        Notification(method="settings.sync", params={"mode": "cogm"}),
        Result(id=7, value=[1, None, "x"]),
        Fault(id=None, error={"code": -32700, "message": "not JSON"}),
    ],
)
def test_a_message_survives_the_wire(message):
    """What one side says is what the other hears."""
    assert parse(encode(message)) == message


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "nul", b"\xff\xfe"),
        *('{"a":NaN}', '{"a":Infinity}', '{"a":[-Infinity]}', '{"a":1e999}'),
    ],
)
def test_what_is_not_json_is_said_to_be(text):
    """Noise on the socket is named as such."""
    with pytest.raises(Unparseable, match="not JSON"):
        parse(text)


def test_what_is_nested_too_deeply_is_said_to_be():
    """In words, with the limit; Python's own are about something else."""
    with pytest.raises(Unparseable, match="nested too deeply") as fault:
        parse("[" * 100_000)
    assert "200" in fault.value.fix


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("7", "one JSON object"),
        ("[]", "batches are not taken"),
        ('[{"jsonrpc":"2.0","method":"a"}]', "batches are not taken"),
        ("{}", '"jsonrpc": "2.0"'),
        ('{"jsonrpc":"2.0"}', "a method, a result or an error"),
        ('{"jsonrpc":"2.0","method":1}', "method must be a string"),
        ('{"jsonrpc":"2.0","method":"a","params":[1]}', "params must be an object"),
        ('{"jsonrpc":"2.0","method":"a","id":true}', "id must be"),
        ('{"jsonrpc":"2.0","method":"a","id":null}', "id must be"),
        ('{"jsonrpc":"2.0","id":1.5,"result":1}', "id must be"),
    ],
)
def test_json_of_another_kind_is_refused_with_what_is_wrong(text, says):
    """A frame that is JSON but no message names its fault."""
    with pytest.raises(BadRequest, match=says):
        parse(text)


def test_a_broken_surrogate_survives_the_wire():
    """Half an emoji typed in the box does not break the socket."""
    frame = encode(Notification(method="aagm.prompt", params={"text": "\ud83d"}))
    assert frame.isascii()
    assert parse(frame).params["text"] == "\ud83d"
