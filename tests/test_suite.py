"""The test command counts everything, and never takes a failure for success."""

from __future__ import annotations

import os
import signal
import sys

import pytest
import suite
from suite import Count, Part, Report, pytest_command, read_junit

RESULTS = """<?xml version="1.0"?>
<testsuites><testsuite>
<testcase classname="tests.test_a" name="one"/>
<testcase classname="tests.test_a" name="two[a b]"><failure>no</failure></testcase>
<testsuite name="in"><testcase classname="tests.test_a" name="three"/></testsuite>
<testcase classname="tests.test_a" name="four"><skipped/></testcase>
</testsuite></testsuites>
"""


def program(code: str, *, kind: str = "") -> Part:
    """Make a part that runs *code*."""
    words = [sys.executable, "-c", code, "{results}"]
    return Part("a part", words, kind=kind)


def test_every_case_of_every_depth_is_counted(tmp_path):
    """Suites inside suites count; what was skipped did not pass."""
    (tmp_path / "results.xml").write_text(RESULTS)
    passed, failed = read_junit(tmp_path / "results.xml")
    assert passed == ["tests/test_a.py::one", "tests/test_a.py::three"]
    assert failed == ["tests/test_a.py::two[a b]", "tests/test_a.py::four"]


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
    assert [part.name for part in report.broken] == ["a part"]
    assert report.summary().splitlines()[-1] == "tests: 0 passed, 1 failed"


def test_pytest_without_any_test_is_no_failure(tmp_path):
    """A kind of which there is no test yet breaks nothing."""
    (tmp_path / "test_nothing.py").write_text("")
    report = Report()
    report.run(Part("none", pytest_command(str(tmp_path))))
    assert not report.broken


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


# Tests that fail beside others, and pass or fail when they are alone.
DOUBTFUL = """
import pathlib
beside = pathlib.Path(__file__).with_suffix(".txt")

def is_alone():
    if beside.exists():
        return True
    beside.write_text("")
    return False

def test_good():
    pass

def test_disturbed():
    assert is_alone()

def test_broken():
    assert {good}
"""


@pytest.fixture
def doubtful(tmp_path, monkeypatch):
    """Give a maker of parts of which each has a file of tests."""
    monkeypatch.setattr(suite, "ROOT", tmp_path)

    def make(name: str, *, good: bool) -> Part:
        (tmp_path / f"{name}.py").write_text(DOUBTFUL.format(good=good))
        # Nothing of this repository's own settings reaches these.
        (tmp_path / "pytest.ini").write_text("[pytest]\n")
        return Part(name, pytest_command(f"{name}.py"), tmp_path, "Python")

    return make


def test_what_fails_beside_others_and_passes_alone_is_named(doubtful):
    """The run is good, counts each test once, and says which is unsteady."""
    report = Report()
    report.run(doubtful("one", good=True))
    report.look_again()
    assert not report.broken
    assert report.summary().splitlines() == [
        "unsteady, passed alone: one.py::test_disturbed",
        "Python 3 passed 0 failed, Node 0 passed 0 failed, browser 0 passed 0 failed",
        "tests: 3 passed, 0 failed",
    ]


def test_what_fails_alone_too_has_failed(doubtful):
    """A broken test stays broken, with all that failed beside it."""
    report = Report()
    report.run(doubtful("one", good=False))
    report.look_again()
    assert report.summary().splitlines() == [
        "not good: one",
        "not good: one, again",
        "Python 1 passed 2 failed, Node 0 passed 0 failed, browser 0 passed 0 failed",
        "tests: 1 passed, 2 failed",
    ]


def test_many_failures_are_no_accident(doubtful):
    """Tests of three files, or a check beside them, get no second look."""
    report = Report()
    for name in ("one", "two", "three"):
        report.run(doubtful(name, good=True))
    report.look_again()
    assert report.summary().splitlines()[-1] == "tests: 6 passed, 3 failed"

    report = Report()
    report.run(doubtful("four", good=True))
    report.run(program("raise SystemExit(2)"))
    report.look_again()
    assert report.summary().splitlines()[-1] == "tests: 2 passed, 2 failed"


def test_what_cannot_be_run_again_has_failed(doubtful):
    """A test that is gone at the second look is not taken for one that passed."""
    report = Report()
    part = doubtful("one", good=True)
    report.run(part)
    (part.folder / "one.py").unlink()
    report.look_again()
    assert report.summary().splitlines()[-1] == "tests: 2 passed, 2 failed"
