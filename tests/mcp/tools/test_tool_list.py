"""The list of tools fits every client."""

from __future__ import annotations

import json
import re

import pytest
from twisted.internet.task import Clock

from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.tools.more import more_tools
from aagm.mcp.tools.ping import ping_tools
from aagm.mcp.tools.queries import query_tools
from aagm.members import GROK, KIMI
from aagm.testing import FakeBridge

# The longest prefix that a known client puts before a tool's name.
PREFIX = "mcp__{}__"


@pytest.fixture
def tools():
    """The tools of this package that need nothing but the bridge."""
    clock = Clock()
    bridge = FakeBridge(clock)
    connection = Connection(clock, bridge, KIMI, "1.2.3")
    return [
        *ping_tools(connection, dial="ws://127.0.0.1:7898", limit=30),
        *query_tools(bridge),
        *more_tools(Answers(clock)),
    ]


def test_names_fit_with_the_longest_prefix(tools):
    """Letters, digits and underscores; sixty characters with server name."""
    for tool in tools:
        assert re.fullmatch("foundry_[a-z_]+", tool.name)
        for member in (KIMI, GROK):
            assert len(PREFIX.format(member.slug) + tool.name) <= 60


def test_the_first_sentence_of_a_description_says_it_all(tools):
    """Clients cut descriptions; the first sentence is short and ends."""
    for tool in tools:
        first = tool.description.partition(". ")[0]
        assert 20 < len(first) <= 160, tool.name
        assert tool.description.endswith(".")


def test_every_property_is_typed_and_described(tools):
    """A model's API refuses a property without a type; a model needs the words."""
    for tool in tools:
        for name, schema in tool.schema["properties"].items():
            assert schema["type"] in {"string", "array", "integer", "boolean"}, name
            assert schema["description"].endswith("."), name


def test_these_tools_take_their_share_of_the_room(tools):
    """Seven of about twenty-six tools in 16 KB."""
    listed = [tool.listed() for tool in tools]
    assert len(json.dumps(listed, separators=(",", ":"))) < 16_384 * 7 / 26
