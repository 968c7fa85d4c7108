"""Reading the session logs."""

from __future__ import annotations

import os

import pytest

from aagm.errors import BadParams
from aagm.relay.log_files import PAGE, LogFiles


@pytest.fixture
def logs(tmp_path):
    """A folder with two logs, the older one long."""
    folder = tmp_path / "Logs"
    folder.mkdir()
    long = "".join(f"line {n}\n" for n in range(5000))
    (folder / "May 1 10.00.00.md").write_text(long)
    (folder / "May 2 10.00.00.md").write_text("one\ntwo\nthree\n")
    (folder / "other.txt").write_text("not a log")
    for n, path in enumerate(sorted(folder.glob("*.md"))):
        os.utime(path, (1_000_000 + n, 1_000_000 + n))
    (tmp_path / "secret.md").write_text("secret")
    return LogFiles(folder, "May 2 10.00.00.md")


def test_logs_are_listed_newest_first(logs):
    """The GM sees the last session at the top."""
    listed = logs.listed()
    assert [log["name"] for log in listed] == ["May 2 10.00.00.md", "May 1 10.00.00.md"]
    assert listed[0]["bytes"] == 14
    assert listed[0]["modified"] == "1970-01-12T13:46:41+00:00"


def test_the_current_log_is_the_default(logs):
    """A short log comes whole."""
    page = logs.page(None, None)
    assert (page.name, page.text) == ("May 2 10.00.00.md", "one\ntwo\nthree\n")
    assert page.cursor is None


def test_a_long_log_comes_in_pages_that_lose_nothing(logs):
    """Pages end with a line, and together they are the log."""
    text, cursor, pages = "", None, 0
    while pages == 0 or cursor is not None:
        page = logs.page("May 1 10.00.00.md", cursor)
        assert len(page.text) <= PAGE
        assert page.text.endswith("\n")
        text, cursor, pages = text + page.text, page.cursor, pages + 1
    assert pages > 3
    assert text == (logs.folder / "May 1 10.00.00.md").read_text()


def test_a_tail_gives_the_last_lines(logs):
    """The end of a long log without the rest."""
    assert logs.tail("May 1 10.00.00.md", 2).text == "line 4998\nline 4999\n"
    assert logs.tail(None, 100).text == "one\ntwo\nthree\n"


def test_a_tail_is_no_longer_than_a_page(logs):
    """A tail of many lines is cut at a line."""
    text = logs.tail("May 1 10.00.00.md", 2000).text
    assert len(text) <= PAGE
    assert text.startswith("line ")


@pytest.mark.parametrize(
    "name",
    [
        "../secret.md",
        "/etc/passwd",
        "other.txt",
        "none.md",
        "",
        ".md",
        "a\0.md",
        "./x.md",
    ],
)
def test_nothing_but_a_log_is_opened(logs, name):
    """No name leads out of the folder."""
    if name == "":
        assert logs.page(name, None).name == logs.current
        return
    with pytest.raises(BadParams, match="no session log"):
        logs.page(name, None)


def test_a_link_is_not_followed(logs):
    """A link in the folder does not show another file."""
    (logs.folder / "link.md").symlink_to(logs.folder.parent / "secret.md")
    with pytest.raises(BadParams, match="no session log"):
        logs.page("link.md", None)


@pytest.mark.parametrize("cursor", ["-1", "x", "1.5", "9" * 40])
def test_a_made_up_cursor_is_refused(logs, cursor):
    """A cursor is one of ours or an error."""
    with pytest.raises(BadParams, match="no cursor"):
        logs.page(None, cursor)
