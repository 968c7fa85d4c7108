"""What a tab says: notifications, requests, and what it is told."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import LaneBusy
from aagm.testing import RecordedEvents


@pytest.fixture
def page(bench):
    """A tab that is let in."""
    return bench.dial().hello()


def failing(error):
    """Make a script that raises *error*."""

    def script(_params):
        raise error

    return script


def test_a_notification_reaches_policy(bench, page):
    """What the tab tells is handed on with the tab that told it."""
    page.tell("aagm.prompt", text="light the hearth")
    assert bench.events.notifications == [
        (bench.service.owner, "aagm.prompt", {"text": "light the hearth"})
    ]


def test_a_request_is_answered(bench, page):
    """The card's buttons are requests, answered under their own id."""
    bench.events.answers["aagm.rollback.request"] = lambda p: {"target": p["pointId"]}
    page.ask("aagm.rollback.request", pointId="rp-00000a")
    assert page.heard[-1] == {
        "jsonrpc": "2.0",
        "id": "ask",
        "result": {"target": "rp-00000a"},
    }


def test_a_request_that_fails_is_answered_with_its_code(bench, page):
    """Our errors keep their code, and an unknown method is told so."""
    bench.events.answers["aagm.rollback.request"] = failing(LaneBusy("a write runs"))
    page.ask("aagm.rollback.request")
    assert page.heard[-1]["error"]["code"] == -33012
    page.ask("nonsense")
    assert page.heard[-1]["error"]["code"] == -32601


def test_a_bug_is_answered_as_internal(bench, page, logs):
    """A stranger's exception is logged whole, and its text is not sent."""
    bench.events.answers["aagm.rollback.request"] = failing(KeyError("secret"))
    page.ask("aagm.rollback.request")
    error = page.heard[-1]["error"]
    assert error["code"] == -32603
    assert "secret" not in error["message"]
    assert page.close_code is None
    (event,) = [e for e in logs if "log_failure" in e]
    assert event["method"] == "aagm.rollback.request"
    logs.remove(event)


def test_an_answer_that_is_no_json_is_a_bug_too(bench, page, logs):
    """The tab is answered, not left waiting."""
    bench.events.answers["aagm.rollback.request"] = lambda _: {1, 2}
    page.ask("aagm.rollback.request")
    assert page.heard[-1]["error"]["code"] == -32603
    logs[:] = [e for e in logs if "log_failure" not in e]


def test_a_bug_in_taking_a_notification_harms_nobody(bench, page, logs, monkeypatch):
    """Policy that fails on a notification costs no tab its socket."""
    monkeypatch.setattr(RecordedEvents, "notified", lambda *_: 1 / 0)
    page.tell("aagm.prompt")
    (event,) = [e for e in logs if "log_failure" in e]
    logs.remove(event)
    monkeypatch.setattr(
        RecordedEvents, "notified", lambda *_: failing(LaneBusy("no"))(0)
    )
    page.tell("aagm.prompt")
    assert page.close_code is None


def test_a_hanging_request_holds_no_other(bench, page):
    """Requests of the tab's are answered as they come to an end."""
    slow = Deferred()
    bench.events.answers |= {"slow": lambda _: slow, "quick": lambda _: "done"}
    page.say({"id": 1, "method": "slow", "params": {}})
    page.say({"id": 2, "method": "quick", "params": {}})
    assert [m["id"] for m in page.heard if "result" in m] == ["hello-1", 2]
    slow.callback("at last")
    bench.flush()
    assert page.heard[-1] == {"jsonrpc": "2.0", "id": 1, "result": "at last"}


def test_an_answer_to_a_tab_that_left_is_dropped(bench, page):
    """What took too long for its tab harms nobody."""
    slow = Deferred()
    bench.events.answers["slow"] = lambda _: slow
    page.ask("slow")
    tab = bench.service.owner
    page.dropConnection(abort=True)
    bench.flush()
    slow.callback("too late")
    tab.notify("aagm.status", {"state": "ready"})
    assert bench.service.owner is None


def test_an_answer_past_the_limit_is_an_error(make_bench):
    """An answer that the socket cannot carry is told as too large."""
    bench = make_bench(message=2000)
    page = bench.dial().hello()
    bench.events.answers["big"] = lambda _: "a" * 2000
    page.ask("big")
    assert page.heard[-1]["error"]["code"] == -33009


def test_a_notification_past_the_limit_is_dropped(make_bench):
    """One that is too large is logged, and the socket stays."""
    bench = make_bench(message=2000)
    page = bench.dial().hello()
    bench.service.notify("aagm.reply", {"text": "a" * 2000})
    bench.service.notify("aagm.reply", {"text": "short"})
    bench.flush()
    assert page.told("aagm.reply") == [{"text": "short"}]


def test_the_answer_to_hello_comes_first(bench, monkeypatch):
    """What policy sends while it takes the tab in follows the hello's answer."""

    def accepted(_events, link):
        link.notify("aagm.tabs", {"tabs": []})
        return {}

    monkeypatch.setattr(RecordedEvents, "accepted", accepted)
    page = bench.dial().hello()
    assert page.heard[0]["id"] == "hello-1"
    assert page.heard[1]["method"] == "aagm.tabs"


def test_a_lone_surrogate_passes_both_ways(bench, page):
    """Half an emoji, cut by somebody's code, breaks no socket."""
    bench.events.answers["echo"] = lambda p: p
    page.ask("echo", text="\ud83d")
    assert page.heard[-1]["result"] == {"text": "\ud83d"}
