"""What a body is read as."""

from __future__ import annotations

import pytest

from aagm.errors import BadRequest, Unparseable
from aagm.mcp.message import read_message
from aagm.wire.jsonrpc import DEPTH


def nested(levels):
    """Make a message with so many levels; it has two of its own."""
    inner = b"[" * (levels - 2) + b"1" + b"]" * (levels - 2)
    return b'{"jsonrpc":"2.0","method":"x","params":{"a":' + inner + b"}}"


def test_a_message_may_have_so_many_levels():
    """To the level."""
    assert read_message(nested(DEPTH)).method == "x"


@pytest.mark.parametrize("levels", [DEPTH + 1, 100_000])
def test_a_message_nested_too_deeply_is_told_the_limit(levels):
    """However far beyond it is."""
    with pytest.raises((BadRequest, Unparseable)) as fault:
        read_message(nested(levels))
    assert str(fault.value) == "the message is nested too deeply"
    assert fault.value.fix == "Nest it 200 levels at most."
