"""Which console lines a listener gets, whatever it asks for."""

from __future__ import annotations

from threading import Event

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from aagm.errors import BadParams, TimeLimit
from aagm.relay.console import LEVELS, Filter, Line, from_wire


def line(message="the tide", level="warn"):
    """Make a line."""
    return Line(level, "2026-09-24T12:00:00Z", "console", message)


@pytest.mark.parametrize(
    ("levels", "pattern", "wanted"),
    [
        (None, None, True),
        (["warn", "error"], None, True),
        (["log"], None, False),
        ([], None, True),
        (None, "tide$", True),
        (None, "Tide", False),
        (None, "(?i:TIDE)", True),
        (["warn"], r"^\w+ (?<noun>t[a-z]+)$", True),
        (["error"], "tide", False),
    ],
)
def test_a_filter_takes_levels_and_a_pattern(levels, pattern, wanted):
    """Both must fit; a pattern is JavaScript's as far as the two agree."""
    assert Filter.of(levels, pattern).wants(line()) is wanted


@pytest.mark.parametrize("pattern", ["(", "[a", "*a", r"\p{Nonsense}", "a" * 501])
def test_a_broken_pattern_is_refused(pattern):
    """The model is told what is wrong with it."""
    with pytest.raises(BadParams, match="the filter"):
        Filter.of(None, pattern)


@pytest.mark.parametrize(
    "pattern", ["(a{1000}){1000}", "((a{99}){99}){99}", "a{20000}"]
)
def test_a_pattern_that_is_written_out_too_long_is_refused(pattern):
    """No pattern takes seconds and gigabytes to prepare."""
    with pytest.raises(BadParams, match="repeats too much"):
        Filter.of(None, pattern)


def test_a_pattern_that_never_ends_is_stopped():
    """A line that makes a pattern run wild costs milliseconds."""
    wild = Filter.of(None, r"^(\w|\w\w|[a-z]+)+\d$")
    with pytest.raises(TimeLimit, match="takes too long"):
        wild.wants(line("a" * 200 + "!"))


def test_a_pattern_that_is_slow_on_every_line_is_stopped():
    """Not only one line counts, all together do."""
    seconds = iter(range(100))
    slow = Filter(None, Filter.of(None, "x")._pattern, timer=lambda: next(seconds) / 4)
    for _ in range(3):
        assert slow.wants(line("xxx"))
    with pytest.raises(TimeLimit):
        slow.wants(line("xxx"))


def test_a_machine_that_stands_still_ends_no_listener():
    """Only the work on a pattern counts, not the time that passes meanwhile."""
    timer = Filter.of(None, "x")._timer
    began = timer()
    Event().wait(0.1)
    assert timer() - began < 0.1


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"level": "loud", "message": "x"},
        {"level": "log"},
        {"level": "log", "message": {"a": 1}},
        {"level": ["log"], "message": "x"},
    ],
)
def test_what_is_no_line_is_dropped(params):
    """A page that sends nonsense is not believed."""
    assert from_wire(params) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3),
    max_leaves=5,
)


@settings(max_examples=60)
@given(st.sampled_from(LEVELS), st.text(max_size=9000), JSON, JSON)
def test_a_line_is_of_bounded_size_whatever_comes(level, message, at, source):
    """No line is longer than a person reads."""
    params = {"level": level, "message": message, "timestamp": at, "source": source}
    shaped = from_wire(params).to_json()
    assert shaped["message"] == message[:4000]
    assert isinstance(shaped["timestamp"], str | int)
    assert len(shaped["source"]) <= 40
