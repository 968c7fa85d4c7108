"""Requests to the tab: ids, limits, late answers, a socket that goes."""

from __future__ import annotations

import pytest
from twisted.internet.defer import CancelledError, Deferred

from aagm.bridge.calls import CAPABLE, KEPT_LATE
from aagm.errors import (
    BridgeLost,
    HandlerThrew,
    MethodUnknown,
    NoModule,
    NotCapable,
    TimeLimit,
    TooLarge,
)


@pytest.fixture
def page(bench):
    """A tab that is let in."""
    return bench.dial().hello()


def answer(page, request, result):
    """Let the tab answer a request."""
    page.say({"id": request["id"], "result": result})


def test_a_request_is_answered(bench, page):
    """The tab gets method and params, the caller the result, the timer goes."""
    outcomes = bench.call("query.actor", {"actorId": "a1"})
    (request,) = page.requests("query.actor")
    assert request["params"] == {"actorId": "a1"}
    assert request["jsonrpc"] == "2.0"

    answer(page, request, {"actorId": "a1", "data": {}})

    assert outcomes == [{"actorId": "a1", "data": {}}]
    assert len(bench.service.owner.calls) == 0


def test_ids_are_unique_and_answers_find_their_callers(bench, page):
    """Answers in any order reach who asked."""
    outcomes = [bench.call("query.actor", {"actorId": str(n)}) for n in range(20)]
    requests = page.requests("query.actor")
    assert len({request["id"] for request in requests}) == 20
    assert all(request["id"].startswith("req-") for request in requests)

    for request in reversed(requests):
        answer(page, request, request["params"]["actorId"])

    assert outcomes == [[str(n)] for n in range(20)]


def test_what_the_module_answers_as_an_error_is_raised(bench, page):
    """A handler that threw, and a method it does not know, become errors of ours."""
    threw, unknown = bench.call("eval"), bench.call("loot.pending")
    (first,), (second,) = page.requests("eval"), page.requests("loot.pending")
    error = {"code": -33002, "message": "boom", "data": {"stack": "at 1:1"}}
    page.say({"id": first["id"], "error": error})
    page.say({"id": second["id"], "error": {"code": -32601, "message": "none"}})

    assert [type(each) for each in threw + unknown] == [HandlerThrew, MethodUnknown]
    assert str(threw[0]) == "boom"
    assert threw[0].data == {"stack": "at 1:1"}


def test_a_method_outside_the_set_is_not_sent(bench, page):
    """The set has the family's fifteen methods, our check and search, and no more."""
    assert len(CAPABLE) == 17
    assert {"rollback.check", "search"} < CAPABLE
    (error,) = bench.call("world.delete")
    assert isinstance(error, NotCapable)
    assert page.requests("world.delete") == []


def test_a_request_past_the_limit_is_not_sent(make_bench):
    """What the socket could not carry is refused where it was asked."""
    bench = make_bench(message=2000)
    page = bench.dial().hello()
    (error,) = bench.call("eval", {"code": "a" * 2000})
    assert isinstance(error, TooLarge)
    assert page.requests("eval") == []
    assert page.close_code is None


def test_a_hanging_request_holds_no_other(bench, page):
    """Each has its own limit; one that hangs is alone in it."""
    hung = bench.call("eval", limit=30)
    quick = bench.call("ping", limit=30)
    answer(page, page.requests("ping")[0], {"pong": True})
    assert (hung, quick) == ([], [{"pong": True}])

    bench.advance(29.9)
    assert hung == []
    bench.advance(0.1)
    assert isinstance(hung[0], TimeLimit)
    assert page.close_code is None


@pytest.mark.parametrize(
    ("at_hello", "since", "words"),
    [
        (False, None, False),
        (True, None, True),
        (False, True, True),
        (True, False, False),
    ],
)
def test_a_limit_names_the_hidden_tab(bench, at_hello, since, words):
    """The error names method, seconds and whether anybody sees the tab."""
    page = bench.dial().hello(hidden=at_hello)
    if since is not None:
        page.tell("aagm.hidden", hidden=since)
    outcomes = bench.call("query.scene", limit=30)
    bench.advance(30)

    (error,) = outcomes
    assert "query.scene was not answered within 30 s" in str(error)
    assert ("hidden" in str(error)) is words
    assert error.data == {"method": "query.scene", "seconds": 30, "hidden": words}
    assert bench.events.notifications == []


def test_a_late_answer_is_handed_on(bench, page):
    """The answer of a write that passed its limit still reaches its point, once."""
    late = []
    outcomes = bench.call("eval", limit=5, late=late.append)
    bench.advance(5)
    assert isinstance(outcomes[0], TimeLimit)

    (request,) = page.requests("eval")
    answer(page, request, {"rollback": {"streamed": 3}})
    answer(page, request, {"rollback": {"streamed": 4}})

    assert late == [{"rollback": {"streamed": 3}}]
    assert len(outcomes) == 1


def test_a_late_error_is_handed_on(bench, page):
    """So is its error."""
    late = []
    bench.call("eval", limit=5, late=late.append)
    bench.advance(5)
    (request,) = page.requests("eval")
    page.say({"id": request["id"], "error": {"code": -33002, "message": "boom"}})
    assert [type(each) for each in late] == [HandlerThrew]


def test_an_answer_that_nobody_wants_is_logged(bench, page, logs):
    """A late answer without a taker, and one to no request, change nothing."""
    bench.call("eval", limit=5)
    bench.advance(5)
    answer(page, page.requests("eval")[0], {})
    page.say({"id": 7, "result": {}})
    page.say({"id": None, "error": {"code": -32700, "message": "what"}})
    lines = [e["log_format"] for e in logs if "nobody" in str(e.get("log_format"))]
    assert len(lines) == 3
    assert page.close_code is None


def test_everything_fails_at_once_when_the_tab_goes(bench, page):
    """Nobody waits for a limit whose tab is gone."""
    outcomes = [bench.call(method) for method in ("eval", "ping", "query.user")]
    page.dropConnection(abort=True)
    bench.flush()
    assert [type(each[0]) for each in outcomes] == [BridgeLost] * 3
    assert "eval was not answered" in str(outcomes[0][0])
    (error,) = bench.call("ping")
    assert type(error) is NoModule


def test_an_answer_on_the_pages_next_socket_is_handed_on(bench, page):
    """A page that reconnected while it ran a write answers on the new socket."""
    late = []
    outcomes = bench.call("eval", late=late.append)
    (request,) = page.requests("eval")
    again = bench.dial().hello()
    assert isinstance(outcomes[0], BridgeLost)
    answer(again, request, {"ok": True})
    assert late == [{"ok": True}]


def test_a_caller_that_leaves_leaves_nothing(bench, page):
    """A cancelled caller is forgotten, and its late answer still handed on."""
    late = []
    tab = bench.service.owner
    caller = Deferred.fromCoroutine(
        bench.service.call("eval", {}, limit=30, late=late.append)
    )
    failures = []
    caller.addErrback(lambda failure: failures.append(failure.value))
    caller.cancel()
    bench.flush()

    assert [type(each) for each in failures] == [CancelledError]
    assert len(tab.calls) == 0
    answer(page, page.requests("eval")[0], {"ok": True})
    assert late == [{"ok": True}]


def test_a_thousand_timed_out_requests_leave_nothing(bench, page):
    """Tables stay small however often a tab does not answer."""
    outcomes = [
        Deferred.fromCoroutine(
            bench.service.call("eval", {}, limit=1, late=lambda _: None)
        )
        for _ in range(1000)
    ]
    failed = []
    for each in outcomes:
        each.addErrback(failed.append)
    bench.clock.advance(1)

    assert len(failed) == 1000
    assert len(bench.service.owner.calls) == 0
    assert len(bench.service._reception.late_answers) == KEPT_LATE
    assert len(bench.clock.getDelayedCalls()) == 1  # the ping


def test_without_a_tab_the_reason_is_given(bench):
    """A call with nobody connected says so at once, and where to dial."""
    (error,) = bench.call("ping")
    assert isinstance(error, NoModule)
    assert error.data == {"reason": "no_module"}
    assert "ws://127.0.0.1:7898" in str(error)
