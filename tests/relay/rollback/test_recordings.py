"""Streaming: what a write touches is kept while it runs."""

from __future__ import annotations

import json

from attrs import evolve

from aagm.errors import HandlerThrew, NoModule

FIVE = [["update", "Actor.mira", {f"system.s{n}": n}] for n in range(5)]


def begin(table):
    """Send an eval whose answer is held; gives its answers and its point."""
    table.tab.hold = True
    answers = table.write(*FIVE)
    [recording] = table.desk.recordings.all()
    return answers, recording.id


def test_entries_are_acknowledged_once_they_are_journaled(table):
    """The tab may forget an entry only when the journal has it."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:1])

    journal = table.journal(point)
    assert [line["seq"] for line in journal[1:]] == [1, 2]
    acks = table.tab.tab.told_of("rollback.entry.ack")
    assert acks[-1] == {"pointId": point, "seq": 2}


def test_the_open_point_is_on_disk_before_anything_is_sent(table):
    """When the eval arrives at the tab, its journal is there."""
    seen = []
    script = table.tab.tab.answers["eval"]

    def spy(params):
        seen.extend(table.journals())
        return script(params)

    table.tab.tab.answers["eval"] = spy
    point = table.wrote(*FIVE)
    assert seen == [point]


def test_a_point_to_which_nothing_came_after_the_answer_is_written_once(table):
    """Thousands of entries are not stored twice; nor those of the rollback."""
    point = table.wrote(*FIVE)
    table.undone(point)
    redo = table.desk.undo.briefs()[0]["id"]
    written = [path.stem for how, path in table.disk.written if how == "replace"]
    assert written == [point, redo, point]  # the last with what became of its undo
    assert table.journals() == []


def test_a_point_of_many_documents_names_twelve_and_counts_the_others(table):
    """Nobody takes the twelve for all of them."""
    make = [
        ["create", f"Actor.g{n}", {"_id": f"g{n}", "name": "Gob"}] for n in range(14)
    ]
    shown = table.brief(table.wrote(*make))
    assert (len(shown["docs"]), shown["moreDocs"]) == (12, 2)
    assert "moreDocs" not in table.brief(table.wrote(*FIVE))


def test_a_failed_write_names_the_point_that_holds_what_it_touched(table):
    """The handler threw after one update: the error says where that one is."""
    [error] = table.write(FIVE[0], ["throw", "eval: execution threw"])
    assert isinstance(error, HandlerThrew)
    point = error.data["rollbackPoint"]
    assert f"(rollback point {point['id']}: 1 update)" in str(error)
    assert "rollback" not in error.data
    assert table.brief(point["id"])["failed"] == "eval: execution threw"
    assert table.undone(point["id"])["rolledBack"][0]["state"] == "rolled-back"


def test_a_failed_write_that_touched_nothing_leaves_no_point(table):
    """There is nothing to take back, and nothing to name."""
    [error] = table.write(["throw", "eval: syntax error"])
    assert str(error) == "eval: syntax error"
    assert table.desk.undo.briefs() == []
    assert table.journals() == []


def test_a_write_that_touched_nothing_is_empty_and_never_the_default_target(table):
    """An empty point is shown; rollback without an id goes past it."""
    first = table.wrote(FIVE[0])
    empty = table.wrote()
    assert table.brief(empty)["state"] == "empty"
    assert table.undone()["target"] == first


def test_a_read_that_touched_nothing_leaves_no_point(table):
    """Its answer is a read's, and its limit too."""
    [answer] = table.write(is_read=True)
    assert "rollbackPoint" not in answer
    assert table.desk.undo.briefs() == []
    asked = table.tab.tab.asked[-1]
    assert asked.params["rp"]["limitSeconds"] == 30
    assert asked.limit == 35


def test_a_write_in_a_reads_disguise_is_recorded(table):
    """Declared a read, it wrote: there is a point, and it goes back."""
    point = table.wrote(FIVE[0], is_read=True)
    assert table.brief(point)["captured"] == "1 update"


def test_no_tab_means_no_point(table):
    """Nothing was sent, so nothing is kept."""
    table.tab.cut()
    [error] = table.write(FIVE[0])
    assert isinstance(error, NoModule)
    assert table.journals() == []
    assert table.desk.undo.briefs() == []


def test_a_tail_joins_the_point_and_the_card_is_shown_anew(table):
    """What a hook wrote after the answer is in the same point, marked."""
    table.tab.closes = False
    point = table.wrote(FIVE[0])
    cards = table.tab.tab.told_of("aagm.rollback")
    assert [c["event"] for c in cards] == ["point"]

    table.tab.go_on(point, ["tail", "Actor.odo", {"system.hp": 3}])
    table.tab.close(point)
    assert table.brief(point)["captured"] == "2 update"
    assert table.brief(point)["tail"] == 1
    cards = table.tab.tab.told_of("aagm.rollback")
    assert cards[-1]["point"]["captured"] == "2 update"


def test_a_rollback_waits_for_the_tail(table):
    """The undo begins when the recording is closed, so that it takes all of it."""
    before = table.world.snapshot()
    table.tab.closes = False
    point = table.wrote(FIVE[0])
    answers = table.undo(point)
    assert answers == []
    table.tab.go_on(point, ["tail", "Actor.odo", {"system.hp": 3}])
    table.tab.close(point)
    assert table.world.docs == before


def test_a_tab_that_never_closes_does_not_keep_the_journal_for_ever(table):
    """A little after the longest tail the relay closes the recording itself."""
    table.tab.closes = False
    point = table.wrote(FIVE[0])
    assert table.journals() == [point]
    table.clock.advance(3)
    assert table.journals() == []
    assert table.brief(point)["state"] == "live"


def test_an_entry_in_pieces_is_put_together(table):
    """What does not fit a frame comes in parts; only the last is acknowledged."""
    _, point = begin(table)
    entry = {
        "seq": 1,
        "op": "update",
        "uuid": "Actor.odo",
        "documentName": "Actor",
        "name": "Odo",
        "parentUuid": None,
        "pack": None,
        "userId": "u",
        "changes": [{"path": "system.hp", "before": 9, "after": 8}],
    }
    text = json.dumps(entry)
    for part, piece in enumerate((text[:40], text[40:90], text[90:]), 1):
        table.tab.say(point, [{"seq": 1, "part": part, "parts": 3, "json": piece}])
        acks = table.tab.tab.told_of("rollback.entry.ack")
        assert acks[-1]["seq"] == (1 if part == 3 else 0)
    table.restart()
    assert table.brief(point)["captured"] == "1 update"


def test_a_create_nobody_confirmed_is_shown_and_never_deleted(table):
    """It may exist; a rollback deletes only what its point created."""
    _, point = begin(table)
    table.tab.go_on(point, *FIVE[:1])
    table.tab.say(
        point,
        [
            {
                "seq": 3,
                "op": "create",
                "uuid": None,
                "documentName": "Actor",
                "name": "Ghost",
                "parentUuid": None,
                "pack": None,
                "userId": "u",
                "confirmed": False,
            }
        ],
    )
    table.tab.cut()
    table.tab.recordings.clear()
    table.tab.connect()
    assert table.brief(point)["mayExist"] == 1
    assert table.brief(point)["captured"] == "1 update"
    table.tab.hold = False
    assert table.undone(point)["rolledBack"][0]["failed"] == 0


def test_a_family_tab_needs_no_streaming(family_table):
    """Its entries come with the answer, and go back by whole top-level keys."""
    table = family_table
    [answer] = table.write(FIVE[0], ["delete", "Actor.mira.Item.sword"])
    point = answer["rollbackPoint"]
    assert point["captured"] == "1 update, 1 delete"
    assert table.journals() == []
    before = table.file(point["id"])["entries"][0]["before"]
    assert before["system"] == {"hp": 20, "gold": 5}
    answer = table.undone(point["id"])
    assert answer["conflicts"] == "not checked"
    assert answer["rolledBack"][0]["failed"] == 0
    assert "s0" not in table.world.docs["Actor.mira"]["system"]


def test_sync_shows_every_card(table):
    """A box that was reloaded asks for its cards."""
    point = table.wrote(FIVE[0])
    table.bridge.tell(table.tab.tab, "aagm.status.request", {})
    [*_, last] = table.tab.tab.told_of("aagm.rollback")
    assert last["event"] == "sync"
    assert [p["id"] for p in last["points"]] == [point]


def test_what_came_of_no_recording_is_listed(table):
    """A runaway's write outside every recording is at least told."""
    told = {
        "op": "update",
        "uuid": "Actor.odo",
        "documentName": "Actor",
        "why": "runaway",
    }
    table.bridge.tell(table.tab.tab, "rollback.uncovered", {"uncovered": told})
    assert table.desk.intake.outside == [told]


def test_what_a_runaway_writes_later_is_noted_in_its_point(table):
    """The card of the call that passed its limit says so."""
    table.tab.hold = True
    table.write(FIVE[0])
    [point] = [r.id for r in table.desk.recordings.all()]
    table.tab.go_on(point, FIVE[0])
    table.clock.advance(306)
    told = {
        "op": "update",
        "uuid": "Actor.odo",
        "documentName": "Actor",
        "why": "runaway",
        "suspect": point,
    }
    table.bridge.tell(table.tab.tab, "rollback.uncovered", told)
    table.clock.advance(10)
    assert table.brief(point)["uncoveredCount"] == 1
    assert table.file(point)["uncovered"] == [told]
    assert table.journals() == []


def test_points_made_while_a_runaway_lives_say_so(table):
    """Until its late answer comes, or its page is gone."""
    table.tab.hold = True
    table.write(FIVE[0])
    [runaway] = [r.id for r in table.desk.recordings.all()]
    table.clock.advance(306)
    table.tab.hold = False
    suspect = table.wrote(FIVE[1])
    assert table.brief(suspect)["suspect"] == runaway

    table.tab.held.pop().callback({"ok": True, "rollback": {"streamed": 0}})
    assert "suspect" not in table.brief(table.wrote(FIVE[2]))


def test_a_reload_ends_a_runaway(table):
    """The page that ran it is no more."""
    table.tab.hold = True
    table.write(FIVE[0])
    table.clock.advance(306)
    table.tab.cut()
    table.tab.recordings.clear()
    table.tab.tab.hello = evolve(table.tab.tab.hello, tab_instance="00000000000000b2")
    table.tab.connect()
    table.tab.hold = False
    assert "suspect" not in table.brief(table.wrote(FIVE[1]))
