"""An agent reads the world through the tab, with arguments checked before."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import HandlerThrew, ProtectedDocument
from aagm.mcp.tools.queries import query_tools
from aagm.testing import FakeTab


@pytest.fixture
def relay(build):
    """A port with a bridge in memory."""
    return build()


@pytest.fixture
def query(relay, call):
    """Call foundry_query_<kind>; gives what is answered, as a list."""

    def query(kind, **arguments):
        tools = query_tools(relay.bridge, limit=30)
        return call(tools, f"foundry_query_{kind}", arguments)

    return query


@pytest.fixture
def tab(relay):
    """A tab that gives back what it was asked."""
    kinds = ("actor", "scene", "macro", "journal", "user")
    tab = FakeTab(answers={f"query.{kind}": lambda params: params for kind in kinds})
    relay.bridge.connect(tab)
    return tab


@pytest.mark.parametrize(
    ("kind", "arguments"),
    [
        ("actor", {"actorId": "a1"}),
        ("actor", {"actorId": "a1", "fields": ["system.attributes.hp", "name"]}),
        ("scene", {}),
        ("scene", {"sceneId": "s1"}),
        ("macro", {"macroId": "m1"}),
        ("macro", {"name": "Heal"}),
        ("journal", {"journalId": "j1", "pageId": "p1"}),
        ("journal", {"name": "Cellar", "pageName": "Map"}),
        ("user", {}),
        ("user", {"userId": "u1"}),
    ],
)
def test_the_tab_is_asked_with_the_arguments_as_given(query, tab, kind, arguments):
    """Nothing is added, nothing dropped; the tab has thirty seconds."""
    assert query(kind, **arguments) == [arguments]
    asked = tab.asked[0]
    assert (asked.method, asked.params, asked.limit) == (
        f"query.{kind}",
        arguments,
        30,
    )


@pytest.mark.parametrize(
    ("kind", "arguments", "said"),
    [
        ("actor", {}, "missing actorId"),
        ("actor", {"actorId": ""}, "actorId must not be empty"),
        ("actor", {"actorId": "a", "fields": "name"}, "fields must be array"),
        ("actor", {"actorId": "a", "field": "name"}, "unknown argument field"),
        ("scene", {"sceneId": 7}, "sceneId must be string"),
        ("macro", {}, "give macroId or name"),
        ("journal", {"pageId": "p1"}, "give journalId or name"),
        ("user", {"id": "u1"}, "unknown argument id"),
    ],
)
def test_wrong_arguments_do_not_reach_the_tab(query, tab, kind, arguments, said):
    """The complaint says what is wrong."""
    (answer,) = query(kind, **arguments)
    assert answer["error"]["message"] == f"foundry_query_{kind}: {said}"
    assert tab.asked == []


def test_without_a_tab_the_error_says_why(query):
    """The model gets the reason's code and cure."""
    (answer,) = query("user")
    error = answer["error"]
    assert (error["code"], error["reason"]) == (-33003, "no_module")
    assert error["fix"] == "Open the world."


def test_what_the_module_says_comes_through(query, tab):
    """An unknown actor is the module's to report."""

    def gone(_params):
        raise HandlerThrew("actor a1 not found")

    tab.answers["query.actor"] = gone
    (answer,) = query("actor", actorId="a1")
    assert answer["error"]["code"] == -33002
    assert answer["error"]["message"] == "actor a1 not found"


def test_a_protected_journal_is_a_decision_not_a_fault(query, tab):
    """The model is told not to try again."""

    def protected(_params):
        raise ProtectedDocument("The journal Secrets is protected.")

    tab.answers["query.journal"] = protected
    assert query("journal", name="Secrets") == [
        {
            "blocked": True,
            "reason": "The journal Secrets is protected.",
            "fix": "Leave it alone, and tell the game master.",
        }
    ]


@pytest.mark.parametrize("way", ["hang_up", "reset"])
def test_a_caller_that_leaves_frees_the_request(build, tab, relay, way):
    """Nothing waits for an answer that nobody will read."""
    tab.answers["query.user"] = lambda _params: Deferred()
    port = build(query_tools(relay.bridge, limit=30))
    line = port.line().call("foundry_query_user")
    assert len(relay.bridge._calls) == 1
    getattr(line, way)()
    assert relay.bridge._calls == []
    assert relay.clock.getDelayedCalls() == []
