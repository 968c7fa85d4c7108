"""The aagm command reaches the relay with the run file's token, nobody without."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import BadParams, LaneBusy

RIGHT = {"authorization": "Bearer run-file-token"}


@pytest.fixture
def waiting():
    """What the verb that takes its time waits for."""
    return Deferred()


@pytest.fixture
def relay(build, waiting):
    """A port with some verbs."""

    async def echo(params):
        return params

    async def busy(_params):
        raise LaneBusy("A write runs.", fix="Wait.")

    async def wrong(_params):
        raise BadParams("id: missing")

    async def broken(_params):
        raise ZeroDivisionError("/home/secret")

    async def wait(_params):
        return await waiting

    verbs = {"echo": echo, "busy": busy, "wrong": wrong, "broken": broken, "wait": wait}
    return build(control=("run-file-token", verbs))


def post(relay, verb, params=None, headers=RIGHT):
    """POST a verb."""
    body = b"" if params is None else json.dumps(params).encode()
    return relay.line().ask("POST", f"/control/{verb}", body, **headers)


def test_a_verb_answers_with_what_it_gives(relay):
    """Params are one JSON object, or nothing."""
    assert post(relay, "echo", {"id": "rp-1"}).reply.json == {"id": "rp-1"}
    assert post(relay, "echo").reply.json == {}


@pytest.mark.parametrize(
    "headers",
    [{}, {"authorization": "Bearer wrong"}, {"authorization": "run-file-token"}],
)
def test_without_the_token_there_is_nothing(relay, headers):
    """A known verb and an unknown one look the same as any other path."""
    nothing = relay.line().ask("GET", "/nothing").reply
    for verb in ("echo", "nope"):
        reply = post(relay, verb, {}, headers).reply
        assert (reply.status, reply.body) == (404, nothing.body)


def test_a_port_without_verbs_has_none(build):
    """The demo's own port may have no control at all."""
    assert post(build(), "echo").reply.status == 404


@pytest.mark.parametrize(
    ("verb", "status", "code"),
    [("busy", 409, -33012), ("wrong", 400, -32602), ("broken", 500, -32603)],
)
def test_an_error_keeps_its_code(relay, captured, verb, status, code):
    """The command can print the sentence and the cure; a bug says nothing."""
    reply = post(relay, verb).reply
    assert (reply.status, reply.json["error"]["code"]) == (status, code)
    assert b"secret" not in reply.body
    assert len(captured) == (verb == "broken")


def test_what_is_no_verb_is_named(relay):
    """A command newer than its relay learns what is missing."""
    reply = post(relay, "nope").reply
    assert (reply.status, reply.json["error"]["message"]) == (
        404,
        "there is no verb nope",
    )
    assert relay.line().ask("GET", "/control/echo", **RIGHT).reply.status == 405


@pytest.mark.parametrize("params", [[], 7, "x"])
def test_params_are_an_object(relay, params):
    """Anything else is refused."""
    assert post(relay, "echo", params).reply.status == 400


def test_a_command_that_was_broken_off_does_no_harm(relay, waiting, captured):
    """The verb goes on; its answer goes nowhere."""
    line = post(relay, "wait")
    line.hang_up()
    waiting.callback({"done": True})
    assert line.written == b""
    assert captured == []
