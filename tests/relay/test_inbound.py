"""What the tabs tell policy finds whoever has to know."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import MethodUnknown
from aagm.relay.inbound import Inbound

TAB = object()


def test_everybody_adds_to_the_hello_s_answer():
    """Each part of the relay that has something to say to a new tab says it."""
    inbound = Inbound(on_accepted=[lambda link: {"a": link}, lambda _: {"b": 2}])
    assert inbound.accepted(TAB) == {"a": TAB, "b": 2}


def test_everybody_hears_that_a_tab_left():
    """No part of the relay goes on waiting for a tab that is gone."""
    heard = []
    inbound = Inbound(on_gone=[lambda *a: heard.append(a)] * 2)
    inbound.gone(TAB, "closed")
    assert heard == [(TAB, "closed")] * 2


def test_an_unknown_notification_is_dropped():
    """A newer module's notification harms nobody."""
    heard = []
    inbound = Inbound(notifications={"known": lambda *a: heard.append(a)})
    inbound.notified(TAB, "unknown", {})
    inbound.notified(TAB, "known", {"x": 1})
    assert heard == [(TAB, {"x": 1})]


def test_an_unknown_request_is_answered_with_an_error():
    """A newer module's request is answered, never left hanging."""
    inbound = Inbound()
    failed = Deferred.fromCoroutine(inbound.asked(TAB, "unknown", {}))
    errors = []
    failed.addErrback(lambda f: errors.append(f.value))
    assert isinstance(errors[0], MethodUnknown)
    with pytest.raises(MethodUnknown, match="unknown"):
        raise errors[0]


def test_a_known_request_is_answered():
    """The card's buttons get their answer."""

    async def answer(link, params):
        return {"link": link is TAB, **params}

    inbound = Inbound(requests={"known": answer})
    got = []
    Deferred.fromCoroutine(inbound.asked(TAB, "known", {"x": 1})).addCallback(
        got.append
    )
    assert got == [{"link": True, "x": 1}]
