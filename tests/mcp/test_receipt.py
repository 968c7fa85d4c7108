"""The relay knows whether an answer arrived, so that no prompt of the GM's is lost."""

from __future__ import annotations

import pytest

from aagm.mcp.receipt import WAIT


@pytest.fixture
def asked(build, tool):
    """A port with a tool that wants a receipt; gives (relay, receipts)."""
    receipts = []

    async def run(call):
        call.on_delivered(receipts.append)
        return "prompts"

    return build([tool(run)]), receipts


def turns(relay):
    """Let the reactor turn until the bytes are out."""
    relay.clock.advance(0)


def test_an_answer_counts_after_five_seconds(asked):
    """A connection that lives on had the answer."""
    relay, receipts = asked
    relay.line().call("do")
    turns(relay)
    relay.clock.advance(WAIT - 0.1)
    assert receipts == []
    relay.clock.advance(0.1)
    assert receipts == [True]
    assert len(relay.calls) == 0


def test_a_reset_means_that_it_was_lost(asked):
    """A client that was killed with the answer unread resets the connection."""
    relay, receipts = asked
    line = relay.line().call("do")
    turns(relay)
    relay.clock.advance(WAIT - 0.1)
    line.reset()
    assert receipts == [False]
    assert len(relay.calls) == 0


def test_a_client_that_hangs_up_after_reading_had_it(asked):
    """Closing in order is how many clients end a call."""
    relay, receipts = asked
    line = relay.line().call("do")
    turns(relay)
    line.hang_up()
    assert receipts == [True]


def test_a_client_that_hung_up_before_the_bytes_went_out_had_not(asked):
    """An end that was already on its way when we answered is no receipt."""
    relay, receipts = asked
    relay.line().call("do").hang_up()
    assert receipts == [False]


def test_several_answers_on_one_connection_are_watched_apart(asked):
    """A reset tells of all that are not settled, and of no other."""
    relay, receipts = asked
    line = relay.line().call("do")
    turns(relay)
    relay.clock.advance(WAIT - 1)
    line.call("do")
    turns(relay)
    relay.clock.advance(1)
    assert receipts == [True]
    line.reset()
    assert receipts == [True, False]


def test_a_stopping_relay_does_not_know(asked):
    """What is not known to have arrived counts as lost: it is offered again."""
    relay, receipts = asked
    relay.line().call("do")
    relay.site.doStop()
    assert receipts == [False]
    relay.site.doStart()


def test_a_receipt_follows_a_stream_too(build, tool):
    """An answer at the end of a stream is watched as any other."""
    receipts = []

    async def run(call):
        call.progress(1)
        call.on_delivered(receipts.append)
        return 1

    relay = build([tool(run)])
    params = {"name": "do", "arguments": {}, "_meta": {"progressToken": 1}}
    line = relay.line().request("tools/call", params)
    turns(relay)
    line.reset()
    assert receipts == [False]


def test_nobody_watches_when_nobody_asks(build, tool):
    """A plain call leaves no timer."""

    async def run(_call):
        return 1

    relay = build([tool(run)])
    before = len(relay.clock.getDelayedCalls())
    relay.line().call("do")
    assert len(relay.clock.getDelayedCalls()) == before + 1  # the idle connection's
