"""`aagm classify`: code on standard input, its verdict as JSON."""

from __future__ import annotations

import io
import json
import sys

import pytest

from aagm.cli.classify import classify
from aagm.cli.main import main


@pytest.mark.parametrize(
    ("code", "kind", "line", "column"),
    [
        ("return game.actors.size;", "read", 1, 0),
        ("const a = 1;\n  actor.update({});", "write", 2, 8),
        ("await game.actors.get('a').delete();", "delete", 1, 27),
        ("ChatMessage.create({});", "side-effect", 1, 12),
        ("game.settings.set('aagm', 'x', 1);", "protected", 1, 14),
        ("frobnicate();", "unproven", 1, 0),
        ("return {;", "unproven", 1, 7),
    ],
)
def test_a_verdict_is_one_line_of_json(code, kind, line, column):
    """Class, reason and place; the status is 0 whatever the verdict."""
    out = io.StringIO()
    assert classify(io.BytesIO(code.encode()), out) == 0
    assert out.getvalue().endswith("}\n")
    found = json.loads(out.getvalue())
    assert list(found) == ["class", "reason", "line", "column"]
    assert (found["class"], found["line"], found["column"]) == (kind, line, column)
    assert found["reason"]


def test_a_syntax_error_says_so_in_the_reason():
    """It is unproven here, and its reason begins with the words."""
    out = io.StringIO()
    classify(io.BytesIO(b"return ("), out)
    found = json.loads(out.getvalue())
    assert found["class"] == "unproven"
    assert found["reason"].startswith("syntax error: ")


def test_the_command_reads_standard_input(monkeypatch, capsys):
    """``aagm classify < file`` works from a shell."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"return 1;")))
    assert main(["classify"]) == 0
    assert json.loads(capsys.readouterr().out)["class"] == "read"


def test_the_command_reads_a_file(monkeypatch, tmp_path, capsys):
    """Named, as other programs take one; ``-`` is standard input."""
    (tmp_path / "look.js").write_text("return 1;")
    assert main(["classify", str(tmp_path / "look.js")]) == 0
    assert json.loads(capsys.readouterr().out)["class"] == "read"
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"return 1;")))
    assert main(["classify", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["class"] == "read"


@pytest.mark.parametrize("name", ["no.js", "."])
def test_a_file_that_cannot_be_read_is_said(tmp_path, capsys, name):
    """One sentence, and what to do."""
    assert main(["classify", str(tmp_path / name)]) == 1
    said, fix = capsys.readouterr().err.splitlines()
    assert "cannot be read" in said
    assert "standard input" in fix


def test_what_is_no_text_is_said(monkeypatch, capsys):
    """One sentence, no traceback."""
    bytes_ = io.BytesIO(b"// caf\xe9")  # as Python opens it where LANG is C
    raw = io.TextIOWrapper(bytes_, encoding="utf-8", errors="surrogateescape")
    monkeypatch.setattr(sys, "stdin", raw)
    assert main(["classify"]) == 1
    assert "not UTF-8" in capsys.readouterr().err
