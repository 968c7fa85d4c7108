"""The aagm command: what it offers, and what it loads."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from io import BytesIO, TextIOWrapper
from types import ModuleType

import pytest

from aagm.cli.main import PIPE_CLOSED, VERBS, main
from aagm.foundry import version


def test_help_lists_every_command(capsys):
    """A newcomer sees all commands, one a line."""
    with pytest.raises(SystemExit) as end:
        main(["--help"])
    assert end.value.code == 0
    shown = capsys.readouterr().out
    assert re.findall(r"^  (\w+) {2,}\S", shown, re.MULTILINE) == list(VERBS)


def test_version(capsys):
    """The command knows its version."""
    with pytest.raises(SystemExit):
        main(["--version"])
    assert capsys.readouterr().out == f"{version()}\n"


def test_an_unknown_command_is_refused(capsys):
    """A typing error ends with the list of what there is."""
    with pytest.raises(SystemExit) as end:
        main(["fly"])
    assert end.value.code == 2
    assert "demo" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["foo", "bar"], "'foo'"),
        (["--bogus", "points"], "--bogus"),
        ([], "a command is needed"),
    ],
)
def test_what_is_wrong_in_the_line_is_named(capsys, argv, said):
    """The word itself, not another beside it."""
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert said in error
    assert "bar" not in error


@pytest.mark.parametrize(
    ("name", "verbs"), [("plugin", "check"), ("points", "list,show,diff,rollback")]
)
def test_a_missing_command_is_told_by_those_there_are(capsys, name, verbs):
    """And not by a word of ours."""
    with pytest.raises(SystemExit) as end:
        main([name])
    assert end.value.code == 2
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.endswith(f"required: {{{verbs}}}")


@pytest.mark.parametrize("name", VERBS)
def test_every_command_has_help(name, capsys):
    """Each command explains itself."""
    with pytest.raises(SystemExit) as end:
        main([name, "--help"])
    assert end.value.code == 0
    assert f"usage: aagm {name}" in capsys.readouterr().out


def test_a_command_loads_only_its_own_module():
    """`aagm unit` starts fast: neither Twisted nor the MCP client is loaded."""
    code = (
        "import sys; from aagm.cli.main import main; main(['unit']);"
        "print([m for m in ('twisted', 'mcp', 'pydantic') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], check=True, capture_output=True, text=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("line", [["unit"], ["points", "list"]])
def test_a_reader_that_has_seen_enough_ends_it_quietly(line):
    """`aagm points list | head -1` shows no traceback."""
    program = (
        "import sys; from aagm.cli import points; from aagm.cli.main import main;"
        "points.choose = lambda given: None;"
        "points.ask = lambda *given: {'points': [], 'skipped': ['x' * 99] * 9999};"
        "sys.exit(main(sys.argv[1:]))"
    )
    reader, writer = os.pipe()
    os.close(reader)  # before the command writes, however fast it is
    try:
        command = subprocess.run(
            [sys.executable, "-c", program, *line],
            check=False,
            stdout=writer,
            stderr=subprocess.PIPE,
        )
    finally:
        os.close(writer)
    assert (command.stderr, command.returncode) == (b"", PIPE_CLOSED)


def test_an_error_comes_with_its_cure(capsys, monkeypatch, tmp_path):
    """Whoever has no relay is told how to start one."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    assert main(["points", "list"]) == 1
    told = capsys.readouterr().err
    assert "no relay is running" in told
    assert told.endswith("\n      Start it with: twistd --pidfile= -n aagm\n")


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252"])
def test_what_the_output_has_no_letter_for_is_an_escape(encoding, monkeypatch):
    """Half a surrogate pair in a document's name, an arrow in an old code page."""
    written = BytesIO()
    monkeypatch.setattr(sys, "stdout", TextIOWrapper(written, encoding=encoding))
    said = ModuleType("said")
    said.main = lambda _argv: sys.stdout.write("Mira \ud83d → 12\n") and 0
    monkeypatch.setitem(sys.modules, VERBS["points"].module, said)
    assert main(["points"]) == 0
    arrow = {"utf-8": "→", "cp1252": "\\u2192"}[encoding]
    assert written.getvalue().decode() == f"Mira \\ud83d {arrow} 12\n"
