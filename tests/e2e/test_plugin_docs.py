"""An author follows the page on plug-ins step by step, and it works.

Done when 4 of the ninth issue: what is run here is what stands on the page.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import frozen
from plugin_world import PluginWorld, plugin_world
from relay_process import environment

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "aagm" / "docs" / "plugins.md"
BLOCK = re.compile(r"<!-- (\w+)(?:: ([\w.-]+))? -->\n```\w*\n(.*?)```", re.DOTALL)
AAGM = "import sys; from aagm.cli.main import main; sys.exit(main())"


@frozen
class Step:
    """A block of the page that is marked: what kind, which name, which text."""

    kind: str
    name: str
    text: str


def steps() -> list[Step]:
    """Read the marked blocks, in their order."""
    page = PAGE.read_text(encoding="utf-8")
    return [Step(*found) for found in BLOCK.findall(page)]


@pytest.fixture
def inn(tmp_path) -> Iterator[PluginWorld]:
    """Open the world that the author pastes the macro into."""
    folder = tmp_path / "relay"
    folder.mkdir()
    with plugin_world(folder, "13", "settle_ms = 60") as opened:
        yield opened


def check(command: str, folder: Path) -> str:
    """Run the command of the page in the author's folder; what it printed."""
    program, *words = command.split()
    assert program == "aagm"
    done = subprocess.run(
        [sys.executable, "-c", AAGM, *words],
        cwd=folder,
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def holds(answer: Any, shown: Any) -> bool:
    """Say whether an answer has all that the page shows of it."""
    if isinstance(shown, dict):
        return all(key in answer and holds(answer[key], shown[key]) for key in shown)
    return bool(answer == shown)


def test_an_author_who_follows_the_steps_has_a_plug_in(inn, tmp_path):
    """Write, check, paste, list, run, read, take back."""
    before = inn.documents()
    done = []
    printed = answer = None
    for step in steps():
        match step:
            case Step(kind="file"):
                (tmp_path / step.name).write_text(step.text)
            case Step(kind="shell"):
                printed = check(step.text.strip(), tmp_path)
                # Step 5: the author pastes it.
                inn.macro("Stock Shelf", (tmp_path / "stock-shelf.js").read_text())
            case Step(kind="output"):
                assert printed == step.text
            case Step(kind="call"):
                answer = inn.agent.call(step.name, **json.loads(step.text))
                done.append(answer)
            case Step(kind="answer"):
                assert holds(answer, json.loads(step.text))
    listed, ran, looked, undone = done
    [row] = listed["plugins"]
    assert (row["name"], row["usable"], row["problems"]) == ("Stock Shelf", True, [])
    assert (ran["ok"], looked["quantity"]) == (True, 7)
    assert "rollbackPoint" not in looked
    assert undone["target"] == ran["rollbackPoint"]["id"]
    assert inn.documents() == before


def test_each_step_is_numbered_and_has_something_to_run_or_to_know():
    """Nine steps, in order."""
    page = PAGE.read_text(encoding="utf-8")
    numbers = re.findall(r"^\*\*(\d)\. ", page, re.MULTILINE)
    assert [int(each) for each in numbers] == list(range(1, 10))
    assert [step.kind for step in steps()] == [
        *("file", "file", "shell", "output"),
        *("call", "call", "answer", "call", "call"),
    ]
