"""Strangers are refused, each with its own code: Done when 5 of the first issue."""

from __future__ import annotations

import json

import pytest
from node_world import NodeWorld, client_settings
from raw_socket import call, post, tab
from relay_process import RelayProcess
from websockets.exceptions import InvalidStatus

LIMITS = "[limits]\nmessage = 100000\n"


@pytest.fixture(scope="module")
def relay(tmp_path_factory):
    """Run a relay that takes any page of this machine, and small messages only."""
    folder = tmp_path_factory.mktemp("relay")
    (folder / "limits.toml").write_text(LIMITS)
    options = ("--pairing", "off", "--config", str(folder / "limits.toml"))
    running = RelayProcess(folder, options).start()
    yield running
    running.close()


@pytest.fixture(scope="module")
def living_world(relay):
    """Connect a world to it."""
    world = NodeWorld(client_settings(relay.bridge_url))
    world.until_connected()
    yield world
    world.close()


@pytest.fixture
def world(living_world):
    """Hold the test to leaving no trace in the world."""
    before = living_world.canonical()
    yield
    assert living_world.canonical() == before
    assert living_world.is_connected()


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("origin", ["https://evil.example", "null"])
def test_a_foreign_page_gets_no_socket(relay, origin):
    """A page from elsewhere cannot open the bridge from the GM's browser."""
    with pytest.raises(InvalidStatus) as refused, tab(relay.bridge_url, origin):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.usefixtures("world")
def test_a_name_that_points_here_gets_no_socket(relay):
    """A foreign name made to resolve to this machine is refused on both ports."""
    host = {"Host": "evil.example:7898"}
    with (
        pytest.raises(InvalidStatus) as refused,
        tab(relay.bridge_url, additional_headers=host),
    ):
        pass
    assert refused.value.response.status_code == 421
    assert post(relay.mcp_port, call("foundry_ping"), Host="evil.example")[0] == 421


@pytest.mark.usefixtures("world")
def test_a_program_gets_no_socket_when_pairing_is_off(relay):
    """Without Origin it is no browser, and there is no token to show."""
    with pytest.raises(InvalidStatus) as refused, tab(relay.bridge_url, None):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("changed", "code", "close"),
    [
        ({"isGM": False}, -33008, 4001),
        ({"protocol": 4}, -33007, 4006),
        ({"worldId": None}, -33003, 4000),
        ({"userId": None}, -33003, 4001),
    ],
)
def test_a_hello_that_does_not_fit_is_refused(relay, changed, code, close):
    """Players, strangers to the protocol and half hellos stay outside."""
    with tab(relay.bridge_url) as stranger:
        assert stranger.hello(**changed)["error"]["code"] == code
        assert stranger.closed() == close


@pytest.mark.usefixtures("world")
def test_whoever_says_nothing_is_sent_away(relay):
    """A socket without a hello is closed after five seconds."""
    with tab(relay.bridge_url) as silent:
        assert silent.closed() == 4008


@pytest.mark.usefixtures("world")
def test_whoever_does_not_begin_with_hello_is_sent_away(relay):
    """Nothing is answered before a hello."""
    with tab(relay.bridge_url) as rude:
        rude.say({"jsonrpc": "2.0", "method": "aagm.prompt", "params": {"text": "x"}})
        assert rude.closed() == 4000


@pytest.mark.usefixtures("world")
def test_a_frame_past_the_limit_closes_the_socket(relay):
    """One page cannot fill the relay's memory."""
    with tab(relay.bridge_url) as greedy:
        greedy.say(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "x" * 200_000}))
        assert greedy.closed() == 1009


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Accept": "application/json"}, 406),
        ({"Accept": ""}, 406),
        ({"X_Forwarded_For": "10.0.0.1"}, 403),
        ({"Forwarded": "for=10.0.0.1"}, 403),
        ({}, 200),
    ],
)
def test_an_mcp_request_that_does_not_fit_is_refused(relay, headers, status):
    """Each kind of wrong request has its own status, and its answer is JSON."""
    found, answer = post(relay.mcp_port, call("foundry_ping"), **headers)
    assert (found, answer["jsonrpc"]) == (status, "2.0")


@pytest.mark.usefixtures("world")
def test_a_body_of_five_mebibytes_is_refused_while_it_comes(relay):
    """A huge body never reaches the relay's memory."""
    body = call("foundry_eval", code="x" * (5 * 1024 * 1024))
    assert post(relay.mcp_port, body)[0] == 413


@pytest.mark.usefixtures("world")
@pytest.mark.parametrize("path", ["/", "/mcp/x", "/control/stop", "/.well-known/x"])
def test_an_unknown_path_is_a_quick_json_404(relay, path):
    """Clients probe for paths that do not exist; they are told so in JSON."""
    status, answer = post(relay.mcp_port, b"{}", path)
    assert (status, "error" in answer) == (404, True)


def test_the_gm_hears_of_a_page_refused_on_either_port(make_relay):
    """Once for each page, whichever port it tried, and however often."""
    relay = make_relay("--pairing", "off").start()
    foreign = ["https://evil.example", "https://evil.example", "https://worse.example"]
    for origin in foreign:
        assert post(relay.mcp_port, b"{}", Origin=origin)[0] == 403
    with tab(relay.bridge_url) as page:
        page.hello()
        post(relay.mcp_port, b"{}", "/healthz", Origin="null")
        with pytest.raises(InvalidStatus), tab(relay.bridge_url, foreign[0]):
            pass
        with (
            pytest.raises(InvalidStatus),
            tab(relay.bridge_url, "https://last.example"),
        ):
            pass
        told: list[tuple[str, int]] = []
        while len(told) < 4:
            frame = page.hear()
            if frame.get("method") == "aagm.page.refused":
                told.append((frame["params"]["origin"], frame["params"]["count"]))
    assert told == [
        ("https://evil.example", 2),
        ("https://worse.example", 1),
        ("null", 1),
        ("https://last.example", 1),
    ]


def test_an_unpaired_page_is_refused_and_a_code_lets_it_in(make_relay):
    """A page needs the six digits once; afterwards its token is enough."""
    relay = make_relay(has_terminal=True).start()
    code = relay.pairing_code()
    with tab(relay.bridge_url) as stranger:
        assert stranger.hello()["error"]["code"] == -33006
        assert stranger.closed() == 4005
    with tab(relay.bridge_url) as stranger:
        wrong = f"{(int(code) + 1) % 1_000_000:06d}"
        assert stranger.hello(pairingCode=wrong)["error"]["code"] == -33006
        assert stranger.closed() == 4005
    with tab(relay.bridge_url) as page:
        token = page.hello(pairingCode=code)["result"]["token"]
    with tab(relay.bridge_url) as page:
        assert page.hello(token=token)["result"]["owner"] is True
    with tab(relay.bridge_url) as stranger:
        assert stranger.hello(pairingCode=code)["error"]["code"] == -33006
    assert code not in relay.log
    assert token not in relay.log


def test_a_token_is_known_after_a_restart(make_relay):
    """Pairing is done once, not once a session."""
    relay = make_relay(has_terminal=True).start()
    with tab(relay.bridge_url) as page:
        token = page.hello(pairingCode=relay.pairing_code())["result"]["token"]
    relay.kill()
    relay.start()
    with tab(relay.bridge_url) as page:
        assert page.hello(token=token)["result"]["owner"] is True


def test_five_wrong_codes_close_the_window(make_relay):
    """Nobody guesses a million codes."""
    relay = make_relay(has_terminal=True).start()
    code = relay.pairing_code()
    for step in range(1, 6):
        with tab(relay.bridge_url) as stranger:
            wrong = f"{(int(code) + step) % 1_000_000:06d}"
            assert stranger.hello(pairingCode=wrong)["error"]["code"] == -33006
    with tab(relay.bridge_url) as stranger:
        assert stranger.hello(pairingCode=code)["error"]["code"] == -33006
