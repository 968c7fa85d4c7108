"""The tools that read session logs."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import BadParams
from aagm.mcp.registry import Call
from aagm.mcp.tools.logs import log_tools
from aagm.relay.log_files import LogFiles


@pytest.fixture
def run(tmp_path):
    """Call a tool over a folder with one long log."""
    (tmp_path / "a.md").write_text("line\n" * 4000)
    tools = {tool.name: tool for tool in log_tools(LogFiles(tmp_path, "a.md"))}

    def call(name, /, **arguments):
        got: list[object] = []
        work = tools[name].run(Call(name, arguments, "session"))
        Deferred.fromCoroutine(work).addBoth(got.append)
        [result] = got
        if hasattr(result, "raiseException"):
            result.raiseException()
        return result

    return call


def test_an_agent_reads_a_log_from_its_list_to_its_end(run):
    """Names, pages and the last page without a cursor."""
    [log] = run("foundry_session_logs")["logs"]
    page = run("foundry_read_session_log", name=log["name"])
    read = page["text"]
    while "cursor" in page:
        page = run("foundry_read_session_log", cursor=page["cursor"])
        read += page["text"]
    assert read == "line\n" * 4000
    assert page["name"] == "a.md"


def test_a_tail_is_short(run):
    """The last lines alone."""
    tail = run("foundry_read_session_log", tail=2)
    assert tail == {"name": "a.md", "text": "line\nline\n"}


def test_tail_and_cursor_together_are_refused(run):
    """Two ways at once are told apart from one."""
    with pytest.raises(BadParams, match="exclude each other"):
        run("foundry_read_session_log", tail=2, cursor="5")
