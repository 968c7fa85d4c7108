"""The main road: a write is recorded, filed, undone and redone."""

from __future__ import annotations

GOBLIN = {"_id": "gob", "name": "Goblin", "system": {"hp": 6}, "flags": {}}
HURT = ["update", "Actor.mira", {"system.hp": 12}]


def test_a_write_leaves_a_point_that_counts_what_it_touched(table):
    """The answer names the point, its counts and its documents; the file has them."""
    [answer] = table.write(
        HURT,
        ["create", "Actor.gob", GOBLIN],
        ["delete", "Actor.mira.Item.sword"],
    )

    point = answer["rollbackPoint"]
    assert answer["ok"] is True
    assert point["captured"] == "1 update, 1 create, 1 delete"
    assert point["docs"] == [
        "update Actor Mira",
        "create Actor Goblin",
        "delete Item Sword",
    ]
    file = table.file(point["id"])
    assert file["version"] == 1
    assert [entry["op"] for entry in file["entries"]] == ["update", "create", "delete"]
    assert file["entries"][2]["data"]["name"] == "Sword"
    assert file["world"] == {"id": "sunken-inn", "title": "The Sunken Inn"}
    assert table.journals() == []


def test_rollback_makes_the_world_as_before_and_redo_as_after(table):
    """Undo, redo and undo again, document by document."""
    before = table.world.snapshot()
    point = table.wrote(
        HURT, ["create", "Actor.gob", GOBLIN], ["delete", "Actor.mira.Item.sword"]
    )
    after = table.world.snapshot()

    answer = table.undone(point)
    assert table.world.docs == before
    assert answer["rolledBack"][0]["state"] == "rolled-back"
    assert table.file(point)["state"] == "rolled-back"

    redo = answer["redoPoint"]
    table.undone(redo)
    assert table.world.docs == after
    assert table.brief(point)["state"] == "live"
    assert table.brief(redo)["state"] == "rolled-back"

    table.undone(point)
    assert table.world.docs == before
