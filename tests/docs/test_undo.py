"""The page on undo claims nothing that no test holds."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "aagm" / "docs" / "undo.md"
NAMED = re.compile(r"`((?:tests|foundry)/[\w/.-]+)::([^`]+)`")


def holds(path: str, name: str) -> bool:
    """Say whether a file has a test of that name, or of that title."""
    file = ROOT / path
    if not file.is_file():
        return False
    text = file.read_text(encoding="utf-8")
    if path.endswith(".py"):
        return re.search(rf"^def {re.escape(name)}\(", text, re.MULTILINE) is not None
    return f'"{name}"' in text


def faults(page: str) -> list[str]:
    """List the lines that claim something without a test that exists."""
    claims = [line for line in page.splitlines() if line and not line.startswith("#")]
    [_intro, *claims] = claims
    return [
        line
        for line in claims
        if not (found := NAMED.findall(line)) or not all(holds(*each) for each in found)
    ]


def test_every_line_of_the_page_names_a_test_that_exists():
    """A claim without a test is no claim."""
    page = PAGE.read_text(encoding="utf-8")
    assert faults(page) == []
    assert len(page.splitlines()) > 40


def test_a_claim_without_a_test_would_be_found():
    """The check itself bites."""
    page = "# A\n\nAn intro.\n\n- Files are undone, too.\n- So. `tests/x.py::test_y`\n"
    assert faults(page) == ["- Files are undone, too.", "- So. `tests/x.py::test_y`"]
