"""Undo asks before it overwrites, and says what it does."""

from __future__ import annotations

import pytest

from aagm.errors import NoModule
from aagm.relay.rollback import refusals

MIRA, ODO = "Actor.mira", "Actor.odo"
HURT = ["update", MIRA, {"system.hp": 12}]
GOBLIN = {"_id": "gob", "name": "Goblin", "system": {"hp": 6}, "flags": {}}
MAKE = ["create", "Actor.gob", GOBLIN]


def by_hand(table, uuid, leaves):
    """Let the GM change something outside any recording."""
    table.world.update(uuid, leaves)


def test_what_the_gm_changed_elsewhere_survives(table):
    """A token moved since stays where it is when its HP goes back."""
    point = table.wrote(HURT)
    by_hand(table, MIRA, {"system.gold": 99})
    table.undone(point)
    assert table.world.docs[MIRA]["system"] == {"hp": 20, "gold": 99}


def test_the_same_path_changed_since_is_asked_about(table):
    """The refusal names the document and the path; nothing is written."""
    point = table.wrote(HURT)
    by_hand(table, MIRA, {"system.hp": 15})
    answer = table.undone(point)
    assert answer["refused"] is True
    assert answer["reason"] == "conflict: Mira: system.hp was changed by somebody since"
    [conflict] = answer["conflicts"]
    assert (conflict["uuid"], conflict["path"], conflict["kind"]) == (
        MIRA,
        "system.hp",
        "changed",
    )
    assert table.world.docs[MIRA]["system"]["hp"] == 15
    assert table.brief(point)["state"] == "live"
    assert table.tab.tab.asked_of("rollback.apply") == []


@pytest.mark.parametrize(
    ("via", "says"),
    [
        ("tool", "Let the game master decide: with force"),
        ("chat", "Press the button on its card"),
        ("box", "Press the button on its card"),
    ],
)
def test_who_asked_is_told_what_he_can_do_about_a_conflict(table, via, says):
    """An agent asks the game master, who is told where it is decided."""
    point = table.wrote(HURT)
    by_hand(table, MIRA, {"system.hp": 15})
    assert table.undone(point, via=via)["fix"].startswith(says)


def test_force_overwrites_what_was_changed(table):
    """The GM said so."""
    point = table.wrote(HURT)
    by_hand(table, MIRA, {"system.hp": 15})
    table.undone(point, force=True)
    assert table.world.docs[MIRA]["system"]["hp"] == 20
    assert table.tab.tab.asked_of("rollback.apply")[0]["force"] is True


def test_keeping_theirs_takes_back_the_rest(table):
    """What somebody changed since stays, and so does the point's share in it."""
    point = table.wrote(HURT, ["update", ODO, {"system.hp": 1}], MAKE)
    by_hand(table, MIRA, {"system.hp": 15})
    answer = table.undone(point, keep=True)
    assert table.world.docs[MIRA]["system"]["hp"] == 15
    assert table.world.docs[ODO]["system"]["hp"] == 9
    assert "Actor.gob" not in table.world.docs
    [row] = answer["rolledBack"]
    assert (row["state"], row["failed"]) == ("partial", 1)
    assert [d["says"] for d in row["documents"] if not d["ok"]] == [
        "Actor Mira: left as it is, since somebody changed it"
    ]
    assert "force" not in table.tab.tab.asked_of("rollback.apply")[0]

    table.undone(answer["redoPoint"], action="redo")
    assert table.world.docs[ODO]["system"]["hp"] == 1
    table.undone(point, force=True)
    assert table.world.docs[MIRA]["system"]["hp"] == 20


def test_keeping_theirs_keeps_what_older_points_did_to_the_same(table):
    """One document is left as a whole, by every point of the chain."""
    first = table.wrote(HURT, ["update", ODO, {"system.hp": 1}])
    table.wrote(["update", MIRA, {"system.gold": 7}])
    by_hand(table, MIRA, {"system.gold": 9})
    answer = table.undone(first, keep=True)
    assert [row["state"] for row in answer["rolledBack"]] == ["live", "partial"]
    assert table.world.docs[MIRA]["system"] == {"hp": 12, "gold": 9}
    assert table.world.docs[ODO]["system"]["hp"] == 9


def test_keeping_all_of_theirs_writes_nothing(table):
    """There is nothing left to take back, and no redo point for it."""
    point = table.wrote(HURT)
    by_hand(table, MIRA, {"system.hp": 15})
    answer = table.undone(point, keep=True)
    assert answer["redoPoint"] is None
    [row] = answer["rolledBack"]
    assert (row["state"], row["failed"]) == ("live", 1)
    assert table.tab.tab.asked_of("rollback.apply") == []


def test_a_created_document_that_was_edited_is_kept_with_what_lies_in_it(table):
    """Deleting it would take somebody's work away."""
    item = {"_id": "club", "name": "Club", "system": {}, "flags": {}}
    point = table.wrote(MAKE, ["create", "Actor.gob.Item.club", item], HURT)
    by_hand(table, "Actor.gob", {"name": "Gobrin"})
    table.undone(point, keep=True)
    assert {"Actor.gob", "Actor.gob.Item.club"} <= set(table.world.docs)
    assert table.world.docs[MIRA]["system"]["hp"] == 20


def test_true_is_not_one(table):
    """A flag that became true is another value than the number 1."""
    point = table.wrote(["update", MIRA, {"system.hp": 1}])
    by_hand(table, MIRA, {"system.hp": True})
    assert table.undone(point)["refused"] is True


def test_a_value_that_is_back_already_is_done(table):
    """The GM healed by hand to what it was: no conflict, no write."""
    point = table.wrote(HURT, ["update", ODO, {"system.hp": 1}])
    by_hand(table, MIRA, {"system.hp": 20})
    answer = table.undone(point)
    [row] = answer["rolledBack"]
    assert row["state"] == "rolled-back"
    [sent] = table.tab.tab.asked_of("rollback.apply")
    assert [entry["uuid"] for entry in sent["entries"]] == [ODO]
    assert "Actor Mira put back (was so already)" in [
        d["says"] for d in row["documents"]
    ]


def test_nothing_to_write_leaves_no_redo_point_to_speak_of(table):
    """All was back already: the answer has no redo point, the point is undone."""
    point = table.wrote(HURT)
    by_hand(table, MIRA, {"system.hp": 20})
    answer = table.undone(point)
    assert answer["redoPoint"] is None
    assert table.brief(point)["state"] == "rolled-back"


def test_an_edited_created_document_is_asked_about(table):
    """The GM dressed up what the agent made: it is not deleted silently."""
    point = table.wrote(MAKE)
    by_hand(table, "Actor.gob", {"name": "Goblin King"})
    answer = table.undone(point)
    assert [c["kind"] for c in answer["conflicts"]] == ["edited-after-create"]
    assert "Actor.gob" in table.world.docs
    table.undone(point, force=True)
    assert "Actor.gob" not in table.world.docs


def test_a_child_put_into_a_created_document_is_asked_about(table):
    """The GM gave the agent's goblin a spear."""
    point = table.wrote(MAKE)
    table.world.create("Actor.gob.Item.spear", {"_id": "spear", "name": "Spear"})
    answer = table.undone(point)
    assert [c["kind"] for c in answer["conflicts"]] == ["edited-after-create"]


def test_a_created_document_that_a_later_point_changed_is_no_conflict(table):
    """Two writes of the agent's: the newest hash is the one expected."""
    before = table.world.snapshot()
    point = table.wrote(MAKE)
    table.wrote(["update", "Actor.gob", {"system.hp": 1}])
    table.wrote(["create", "Actor.gob.Item.spear", {"_id": "spear", "name": "Spear"}])
    table.undone(point)
    assert table.world.docs == before


def test_a_deleted_document_that_is_there_again_is_asked_about(table):
    """Somebody made it anew under the same id."""
    point = table.wrote(["delete", "Actor.odo"])
    table.world.put("Actor.odo", {"_id": "odo", "name": "Odo II", "system": {}})
    answer = table.undone(point)
    assert [c["kind"] for c in answer["conflicts"]] == ["exists"]
    assert answer["conflicts"][0]["says"] == "Odo II was deleted, and is there again"


def test_a_changed_document_that_is_gone_is_asked_about(table):
    """There is nothing to put the value back into; forced, the rest is taken back."""
    was = table.hp(ODO)
    point = table.wrote(HURT, ["update", ODO, {"system.hp": 1}])
    for uuid in (MIRA, f"{MIRA}.Item.sword"):
        del table.world.docs[uuid]
    answer = table.undone(point)
    assert [(c["kind"], c["says"]) for c in answer["conflicts"]] == [
        ("gone", "Mira is gone: with force the rest is taken back")
    ]
    assert table.hp(ODO) == 1
    table.undone(point, force=True)
    assert table.hp(ODO) == was != 1


def test_what_could_not_be_taken_back_is_no_target_unless_named(table):
    """The answer says that nothing came of it; the next rollback takes an older one."""
    older = table.wrote(["update", ODO, {"system.hp": 1}])
    point = table.wrote(HURT)
    mira = {uuid: table.world.docs.pop(uuid) for uuid in [MIRA, f"{MIRA}.Item.sword"]}

    [row] = table.undone(force=True)["rolledBack"]
    assert (row["id"], row["state"], row["failed"]) == (point, "live", 1)
    assert row["says"] == "nothing of it could be taken back"
    assert table.brief(point)["stuck"] is True
    table.restart()
    table.tab.connect()
    assert table.looked()["target"] == older

    table.undone(older, only=True)
    refused = table.undone()
    assert refused["stuck"] == [point]
    assert point in refused["reason"]
    table.world.docs |= mira
    assert table.undone(point)["rolledBack"][0]["state"] == "rolled-back"
    assert "stuck" not in table.brief(point)


def test_the_label_of_an_undo_of_an_undo_names_the_change_once(table):
    """However often it is undone and done again."""
    point = table.wrote(HURT, summary="Hurt Mira")
    labels = []
    for action in ("rollback", "redo", "rollback", "redo"):
        table.undone(action=action)
        labels.append(table.desk.undo.briefs()[0])
    first, again = labels[0]["summary"], labels[1]["summary"]
    assert first == f"Rollback to before {point}: Hurt Mira"
    assert again == "Redone: Hurt Mira"
    assert labels[2]["summary"] == first
    assert labels[3]["summary"] == again


def test_a_created_document_that_is_gone_is_done(table):
    """Deleting what was deleted is no work."""
    point = table.wrote(MAKE)
    del table.world.docs["Actor.gob"]
    assert table.undone(point)["rolledBack"][0]["state"] == "rolled-back"


def test_a_deleted_child_whose_parent_is_gone_is_asked_about(table):
    """It cannot come back without its actor."""
    point = table.wrote(["delete", f"{MIRA}.Item.sword"])
    del table.world.docs[MIRA]
    answer = table.undone(point)
    assert [c["kind"] for c in answer["conflicts"]] == ["gone"]


def test_a_write_between_two_points_is_a_conflict_without_asking(table):
    """An older point's value is not the newer one's before: somebody wrote between."""
    first = table.wrote(HURT)
    by_hand(table, MIRA, {"system.hp": 14})
    table.wrote(["update", MIRA, {"system.hp": 3}])
    answer = table.undone(first)
    assert [(c["kind"], c["path"]) for c in answer["conflicts"]] == [
        ("changed", "system.hp")
    ]


def test_a_write_of_somebody_else_amid_one_point_is_a_conflict_too(table):
    """The agent hurts, the GM sets another value by hand, the agent hurts again."""
    second = ["update", MIRA, {"system.hp": 3}]
    point = table.wrote(HURT, ["own", MIRA, {"system.hp": 14}], second)
    answer = table.undone(point)
    assert [(c["kind"], c["path"]) for c in answer["conflicts"]] == [
        ("changed", "system.hp")
    ]
    assert table.hp(MIRA) == 3
    table.undone(point, own=True)  # all three are named: nothing is in between
    assert table.hp(MIRA) == 20


def test_a_change_between_check_and_apply_makes_the_point_partial(table):
    """The module compares once more; the retry goes through when the GM agrees."""
    point = table.wrote(HURT, ["update", ODO, {"system.hp": 1}])
    script = table.tab.tab.answers["rollback.apply"]

    def raced(params):
        table.tab.tab.answers["rollback.apply"] = script
        by_hand(table, MIRA, {"system.hp": 15})
        return script(params)

    table.tab.tab.answers["rollback.apply"] = raced
    [row] = table.undone(point)["rolledBack"]
    assert (row["state"], row["failed"]) == ("partial", 1)
    assert "Actor Mira: changed since" in [d["says"] for d in row["documents"]]
    assert table.world.docs[ODO]["system"]["hp"] == 9

    assert table.undone(point)["refused"] is True
    [row] = table.undone(point, force=True)["rolledBack"]
    assert (row["state"], row["failed"]) == ("rolled-back", 0)
    assert table.world.docs[MIRA]["system"]["hp"] == 20


def test_what_lies_below_a_failed_entry_fails_too(table):
    """An older value is not written over a newer one that could not be undone."""
    first = table.wrote(HURT)
    second = table.wrote(["update", MIRA, {"system.hp": 5}])
    script = table.tab.tab.answers["rollback.apply"]

    def failing(params):
        answer = script(params)
        if params["pointId"] == second:
            by_hand(table, MIRA, {"system.hp": 5})
            answer["applied"][0] |= {"ok": False, "error": "no permission"}
        return answer

    table.tab.tab.answers["rollback.apply"] = failing
    rows = table.undone(first)["rolledBack"]
    assert [row["failed"] for row in rows] == [1, 1]
    assert [a["pointId"] for a in table.tab.tab.asked_of("rollback.apply")] == [second]
    assert table.brief(first)["state"] == "live"


def test_a_dry_run_only_reports(table):
    """It names what else would be undone and what is in the way; nothing changes."""
    first = table.wrote(HURT, summary="hurt Mira", tab_id="A")
    table.wrote(["update", ODO, {"system.hp": 1}], summary="hurt Odo", tab_id="B")
    table.wrote(MAKE, summary="make a goblin", tab_id="C")
    before = table.world.snapshot()
    answer = table.looked(first)
    assert answer["dryRun"] is True
    assert answer["undoes"]["summary"] == "hurt Mira"
    assert [each["summary"] for each in answer["alsoUndoes"]] == [
        "make a goblin",
        "hurt Odo",
    ]
    assert answer["also"] == "also 2 later changes, tabs B and C"
    assert answer["conflicts"] == []
    assert table.world.docs == before


def test_only_undoes_one_point_alone(table):
    """A later point on another document stays."""
    first = table.wrote(HURT)
    table.wrote(["update", ODO, {"system.hp": 1}])
    table.undone(first, only=True)
    assert table.world.docs[MIRA]["system"]["hp"] == 20
    assert table.world.docs[ODO]["system"]["hp"] == 1


def test_only_is_refused_when_a_later_point_touched_the_same(table):
    """The later one is named, by its id and as its card does."""
    first = table.wrote(HURT)
    second = table.wrote(["update", MIRA, {"system.hp": 3}], summary="Mira slips")
    answer = table.undone(first, only=True)
    assert answer["blockers"] == [second]
    assert 'Take "Mira slips" back first' in answer["fix"]
    assert table.world.docs[MIRA]["system"]["hp"] == 3


def test_only_is_refused_when_a_document_above_was_deleted_later(table):
    """The item went with its actor."""
    first = table.wrote(["update", f"{MIRA}.Item.sword", {"system.n": 2}])
    second = table.wrote(["delete", MIRA])
    assert table.undone(first, only=True)["blockers"] == [second]


def test_what_the_gm_may_have_done_by_hand_is_left_alone(table):
    """A drag during the recording stays, unless asked."""
    point = table.wrote(HURT, ["own", ODO, {"system.x": 40}])
    assert table.brief(point)["own"] == 1
    answer = table.undone(point)
    assert table.world.docs[ODO]["system"]["x"] == 40
    assert answer["leftAlone"][0]["says"] == "Odo: the GM may have done this"
    assert table.brief(point)["state"] == "partial"

    table.undone(point, own=True)
    assert "x" not in table.world.docs[ODO]["system"]
    assert table.brief(point)["state"] == "rolled-back"


@pytest.mark.parametrize(
    ("point", "reason"),
    [("rp-000bad", "unknown point rp-000bad"), (None, "no live rollback point")],
)
def test_what_is_not_there_is_refused(table, point, reason):
    """A policy answer, not an error."""
    answer = table.undone(point)
    assert (answer["refused"], answer["reason"]) == (True, reason)
    assert answer["fix"].endswith(".")


def test_a_point_is_not_undone_twice(table):
    """The second time it is refused."""
    point = table.wrote(HURT)
    table.undone(point)
    answer = table.undone(point)
    assert answer == refusals.gone(point).answer
    assert answer["reason"] == f"{point} already rolled back"


def test_redo_takes_the_newest_rollback_back(table):
    """Then there is nothing to redo."""
    table.wrote(HURT)
    table.undone()
    assert table.undone(action="redo")["rolledBack"][0]["state"] == "rolled-back"
    assert table.world.docs[MIRA]["system"]["hp"] == 12
    answer = table.undone(action="redo")
    assert answer == refusals.no_redo(None).answer
    assert answer["reason"] == "nothing to redo"


def test_redo_is_refused_when_newer_writes_are_in_the_way(table):
    """Any that is live, wherever it wrote; by its id, and as its card does."""
    table.wrote(HURT)
    redo = table.undone()["redoPoint"]
    newer = table.wrote(["update", ODO, {"system.hp": 1}], summary="Odo slips")
    answer = table.undone(action="redo")
    assert answer["reason"] == f"newer changes are in the way: {newer}"
    assert answer["blockers"] == [newer]
    assert answer["fix"].startswith('Take "Odo slips" back first')
    assert table.world.docs[MIRA]["system"]["hp"] == 20

    table.undone(newer)
    table.undone(redo, action="redo")
    assert (table.hp(MIRA), table.hp(ODO)) == (12, 9)


def test_two_rollbacks_are_redone_one_after_the_other(table):
    """The newest rollback comes back first."""
    table.wrote(HURT)
    table.wrote(["update", ODO, {"system.hp": 1}])
    table.undone()
    table.undone()
    table.undone(action="redo")
    assert (table.hp(MIRA), table.hp(ODO)) == (12, 9)
    table.undone(action="redo")
    assert (table.hp(MIRA), table.hp(ODO)) == (12, 1)


def test_a_point_of_another_world_is_listed_as_such_and_no_target(table):
    """The same relay served another world yesterday."""
    point = table.wrote(HURT)
    table.enter_world("high-tower", "The High Tower")
    assert table.brief(point)["otherWorld"] == "The Sunken Inn"
    answer = table.undone(point)
    assert answer["reason"] == f"{point} is a point of another world: The Sunken Inn"
    assert table.undone()["reason"] == "no live rollback point"


def test_without_a_tab_nothing_is_rolled_back(table):
    """The reason is the bridge's."""
    point = table.wrote(HURT)
    table.tab.cut()
    [error] = table.undo(point)
    assert isinstance(error, NoModule)


def torn(table, point):
    """Tear a point's file while the relay is down."""
    [path] = [p for p in table.disk.files if p.name == f"{point}.json"]
    table.disk.files[path] = b'{"half'
    table.restart()
    table.tab.connect()


def test_a_broken_file_of_what_was_undone_blocks_nothing(table):
    """Points before it can still be taken back, alone and as a chain."""
    first = table.wrote(HURT)
    second = table.wrote(["update", ODO, {"system.hp": 1}])
    table.undone(second)
    odo = table.hp(ODO)
    torn(table, second)
    assert table.undone(first)["rolledBack"][-1]["state"] == "rolled-back"
    assert (table.hp(MIRA), table.hp(ODO)) == (20, odo)


def test_a_file_that_breaks_while_the_relay_runs_is_named(table):
    """What cannot be read cannot be taken back, and the refusal says what can."""
    first = table.wrote(HURT)
    second = table.wrote(["update", ODO, {"system.hp": 1}])
    [path] = [p for p in table.disk.files if p.name == f"{second}.json"]
    table.clock.advance(3)
    table.disk.files[path] = b'{"half'
    answer = table.undone(first)
    assert answer["refused"] is True
    assert f"the file of {second} cannot be read" in answer["reason"]
    assert "Name a newer point" in answer["fix"]
    assert table.hp(MIRA) == 12
