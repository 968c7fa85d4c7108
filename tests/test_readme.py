"""What README.md says is so."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest
from readme import ROOT, TEXT, command

from aagm.cli.main import VERBS
from aagm.config import load
from aagm.tap import Options


@pytest.mark.parametrize("number", [1, 2])
def test_each_command_is_one_line_of_shell(number):
    """A newcomer pastes one line, and the shell can read it."""
    assert "\n" not in command(number)
    done = subprocess.run(["sh", "-n", "-c", command(number)], check=False)
    assert done.returncode == 0


def test_ci_runs_the_readmes_test_command_and_nothing_else(tmp_path):
    """What a newcomer runs is what is checked for every change."""
    for name in (".ci/run", "README.md"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    program = command(2).split()[1]
    (tmp_path / program).parent.mkdir()
    (tmp_path / program).write_text('echo "it ran with $# arguments"; exit 3\n')
    done = subprocess.run(
        [tmp_path / ".ci/run"], check=False, capture_output=True, text=True
    )
    assert (done.stdout, done.returncode) == ("it ran with 0 arguments\n", 3)


def test_every_local_link_leads_somewhere():
    """No link of the README is dead."""
    links = re.findall(r"\]\((?!https?:|#)([^)]+)\)", TEXT)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_option_is_explained():
    """The table of options is the relay's own list."""
    shown = set(re.findall(r"^\| `--([a-z-]+)", TEXT, re.MULTILINE))
    options = Options()
    assert shown == {name.replace("_", "-") for name in options}


def test_the_example_of_a_config_is_read(tmp_path):
    """A sysadmin can begin with it."""
    [example] = re.findall(r"^```toml\n(.+?)^```", TEXT, re.MULTILINE | re.DOTALL)
    file = tmp_path / "aagm.toml"
    file.write_text(example)
    settings = load({}, config=file, env={})
    assert settings.limits.write_seconds == 120
    assert "GM Notes" in settings.protected.names


def test_every_page_of_the_documentation_is_linked():
    """Whoever reads the README finds the rest."""
    pages = (ROOT / "aagm" / "docs").glob("*.md")
    unlinked = [page.name for page in pages if f"(aagm/docs/{page.name})" not in TEXT]
    assert unlinked == []


def test_every_command_is_listed():
    """The table of commands is the command's own list."""
    shown = set(re.findall(r"^\| `aagm (\w+)", TEXT, re.MULTILINE))
    assert shown == set(VERBS)
