"""Only this machine's clients are let in, and every refusal is quick and JSON."""

from __future__ import annotations

import json

import pytest
from treq.testing import StubTreq

from aagm.testing import FakeTab


async def run(_call):
    """Answer."""
    return 1


@pytest.fixture
def refused():
    """Origins of pages that were turned away."""
    return []


@pytest.fixture
def relay(build, tool, refused):
    """A port with one tool that admits one page besides this machine's."""
    return build(
        [tool(run)],
        admits={"https://game.example"}.__contains__,
        page_refused=refused.append,
    )


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"origin": "https://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"origin": "http://127.0.0.1.evil.example"}, 403),
        ({"origin": "file://"}, 403),
        ({"origin": ""}, 403),
        ({"origin": "HTTPS://EVIL.EXAMPLE"}, 403),
        ({"origin": "http://localhost."}, 403),
        ({"origin": "http://localhost\r\nOrigin: http://localhost"}, 403),
        ({"origin": "\r\nOrigin: http://localhost"}, 403),
        ({"host": ""}, 421),
        ({"host": "localhost.:7899"}, 421),
        ({"host": "evil.example@127.0.0.1:7899"}, 421),
        ({"host": "127.0.0.1:7899\r\nHost: 127.0.0.1:7899"}, 421),
        ({"host": "evil.example"}, 421),
        ({"host": "evil.example:7899"}, 421),
        ({"host": "192.168.1.20:7899"}, 421),
        ({"host": None}, 421),
        ({"host": "127.0.0.1:7899, evil.example"}, 421),
        ({"x_forwarded_for": "127.0.0.1"}, 403),
        ({"x_forwarded_proto": "https"}, 403),
        ({"forwarded": "for=127.0.0.1"}, 403),
        ({"via": "1.1 proxy"}, 403),
    ],
)
def test_strangers_are_refused_on_every_path(relay, headers, status):
    """A foreign page, a rebound name and a proxy get nowhere at all."""
    for path in ("/mcp", "/healthz", "/control/points", "/"):
        for method in ("GET", "POST", "OPTIONS"):
            reply = relay.line().ask(method, path, **headers).reply
            assert reply.status == status
            assert reply.json["error"]["code"] == -32000
            assert not [name for name in reply.headers if name.startswith("access-")]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1:7899"])
def test_a_request_line_that_names_a_host_is_refused(relay, host):
    """It would stand above the Host header; only a proxy is asked like that."""
    for path in ("/mcp", "/healthz"):
        reply = relay.line().ask("POST", f"http://{host}{path}").reply
        assert reply.status == 421
        assert reply.json["error"]["code"] == -32000


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"host": "LOCALHOST:7899"},
        {"origin": "HTTP://LocalHost:6274"},
        {"host": "localhost:7899"},
        {"host": "[::1]:7899"},
        {"origin": "http://localhost:6274"},
        {"origin": "https://127.0.0.1"},
        {"origin": "http://[::1]:30000"},
        {"origin": "https://game.example"},
    ],
)
def test_this_machines_clients_are_let_in(relay, headers, refused):
    """Programs send no Origin; local pages and allowed ones send theirs."""
    assert relay.line().request("ping", **headers).reply.status == 200
    assert refused == []


def test_a_refused_page_is_told_of(relay, refused):
    """The GM can hear which page tried."""
    relay.line().ask("GET", "/healthz", origin="https://evil.example")
    relay.line().ask("GET", "/healthz", origin="null")
    relay.line().ask("GET", "/healthz", host="evil.example")
    assert refused == ["https://evil.example", "null"]


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/mcp/",
        "/mcp/x",
        "/MCP",
        "/sse",
        "/healthz/",
        "/control",
        "/.well-known/oauth-authorization-server",
        "/.well-known/oauth-protected-resource/mcp",
        "/.well-known/openid-configuration",
        "/register",
        "/favicon.ico",
        "/%2e%2e/etc/passwd",
    ],
)
def test_there_is_nothing_elsewhere(relay, path):
    """Clients that probe for OAuth get a JSON 404 at once."""
    for method in ("GET", "POST"):
        reply = relay.line().ask(method, path).reply
        assert reply.status == 404
        assert reply.json["error"]["message"]


def test_a_token_guards_mcp_and_nothing_else(build, tool):
    """Without the right bearer it is 401; the health needs none."""
    relay = build([tool(run)], token="Marit's secret")
    for headers in (
        {},
        {"authorization": "Bearer wrong"},
        {"authorization": "Bearer"},
        {"authorization": "Basic Marit's secret"},
        {"authorization": "Marit's secret"},
        {"authorization": "Bearer Anführer"},
    ):
        reply = relay.line().call("do", **headers).reply
        assert reply.status == 401
        assert reply.headers["www-authenticate"] == "Bearer"
        assert reply.json["error"]["message"]
    for scheme in ("Bearer", "bearer"):
        right = {"authorization": f"{scheme} Marit's secret"}
        assert relay.line().call("do", **right).reply.answer == 1
    assert relay.line().ask("GET", "/healthz").reply.status == 200


def test_the_health_says_whether_a_tab_is_connected(relay):
    """Anybody may know that; no name, no world, no path."""
    assert relay.line().ask("GET", "/healthz").reply.json == {
        "ok": True,
        "member": "kimi",
        "version": "1.2.3",
        "bridge": {"connected": False, "reason": {"code": "no_module"}},
    }
    relay.bridge.connect(FakeTab())
    reply = relay.line().ask("GET", "/healthz").reply
    assert reply.json["bridge"] == {"connected": True}
    assert b"Sunken" not in reply.body
    assert b"Marit" not in reply.body


def test_the_health_is_only_read(relay):
    """HEAD is enough for a probe; POST is no method."""
    head = relay.line().ask("HEAD", "/healthz").written
    assert head.startswith(b"HTTP/1.1 200")
    assert head.endswith(b"\r\n\r\n")
    assert relay.line().ask("POST", "/healthz").reply.status == 405


class BrokenBridge:
    """A bridge with a bug."""

    owner = None

    def why_not(self):
        """Fail."""
        raise ZeroDivisionError("/home/secret")


def test_a_bug_in_the_port_is_answered_in_json(relay, captured):
    """twisted.web would write a page of HTML."""
    relay.connection.bridge = BrokenBridge()
    reply = relay.line().ask("GET", "/healthz").reply
    assert (reply.status, len(captured)) == (500, 1)
    assert reply.json["error"]["message"] == "internal error; the relay's log has it"


def test_the_resource_works_below_any_site(relay):
    """Another site, which has no channels of ours, serves the same answers."""
    client, seen = StubTreq(relay.port), []
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "do"}}
    asking = client.post(
        "http://127.0.0.1:7899/mcp",
        data=json.dumps(body).encode(),
        headers={
            "content-type": "application/json",
            "accept": "application/json, text/event-stream",
        },
    )
    asking.addCallback(client.json_content).addCallback(seen.append)
    client.flush()
    assert seen[0]["result"]["content"][0]["text"] == "1"


def test_nothing_can_be_put_below_the_port(relay):
    """Who tries reads why, and the port serves on as before."""
    with pytest.raises(TypeError, match=r"fixed: b'more' cannot be added"):
        relay.port.putChild(b"more", relay.port)
    assert relay.line().ask("GET", "/more").reply.status == 404


@pytest.mark.parametrize("is_begun", [False, True])
def test_a_relay_that_stops_begins_nothing_more(build, tool, is_begun):
    """A connection outlives the port; what it asks then is refused, and not done."""
    done = []

    async def work(call):
        done.append(call)

    async def verb(params):
        done.append(params)

    relay = build([tool(work)], control=("run-file-token", {"rollback": verb}))
    lines = [relay.line().request("ping") for _ in range(3)]
    assert [line.reply.status for line in lines] == [200, 200, 200]
    if is_begun:  # the body is still coming
        lines[0].send(b"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Le")
    relay.site.stopFactory()
    if is_begun:
        lines[0].send(b"ngth: 2\r\n\r\n{}")
    else:
        lines[0].call("do")
    lines[1].ask("POST", "/control/rollback", authorization="Bearer run-file-token")
    lines[2].ask("GET", "/healthz")
    for line in lines:
        assert line.reply.status == 503
        assert "stopping" in line.reply.json["error"]["message"]
        assert line.reply.headers["connection"] == "close"
        assert line.transport.disconnecting
    assert done == []
