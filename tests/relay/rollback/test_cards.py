"""The box: its cards, and what their buttons ask."""

from __future__ import annotations

import json

from aagm.errors import BadParams

MIRA, ODO = "Actor.mira", "Actor.odo"
HURT = ["update", MIRA, {"system.hp": 12}]


def test_the_box_hears_of_points_rollbacks_and_what_came_back(table):
    """The cards follow."""
    point = table.wrote(HURT)
    redo = table.undone(point)["redoPoint"]
    table.undone(redo)
    events = [
        (card["event"], card["point"]["id"], card["point"]["state"])
        for card in table.tab.tab.told_of("aagm.rollback")
    ]
    assert ("point", point, "live") in events
    assert ("rolled-back", point, "rolled-back") in events
    assert ("point", redo, "live") in events
    assert ("rolled-back", redo, "rolled-back") in events
    assert events[-1] == ("point", point, "live")


def test_a_cards_button_is_answered_like_the_tool(table):
    """Check, rollback and redo."""
    point = table.wrote(HURT)
    [check] = table.pressed(pointId=point, action="check")
    assert check["undoes"]["id"] == point
    [answer] = table.pressed(pointId=point, action="rollback")
    assert (answer["target"], answer["via"]) == (point, "box")
    [answer] = table.pressed(action="redo")
    assert table.hp(MIRA) == 12
    json.dumps(answer)


def test_an_endless_id_is_not_repeated(table):
    """The card is told how long it may be, and where to find those there are."""
    [fault] = table.pressed(pointId="rp-" + "0" * 90_000, action="check")
    assert isinstance(fault, BadParams)
    assert str(fault) == "pointId has 90003 characters; it may have 200"
    assert "/points" in fault.fix


def test_a_card_can_keep_what_was_changed_since(table):
    """The rest goes back; without a word about it nothing does."""
    point = table.wrote(HURT, ["update", ODO, {"system.hp": 1}])
    table.world.update(MIRA, {"system.hp": 15})
    [answer] = table.pressed(pointId=point, action="rollback")
    assert answer["refused"] is True
    [answer] = table.pressed(pointId=point, action="rollback", keep=True)
    assert answer["rolledBack"][0]["failed"] == 1
    assert (table.hp(MIRA), table.hp(ODO)) == (15, 9)


def test_ten_queued_agent_writes_do_not_delay_the_gms_rollback(table):
    """They are refused, with the reason; the rollback comes next."""
    point = table.wrote(HURT)
    table.tab.hold = True
    table.write(["update", ODO, {"system.hp": 2}])
    queued = [table.write(["update", ODO, {"system.hp": 3}]) for _ in range(10)]
    answers = table.pressed(pointId=point, action="rollback", only=True)
    assert all("the GM asked first" in str(each[0]) for each in queued)
    table.tab.hold = False
    [recording] = table.desk.recordings.all()
    table.tab.finish(recording.id)
    assert answers[0]["target"] == point
    assert table.hp(MIRA) == 20
