"""Leaf changes: compared as JSON, folded as if they had been one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aagm.relay.rollback.changes import MISSING, after, before, fold, read, same, write


@pytest.mark.parametrize(
    ("a", "b", "is_same"),
    [
        (1, 1.0, True),
        (True, 1, False),
        (0, False, False),
        (None, False, False),
        ([True], [1], False),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, True),
        ({"a": 1}, {"a": 1, "b": None}, False),
        ([1, 2], [2, 1], False),
        ("1", 1, False),
        (MISSING, None, False),
        (MISSING, MISSING, True),
    ],
)
def test_values_are_compared_as_json(a, b, is_same):
    """Strictly: a flag is no number, key order is nothing."""
    assert same(a, b) is is_same
    assert same(b, a) is is_same


def change(path, was=MISSING, now=MISSING):
    """Make a change."""
    made = {"path": path}
    if was is not MISSING:
        made["before"] = was
    if now is not MISSING:
        made["after"] = now
    return made


@pytest.mark.parametrize(
    ("older", "newer", "folded"),
    [
        ([change("hp", 9, 5)], [change("hp", 5, 3)], [change("hp", 9, 3)]),
        ([change("hp", 9, 5)], [change("hp", 5, 9)], []),
        ([change("a", now=1)], [change("a", was=1)], []),
        (
            [change("a", 1, 2)],
            [change("b", 3, 4)],
            [change("a", 1, 2), change("b", 3, 4)],
        ),
        (
            [change("a", {}, {"x": 1})],
            [change("a.x", 1, 2)],
            [change("a", {}, {"x": 2})],
        ),
        (
            [change("a", {}, {"x": 1})],
            [change("a.y", now=2)],
            [change("a", {}, {"x": 1, "y": 2})],
        ),
        (
            [change("a.x", 1, 2)],
            [change("a", {"x": 2}, [])],
            [change("a", {"x": 1}, [])],
        ),
        ([change("a.x", now=2)], [change("a", {"x": 2})], [change("a", {})]),
        (
            [change("ab", 1, 2)],
            [change("a", 3, 4)],
            [change("ab", 1, 2), change("a", 3, 4)],
        ),
    ],
)
def test_two_lists_of_changes_are_taken_as_one(older, newer, folded):
    """Earliest before, latest after; above and below count as the same place."""
    assert fold(older, newer) == folded


def test_what_came_back_is_kept_when_asked():
    """An expectation looks also at what is as before again."""
    kept = fold([change("hp", 9, 5)], [change("hp", 5, 9)], keep_same=True)
    assert kept == [change("hp", 9, 9)]


def test_a_part_that_meets_a_list_names_an_element():
    """The children of an unlinked token's delta are found by their ids."""
    source = {"delta": {"items": [{"_id": "a", "n": 1}]}}
    assert read(source, "delta.items.a.n") == 1
    assert read(source, "delta.items.b") is MISSING
    more = write(source, "delta.items.b", {"_id": "b"})
    assert [item["_id"] for item in more["delta"]["items"]] == ["a", "b"]
    assert write(more, "delta.items.a", MISSING)["delta"]["items"] == [{"_id": "b"}]
    assert source["delta"]["items"] == [{"_id": "a", "n": 1}]


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | st.sampled_from(["", "x"]),
    lambda inner: (
        st.lists(inner, max_size=2)
        | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=6,
)
OBJECTS = st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1, max_size=3)


def leaves(old, new, path):
    """Give the leaves that differ, as a recorder does."""
    if isinstance(old, dict) and isinstance(new, dict) and old and new:
        for key in {**old, **new}:
            below = f"{path}.{key}"
            yield from leaves(old.get(key, MISSING), new.get(key, MISSING), below)
    elif not same(old, new):
        yield change(path, old, new)


@given(OBJECTS, OBJECTS, OBJECTS)
def test_folded_changes_lead_from_the_first_state_to_the_last(one, two, three):
    """Whatever happened in between, both ends are kept."""
    folded = fold(
        leaves({"s": one}, {"s": two}, "r"), leaves({"s": two}, {"s": three}, "r")
    )
    forward, backward = {"r": {"s": one}}, {"r": {"s": three}}
    for each in folded:
        forward = write(forward, each["path"], after(each))
        backward = write(backward, each["path"], before(each))
    assert same(forward, {"r": {"s": three}})
    assert same(backward, {"r": {"s": one}})
