"""A point's file that was damaged: it is said so, and nothing is written over it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aagm.relay.rollback.lost import LOST, lost_row
from aagm.relay.rollback.told import LEFT_OUT

FOLDER = Path("/data")
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


def journaled(table):
    """Leave a journal of three entries, all acknowledged, and its tab gone."""
    table.tab.hold = True
    table.write(HURT)
    [recording] = table.desk.recordings.all()
    point = recording.id
    for step in (HURT, HURT_ODO, ["update", MIRA, {"system.gold": 1}]):
        table.tab.go_on(point, step)
    table.tab.take_acks()
    table.tab.cut()
    table.tab.hold = False
    return point


def put_lines(table, point, change):
    """Let *change* do something to the lines of a journal, then start anew."""
    path = table.journal_path(point)
    table.disk.files[path] = b"\n".join(change(table.disk.files[path].split(b"\n")))
    table.restart()


BROKEN = [b"\xff garbage", b'{"seq":3,"op":"upd', b'{"seq":"x"}', b'{"odd":1}']


@pytest.mark.parametrize("text", BROKEN)
def test_a_point_whose_journal_lost_a_line_says_so_everywhere(table, text):
    """In the list, the file, the dry run and the answer; the rest goes back."""
    point = journaled(table)
    put_lines(table, point, lambda lines: [*lines[:3], text, *lines[4:]])
    table.tab.connect()
    table.tab.close(point)
    end_tail(table)
    assert table.brief(point)["lost"] == LOST
    assert "uncoveredCount" not in table.brief(point)
    assert table.file(point)["uncovered"] == [lost_row()]
    table.restart()
    table.tab.connect()
    assert table.brief(point)["lost"] == LOST
    assert table.looked(point)["undoes"]["lost"] == LOST
    [row] = table.undone(point)["rolledBack"]
    assert row["lost"] == LOST
    assert (table.hp(MIRA), table.brief(point)["lost"]) == (20, LOST)


def write_on(table, point):
    """Let the tab hurt Odo, too; relay and tab break off once more, and it ends."""
    table.tab.connect()
    table.tab.go_on(point, ["update", ODO, {"system.hp": 3}])
    table.tab.cut()
    table.restart()
    table.tab.connect()
    table.tab.close(point)
    end_tail(table)


def test_an_append_that_a_kill_broke_off_is_not_called_lost(table):
    """Its tab has it still: not at once, nor when more has come, nor in an answer."""
    point = journaled(table)
    put_lines(table, point, lambda lines: [*lines[:-1], b'{"seq": 9, "op": "upd'])
    assert "lost" not in table.brief(point)
    write_on(table, point)
    assert "lost" not in table.brief(point)
    assert "lost" not in table.looked(point)["undoes"]
    assert "lost" not in table.undone(point)["rolledBack"][0]


def test_a_whole_line_without_its_end_is_none_that_is_torn(table):
    """What comes next begins a line of its own."""
    point = journaled(table)
    put_lines(table, point, lambda lines: lines[:-1])
    write_on(table, point)
    assert "lost" not in table.brief(point)
    table.undone(point)
    assert (table.hp(MIRA), table.hp(ODO)) == (20, 9)


def test_a_point_told_of_anew_says_that_its_journal_was_damaged(table):
    """What the tab was told to forget stood in the journal that is set aside."""
    point = journaled(table)
    put_lines(table, point, lambda lines: [lines[0][:30], *lines[1:]])
    table.tab.connect()
    table.tab.go_on(point, ["update", ODO, {"system.hp": 3}])
    table.restart()
    table.tab.connect()
    table.tab.close(point)
    end_tail(table)
    assert table.brief(point)["lost"] == LOST
    assert table.file(point)["uncovered"] == [lost_row()]


def skip_between(table, *steps):
    """Write *steps*, of which the second is damaged before a start; gives the ids."""
    points = [table.wrote(step) for step in steps]
    end_tail(table)
    path, _ = damage(table, points[1], entries=["nope"])
    table.restart()
    table.tab.connect()
    return points, named(path)


def test_a_rollback_over_a_damaged_point_names_its_file(table):
    """The dry run and the answer: the change of that point stays."""
    gold = ["update", MIRA, {"system.gold": 1}]
    [first, _, last], file = skip_between(table, HURT, HURT_ODO, gold)
    looked, answer = table.looked(first), table.undone(first)
    assert looked["skipped"] == answer["skipped"] == [file]
    assert looked["skippedWhy"] == answer["skippedWhy"] == LEFT_OUT
    assert [row["id"] for row in answer["rolledBack"]] == [last, first]
    assert (table.hp(MIRA), table.hp(ODO)) == (20, 1)


def test_a_conflict_over_a_damaged_point_names_its_file(table):
    """What is in the way may be the change of that very point."""
    again = ["update", MIRA, {"system.hp": 3}]
    [first, *_], file = skip_between(table, HURT, again, HURT_ODO)
    answer = table.undone(first)
    assert [c["kind"] for c in answer["conflicts"]] == ["changed"]
    assert answer["skipped"] == [file]
    assert table.hp(MIRA) == 3


def test_a_rollback_names_no_file_that_cannot_matter(table):
    """A day before the target's, and what is no point's file by its name."""
    skip_between(table, HURT, HURT_ODO)
    table.clock.advance(48 * 3600)
    point = table.wrote(["update", MIRA, {"system.gold": 1}])
    end_tail(table)
    folder = table.brief(point)["file"].partition("/")[0]
    table.disk.files[FOLDER / "Rollback Points" / folder / "notes.txt"] = b"eels"
    table.restart()
    table.tab.connect()
    assert len(table.desk.undo.skipped()) == 2
    assert not {"skipped", "skippedWhy"} & table.looked(point).keys()
    assert not {"skipped", "skippedWhy"} & table.undone(point).keys()
