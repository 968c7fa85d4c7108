"""All tools together: what every client must be able to take."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
import pytest_twisted
from readme import RECORDED, shown_tools, tool_table
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import AagmError
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Registry
from aagm.mcp.tools.chat import gated
from aagm.members import MEMBERS
from aagm.parts import tools as tools_module
from aagm.wire.codes import to_error
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


# What has a limit that is no tool's own: the body's, and the window's (TooLarge).
UNLIMITED = {("foundry_eval", "code"), ("foundry_send_reply", "text")}


def test_every_text_has_a_limit_that_a_model_is_told(relay):
    """Four megabytes fit into a body, but not into a line, a log or a window."""
    registry = Registry(relay.tools, Answers(Clock()))
    for tool in registry:
        for name, schema in tool.schema["properties"].items():
            is_free = schema["type"] == "string" and "enum" not in schema
            if not is_free or (tool.name, name) in UNLIMITED:
                continue
            came = []
            call = registry.call(tool.name, {name: "x" * 5000}, Caller("session"))
            Deferred.fromCoroutine(call).addBoth(came.append)
            (said,) = came[0]["content"]
            assert f"{name} has 5000 characters; it may have" in said["text"], tool.name


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


NO_TAB, WRONG, OCCUPIED = -33003, -32602, -33005
LISTENER = {"listenerId": "the-listener"}
SUMMARY = {"summary": "A blow"}
WHAT = {"targets": ["Ottar Reed"], "amount": 1}
CODE = {"code": "await game.actors.getName('Ottar Reed').delete()"}

# How each tool fails most often in a relay that no tab has found yet: what it is asked
# and the code of its error. None: it has no other than wrong arguments.
FAILURES: dict[str, tuple[dict[str, Any], int] | None] = {
    "foundry_ping": None,
    "foundry_query_actor": ({"actorId": "a1"}, NO_TAB),
    "foundry_query_scene": ({}, NO_TAB),
    "foundry_query_macro": ({"name": "Ring the bell"}, NO_TAB),
    "foundry_query_journal": ({"name": "How it sank"}, NO_TAB),
    "foundry_query_user": ({}, NO_TAB),
    "foundry_search": ({"query": "eel"}, NO_TAB),
    "foundry_tail_logs": ({}, NO_TAB),
    "foundry_eval": ({**CODE, **SUMMARY, "intent": "destructive"}, NO_TAB),
    "foundry_apply_damage": ({**WHAT, **SUMMARY}, NO_TAB),
    "foundry_rollback_points": None,
    "foundry_rollback": ({}, NO_TAB),
    "foundry_mirror_backup": None,
    "foundry_mirror_backups": None,
    "foundry_mirror_restore": None,
    "foundry_plugins": ({}, NO_TAB),
    "foundry_plugin": ({"name": "Rename Actor", "args": {}}, NO_TAB),
    "foundry_loot_pending": ({}, NO_TAB),
    "foundry_restore_loot": ({}, NO_TAB),
    "foundry_session_logs": None,
    "foundry_read_session_log": ({"name": "none.md"}, WRONG),
    "foundry_more": ({"cursor": "none"}, WRONG),
    "foundry_get_prompts": ({**LISTENER, "waitSeconds": 0}, OCCUPIED),
    "foundry_get_interrupts": ({**LISTENER, "tabId": "t-main"}, OCCUPIED),
    "foundry_send_reply": None,
    "foundry_set_status": None,
    "foundry_set_interaction_mode": None,
}


@pytest.fixture
def fault(relay):
    """Call a tool that must fail, and give its error as a model reads it."""
    registry = Registry(relay.tools, Answers(Clock()))

    async def fault(tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        try:
            result = await registry.call(tool, arguments, Caller("session"))
        except AagmError as e:  # a listener that is turned away
            return to_error(e) | to_error(e)["data"]
        text = result["content"][0]["text"]
        assert result["isError"], (tool, text)
        return dict(json.loads(text)["error"])

    return fault


@pytest_twisted.ensureDeferred
async def test_every_tools_error_says_what_to_do(relay, fault):
    """Whatever was wrong, and with whichever tool, a model reads what helps."""
    assert sorted(FAILURES) == sorted(tool.name for tool in relay.tools)
    first = Registry(relay.tools, Answers(Clock()))
    poll = {"listenerId": "another-listener", "waitSeconds": 0}
    await first.call("foundry_get_prompts", poll, Caller("session"))
    for name, failure in FAILURES.items():
        error = await fault(name, {"nonsense": 1})
        assert (error["code"], bool(error["fix"])) == (WRONG, True), name
        if failure is None:
            continue
        arguments, code = failure
        error = await fault(name, arguments)
        assert error["code"] == code, (name, error)
        assert error["fix"], name
