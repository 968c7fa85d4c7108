"""The test command counts everything, and never takes a failure for success."""

from __future__ import annotations

import os
import signal
import sys

import suite
from suite import Count, Part, Report, count_junit, pytest_command

RESULTS = """<?xml version="1.0"?>
<testsuites><testsuite>
<testcase name="one"/><testcase name="two"><failure>no</failure></testcase>
<testsuite name="inner"><testcase name="three"/></testsuite>
<testcase name="four"><skipped/></testcase>
</testsuite></testsuites>
"""


def program(code: str, *, kind: str = "") -> Part:
    """Make a part that runs *code*."""
    words = [sys.executable, "-c", code, "{results}"]
    return Part("a part", words, kind=kind)


def test_every_case_of_every_depth_is_counted(tmp_path):
    """Suites inside suites count; what was skipped did not pass."""
    (tmp_path / "results.xml").write_text(RESULTS)
    count = count_junit(tmp_path / "results.xml")
    assert (count.passed, count.failed) == (2, 2)


def test_the_last_line_adds_up_the_three_kinds(capsys):
    """The counts of Python, Node and browser stand before their sum."""
    report = Report()
    write = f"import sys; open(sys.argv[1], 'w').write({RESULTS!r})"
    for kind in ("Python", "Node", "browser"):
        report.run(program(write, kind=kind))
    assert report.summary().splitlines() == [
        "Python 2 passed 2 failed, Node 2 passed 2 failed, browser 2 passed 2 failed",
        "tests: 6 passed, 6 failed",
    ]
    assert "a part: " in capsys.readouterr().out


def test_a_check_that_fails_is_a_failure():
    """A broken lint, or tests that could not even start, are no success."""
    report = Report()
    report.run(program("raise SystemExit(2)"))
    assert report.broken == ["a part"]
    assert report.summary().splitlines()[-1] == "tests: 0 passed, 1 failed"


def test_pytest_without_any_test_is_no_failure(tmp_path):
    """A kind of which there is no test yet breaks nothing."""
    (tmp_path / "test_nothing.py").write_text("")
    report = Report()
    report.run(Part("none", pytest_command(str(tmp_path))))
    assert report.broken == []


def test_all_that_was_printed_is_shown_when_it_failed(capsys):
    """Whoever reads the log sees the whole of what went wrong."""
    Report().run(program("print('line\\n' * 50); raise SystemExit(1)"))
    assert capsys.readouterr().out.count("line\n") == 50


def test_parts_beside_each_other_all_run():
    """Every part runs once, however many there are at once."""
    report = Report()
    write = f"import sys; open(sys.argv[1], 'w').write({RESULTS!r})"
    report.run_at_once([program(write, kind="Node")] * 5, 3)
    assert report.counts["Node"] == Count(10, 10)


def test_a_part_that_hangs_ends_with_all_that_it_started(tmp_path, monkeypatch):
    """No relay and no browser of a hung part goes on behind the tests."""
    monkeypatch.setattr(suite, "PATIENCE", 1)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    status, _ = suite.run(["sh", "-c", f"exec 9>{pipe}; sleep 60 & wait"], tmp_path)
    assert status == -signal.SIGKILL
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""  # everybody who could write is gone
    os.close(reader)
