"""What a call has to say rides on its answer; how the call ends is seen."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred

from aagm.limits import ANSWERED, CLIENT, HELD
from aagm.mcp.exchange import QUIET

STREAM = "text/event-stream"


@pytest.fixture
def held(build, tool):
    """A port with one tool that waits for the test; gives (relay, calls, finish)."""
    calls, works = [], []

    async def run(call):
        calls.append(call)
        works.append(Deferred())
        return await works[-1]

    def finish(value):
        for work in works:
            work.callback(value)

    return build([tool(run)]), calls, finish


def ask(relay, era, meta=None):
    """Call the tool in one of the eras."""
    params = {"name": "do", "arguments": {}}
    if era == "modern":
        return relay.line().modern("tools/call", params, meta)
    params |= {"_meta": meta} if meta else {}
    return relay.line().request("tools/call", params)


ERAS = pytest.mark.parametrize("era", ["handshake", "modern"])


@ERAS
def test_an_answer_is_json_when_nothing_was_said(held, era):
    """A silent call is answered with one JSON document."""
    relay, _calls, finish = held
    line = ask(relay, era)
    assert line.written == b""
    finish([1])
    assert line.reply.answer == [1]


@ERAS
def test_progress_makes_a_stream(held, era):
    """Progress comes first, the answer last, on the same response."""
    relay, calls, finish = held
    line = ask(relay, era, {"progressToken": 9})
    calls[0].progress(1, 2, "half")
    assert b"X-Accel-Buffering: no" in line.written
    finish("done")
    note, answer = line.reply.events
    assert note["method"] == "notifications/progress"
    assert note["params"] == {
        "progressToken": 9,
        "progress": 1,
        "total": 2,
        "message": "half",
    }
    assert json.loads(answer["result"]["content"][0]["text"]) == "done"
    calls[0].progress(2)
    assert len(line.reply.events) == 2


@pytest.mark.parametrize("token", [None, True])
def test_no_token_no_stream(held, token):
    """A client that did not ask for progress gets plain JSON."""
    relay, calls, finish = held
    line = ask(relay, "handshake", None if token is None else {"progressToken": token})
    calls[0].progress(1)
    finish(1)
    assert line.reply.headers["content-type"] == "application/json"


def test_log_messages_follow_the_eras_rules(held):
    """The handshake era hears info and up; the modern one only what it asks for."""
    relay, calls, finish = held
    old, silent = ask(relay, "handshake"), ask(relay, "modern")
    asks = ask(relay, "modern", {"io.modelcontextprotocol/logLevel": "warning"})
    for call in calls:
        call.message("info", "a")
        call.message("error", "b")
    finish(1)
    assert [e["params"]["data"] for e in old.reply.events[:-1]] == ["a", "b"]
    assert silent.reply.answer == 1
    assert [e["params"]["data"] for e in asks.reply.events[:-1]] == ["b"]


@ERAS
def test_a_quiet_call_shows_that_it_lives(held, era):
    """After 15 s the headers go out, so no client takes silence for death."""
    relay, _calls, finish = held
    line = ask(relay, era)
    relay.clock.advance(QUIET - 0.1)
    assert line.written == b""
    relay.clock.advance(0.1)
    assert f"content-type: {STREAM}".encode() in line.written.lower()
    assert line.written.count(b": waiting\r\n\r\n") == 1
    relay.clock.advance(QUIET)
    assert line.written.count(b": waiting\r\n\r\n") == 2
    finish("late")
    (answer,) = line.reply.events
    assert json.loads(answer["result"]["content"][0]["text"]) == "late"


def test_no_call_stays_open_for_ever(held):
    """A tool that never answers costs its caller an error, not a connection."""
    relay, calls, _finish = held
    line = ask(relay, "handshake")
    assert HELD < ANSWERED < CLIENT
    relay.clock.pump([QUIET, QUIET, QUIET, 9.9])
    assert not calls[0].left()
    relay.clock.advance(0.1)
    (answer,) = line.reply.events
    assert answer["error"]["code"] == -33010
    assert calls[0].left()
    assert len(relay.calls) == 0


@pytest.fixture
def hasty(build, tool):
    """A port whose tool gives something the moment its caller leaves, as a poll does.

    Asked to fail, it is cancelled as a question to the tab is.
    """

    async def run(call):
        leaving = Deferred()
        fails = call.arguments.get("fails")
        call.on_left(leaving.cancel if fails else lambda: leaving.callback("empty"))
        return await leaving

    schema = {
        "type": "object",
        "properties": {"fails": {"type": "boolean"}},
        "additionalProperties": False,
    }
    return build([tool(run, schema=schema)])


@pytest.mark.parametrize("fails", [False, True])
def test_a_cancelled_call_is_answered_with_nothing_but_that(hasty, fails):
    """What a poll gives when it is let go is no answer: its client wants none."""
    session = hasty.session()
    line = hasty.line().call("do", {"fails": fails}, mcp_session_id=session)
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
    cancel["params"] = {"requestId": 1}
    hasty.line().post(cancel, mcp_session_id=session)
    assert line.reply.json == {
        "jsonrpc": "2.0",
        "id": 1,
        "error": {"code": -32800, "message": "Request cancelled"},
    }
    assert len(line.replies) == 1
    assert len(hasty.calls) == 0


@pytest.mark.parametrize("fails", [False, True])
def test_a_call_past_the_ceiling_says_so(hasty, fails):
    """Whatever the tool gives when it is given up, the client reads what happened."""
    line = hasty.line().call("do", {"fails": fails})
    hasty.clock.pump([QUIET, QUIET, QUIET, ANSWERED - 3 * QUIET])
    (answer,) = line.reply.events
    assert answer["error"]["code"] == -33010


@ERAS
def test_hanging_up_is_told_to_the_tool(held, era):
    """The tool hears that nobody waits; its late answer goes nowhere."""
    relay, calls, finish = held
    seen = []
    line = ask(relay, era)
    calls[0].on_left(lambda: seen.append("left"))
    calls[0].on_delivered(seen.append)
    line.hang_up()
    assert seen == ["left", False]
    assert (calls[0].is_cut, calls[0].is_cancelled) == (True, False)
    assert len(relay.calls) == 0
    finish(1)
    assert line.written == b""


def test_hanging_up_in_the_middle_of_a_stream_is_told(held):
    """A stream that was begun ends as any other call."""
    relay, calls, finish = held
    line = ask(relay, "modern", {"progressToken": 1})
    calls[0].progress(1)
    line.hang_up()
    calls[0].progress(2)
    finish(1)
    assert calls[0].is_cut
    assert line.written.count(b"data: ") == 1


def test_a_client_that_does_not_read_misses_progress_not_the_answer(held):
    """Nothing is queued for a slow reader; the answer comes all the same."""
    relay, calls, finish = held
    line = ask(relay, "handshake", {"progressToken": 1})
    calls[0].progress(1)
    line.protocol.pauseProducing()
    for n in range(2, 1000):
        calls[0].progress(n)
    relay.clock.advance(QUIET)
    assert line.written.count(b"data: ") == 1
    line.protocol.resumeProducing()
    calls[0].progress(1000)
    finish("done")
    events = line.reply.events
    assert [e["params"]["progress"] for e in events[:-1]] == [1, 1000]
    assert "result" in events[-1]


def test_a_stopping_relay_lets_go_of_its_calls(held):
    """When the port closes, no call and no timer is left; the answer is not sent."""
    relay, calls, finish = held
    seen = []
    line = ask(relay, "handshake")
    calls[0].on_delivered(seen.append)
    relay.port.endpoint._calls.stop()
    assert seen == [False]
    finish(1)
    assert line.written == b""


def test_the_frame_is_ascii(build, tool):
    """Umlauts and half an emoji travel as escapes and arrive as they were."""

    async def run(_call):
        return {"name": "Anführer \U0001f600", "half": "\ud83d"}

    reply = build([tool(run)]).line().call("do").reply
    assert reply.body.isascii()
    assert reply.json["result"]["content"][0]["text"].startswith('{"name":"Anführer')
    assert reply.answer == {"name": "Anführer \U0001f600", "half": "\ud83d"}
