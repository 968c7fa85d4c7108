"""All tools together: what every client must be able to take."""

from __future__ import annotations

import re

import pytest
from readme import RECORDED, shown_tools, tool_table

from aagm.mcp.tools.chat import gated
from aagm.members import MEMBERS
from aagm.parts import tools as tools_module
from aagm.wire.jsonrpc import dumps

# The family's 23, by the class that PROTOCOL_FACTS 1.3 gives them.
READS = {
    *("foundry_ping", "foundry_query_actor", "foundry_query_scene"),
    *("foundry_query_macro", "foundry_query_journal", "foundry_query_user"),
    *("foundry_tail_logs", "foundry_mirror_backups", "foundry_rollback_points"),
    *("foundry_session_logs", "foundry_read_session_log", "foundry_loot_pending"),
}
WRITES = {
    *("foundry_eval", "foundry_apply_damage", "foundry_mirror_restore"),
    *("foundry_rollback", "foundry_restore_loot"),
}
OTHERS = {
    *("foundry_mirror_backup", "foundry_get_prompts", "foundry_get_interrupts"),
    *("foundry_send_reply", "foundry_set_status", "foundry_set_interaction_mode"),
}
OURS = {"foundry_more", "foundry_search", "foundry_plugin", "foundry_plugins"}

# These are the listener's own, or continue an answer: no interrupt stops them.
UNGATED = {*OTHERS - {"foundry_mirror_backup"}, "foundry_more"}


def test_the_familys_tools_are_all_there_and_few_of_ours(relay):
    """Twenty-three of the family, our own, and thirty at most."""
    names = [tool.name for tool in relay.tools]
    assert len(READS | WRITES | OTHERS) == 23
    assert sorted(names) == sorted(READS | WRITES | OTHERS | OURS)
    assert len(names) <= 30


def test_reads_are_marked_as_reads_and_no_write_is(relay):
    """A client may run a read without asking its user; it must ask for a write."""
    marked = {tool.name for tool in relay.tools if tool.read_only}
    assert marked >= READS
    assert not marked & (WRITES | OTHERS)
    destructive = {tool.name for tool in relay.tools if tool.destructive}
    assert destructive <= WRITES | {"foundry_plugin"}


def test_the_whole_list_fits(relay):
    """Sixteen kilobytes, which every client and model can take."""
    assert len(dumps([tool.listed() for tool in relay.tools])) <= 16 * 1024


@pytest.mark.parametrize("prefix", ["mcp__{}__", "{}__", "mcp_{}_"])
def test_names_fit_with_every_clients_prefix(relay, prefix):
    """Forty characters, sixty with the server's name before them."""
    for tool in relay.tools:
        assert re.fullmatch("foundry_[a-z_]{1,32}", tool.name)
        for member in MEMBERS.values():
            assert len(prefix.format(member.slug) + tool.name) <= 60


def test_the_first_sentence_says_it_all(relay):
    """Clients cut descriptions; a model must know what a tool does all the same."""
    for tool in relay.tools:
        first = tool.description.partition(". ")[0]
        assert 20 < len(first) <= 200, tool.name
        assert tool.description.endswith("."), tool.name
        assert len(tool.description) <= 600, tool.name


def test_every_property_says_what_it_is(relay):
    """A model's API refuses one without a type; a model needs the words."""
    for tool in relay.tools:
        assert tool.schema["additionalProperties"] is False
        for name, schema in tool.schema["properties"].items():
            assert isinstance(schema["type"], str), (tool.name, name)
            assert schema["description"].endswith("."), (tool.name, name)


@pytest.fixture
def passed(monkeypatch):
    """The names of the tools that are put behind the gate."""
    names = []

    def noted(tools, gate):
        names.extend(tool.name for tool in tools)
        return gated(tools, gate)

    monkeypatch.setattr(tools_module, "gated", noted)
    return names


def test_every_tool_that_works_on_the_world_passes_the_gate(passed, relay):
    """The GM's word reaches an agent with whatever it does next."""
    assert sorted(passed) == sorted({tool.name for tool in relay.tools} - UNGATED)


def test_the_readme_shows_the_tools_as_they_are(relay):
    """The README's table is made from the tools; drivers/renew_readme.py renews it."""
    assert WRITES | {"foundry_plugin"} == RECORDED
    assert shown_tools() == tool_table(relay.tools)
