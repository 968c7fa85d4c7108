"""What a card of the box unfolds, and how far a long rollback is."""

from __future__ import annotations

from aagm.relay.rollback.details import CHANGES, DOCUMENTS, LONGEST, details
from aagm.relay.rollback.points import Head, Point

HURT = ["update", "Actor.mira", {"system.hp": 12}]
HURT_MORE = ["update", "Actor.mira", {"system.hp": 3}]
HEAD = Head("rp-00000a", "2026-01-01T00:00:00Z", "2026-01-01", "many", None, "eval")


def entry(seq: int, changes: list[dict]) -> dict:
    """Make an update of a document of its own."""
    return {
        "seq": seq,
        "op": "update",
        "uuid": f"Actor.a{seq}",
        "documentName": "Actor",
        "name": f"Guest {seq}",
        "changes": changes,
    }


def test_a_card_unfolds_each_path_before_and_after(table):
    """The GM sees what the write changed."""
    point = table.wrote(HURT)
    [answer] = table.pressed(pointId=point, action="details")
    assert answer["id"] == point
    [document] = answer["documents"]
    assert (document["op"], document["uuid"]) == ("update", "Actor.mira")
    [change] = document["changes"]
    assert change == {"path": "system.hp", "before": 20, "after": 12}


def test_a_point_that_is_not_there_is_refused(table):
    """A card may be older than the folder of points."""
    [answer] = table.pressed(pointId="rp-ffffff", action="details")
    assert (answer["refused"], answer["reason"]) == (True, "unknown point rp-ffffff")
    assert "foundry_rollback_points" in answer["fix"]


def test_long_values_and_long_lists_are_cut():
    """A card is to be read; the point's file has the whole."""
    long = {"path": "a", "before": "x" * LONGEST, "after": 1}
    many = [{"path": f"p{i}", "after": i} for i in range(CHANGES + 2)]
    entries = [entry(i, many if i == 2 else [long]) for i in range(1, DOCUMENTS + 4)]
    told = details(Point(HEAD, entries=tuple(entries)))
    assert (len(told["documents"]), told["moreDocuments"]) == (DOCUMENTS, 3)
    first, second, *_ = told["documents"]
    [cut] = first["changes"]
    assert cut == {"path": "a", "beforeCut": f'"{"x" * (LONGEST - 1)}', "after": 1}
    assert (len(second["changes"]), second["moreChanges"]) == (CHANGES, 2)


def test_a_chain_of_points_tells_how_far_it_is(table):
    """The box shows a bar while many points are taken back, and it goes away."""
    first = table.wrote(HURT)
    table.wrote(HURT_MORE)
    table.undone(first)
    told = table.tab.tab.told_of("aagm.progress")
    assert [(each["done"], each["total"]) for each in told] == [(0, 2), (1, 2), (2, 2)]


def test_an_undo_names_what_it_took_back(table):
    """So that the card of what was undone can offer to redo it."""
    point = table.wrote(HURT)
    redo = table.undone(point)["redoPoint"]
    assert table.brief(redo)["undoes"] == [point]
