"""A point's file that was damaged: it is said so, and nothing is written over it."""

from __future__ import annotations

import json

import pytest

MIRA, ODO = "Actor.mira", "Actor.odo"
HURT = ["update", MIRA, {"system.hp": 12}]
HURT_ODO = ["update", ODO, {"system.hp": 1}]


def damage(table, point_id, **members):
    """Put something else into members of a point's file; gives its path and bytes."""
    [path] = [p for p in table.disk.files if p.name == f"{point_id}.json"]
    body = json.loads(table.disk.files[path]) | members
    table.disk.files[path] = json.dumps(body).encode()
    return path, table.disk.files[path]


def named(path):
    """Name the file as lists do."""
    return f"{path.parent.name}/{path.name}"


def end_tail(table):
    """Let what was written come to rest."""
    table.clock.advance(10)


def test_a_damaged_point_is_no_empty_one_after_a_restart(table):
    """It is named among what was skipped, cannot be undone, and stays as it is."""
    point = table.wrote(HURT)
    end_tail(table)
    path, data = damage(table, point, entries=[{"op": "boom"}])
    table.restart()
    table.tab.connect()
    assert table.desk.undo.briefs() == []
    assert table.desk.undo.skipped() == [named(path)]
    answer = table.undone(point)
    assert answer["refused"] is True
    assert f"the file of {point} is damaged: {named(path)}" in answer["reason"]
    [details] = table.pressed(action="details", pointId=point)
    assert details["refused"] is True
    assert details["reason"] == f"the file of {point} is damaged: {named(path)}"
    assert table.hp(MIRA) == 12
    assert table.disk.files[path] == data


def test_a_point_damaged_while_it_is_listed_is_not_written_over(table):
    """Its details, its rollback and an undo of an older one say which file it is."""
    older, point = table.wrote(HURT_ODO), table.wrote(HURT)
    end_tail(table)
    path, data = damage(table, point, entries=["nope"])
    assert point in table.undone(older)["reason"]
    assert f"the file of {point} cannot be read" in table.undone(point)["reason"]
    [answer] = table.pressed(action="details", pointId=point)
    assert named(path) in answer["reason"]
    assert table.desk.undo.skipped() == [named(path)]
    assert (table.hp(MIRA), table.hp(ODO)) == (12, 1)
    assert table.disk.files[path] == data


def test_a_redo_of_a_damaged_point_is_refused(table):
    """It names the file that it lacks; the world and the file stay."""
    point = table.wrote(HURT)
    redo = table.undone(point)["redoPoint"]
    end_tail(table)
    path, data = damage(table, point, entries=["nope"])
    answer = table.undone(redo, action="redo")
    assert answer["refused"] is True
    assert f"the file of {point} cannot be read" in answer["reason"]
    assert table.hp(MIRA) == 20
    assert table.disk.files[path] == data


@pytest.mark.parametrize("members", [{"entries": ["nope"]}, {"lastSeq": "nope"}])
def test_what_a_tab_still_tells_of_a_damaged_point_leaves_a_copy(table, members):
    """A late entry needs the name: the damaged file is kept beside the new one."""
    point = table.wrote(HURT)
    end_tail(table)
    path, data = damage(table, point, **members)
    table.restart()
    late = {
        "seq": 9,
        "op": "update",
        "uuid": ODO,
        "documentName": "Actor",
        "name": "Odo",
        "changes": [{"path": "system.hp", "before": 20, "after": 7}],
    }
    table.tab.connect()
    table.tab.say(point, [late])
    table.tab.close(point)
    end_tail(table)
    aside = path.with_name(f"{path.name}.damaged")
    assert table.disk.files[aside] == data
    assert table.file(point)["entries"] == [late]
    assert table.desk.undo.skipped() == [named(aside)]
