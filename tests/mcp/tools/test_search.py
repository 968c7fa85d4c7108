"""An agent finds things in the world."""

from __future__ import annotations

import pytest

from aagm.errors import BadParams
from aagm.mcp.tools.search import search_tools
from aagm.testing import FAMILY_HELLO, FakeTab

PAGE = {"query": "eel", "total": 1, "results": [{"uuid": "Item.a", "name": "Eel"}]}


@pytest.fixture
def relay(build):
    """A port with a bridge in memory."""
    return build()


@pytest.fixture
def search(relay, call):
    """Search; gives what is answered, as a list."""

    def search(**arguments):
        return call(search_tools(relay.bridge, limit=30), "foundry_search", arguments)

    return search


def test_the_tab_is_asked_as_the_agent_asked(relay, search):
    """Nothing is added, nothing is lost."""
    tab = FakeTab(answers={"search": lambda _: PAGE})
    relay.bridge.connect(tab)
    asked = {"query": "eel", "type": "Item", "where": "world", "limit": 5}
    assert search(**asked, cursor="5") == [PAGE]
    assert tab.asked_of("search") == [{**asked, "cursor": "5"}]


def test_a_family_module_is_named_as_the_reason(relay, search):
    """The model learns that it cannot be had here, in one sentence."""
    relay.bridge.connect(FakeTab(FAMILY_HELLO))
    [answer] = search(query="eel")
    assert answer["refused"] is True
    assert "cannot search" in answer["reason"]


def test_what_the_module_complains_of_comes_through(relay, search):
    """An unknown type is an error, not an empty list."""

    def refuse(_params):
        raise BadParams("no document is of type Actr")

    relay.bridge.connect(FakeTab(answers={"search": refuse}))
    [answer] = search(query="eel", type="Actr")
    assert answer["error"]["code"] == -32602
    assert answer["error"]["message"] == "no document is of type Actr"


@pytest.mark.parametrize(
    "arguments",
    [{}, {"query": ""}, {"query": "a", "limit": 0}, {"query": "a", "where": "here"}],
)
def test_wrong_arguments_do_not_reach_the_tab(relay, search, arguments):
    """The complaint comes from the relay."""
    tab = FakeTab()
    relay.bridge.connect(tab)
    [answer] = search(**arguments)
    assert answer["error"]["code"] == -32602
    assert tab.asked == []
