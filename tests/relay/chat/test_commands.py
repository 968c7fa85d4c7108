"""What the box's commands are, and what is a prompt."""

from __future__ import annotations

import pytest

from aagm.relay.chat.commands import (
    CloseTab,
    ListPoints,
    ReadLog,
    Redo,
    RollBack,
    SwitchMode,
    Terminate,
    parse_command,
)


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("/int", SwitchMode(is_external=False)),
        ("  /EXT\n", SwitchMode(is_external=True)),
        ("/rollback", RollBack(None)),
        ("/rollback rp-0a1b2c", RollBack("rp-0a1b2c")),
        ("/Rollback  RP-0A1B2C ", RollBack("rp-0a1b2c")),
        ("/redo", Redo()),
        ("/points", ListPoints()),
        ("/close", CloseTab()),
        ("/exit", Terminate()),
        ("/stop", Terminate()),
        ("/quit", Terminate()),
        ("/log", ReadLog(None)),
        ("/log September 24 14.05.06.md", ReadLog("September 24 14.05.06.md")),
    ],
)
def test_a_command_is_read_whatever_its_case(text, command):
    """Case and space around a command do not matter."""
    assert parse_command(text, reads_log=True) == command


@pytest.mark.parametrize(
    "text",
    [
        "/ext later",
        "please /exit",
        "/rollback rp-0a1b2c and then go on",
        "/rollbackrp",
        "/logs",
        "/unknown",
        "",
        "\ud83d",
    ],
)
def test_anything_else_is_a_prompt(text):
    """A command with words around it goes to the listener."""
    assert parse_command(text, reads_log=True) is None


def test_the_log_command_is_a_prompt_where_the_member_has_none():
    """AAGM-K's listener gets ``/log`` as typed."""
    assert parse_command("/log", reads_log=False) is None
