"""The aagm command: what it offers, and what it loads."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from aagm.cli.main import VERBS, main
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
