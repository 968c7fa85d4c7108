"""Each client gets what its revision promises; a wrong request is told why, in JSON."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import ListenerOccupied
from aagm.mcp import revisions

LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
CANCEL = {"jsonrpc": "2.0", "method": "notifications/cancelled"}


async def session_of(call):
    """Answer with the session of the call."""
    return call.session


@pytest.fixture
def relay(build, tool):
    """A port with one tool that tells its session."""
    return build([tool(session_of)])


@pytest.mark.parametrize("revision", revisions.HANDSHAKE)
def test_a_handshake_opens_a_session(relay, revision):
    """The session's id comes with the answer, and names the revision later."""
    client = {"name": "test", "version": "0"}
    params = {"protocolVersion": revision, "capabilities": {}, "clientInfo": client}
    reply = relay.line().request("initialize", params).reply
    assert reply.status == 200
    assert reply.json["result"]["protocolVersion"] == revision
    session = reply.headers["mcp-session-id"]
    assert relay.line().call("do", mcp_session_id=session).reply.answer == session
    assert relay.sessions.find(session).revision == revision


def test_a_handshake_that_fails_opens_none(relay):
    """A client that sent nonsense holds no session."""
    reply = relay.line().request("initialize", {"protocolVersion": 7}).reply
    assert reply.json["error"]["code"] == -32602
    assert "mcp-session-id" not in reply.headers
    assert len(relay.sessions) == 0


def test_a_stale_session_is_served(relay):
    """A client that outlived our restart need not shake hands again."""
    reply = relay.line().call("do", mcp_session_id="from-before").reply
    assert (reply.status, reply.answer) == (200, "from-before")


def test_a_call_without_a_session_is_served(relay):
    """Each such call has a session of its own, so nobody else can cancel it."""
    line = relay.line().call("do").call("do")
    first, second = (each.answer for each in line.replies)
    assert len(first) == 32
    assert first != second


def test_a_modern_call_has_no_session(relay):
    """A session header means nothing in the modern era."""
    params = {"name": "do", "arguments": {}}
    line = relay.line().modern("tools/call", params, mcp_session_id="mine")
    assert line.reply.answer != "mine"


def test_a_refused_session_is_told_why(relay):
    """One was ended, the other never was an id."""
    session = relay.session()
    line = relay.line().ask("DELETE", "/mcp", mcp_session_id=session)
    for id_, said in (
        (session, "this session was ended"),
        ("two words", "Mcp-Session-Id must be 1 to 200 visible ASCII characters"),
    ):
        reply = line.call("do", mcp_session_id=id_).reply
        assert reply.status == 404
        assert reply.json["error"]["message"].startswith(said)


def test_a_session_ends_at_its_clients_wish(relay):
    """After DELETE the id is refused; a second DELETE finds nothing."""
    session = relay.session()
    line = relay.line().ask("DELETE", "/mcp", mcp_session_id=session)
    assert line.reply.status == 200
    reply = line.call("do", mcp_session_id=session).reply
    assert (reply.status, reply.json["id"]) == (404, 1)
    assert line.ask("DELETE", "/mcp", mcp_session_id=session).reply.status == 404
    assert line.ask("DELETE", "/mcp").reply.status == 400
    assert line.reply.json["error"]["message"]


@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS", "PUT", "NONSENSE"])
def test_only_post_and_delete_are_methods(relay, method):
    """A client that looks for a stream of its own is told that there is none."""
    line = relay.line().ask(method, "/mcp", accept="text/event-stream")
    head = line.written.partition(b"\r\n\r\n")[0].lower()
    assert head.startswith(b"http/1.1 405")
    assert b"allow: post, delete" in head
    assert b"access-control" not in head


def test_the_modern_era_knows_only_post(relay):
    """There GET and DELETE are gone."""
    for method in ("GET", "DELETE"):
        reply = (
            relay.line().ask(method, "/mcp", mcp_protocol_version="2026-07-28").reply
        )
        assert (reply.status, reply.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"content_type": None}, 415),
        ({"content_type": "text/plain"}, 415),
        ({"content_type": "application/x-www-form-urlencoded"}, 415),
        ({"content_type": "multipart/form-data; boundary=x"}, 415),
        ({"content_type": "application/json, text/plain"}, 415),
        ({"accept": None}, 406),
        ({"accept": "application/json"}, 406),
        ({"accept": "text/event-stream"}, 406),
        ({"accept": "text/html"}, 406),
    ],
)
def test_other_media_types_are_refused(relay, headers, status):
    """A page cannot reach us with what needs no permission, nor a client by mistake."""
    reply = relay.line().post(LIST, **headers).reply
    assert reply.status == status
    assert reply.json["error"]["message"]


@pytest.mark.parametrize(
    "headers",
    [
        {"content_type": "application/json; charset=utf-8"},
        {"content_type": "Application/JSON"},
        {"accept": "*/*"},
        {"accept": "application/*, text/*;q=0.5"},
        {"accept": "text/event-stream;q=1, application/json"},
    ],
)
def test_the_right_media_types_come_in_many_spellings(relay, headers):
    """Parameters, case and wildcards are understood."""
    assert relay.line().post(LIST, **headers).reply.status == 200


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", -32700),
        (b"{", -32700),
        (b"\xff\xfe\xff", -32700),
        (b"[" * 100_000, -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":NaN}}', -32700),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":-1e999}}', -32700),
        (b"[]", -32600),
        (json.dumps([LIST]).encode(), -32600),
        (b"7", -32600),
        (b'{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":7}', -32600),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
        (b'{"jsonrpc":"2.0","id":1}', -32600),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":'
            + b"[" * 200
            + b"]" * 200
            + b"}}",
            -32600,
        ),
    ],
)
def test_a_body_that_is_no_message_is_refused(relay, body, code):
    """Whatever arrives, the answer is 400 and JSON, and the connection lives on."""
    line = relay.line().post(body)
    assert (line.reply.status, line.reply.json["error"]["code"]) == (400, code)
    assert line.reply.json["error"]["data"]["fix"].endswith(".")
    assert line.post(LIST).reply.status == 200


def test_params_of_null_are_none(relay):
    """Some clients write null where they have no params."""
    assert relay.line().post({**LIST, "params": None}).reply.status == 200


@pytest.mark.parametrize("id_", [0, -1, 2**60, "", "1", "ü", "\ud83d"])
def test_the_id_comes_back_as_it_was(relay, id_):
    """Number or text, odd or not."""
    assert relay.line().request("ping", id_=id_).reply.json["id"] == id_


@pytest.mark.parametrize(
    "message",
    [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "method": "notifications/nonsense", "params": {"a": 1}},
        {"jsonrpc": "2.0", "id": 1, "result": {}},
        {"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}},
        CANCEL,
        {**CANCEL, "params": {"requestId": [1]}},
    ],
)
def test_what_wants_no_answer_is_taken(relay, message):
    """Notifications and answers get 202 and no body."""
    line = relay.line().post(message, mcp_session_id=relay.session())
    assert (line.reply.status, line.reply.body) == (202, b"")


def test_the_modern_era_takes_notifications_but_no_answers(relay):
    """We ask nothing there, so nobody can answer."""
    modern = {"mcp_protocol_version": "2026-07-28"}
    note = {"jsonrpc": "2.0", "method": "notifications/cancelled"}
    assert relay.line().post(note, **modern).reply.status == 202
    answer = {"jsonrpc": "2.0", "id": 1, "result": {}}
    assert relay.line().post(answer, **modern).reply.status == 400


@pytest.mark.parametrize(
    "message", [LIST, {"jsonrpc": "2.0", "method": "notifications/initialized"}]
)
def test_an_unknown_revision_is_refused(relay, message):
    """The refusal says which revisions there are."""
    reply = relay.line().post(message, mcp_protocol_version="2031-01-01").reply
    assert reply.status == 400
    assert reply.json["error"]["code"] == -32022
    assert reply.json["error"]["data"]["supported"] == list(revisions.REVISIONS)


def test_a_broken_envelope_is_refused_before_anything_runs(build, tool):
    """A header that does not match the body stops the call."""
    ran = []
    relay = build([tool(ran.append)])
    params = {"name": "do", "arguments": {}}
    line = relay.line().modern("tools/call", params, mcp_name="other")
    assert line.reply.status == 400
    assert line.reply.json["error"]["code"] == -32020
    assert line.reply.json["id"] == 1
    assert ran == []


def test_an_unknown_method_is_404_only_in_the_modern_era(relay):
    """The handshake era knows errors, not statuses."""
    assert relay.line().modern("no/such").reply.status == 404
    reply = relay.line().request("no/such").reply
    assert (reply.status, reply.json["error"]["code"]) == (200, -32601)


def test_modern_lists_say_how_long_they_hold(relay):
    """A client that caches the list sees a new tool within a minute."""
    result = relay.line().modern("tools/list").reply.json["result"]
    assert (result["ttlMs"], result["cacheScope"]) == (60_000, "private")
    assert result["resultType"] == "complete"
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "aagm-k"


@pytest.mark.parametrize("ask", ["call", "modern"])
def test_an_occupied_listener_is_a_protocol_error_in_every_era(build, tool, ask):
    """A second listener sees a JSON-RPC error with its code, and HTTP 200."""

    async def run(_call):
        raise ListenerOccupied("Another listener is at work.", fix="Stop it first.")

    line = build([tool(run)]).line()
    if ask == "call":
        line.call("do")
    else:
        line.modern("tools/call", {"name": "do", "arguments": {}})
    assert line.reply.status == 200
    assert line.reply.json["error"] == {
        "code": -33005,
        "message": "Another listener is at work.",
        "data": {"name": "listener-occupied", "fix": "Stop it first."},
    }


def test_a_cancellation_counts_inside_its_session_only(build, tool):
    """The waiting POST ends with an error; others' calls with the same id go on."""
    calls, works = [], [Deferred(), Deferred()]

    async def run(call):
        calls.append(call)
        return await works[len(calls) - 1]

    relay = build([tool(run)])
    mine, theirs = relay.session(), relay.session()
    my_line = relay.line().call("do", id_=5, mcp_session_id=mine)
    their_line = relay.line().call("do", id_=5, mcp_session_id=theirs)
    cancel = {**CANCEL, "params": {"requestId": 5}}
    assert relay.line().post(cancel).reply.status == 202
    assert my_line.replies == []
    relay.line().post(cancel, mcp_session_id=mine)
    error = my_line.reply.json["error"]
    assert error["code"] == -32800
    assert [c.is_cancelled for c in calls] == [True, False]
    assert [c.left() for c in calls] == [True, False]
    for work in works:
        work.callback("done")
    assert len(my_line.replies) == 1
    assert their_line.reply.answer == "done"


def test_a_cancelled_call_is_forgotten(build, tool):
    """The cancel table does not grow, whichever way calls end."""
    works = []

    async def run(_call):
        works.append(Deferred())
        return await works[-1]

    relay = build([tool(run)])
    session = relay.session()
    relay.line().call("do", id_=5, mcp_session_id=session)
    relay.line().post({**CANCEL, "params": {"requestId": 5}}, mcp_session_id=session)
    relay.line().call("do", id_=6, mcp_session_id=session).hang_up()
    waiting = relay.line().call("do", id_=7, mcp_session_id=session)
    for work in works:
        work.callback(1)
    assert waiting.reply.answer == 1
    assert relay.sessions.find(session).is_idle
    assert len(relay.calls) == 0


def test_a_thousand_calls_leave_nothing_behind(build, tool):
    """No call, no timer and no session stays."""
    relay = build([tool(session_of)])
    line = relay.line()
    for n in range(500):
        line.call("do", id_=n)
        line.modern("tools/call", {"name": "do", "arguments": {}})
    assert len(line.replies) == 1000
    assert len(relay.calls) == len(relay.sessions) == 0
    # One timer closes the idle connection, whatever was asked on it.
    assert len(relay.clock.getDelayedCalls()) == 1


def test_a_bug_in_the_kernel_is_answered(build, tool, captured, monkeypatch):
    """A POST never stays open because of a bug of ours."""
    relay = build([tool(session_of)])

    async def broken(_asked):
        raise ZeroDivisionError("/home/secret")

    monkeypatch.setattr(relay.calls, "_kernel", type("K", (), {"answer": broken}))
    reply = relay.line().call("do").reply
    assert reply.json["error"]["code"] == -32603
    assert b"secret" not in reply.body
    assert len(captured) == 1
