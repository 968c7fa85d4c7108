"""What the world says is read: done, in conflict, or still to do."""

from __future__ import annotations

import pytest

from aagm.relay.rollback.expectation import Expectation
from aagm.relay.rollback.findings import read_answer
from aagm.relay.rollback.overlap import Overlaps
from aagm.relay.rollback.plan import Step
from aagm.relay.rollback.points import Head, Point
from aagm.relay.rollback.undone import Apply

PIKE = "Actor.OldPike"
PATH = "system.resource.value"


def update(seq, was, now, path=PATH, **more):
    """Make an update of Old Pike."""
    changes = [{"path": path, "before": was, "after": now}]
    return {"seq": seq, "op": "update", "uuid": PIKE, "changes": changes, **more}


def read(entries, *, now):
    """Let the world hold *now*, by path, where *entries* wrote."""
    head = Head("rp-000001", "2026-01-01T00:00:00.000Z", "2026-01-01", "", None, "eval")
    expectation = Expectation([Step(Point(head), tuple(entries))])
    found = [
        {"index": index, "uuid": PIKE, "path": row["path"], "exists": True, **is_now}
        for index, row in enumerate(expectation.rows)
        for is_now in [now[row["path"]]]
        if is_now != {"value": row["value"]}
    ]
    findings = read_answer(expectation, found)
    [step] = findings.steps
    kinds = [each.kind for each in findings.conflicts]
    return kinds, [entry["seq"] for entry in step.entries]


@pytest.mark.parametrize(
    ("now", "conflicts", "left"),
    [
        (11, [], [1]),  # the last write never came to the world
        (12, [], [1, 3]),  # it did
        (9, [], []),  # somebody has put it back already
        (10, ["changed"], [1, 3]),  # somebody wrote since
    ],
)
def test_a_write_nobody_confirmed_is_resolved_by_what_the_world_holds(
    now, conflicts, left
):
    """A tab that was killed before its last write leaves no conflict with nobody."""
    entries = [update(1, 9, 11), update(3, 11, 12, confirmed=False)]
    assert read(entries, now={PATH: {"value": now}}) == (conflicts, left)


@pytest.mark.parametrize(
    ("now", "conflicts", "left"),
    [
        (11, [], []),  # none came to the world
        (12, [], [1]),  # the first did
        (13, [], [1, 2]),  # both did
        (14, ["changed"], [1, 2]),
    ],
)
def test_writes_upon_a_write_that_never_happened_did_not_happen(now, conflicts, left):
    """Undoing the second alone would write what never was."""
    entries = [
        update(1, 11, 12, confirmed=False),
        update(2, 12, 13, confirmed=False),
    ]
    assert read(entries, now={PATH: {"value": now}}) == (conflicts, left)


@pytest.mark.parametrize("was", [{}, {"world": {"step": 0}}])
def test_what_is_back_above_a_path_is_back_at_the_path(was):
    """The first write changed the flags as a whole, and they are as they were."""
    entries = [
        update(1, was, {"world": {"step": 1}}, path="flags"),
        update(2, 1, 2, path="flags.world.step", confirmed=False),
    ]
    step = {"value": 0} if was else {"absent": True}
    now = {"flags": {"value": was}, "flags.world.step": step}
    assert read(entries, now=now) == ([], [])


@pytest.mark.parametrize(("is_there", "left"), [(True, [1]), (False, [])])
def test_a_deletion_nobody_confirmed_of_what_was_made_is_not_undone(is_there, left):
    """It is not made anew: it goes, or is gone."""
    head = Head("rp-000001", "2026-01-01T00:00:00.000Z", "2026-01-01", "", None, "eval")
    made = {"seq": 1, "op": "create", "uuid": "Item.lamp", "hash": "h"}
    gone = {"seq": 2, "op": "delete", "uuid": "Item.lamp", "confirmed": False}
    expectation = Expectation([Step(Point(head), (made, gone))])
    found = [
        {"index": index, "uuid": "Item.lamp", "exists": is_there, "name": "lamp"}
        for index, row in enumerate(expectation.rows)
        if row["exists"] is not is_there
    ]
    findings = read_answer(expectation, found)
    assert findings.conflicts == ()
    assert [entry["seq"] for entry in findings.steps[0].entries] == left


@pytest.mark.parametrize("op", ["create", "update"])
def test_what_a_broken_rollback_only_announced_is_not_taken_back(op):
    """Tab and relay were killed before it came to the world: it is there still."""
    change = {"path": "x", "before": 1, "after": 2}
    back = {"path": "x", "before": 2, "after": 1}
    entry = {"seq": 1, "op": op, "uuid": "Item.lamp", "changes": [change]}
    undo = {"create": "delete", "update": "update"}[op]
    own = {"seq": 1, "op": undo, "uuid": "Item.lamp", "changes": [back]}
    apply = Apply("rp-000001", (entry,))
    assert apply.taken(Overlaps.of([own])) == [entry]
    assert apply.taken(Overlaps.of([{**own, "confirmed": False}])) == []
