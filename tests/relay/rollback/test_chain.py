"""A rollback that breaks in the middle knows what it did."""

from __future__ import annotations

from aagm.errors import BridgeLost

MIRA, ODO = "Actor.mira", "Actor.odo"
HURT = ["update", MIRA, {"system.hp": 12}]


def test_a_bridge_error_stops_the_chain(table):
    """Points not reached stay live; what is known of the others is kept."""
    first = table.wrote(HURT)
    second = table.wrote(["update", ODO, {"system.hp": 1}])
    script = table.tab.tab.answers["rollback.apply"]

    def cutting(params):
        if params["pointId"] == first:
            raise BridgeLost("the Foundry tab left")
        return script(params)

    table.tab.tab.answers["rollback.apply"] = cutting
    [answer] = table.undo(first)
    assert [row["id"] for row in answer["rolledBack"]] == [second, first]
    assert answer["rolledBack"][1]["error"] == "the Foundry tab left"
    assert table.hp(MIRA) == 12
    assert table.brief(second)["state"] == "rolled-back"
    assert table.brief(first)["state"] == "live"


def test_a_relay_killed_in_a_chain_knows_what_it_undid(table):
    """Killed after the first apply: that point is rolled back, the other live."""
    first = table.wrote(HURT)
    second = table.wrote(["update", ODO, {"system.hp": 1}])
    script = table.tab.tab.answers["rollback.apply"]

    def killing(params):
        if params["pointId"] == first:
            return table.silence()
        return script(params)

    table.tab.tab.answers["rollback.apply"] = killing
    assert table.undo(first) == []
    table.restart()
    table.tab.tab.answers["rollback.apply"] = script
    table.tab.recordings.clear()
    table.tab.connect()
    assert table.brief(second)["state"] == "rolled-back"
    assert table.brief(first)["state"] == "live"
    table.undone(first)
    assert (table.hp(MIRA), table.hp(ODO)) == (20, 9)


def test_a_relay_killed_before_an_applys_answer_tells_it_from_the_recording(table):
    """The tab had undone it and streamed so; the answer never came."""
    point = table.wrote(HURT)
    script = table.tab.tab.answers["rollback.apply"]

    def killing(params):
        script(params)
        return table.silence()

    table.tab.tab.answers["rollback.apply"] = killing
    assert table.undo(point) == []
    table.restart()
    table.tab.tab.answers["rollback.apply"] = script
    table.tab.connect()
    assert table.hp(MIRA) == 20
    assert table.brief(point)["state"] == "rolled-back"
    assert table.file(point)["state"] == "rolled-back"
    table.undone(action="redo")
    assert table.hp(MIRA) == 12


def test_a_socket_cut_in_a_rollback_ends_with_the_right_cards(table):
    """The answer says what is known; the tab, back again, tells the rest."""
    point = table.wrote(HURT)
    script = table.tab.tab.answers["rollback.apply"]
    table.tab.closes = False

    def cutting(params):
        script(params)
        table.tab.cut()
        return table.silence()

    table.tab.tab.answers["rollback.apply"] = cutting
    [answer] = table.undo(point)
    assert "left" in answer["rolledBack"][0]["error"]
    [redo] = [r.id for r in table.desk.recordings.all()]
    assert table.brief(redo)["state"] == "open"
    assert table.write(["update", ODO, {"system.hp": 1}]) == []

    table.tab.tab.answers["rollback.apply"] = script
    table.tab.recordings[redo].is_running = False
    table.tab.connect()
    assert table.brief(redo)["state"] == "live"
    assert table.file(point)["state"] == "rolled-back"
    cards = table.tab.tab.told_of("aagm.rollback")
    states = {card["point"]["id"]: card["point"]["state"] for card in cards}
    assert states[point] == "rolled-back"
    assert table.hp(ODO) == 1
