"""What a run touched is judged by type."""

from __future__ import annotations

from aagm.relay.plugins.scope import is_covered, outside, touched
from aagm.relay.rollback.points import Head, Point

HEAD = Head("rp-abc123", "2026-01-01T20:00:00.000Z", "2026-01-01", "x", None, "plugin")


def entry(kind, op="update", **more):
    """Make an entry of a point."""
    return {"seq": 1, "op": op, "uuid": f"{kind}.a", "documentName": kind, **more}


def point(*entries, uncovered=()):
    """Make a point."""
    return Point(HEAD, entries, uncovered)


def test_listed_types_may_be_touched():
    """Created, changed and deleted alike."""
    made = point(entry("Item", "create"), entry("Item", "delete"), entry("Actor"))
    assert touched(made) == ("Item", "Actor")
    assert outside(made, ["Item", "Actor"]) == ()
    assert outside(made, ["Item"]) == ("Actor",)


def test_an_empty_list_allows_nothing():
    """Read only."""
    assert outside(point(entry("Item")), []) == ("Item",)
    assert outside(point(), []) == ()


def test_a_child_counts_under_its_own_type():
    """An item inside an actor is an Item."""
    child = entry("Item", uuid="Actor.a.Item.b")
    assert outside(point(child), ["Actor"]) == ("Item",)


def test_a_change_of_an_unlinked_tokens_actor_counts_as_what_it_changed():
    """The token holds it, the hook named the actor or the item."""
    delta = entry("Token", types=["Actor", "Item"])
    assert outside(point(delta), ["Actor"]) == ("Item",)
    assert outside(point(delta), ["Token"]) == ("Actor", "Item")


def test_what_the_gm_did_by_hand_does_not_count():
    """A token dragged meanwhile is no breach."""
    assert outside(point(entry("Token", own=True)), []) == ()


def test_what_the_server_did_besides_counts():
    """The actors that went with a folder went."""
    gone = entry("Actor", "delete", partner=True)
    assert outside(point(entry("Folder", "delete"), gone), ["Folder"]) == ("Actor",)


def test_a_create_that_nobody_confirmed_counts():
    """It may exist."""
    maybe = entry("Actor", "create", uuid=None, confirmed=False)
    assert outside(point(maybe), ["Item"]) == ("Actor",)


def test_what_no_entry_could_hold_counts_when_it_was_the_runs_own():
    """Hidden writes are breaches; another client's are not."""
    row = {"op": "update", "uuid": "Actor.a", "documentName": "Actor"}
    hidden = point(uncovered=({**row, "why": "noHook"},))
    others = point(uncovered=({**row, "why": "other-client"},))
    assert outside(hidden, ["Item"]) == ("Actor",)
    assert not is_covered(hidden)
    assert outside(others, ["Item"]) == ()
    assert is_covered(others)
