"""An undo that nothing brings back: what a plug-in wrote where it may not."""

from __future__ import annotations

MIRA, ODO = "Actor.mira", "Actor.odo"
HURT = ["update", MIRA, {"system.hp": 12}]
GOBLIN = {"_id": "gob", "name": "Goblin", "system": {"hp": 6}, "flags": {}}
MAKE = ["create", "Actor.gob", GOBLIN]
KILL = ["delete", "Actor.odo"]


def points(table):
    """Name the point files."""
    return [path.stem for path in table.disk.files if path.suffix == ".json"]


def cards(table, event="point"):
    """Name the points whose cards the box was told to show."""
    told = table.tab.tab.told_of("aagm.rollback")
    return [each["point"]["id"] for each in told if each["event"] == event]


def test_it_leaves_no_redo_point(table):
    """The world is as it was, the point says so, and there is nothing to redo."""
    before = table.world.snapshot()
    point = table.wrote(HURT, MAKE, KILL)
    answer = table.undone(point, keeps_redo=False)
    assert table.world.snapshot() == before
    assert answer["redoPoint"] is None
    assert answer["rolledBack"][0]["state"] == "rolled-back"
    assert [each["id"] for each in table.desk.undo.briefs()] == [point]
    assert points(table) == [point]
    assert table.journals() == []
    assert table.file(point)["state"] == "rolled-back"
    assert table.undone(action="redo")["reason"] == "nothing to redo"


def test_the_box_never_shows_the_redo_point(table):
    """Two cards would ask the game master about one thing."""
    point = table.wrote(HURT)
    table.undone(point, keeps_redo=False)
    assert cards(table) == [point]
    assert cards(table, "rolled-back") == [point]


def test_it_cannot_be_undone_again(table):
    """What is out of the world is no target."""
    point = table.wrote(HURT)
    table.undone(point, keeps_redo=False)
    assert table.undone(point)["reason"] == f"{point} already rolled back"


def test_a_restarted_relay_still_knows(table):
    """The point's own file says what was taken back."""
    point = table.wrote(HURT)
    table.undone(point, keeps_redo=False)
    table.restart()
    table.tab.connect()
    assert table.brief(point)["state"] == "rolled-back"
    assert table.undone(point)["refused"] is True


def test_an_older_point_goes_back_over_it(table):
    """What was annulled is no part of what an older undo expects to find."""
    before = table.world.snapshot()
    older = table.wrote(MAKE)
    table.wrote(["update", "Actor.gob", {"system.hp": 1}])
    newer = table.wrote(["update", "Actor.gob", {"system.hp": 3}], HURT)
    table.undone(newer, keeps_redo=False)
    answer = table.undone(older)
    assert "refused" not in answer
    assert table.world.snapshot() == before


def test_a_row_that_fails_leaves_the_redo_point(table):
    """What was put back meanwhile can be taken forth again; the card says so."""
    point = table.wrote(HURT, ["delete", "Actor.mira.Item.sword"])

    def refuse(params):
        answer = apply(params)
        answer["applied"][0] |= {"ok": False, "error": "a lock"}
        return answer

    apply = table.tab.tab.answers["rollback.apply"]
    table.tab.tab.answers["rollback.apply"] = refuse
    answer = table.undone(point, keeps_redo=False)
    redo = answer["redoPoint"]
    assert redo is not None
    assert answer["rolledBack"][0]["failed"] == 1
    assert table.brief(point)["state"] == "partial"
    assert cards(table) == [point, redo]


def test_what_the_undo_set_going_leaves_the_redo_point(table):
    """Another module answers the undo with a change of its own: that is kept."""
    point = table.wrote(HURT)
    apply = table.tab.tab.answers["rollback.apply"]

    def meddle(params):
        tell = table.world.on_change

        def told(intent, news):
            tell(intent, news)
            if intent["uuid"] == MIRA:
                table.world.update(ODO, {"system.hp": 1})

        table.world.on_change = told
        answer = apply(params)
        table.world.on_change = tell
        return answer

    table.tab.tab.answers["rollback.apply"] = meddle
    answer = table.undone(point, keeps_redo=False)
    assert answer["redoPoint"] is not None
    assert table.brief(point)["state"] == "rolled-back"
    table.tab.tab.answers["rollback.apply"] = apply
    table.undone(answer["redoPoint"])
    assert table.hp(ODO) == 9


def test_a_late_change_of_the_same_point_is_live(table):
    """What comes after the undo was not undone, and can be."""
    point = table.wrote(HURT)
    table.undone(point, keeps_redo=False)
    change = {"path": "system.hp", "before": 9, "after": 2}
    table.world.put(ODO, table.world.docs[ODO] | {"system": {"hp": 2}})
    entry = {
        "seq": 3,
        "op": "update",
        "uuid": ODO,
        "documentName": "Actor",
        "name": "Odo",
        "parentUuid": None,
        "pack": None,
        "userId": "gm",
        "tail": True,
        "changes": [change],
    }
    table.tab.say(point, [entry])
    table.clock.advance(10)
    assert table.brief(point)["state"] == "partial"
    table.undone(point)
    assert table.hp(ODO) == 9
    assert table.hp(MIRA) == 20
