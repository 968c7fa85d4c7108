"""The demo's page: what it serves, and to whom."""

from __future__ import annotations

import json

import pytest
import pytest_twisted
import treq
from treq.testing import StubTreq
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.python.failure import Failure

from aagm.demo.site import Asks, demo_site
from aagm.errors import NoModule

HOST = {"Host": ["127.0.0.1:7897"]}


async def play(task: str) -> dict:
    """Play a task, as the relay would."""
    if task == "dead":
        raise NoModule("the relay does not answer")
    return {"played": task}


@pytest.fixture
def site():
    """Serve the page in memory."""
    asks = Asks(lambda: {"pairingCode": "123456"}, play)
    return StubTreq(demo_site(asks).resource)


def ask(site, method: str, path: str, **headers: str) -> tuple[int, str, bytes]:
    """Make one request: its status, type and body."""

    async def answer() -> tuple[int, str, bytes]:
        response = await site.request(
            method,
            f"http://127.0.0.1:7897{path}",
            headers={**HOST, **{name: [value] for name, value in headers.items()}},
            allow_redirects=False,
        )
        kind = (response.headers.getRawHeaders("content-type") or [""])[0]
        return response.code, kind, await response.content()

    outcome: list = []
    Deferred.fromCoroutine(answer()).addCallbacks(
        outcome.append, Failure.raiseException
    )
    site.flush()
    (result,) = outcome
    return result


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/", "text/html; charset=utf-8"),
        ("/demo.css", "text/css; charset=utf-8"),
        ("/demo.js", "text/javascript; charset=utf-8"),
        ("/module/module.json", "application/json"),
        ("/module/scripts/bridge.js", "text/javascript; charset=utf-8"),
        ("/simulator/boot.js", "text/javascript; charset=utf-8"),
    ],
)
@pytest_twisted.ensureDeferred
async def test_files_have_the_type_that_a_browser_needs(path, kind):
    """A module script of the wrong type would not be run."""
    served = demo_site(Asks(dict, play))
    port = reactor.listenTCP(0, served, interface="127.0.0.1")
    try:
        url = f"http://127.0.0.1:{port.getHost().port}{path}"
        response = await treq.get(url, persistent=False)
        assert response.headers.getRawHeaders("content-type") == [kind]
        assert await response.content()
    finally:
        await port.stopListening()


@pytest.mark.parametrize(
    "path", ["/module/", "/module/scripts", "/nowhere", "/../pyproject.toml"]
)
def test_folders_are_not_listed(site, path):
    """What is not a file is not there."""
    assert ask(site, "GET", path)[0] in (302, 404)


def test_the_page_is_invited(site):
    """The page learns how to connect, and gets a pairing code of its own."""
    status, kind, body = ask(site, "POST", "/invitation")
    assert (status, kind) == (200, "application/json")
    assert json.loads(body) == {"pairingCode": "123456"}


def test_an_invitation_cannot_be_fetched_by_a_link(site):
    """An image or a link of a foreign page makes a GET, and gets nothing."""
    assert ask(site, "GET", "/invitation")[0] == 405


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Host": "evil.example"}, 421),
        ({"X-Forwarded-For": "10.0.0.1"}, 403),
        ({"Origin": "http://127.0.0.1:7897"}, 200),
    ],
)
def test_only_pages_of_this_machine_may_ask(site, headers, status):
    """A page from elsewhere must not learn the pairing code."""
    found, _, body = ask(site, "POST", "/invitation", **headers)
    assert found == status
    assert (b"123456" in body) == (status == 200)


def test_a_task_is_played(site):
    """A button of the page does what an agent would do."""
    status, _, body = ask(site, "POST", "/play?task=heal")
    assert (status, json.loads(body)) == (200, {"played": "heal"})


def test_a_relay_that_is_gone_is_named(site):
    """The page says what went wrong rather than nothing."""
    status, _, body = ask(site, "POST", "/play?task=dead")
    assert status == 502
    assert json.loads(body) == {"error": {"message": "the relay does not answer"}}
