"""Raw entries become what a write did."""

from __future__ import annotations

import pytest

from aagm.relay.rollback.entries import (
    captured,
    docs,
    is_raw,
    join_parts,
    merge,
    numbered,
    resolve,
)


def entry(seq, op, uuid, **more):
    """Make an entry."""
    kind = uuid.split(".")[-2] if uuid else "Actor"
    return {"seq": seq, "op": op, "uuid": uuid, "documentName": kind, **more}


def update(seq, uuid, path, was, now, **more):
    """Make an update of one path."""
    changes = [{"path": path, "before": was, "after": now}]
    return entry(seq, "update", uuid, changes=changes, **more)


def test_a_confirmation_fills_its_intent_in():
    """Its changes replace the intent's; a create gets its uuid and hash."""
    resolved = resolve(
        [
            {"seq": 4, "confirms": 2, "uuid": "Actor.b", "hash": "h", "name": "B"},
            entry(1, "update", "Actor.a", confirmed=False, changes=[]),
            entry(2, "create", None, confirmed=False),
            {"seq": 3, "confirms": 1, "uuid": "Actor.a", "changes": [{"path": "x"}]},
        ]
    )
    first, second = resolved.entries
    assert first == entry(1, "update", "Actor.a", changes=[{"path": "x"}])
    assert (second["uuid"], second["hash"], "confirmed" in second) == (
        "Actor.b",
        "h",
        False,
    )


def test_what_came_to_nothing_is_dropped():
    """A hook said no; the document was never touched."""
    raw = [entry(1, "delete", "Actor.a", confirmed=False), {"seq": 2, "drops": [1]}]
    assert resolve(raw).entries == []


def test_what_no_point_can_hold_is_kept_beside():
    """It is shown, and never undone."""
    told = {"op": "update", "uuid": "Actor.a", "why": "noHook"}
    resolved = resolve([{"seq": 1, "uncovered": told}])
    assert (resolved.entries, resolved.uncovered) == ([], [told])


def test_updates_of_one_document_are_one_entry():
    """Earliest before, latest after."""
    [merged] = merge(
        [
            update(1, "Actor.a", "hp", 9, 5),
            update(2, "Actor.a", "gold", 1, 2),
            update(3, "Actor.a", "hp", 5, 3),
        ]
    )
    assert merged["seq"] == 1
    assert merged["changes"] == [
        {"path": "hp", "before": 9, "after": 3},
        {"path": "gold", "before": 1, "after": 2},
    ]


def test_an_update_that_came_back_is_none():
    """There is nothing to undo."""
    assert (
        merge([update(1, "Actor.a", "x", 1, 2), update(2, "Actor.a", "x", 2, 1)]) == []
    )


def test_made_and_deleted_in_one_write_leaves_nothing():
    """Not even of what was done to it, or in it, meanwhile."""
    assert (
        merge(
            [
                entry(1, "create", "Actor.a", hash="h"),
                update(2, "Actor.a", "x", 1, 2),
                entry(3, "create", "Actor.a.Item.i", hash="i"),
                entry(4, "delete", "Actor.a", data={}),
            ]
        )
        == []
    )


def test_a_child_changed_before_its_parent_was_made_anew_is_another():
    """An update of the old life does not fold into one of the new."""
    merged = merge(
        [
            update(1, "Actor.a.Item.i", "x", 1, 2),
            entry(2, "delete", "Actor.a", data={}),
            entry(3, "create", "Actor.a", hash="h"),
            update(4, "Actor.a.Item.i", "x", 1, 5),
        ]
    )
    assert [(e["seq"], e["op"]) for e in merged] == [
        (1, "update"),
        (2, "delete"),
        (3, "create"),
        (4, "update"),
    ]


def test_a_deleted_and_remade_document_is_two_lives():
    """A replace is undone in two steps."""
    merged = merge(
        [entry(1, "delete", "Actor.a", data={}), entry(2, "create", "Actor.a")]
    )
    assert [e["op"] for e in merged] == ["delete", "create"]


def test_a_created_documents_hash_is_the_newest():
    """An update that tells none leaves none: an old hash would be a false alarm."""
    made = entry(1, "create", "Actor.a", hash="old", children=[])
    [merged] = merge([made, update(2, "Actor.a", "x", 1, 2, hash="new")])
    assert (merged["op"], merged["hash"]) == ("create", "new")
    [merged] = merge([made, update(2, "Actor.a", "x", 1, 2)])
    assert "hash" not in merged


def test_what_nobody_confirmed_stays_apart():
    """It is resolved when it is undone, by what is there then."""
    merged = merge(
        [
            update(1, "Actor.a", "x", 1, 2),
            update(2, "Actor.a", "x", 2, 3, confirmed=False),
            update(3, "Actor.a", "x", 2, 4),
        ]
    )
    assert [e["seq"] for e in merged] == [1, 2, 3]


def test_what_an_undo_names_takes_no_more():
    """A late entry of an undone point is one of its own."""
    late = [update(1, "Actor.a", "x", 1, 2), update(5, "Actor.a", "x", 1, 7)]
    assert [e["seq"] for e in merge(late, {1})] == [1, 5]


def test_what_the_gm_did_by_hand_stays_apart():
    """So that it can be left out of the undo."""
    merged = merge(
        [update(1, "Actor.a", "x", 1, 2), update(2, "Actor.a", "y", 1, 2, own=True)]
    )
    assert [e.get("own") for e in merged] == [None, True]


def test_a_value_that_somebody_wrote_in_between_is_folded_into_none():
    """Both writes stay, so that an undo sees that his value lies between them."""
    first, second = update(1, "Actor.a", "x", 1, 2), update(2, "Actor.a", "x", 7, 3)
    assert merge([first, second]) == [first, second]
    [_, folded] = merge([first, second, update(3, "Actor.a", "x", 3, 4)])
    assert folded["changes"] == [{"path": "x", "before": 7, "after": 4}]


def test_a_tail_is_marked_until_something_else_joins_it():
    """Only what came wholly after the answer is a tail."""
    tail = update(1, "Actor.a", "x", 1, 2, tail=True)
    assert merge([tail])[0]["tail"] is True
    assert "tail" not in merge([tail, update(2, "Actor.a", "x", 2, 3)])[0]


def test_family_entries_get_numbers_and_stay_as_they_are():
    """They have no seq and no changes."""
    given = [{"op": "update", "uuid": "Actor.a", "before": {"x": 1}}, "nonsense"]
    [entry] = numbered(given, 4)
    assert entry == {"seq": 5, **given[0]}
    assert merge([entry, {**entry, "seq": 6}]) == [entry, {**entry, "seq": 6}]


def test_counts_and_names_are_what_a_card_shows():
    """In the order update, create, delete; at most twelve names."""
    entries = [
        entry(1, "delete", "Actor.c", name="Cass", data={}),
        update(2, "Actor.a", "x", 1, 2, name="Ann"),
        update(3, "Actor.b", "x", 1, 2),
        entry(4, "create", None, confirmed=False),
    ]
    assert captured(entries) == "2 update, 1 delete"
    assert docs(entries) == (
        "delete Actor Cass",
        "update Actor Ann",
        "update Actor Actor.b",
    )
    assert captured([]) == "no documents touched"
    many = [update(n, f"Actor.a{n}", "x", 1, 2) for n in range(20)]
    assert len(docs(many)) == 12


@pytest.mark.parametrize(
    "item",
    [
        None,
        {},
        {"seq": True, "drops": []},
        {"seq": 1},
        {"seq": 1, "op": "rename", "uuid": "Actor.a"},
        {"seq": 1, "op": "update", "uuid": 7},
        {"seq": 1, "op": "update", "uuid": "Actor.a", "changes": [{"after": 1}]},
        {"seq": "1", "confirms": 1},
    ],
)
def test_what_is_no_entry_is_not_taken(item):
    """A tab's mistake must not break a point."""
    assert not is_raw(item)


def test_pieces_make_an_entry_or_none():
    """Joined in the order of their numbers, whatever the order they came in."""
    text = '{"seq":3,"drops":[1]}'
    assert join_parts({2: text[9:], 1: text[:9]}) == {"seq": 3, "drops": [1]}
    assert join_parts({1: text[:9]}) is None
    assert join_parts({1: '{"seq": 3, "drops": [1], "data": NaN}'}) is None
