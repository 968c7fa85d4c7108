"""A model reads a long answer to its end, and waits for a write that still runs."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred

from aagm.mcp.answers import LONGEST
from aagm.mcp.tools.more import more_tools


async def scenes(_call):
    """Give an answer far too long for one call."""
    return [{"id": n, "name": f"Scene Anführer {n}"} for n in range(2000)]


@pytest.fixture
def relay(build, tool):
    """A port with a talkative tool and foundry_more."""
    return build(lambda answers: [tool(scenes), *more_tools(answers)])


def more(relay, cursor):
    """Call foundry_more; gives the connection."""
    return relay.line().call("foundry_more", {"cursor": cursor})


def test_the_parts_joined_are_the_answer(relay):
    """No part is too long for any client, none is lost."""
    part = relay.line().call("do").reply.answer
    text, chars = part["part"], part["chars"]
    while "cursor" in part:
        reply = more(relay, part["cursor"]).reply
        part = reply.answer
        assert len(reply.json["result"]["content"][0]["text"].encode()) <= LONGEST
        text += part["part"]
    assert len(text) == chars
    assert json.loads(text)[-1] == {"id": 1999, "name": "Scene Anführer 1999"}


def test_a_running_write_gives_its_result_when_it_is_done(relay):
    """The call waits up to 25 s, then says that it still runs."""
    work = Deferred()
    cursor = relay.answers.pending(work)
    line = more(relay, cursor)
    relay.clock.advance(15)
    relay.clock.advance(10)
    (answer,) = line.reply.events
    text = answer["result"]["content"][0]["text"]
    assert json.loads(text) == {"running": True, "cursor": cursor}
    again = more(relay, cursor)
    work.callback({"rollbackPoint": {"id": "rp-0a1b2c"}})
    assert again.reply.answer == {"rollbackPoint": {"id": "rp-0a1b2c"}}


def test_a_long_result_of_a_running_write_is_cut_as_any_other(relay):
    """Whatever is waited for comes in parts."""
    work = Deferred()
    cursor = relay.answers.pending(work)
    work.callback(["x" * 50_000])
    answer = more(relay, cursor).reply.answer
    assert answer["truncated"] is True
    assert more(relay, answer["cursor"]).reply.answer["part"]


def test_a_stale_cursor_says_what_to_do(relay):
    """The answer is an error with its cure."""
    reply = more(relay, "0123456789ab.16000").reply
    assert reply.json["result"]["isError"] is True
    assert "again" in reply.answer["error"]["fix"]
