"""A body past the limit is refused while it arrives; strangers get no connection."""

from __future__ import annotations

import pytest
import pytest_twisted
from twisted.internet import reactor
from twisted.logger import formatEvent, globalLogPublisher

from aagm.mcp.channel import BODY_LIMIT, IDLE, LINGER, MOST

JSON = "Content-Type: application/json\r\nAccept: application/json, text/event-stream"
HEAD = f"POST /mcp HTTP/1.1\r\nHost: localhost:7899\r\n{JSON}\r\n"


async def run(_call):
    """Answer."""
    return 1


@pytest.fixture
def relay(build, tool):
    """A port with one tool."""
    return build([tool(run)])


def padded(size):
    """Make a tools/list request whose body has exactly *size* bytes."""
    body = b'{"jsonrpc":"2.0","id":1,"method":"tools/list","pad":""}'
    return body[:-2] + b"x" * (size - len(body)) + b'"}'


def test_a_body_at_the_limit_is_taken(relay):
    """4 MiB are fine, to the byte."""
    body = padded(BODY_LIMIT)
    assert len(body) == BODY_LIMIT
    assert relay.line().post(body).reply.status == 200


def test_a_declared_body_is_refused_before_it_comes(relay):
    """The length alone is enough; nothing of the body is kept."""
    line = relay.line().send(f"{HEAD}Content-Length: {BODY_LIMIT + 1}\r\n\r\n".encode())
    assert line.reply.status == 413
    assert (
        line.reply.json["error"]["message"] == "a body may have at most 4194304 bytes"
    )
    assert line.reply.headers["connection"] == "close"


def test_a_client_may_finish_writing_before_it_reads(relay):
    """What comes after the refusal is thrown away, and no second answer is given."""
    line = relay.line().send(f"{HEAD}Content-Length: {BODY_LIMIT + 1}\r\n\r\n".encode())
    for _ in range(65):
        line.send(b"x" * 65536)
    line.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert [reply.status for reply in line.replies] == [413]
    relay.clock.advance(LINGER)
    assert line.transport.disconnecting


def test_a_chunked_body_is_refused_when_it_grows_too_long(relay):
    """A client that does not say how much comes is stopped at the limit."""
    line = relay.line().send(f"{HEAD}Transfer-Encoding: chunked\r\n\r\n".encode())
    chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
    for _ in range(64):
        line.send(chunk)
        assert line.written == b""
    line.send(chunk + b"0\r\n\r\n")
    assert [reply.status for reply in line.replies] == [413]


def test_the_whole_body_in_one_piece_is_refused_once(relay):
    """Head, body and the next request in one segment make one answer."""
    request = f"{HEAD}Content-Length: {BODY_LIMIT + 1}\r\n\r\n".encode()
    rest = b"x" * (BODY_LIMIT + 1) + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
    line = relay.line().send(request + rest)
    assert [reply.status for reply in line.replies] == [413]


def test_nobody_is_told_to_go_on_after_a_refusal(relay):
    """A client that asks before it sends gets the refusal, not "100 Continue"."""
    expect = f"{HEAD}Expect: 100-continue\r\nContent-Length: 5000000\r\n\r\n"
    assert b"100 Continue" not in relay.line().send(expect.encode()).written
    fits = f"{HEAD}Expect: 100-continue\r\nContent-Length: 50\r\n\r\n"
    assert b"100 Continue" in relay.line().send(fits.encode()).written


def test_a_refused_body_leaves_no_call_behind(relay):
    """The connection may end in any way."""
    line = relay.line().send(f"{HEAD}Content-Length: {BODY_LIMIT + 1}\r\n\r\n".encode())
    line.reset()
    assert relay.clock.getDelayedCalls() == []


def test_a_stranger_gets_no_connection(relay):
    """A peer that is not this machine is not even listened to."""
    assert relay.site.buildProtocol(relay.line().transport.getPeer()) is not None
    with pytest.raises(AttributeError):
        relay.line(peer="192.168.1.20")


def test_an_idle_connection_is_closed(relay):
    """A client that asks nothing for a minute is let go."""
    line = relay.line()
    relay.clock.advance(IDLE)
    assert line.transport.disconnecting
    line.hang_up()


def test_a_request_that_trickles_in_is_cut_off(relay):
    """A byte now and then keeps no connection open for ever."""
    line = relay.line().send(f"{HEAD}Content-Length: 100000\r\n\r\n".encode())
    for _ in range(IDLE - 1):
        relay.clock.advance(1)
        line.send(b"x")
    assert not line.transport.disconnecting
    relay.clock.advance(1)
    assert line.transport.disconnecting
    line.hang_up()


def test_a_client_that_asks_now_and_then_is_kept(relay):
    """Each request has its own minute, and so has the silence after it."""
    line = relay.line()
    for count in range(1, 5):
        relay.clock.advance(IDLE - 1)
        body = padded(200)
        line.send(f"{HEAD}Content-Length: 200\r\n\r\n".encode() + body[:100])
        relay.clock.advance(IDLE - 1)
        line.send(body[100:])
        assert [reply.status for reply in line.replies] == [200] * count
    assert not line.transport.disconnecting


def test_there_is_an_end_to_connections_and_room_again_after_it(relay):
    """Two hundred are open at most; the next may come when one has gone."""
    lines = [relay.line() for _ in range(MOST)]
    peer = lines[0].transport.getPeer()
    assert relay.site.buildProtocol(peer) is None
    lines[0].hang_up()
    assert relay.line().request("ping").reply.status == 200


def test_a_stranger_keeps_no_connection(relay):
    """A page that is refused holds none of them open."""
    line = relay.line().ask("GET", "/healthz", origin="https://evil.example")
    assert line.reply.status == 403
    assert line.reply.headers["connection"] == "close"
    assert line.transport.disconnecting


def test_requests_may_follow_each_other(relay):
    """Pipelined requests are answered in order."""
    line = relay.line()
    body = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}'
    requests = b"".join(
        f"{HEAD}Content-Length: {len(body % n)}\r\n\r\n".encode() + body % n
        for n in (1, 2, 3)
    )
    line.send(requests)
    assert [reply.json["id"] for reply in line.replies] == [1, 2, 3]


@pytest_twisted.ensureDeferred
async def test_the_log_names_the_port_in_words(relay):
    """No class and no address in memory, as Twisted's own line has them."""
    told = []

    def keep(event):
        told.append(formatEvent(event))

    globalLogPublisher.addObserver(keep)
    try:
        port = reactor.listenTCP(0, relay.site, interface="127.0.0.1")
        number = port.getHost().port
        await port.stopListening()
    finally:
        globalLogPublisher.removeObserver(keep)
    assert told == [
        f"The port for MCP clients starting on {number}",
        f"(TCP Port {number} Closed)",
    ]
