"""Every way in which relay, tab, socket and disk can be lost."""

from __future__ import annotations

import json

import pytest
from attrs import evolve
from twisted.logger import capturedLogs

from aagm.errors import BridgeLost, DiskFault, TimeLimit
from aagm.relay.rollback import refusals

FIVE = [["update", "Actor.mira", {f"system.s{n}": n}] for n in range(5)]


def begin(table):
    """Send an eval whose answer is held; gives its answers and its point."""
    table.tab.hold = True
    answers = table.write(*FIVE)
    [recording] = table.desk.recordings.all()
    return answers, recording.id


def test_a_killed_relay_ends_with_the_whole_point(table):
    """Kill after the third of five writes, come back while the tab still writes."""
    before = table.world.snapshot()
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:3])
    table.restart()
    table.tab.go_on(point, *FIVE[3:4])
    table.tab.connect()
    assert table.brief(point)["state"] == "open"

    table.tab.go_on(point, *FIVE[4:])
    table.tab.close(point)

    assert len(table.file(point)["entries"][0]["changes"]) == 5
    assert table.brief(point)["state"] == "live"
    assert "failed" not in table.brief(point)
    assert table.journals() == []
    table.tab.hold = False
    table.undone(point)
    assert table.world.docs == before


def test_a_killed_relay_holds_the_lane_while_the_tab_still_writes(table):
    """A write queued after the restart waits for the recording to be closed."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:3])
    table.restart()
    table.tab.connect()
    table.tab.hold = False
    answers = table.write(["update", "Actor.odo", {"system.hp": 1}])
    assert answers == []

    table.tab.close(point)
    assert answers[0]["rollbackPoint"]["captured"] == "1 update"


def test_a_closed_tab_leaves_what_it_streamed_and_says_why(table):
    """The tab is closed mid-write: the point holds two, is failed, rolls back."""
    before = table.world.snapshot()
    answers, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    table.tab.cut()

    assert isinstance(answers[0], BridgeLost)
    assert point in str(answers[0])
    assert table.brief(point)["state"] == "open"
    table.tab.recordings.clear()
    table.tab.tab.hello = evolve(table.tab.tab.hello, tab_instance="00000000000000b2")
    table.tab.connect()

    shown = table.brief(point)
    assert (shown["state"], shown["captured"]) == ("live", "1 update")
    assert "left" in shown["failed"] or "reloaded" in shown["failed"]
    table.tab.hold = False
    table.undone(point)
    assert table.world.docs == before


def test_a_tab_that_never_returns_frees_the_lane_when_the_limit_is_over(table):
    """Nobody says hello: after the write's limit the point is closed as failed."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    table.tab.cut()
    table.clock.advance(299)
    assert table.brief(point)["state"] == "open"

    table.clock.advance(2)
    assert table.brief(point)["state"] == "live"
    assert table.journals() == []
    assert table.desk.lane.holder is None
    assert table.clock.getDelayedCalls() == []


def test_an_open_point_is_no_target(table):
    """The GM is told that the write still runs."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    table.restart()
    table.tab.hold = False
    table.tab.connect()
    answer = table.looked(point)
    assert answer == refusals.running(point).answer
    assert answer["reason"] == f"{point} is still running"


def test_a_cut_socket_loses_nothing_and_doubles_nothing(table):
    """Entries sent while the socket was down come with the next hello."""
    answers, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    table.tab.cut()
    table.tab.go_on(point, *FIVE[2:])
    table.tab.connect()
    table.tab.close(point)

    assert isinstance(answers[0], BridgeLost)
    [entry] = table.file(point)["entries"]
    assert [c["path"] for c in entry["changes"]] == [f"system.s{n}" for n in range(5)]
    assert table.file(point)["lastSeq"] == 10
    assert "failed" not in table.brief(point)  # all of it is there
    table.tab.take_acks()
    assert table.tab.recordings[point].kept == []
    assert table.tab.recordings[point].is_closed_known


def test_at_the_limit_the_lane_is_free_and_a_late_answer_completes_the_point(table):
    """A call past its limit fails, names its point, and is completed later."""
    answers, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    table.clock.advance(306)
    assert isinstance(answers[0], TimeLimit)
    assert point in str(answers[0])
    assert table.desk.lane.holder is None
    assert table.brief(point)["captured"] == "1 update"

    table.tab.go_on(point, *FIVE[2:])
    table.tab.close(point)
    [entry] = table.file(point)["entries"]
    assert len(entry["changes"]) == 5
    assert table.journals() == []


def test_the_gm_rolls_back_a_hung_eval_without_a_reload(table):
    """Right after the limit the point can be taken back."""
    before = table.world.snapshot()
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    table.tab.held.clear()
    table.tab.hold = False
    answers = table.undo(point, by="gm")
    table.clock.advance(305)
    assert answers[0]["target"] == point
    assert table.world.docs == before
    assert table.brief(point)["state"] == "rolled-back"


def test_a_torn_last_line_is_dropped_and_asked_for_again(table):
    """A kill in the middle of an append costs nothing: the tab still has the entry."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    kept = list(table.tab.recordings[point].kept)
    table.disk.tear(table.journal_path(point))
    torn = table.disk.files[table.journal_path(point)].split(b"\n")[-1]
    table.restart()
    table.tab.recordings[point].kept = kept[-1:]
    table.tab.connect()
    table.tab.go_on(point, *FIVE[2:])
    table.tab.close(point)
    assert len(table.file(point)["entries"][0]["changes"]) == 5
    path = table.journal_path(point)
    assert path not in table.disk.files
    assert table.disk.files[path.with_name(f"{path.name}.torn")].startswith(torn)


def damage_head(table, point, member="id"):
    """Cut the tab off, and damage a journal's head; gives its path and bytes."""
    table.tab.cut()
    path = table.journal_path(point)
    head, *rest = table.disk.files[path].splitlines(keepends=True)
    damaged = json.dumps(json.loads(head) | {member: "nope" if member == "ts" else 7})
    table.disk.files[path] = b"".join([damaged.encode(), b"\n", *rest])
    return path, table.disk.files[path]


@pytest.mark.parametrize("member", ["id", "ts", "world"])
def test_a_journal_with_a_damaged_head_is_set_aside_and_stops_no_start(table, member):
    """The relay starts without it, and lists which journal it cannot read."""
    _, point = begin(table)
    path, data = damage_head(table, point, member)
    with capturedLogs() as logs:
        table.restart()
    named = f"state/journal/{path.name}.damaged"
    assert [event["name"] for event in logs if "name" in event] == [named]
    assert table.desk.undo.skipped() == [named]
    assert table.disk.files[path.with_name(f"{path.name}.damaged")] == data
    assert table.desk.undo.briefs() == []
    table.restart()
    assert table.desk.undo.skipped() == [named]


def test_a_damaged_journal_outlives_what_the_tab_still_tells_of_its_point(table):
    """Its good lines are the only copy: neither that point nor a next one ends it."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    path, first = damage_head(table, point)
    table.restart()
    table.tab.connect()
    table.tab.go_on(point, FIVE[2])
    _, second = damage_head(table, point)
    table.restart()
    table.tab.connect()
    table.tab.go_on(point, *FIVE[3:])
    table.tab.close(point)
    table.clock.advance(10)
    assert table.brief(point)["captured"] == "1 update"
    kept = [path.with_name(f"{path.name}.damaged{end}") for end in ("", ".1")]
    assert [table.disk.files[each] for each in kept] == [first, second]
    assert path not in table.disk.files


def test_a_damaged_journal_that_a_full_disk_cannot_set_aside_stays_whole(table):
    """Nothing is appended to it, and it is not removed; with room it is moved."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    path, data = damage_head(table, point)
    table.disk.is_full = True
    table.restart()
    assert table.desk.undo.skipped() == [f"state/journal/{path.name}"]
    table.tab.connect()
    table.tab.go_on(point, FIVE[2])
    assert table.disk.files[path] == data
    table.disk.is_full = False
    table.tab.go_on(point, *FIVE[3:])
    table.tab.close(point)
    table.clock.advance(10)
    assert table.disk.files[path.with_name(f"{path.name}.damaged")] == data
    assert path not in table.disk.files


def intent(seq, uuid, path, was, now):
    """Make what a pre hook tells: nobody has confirmed it."""
    return {
        "seq": seq,
        "op": "update",
        "uuid": uuid,
        "documentName": "Actor",
        "name": uuid,
        "parentUuid": None,
        "pack": None,
        "userId": "u",
        "confirmed": False,
        "changes": [{"path": path, "before": was, "after": now}],
    }


def kill_both(table, point, *raw):
    """Let the tab tell of its last intents, then kill relay and tab at once."""
    table.tab.say(point, list(raw))
    table.restart()
    table.tab.recordings.clear()
    table.tab.hold = False
    table.tab.connect()


def test_relay_and_tab_killed_at_once_leave_a_point_to_roll_back(table):
    """An intent that came to nothing is found out when it is undone."""
    before = table.world.snapshot()
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    kill_both(table, point, intent(5, "Actor.odo", "system.hp", 9, 1))
    assert table.brief(point)["state"] == "live"
    answer = table.undone(point)
    assert answer["rolledBack"][0]["failed"] == 0
    assert table.world.docs == before
    [sent] = table.tab.tab.asked_of("rollback.apply")
    assert [entry["uuid"] for entry in sent["entries"]] == ["Actor.mira"]


@pytest.mark.parametrize("uuid", ["Actor.odo", "Actor.mira"])
def test_an_intent_that_did_happen_is_undone_though_nobody_confirmed_it(table, uuid):
    """On another document, or on one that the same write had changed before."""
    before = table.world.snapshot()
    _, point = begin(table)
    table.tab.go_on(point, ["update", "Actor.mira", {"system.hp": 7}])
    was = table.hp(uuid)
    table.world.update(uuid, {"system.hp": 1})
    kill_both(table, point, intent(3, uuid, "system.hp", was, 1))
    answer = table.undone(point)
    assert answer["rolledBack"][0]["failed"] == 0
    assert table.world.docs == before


def test_an_unconfirmed_change_that_somebody_changed_again_is_asked_about(table):
    """It is neither as before nor as written."""
    _, point = begin(table)
    kill_both(table, point, intent(1, "Actor.odo", "system.hp", 9, 1))
    table.world.update("Actor.odo", {"system.hp": 4})
    answer = table.undone(point)
    assert [c["kind"] for c in answer["conflicts"]] == ["changed"]


def test_without_a_journal_nothing_is_written(table):
    """A full disk before the write: it is refused, and the world is untouched."""
    before = table.world.snapshot()
    table.disk.is_full = True
    [error] = table.write(FIVE[0])
    assert isinstance(error, DiskFault)
    assert table.world.docs == before
    assert table.tab.tab.asked_of("eval") == []


def test_a_disk_that_fills_up_in_the_middle_is_told_and_loses_nothing(table):
    """The answer says unsaved, nothing is acknowledged; with room it is all saved."""
    answers, point = begin(table)
    table.tab.go_on(point, *FIVE[:1])
    table.disk.is_full = True
    table.tab.go_on(point, FIVE[1])
    acks = table.tab.tab.told_of("rollback.entry.ack")
    assert acks[-1]["seq"] == 2
    table.tab.finish(point)
    assert answers[0]["unsaved"] is True
    [refused] = table.write(FIVE[4])
    assert isinstance(refused, DiskFault)

    table.disk.is_full = False
    table.tab.hold = False
    table.wrote(["update", "Actor.odo", {"system.hp": 2}])
    assert len(table.file(point)["entries"][0]["changes"]) == 2
    assert table.undone(point)["rolledBack"][-1]["state"] == "rolled-back"


def test_a_rollback_on_a_full_disk_goes_ahead(table):
    """Taking back matters more than noting it: the answer says so."""
    before = table.world.snapshot()
    point = table.wrote(FIVE[0])
    table.disk.is_full = True
    answer = table.undone(point)
    assert table.world.docs == before
    assert (answer["redoPoint"], answer["unsaved"]) == (None, True)


SAME = [["update", "Actor.mira", {"system.hp": n}] for n in (3, 5, 7)]


@pytest.mark.parametrize("room", ["at once", "after a restart"])
@pytest.mark.parametrize("keeps_redo", [True, False])
def test_what_was_taken_back_on_a_full_disk_stays_so_once_there_is_room(
    table, keeps_redo, room
):
    """What was written on one path is one entry, as it was when it was taken back."""
    before = table.world.snapshot()
    _, point = begin(table)
    table.tab.go_on(point, SAME[0])
    table.disk.is_full = True
    table.tab.go_on(point, *SAME[1:])
    table.tab.finish(point)
    table.tab.hold = False
    table.clock.advance(2)
    assert table.undone(point, keeps_redo=keeps_redo)["rolledBack"][0]["failed"] == 0
    assert table.world.docs == before
    assert table.brief(point)["state"] == "rolled-back"

    table.disk.is_full = False
    if room == "after a restart":
        table.clock.advance(6)  # what was refused is tried again
        table.restart()
        table.tab.connect()
    table.wrote(["update", "Actor.odo", {"system.hp": 2}])
    assert table.brief(point)["state"] == "rolled-back"
    [entry] = table.file(point)["entries"]
    assert [change["after"] for change in entry["changes"]] == [7]
    assert table.undone(point)["refused"] is True


def test_a_recording_of_another_data_folder_is_taken_in(table, rec):
    """A tab that tells of a point nobody here knows loses nothing."""
    table.tab.cut()
    table.tab.recordings["rp-abc123"] = rec()
    table.tab.go_on("rp-abc123", FIVE[0])
    table.tab.connect()
    table.tab.close("rp-abc123")
    assert table.brief("rp-abc123")["captured"] == "1 update"


def test_a_lost_acknowledgement_of_the_closing_is_sent_again(table):
    """The tab asks again after a reconnect, and gets it."""
    point = table.wrote(FIVE[0])
    table.tab.take_acks()
    table.tab.recordings[point].is_closed_known = False
    table.tab.cut()
    table.tab.connect()
    table.tab.take_acks()
    assert table.tab.recordings[point].is_closed_known


def test_what_is_missing_after_a_break_is_asked_for(table):
    """The hello's answer says from which entry on."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:2])
    table.tab.cut()
    table.tab.go_on(point, *FIVE[2:])
    answer = table.tab.connect()
    assert answer["resend"] == [{"pointId": point, "fromSeq": 5}]


def test_no_write_is_begun_while_an_older_journal_lags_behind(table):
    """There is room for a new journal, not for what the old one still needs."""
    _, point = begin(table)
    table.disk.is_full = True
    table.tab.go_on(point, ["update", "Actor.mira", {"name": "M" * 4000}])
    table.tab.finish(point)
    table.disk.is_full, table.disk.room = False, 3000
    [refused] = table.write(FIVE[0])
    assert isinstance(refused, DiskFault)
    assert point in str(refused)
    assert len(table.tab.tab.asked_of("eval")) == 1


def test_a_disk_with_room_again_is_tried_without_another_write(table):
    """The point is filed, the tab may forget, and no timer is left."""
    _, point = begin(table)
    table.tab.go_on(point, FIVE[0])
    table.disk.is_full = True
    table.tab.go_on(point, FIVE[1])
    table.tab.finish(point)
    table.clock.advance(5)
    assert table.journals() == [point]

    table.disk.is_full = False
    table.clock.advance(5)
    assert len(table.file(point)["entries"][0]["changes"]) == 2
    assert table.journals() == []
    table.tab.take_acks()
    assert table.tab.recordings[point].kept == []
    assert table.tab.recordings[point].is_closed_known
    assert table.clock.getDelayedCalls() == []
