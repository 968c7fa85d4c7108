"""One call of a plug-in: one turn, one manifest, one judged run."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred
from world_tab import Rec

from aagm.errors import CallerLeft, NoModule, ProtectedDocument, TimeLimit
from aagm.relay.plugins.run import Asked
from aagm.relay.rollback.undo import UndoRequest

MIRA, SWORD = "Actor.mira", "Actor.mira.Item.sword"


def hurt(table):
    """Make an act that hurts Mira."""

    def act(scope):
        table.world.update(MIRA, {"system.hp": scope["n"]})
        return {"ok": True, "uuid": MIRA}

    return act


def swing(table):
    """Make an act that hurts Mira and changes her sword."""

    def act(scope):
        table.world.update(MIRA, {"system.hp": 1})
        table.world.update(SWORD, {"system.n": 9})
        return {"ok": True}

    return act


def test_a_plug_in_acts_and_its_point_is_attached(table):
    """The object is the plug-in's, the point is the relay's."""
    table.plugin("Hurt", hurt(table))
    answer = table.called("Hurt", {"n": 3}, tab_id="tab-1", via="tool")
    assert (answer["ok"], answer["uuid"]) == (True, MIRA)
    point = answer["rollbackPoint"]
    assert point["captured"] == "1 update"
    assert (point["summary"], point["kind"]) == ("Hurt: n=3", "plugin")
    assert (point["tabId"], point["via"]) == ("tab-1", "tool")
    assert table.world.docs[MIRA]["system"]["hp"] == 3
    assert [each["id"] for each in table.points()] == [point["id"]]


def test_wrong_arguments_reach_nothing(table):
    """The answer names the rule; the macro is not run with them."""
    table.plugin("Hurt", hurt(table))
    answer = table.called("Hurt", {"n": "much"})
    assert answer == {
        "ok": False,
        "error": "n: 'much' is not of type 'integer'",
        "fix": "Correct the arguments: foundry_plugins shows what the plug-in takes.",
        "schemaPath": "#/properties/n/type",
    }
    assert table.ran == [("Hurt", {})]
    assert table.points() == []


def test_a_manifest_is_read_once_a_session(table):
    """Another session reads it anew, refresh too."""
    table.plugin("Hurt", hurt(table))
    for session in ("one", "one", "two", "one"):
        table.called("Hurt", session=session)
    assert table.bare_runs() == 2
    table.called("Hurt", session="one", refresh=True)
    assert table.bare_runs() == 3


def test_a_manifest_is_read_anew_in_another_world(table):
    """The macro of that name is another there."""
    table.plugin("Hurt", hurt(table))
    table.called("Hurt")
    table.enter_world("other")
    table.called("Hurt")
    assert table.bare_runs() == 2


def test_a_manifest_is_read_anew_when_the_macro_changed(table):
    """A new text may mean new writes."""
    id_ = table.plugin("Hurt", swing(table), writes=["Actor", "Item"])
    assert table.called("Hurt")["ok"] is True
    table.macros[id_].text += " again"
    table.macros[id_].run = lambda scope: swing(table)(scope) if scope else {"api": "x"}
    answer = table.called("Hurt")
    assert answer["refused"] is True
    assert table.bare_runs() == 2


def test_a_macro_that_changes_between_look_and_run_is_not_run(table):
    """Whoever called is told to ask again."""
    id_ = table.plugin("Hurt", hurt(table))
    page = table.tab.tab.answers["eval"]

    def meddling(params):
        answer = page(params)
        if "macro.execute();" in params["code"]:
            table.macros[id_].text += "!"
        return answer

    table.tab.tab.answers["eval"] = meddling
    answer = table.called("Hurt")
    assert answer["error"] == "the macro was changed just now: ask again"
    assert table.world.docs[MIRA]["system"]["hp"] == 20


def test_a_write_outside_the_scope_is_undone_at_once(table):
    """All of the run goes, no redo brings it back, the point says so."""
    before = table.world.snapshot()
    table.plugin("Swing", swing(table))
    answer = table.called("Swing")
    assert (answer["ok"], answer["undone"]) == (False, True)
    assert answer["error"] == "wrote outside declared scope: Item"
    assert answer["rollbackPoint"]["state"] == "rolled-back"
    assert table.world.snapshot() == before
    assert len(table.points()) == 1


def test_a_write_outside_the_scope_that_somebody_changed_since_is_kept_and_told(table):
    """The GM's later work is not overwritten; the point is live and can be forced."""
    table.plugin("Swing", swing(table))
    check = table.tab.tab.answers["rollback.check"]

    def meddled(params):
        table.world.update(SWORD, {"system.n": 5})
        return check(params)

    table.tab.tab.answers["rollback.check"] = meddled
    answer = table.called("Swing")
    assert answer["undone"] is False
    assert answer["error"].startswith("wrote outside declared scope: Item; it was not")
    assert answer["rollbackPoint"]["state"] == "live"


def test_a_bare_run_that_writes_is_undone_and_refused(table):
    """Even types that the manifest would list."""
    before = table.world.snapshot()

    def run(scope):
        table.world.update(MIRA, {"system.hp": 0})
        return {"api": "aagm-plugin/1.0"}

    table.macro("Rash", run)
    answer = table.called("Rash")
    assert answer["refused"] is True
    assert "wrote on a run without arguments: Actor; it was undone" in answer["error"]
    assert answer["rollbackPoint"]["state"] == "rolled-back"
    assert table.world.snapshot() == before


def test_read_mode_leaves_no_point_and_is_told_to_the_macro(table):
    """Mode is no argument of the schema's, but the macro sees it."""
    table.plugin("Look", lambda scope: {"ok": True, "seen": scope["mode"]})
    answer = table.called("Look", {"mode": "read", "n": 1})
    assert answer == {"ok": True, "seen": "read"}
    assert table.points() == []


def test_read_mode_that_writes_is_undone(table):
    """Also what run mode may write."""
    before = table.world.snapshot()
    table.plugin("Look", swing(table))
    answer = table.called("Look", {"mode": "read"})
    assert answer["error"] == "wrote outside declared scope: Actor, Item"
    assert table.world.snapshot() == before


def test_a_plug_in_that_may_write_nothing_leaves_no_point(table):
    """An empty list means read only."""
    table.plugin("Count", lambda _: {"ok": True, "count": 7}, writes=[], modes=["run"])
    assert table.called("Count") == {"ok": True, "count": 7}
    assert table.points() == []


def test_mode_run_is_what_a_call_without_a_mode_is(table):
    """Callers who read modes say it; the macro need not know the word."""
    table.plugin("Hurt", lambda scope: {"ok": True, "keys": sorted(scope)})
    assert table.called("Hurt", {"mode": "run", "n": 1})["keys"] == ["n"]


def test_a_mode_of_the_schemas_own_reaches_the_macro(table):
    """Where the schema declares it, the schema judges it."""
    args = {"properties": {"mode": {"enum": ["fast", "run"]}}}
    table.plugin("Hurt", lambda scope: {"ok": True, **scope}, args=args)
    assert table.called("Hurt", {"mode": "fast"})["mode"] == "fast"
    assert table.called("Hurt", {"mode": "run"})["mode"] == "run"
    assert table.called("Hurt", {"mode": "slow"})["schemaPath"].startswith("#/prop")


def test_a_plug_in_without_a_read_mode_takes_mode_for_an_argument(table):
    """The schema refuses it."""
    table.plugin("Hurt", hurt(table), modes=["run"])
    assert "unknown: 'mode'" in table.called("Hurt", {"mode": "read"})["error"]


def test_a_plug_in_that_only_reads_says_how_to_call_it(table):
    """Modes without run."""
    table.plugin("Look", lambda _: {"ok": True}, modes=["read"])
    assert "give mode" in table.called("Look", {"n": 1})["error"]
    assert table.called("Look", {"mode": "read"})["ok"] is True


def test_a_call_without_arguments_would_be_a_bare_run(table):
    """It is refused, and says what to do."""
    table.plugin("Hurt", hurt(table))
    assert "at least one" in table.called("Hurt", {})["error"]
    assert table.bare_runs() == 1


def test_a_throw_keeps_what_was_done_before(table):
    """The error is the macro's, the point is live."""

    def act(_):
        table.world.update(MIRA, {"system.hp": 2})
        raise ValueError("the eel bit back")

    table.plugin("Hurt", act)
    answer = table.called("Hurt")
    assert answer["error"] == "the eel bit back"
    assert answer["rollbackPoint"]["state"] == "live"


def test_a_throw_after_a_write_outside_the_scope_is_undone(table):
    """What counts is what was written."""
    before = table.world.snapshot()

    def act(scope):
        swing(table)(scope)
        raise ValueError("too late")

    table.plugin("Swing", act)
    answer = table.called("Swing")
    assert answer["error"] == "wrote outside declared scope: Item"
    assert table.world.snapshot() == before


def test_a_protected_document_is_an_error_with_its_point(table):
    """The module refuses; what was written besides is judged all the same."""
    table.plugin("Swing", swing(table))
    table.called("Swing", {"n": "x"})
    page = table.tab.tab.answers["eval"]

    def refusing(params):
        if "given.args" not in params["code"]:
            return page(params)

        def work():
            table.world.update(SWORD, {"system.n": 9})
            raise ProtectedDocument("Rescue Log is protected")

        return table.tab.record(params["rp"], work)

    before = table.world.snapshot()
    table.tab.tab.answers["eval"] = refusing
    [error] = table.call("Swing")
    assert isinstance(error, ProtectedDocument)
    assert "it wrote outside declared scope: Item (undone)" in str(error)
    assert error.data["rollbackPoint"]["state"] == "rolled-back"
    assert table.world.snapshot() == before


def test_a_run_that_never_ends_frees_the_lane_and_is_judged(table):
    """At the limit, with what it wrote until then."""
    table.plugin("Swing", swing(table))
    table.called("Swing", {"n": "x"})
    page = table.tab.tab.answers["eval"]

    def hanging(params):
        if "given.args" not in params["code"]:
            return page(params)
        table.tab.recordings[params["rp"]["id"]] = Rec()
        table.tab.go_on(params["rp"]["id"], ["update", SWORD, {"system.n": 9}])
        return Deferred()

    before = table.world.snapshot()
    table.tab.tab.answers["eval"] = hanging
    came = table.call("Swing")
    table.clock.advance(299)
    assert came == []
    table.clock.advance(10)
    [error] = came
    assert isinstance(error, TimeLimit)
    assert "it wrote outside declared scope: Item (undone)" in str(error)
    assert table.world.snapshot() == before
    assert table.rollback.lane.holder is None


def test_no_tab_is_said_before_anything_else(table):
    """Also when the manifest is known."""
    table.plugin("Hurt", hurt(table))
    table.called("Hurt")
    table.tab.cut()
    [error] = table.call("Hurt")
    assert isinstance(error, NoModule)


def test_a_caller_who_leaves_during_the_bare_run_has_begun_nothing(table):
    """Nothing was written: the run is not begun."""
    table.plugin("Hurt", hurt(table))
    table.holds = True
    ticket = table.desk.plugins.queue(Asked("Hurt", {"n": 1}))
    came = []
    ticket.copy().addBoth(came.append)
    ticket.leave()
    table.held.pop(0).callback(None)
    [failure] = came
    assert failure.check(CallerLeft)
    assert table.ran == [("Hurt", {})]
    assert table.points() == []


def test_manifest_run_and_undo_share_one_turn(table):
    """What was queued meanwhile comes after all of it."""
    table.plugin("Swing", swing(table))
    table.holds = True
    first, second = table.call("Swing"), table.call("Swing", refresh=True)
    assert (first, second, len(table.held)) == ([], [], 1)
    table.held.pop(0).callback(None)
    assert (first, len(table.held)) == ([], 1)
    table.held.pop(0).callback(None)
    assert first[0]["undone"] is True
    assert second == []


def test_the_gms_rollback_refuses_a_plug_in_that_waits(table):
    """As any write of an agent's."""
    table.plugin("Hurt", hurt(table))
    point = table.called("Hurt")["rollbackPoint"]["id"]
    table.holds = True
    running, waiting = table.call("Hurt", {"n": 2}), table.call("Hurt", {"n": 4})
    table.rollback.undo.queue(UndoRequest(point), by="gm")
    assert "the GM asked first" in str(waiting[0])
    table.held.pop(0).callback(None)
    assert running[0]["ok"] is True


def test_what_the_gm_did_by_hand_meanwhile_is_left_alone(table):
    """A click during the run is no breach, and stays when a breach is undone."""

    def act(scope):
        table.world.update(MIRA, {"flags.click": True}, own=True)
        if scope["n"] == 2:
            table.world.update(SWORD, {"system.n": 9})
        return {"ok": True}

    table.plugin("Hurt", act, writes=[], modes=["run"])
    assert table.called("Hurt", {"n": 1})["ok"] is True
    assert table.called("Hurt", {"n": 2})["error"].endswith("scope: Item")
    assert table.world.docs[MIRA]["flags"] == {"click": True}
    assert table.world.docs[SWORD]["system"] == {"n": 1}


@pytest.mark.parametrize("args", [{"n": 1, "speaker": {}}, {"x=evil()": 1}])
def test_names_that_are_code_reach_nothing(table, args):
    """Even where the schema would let them through."""
    table.plugin("Hurt", hurt(table), args={"type": "object"})
    assert "cannot be called" in table.called("Hurt", args)["error"]
    assert table.ran == [("Hurt", {})]


def test_a_name_that_two_macros_have_is_ambiguous(table):
    """Both ids are listed, none is run."""
    table.plugin("Hurt", hurt(table))
    table.plugin("Hurt", hurt(table))
    answer = table.called("Hurt")
    assert answer["ids"] == ["m0", "m1"]
    assert "ambiguous" in answer["error"]
    assert table.ran == []


def test_a_second_macro_of_the_name_is_seen_before_a_known_one_runs(table):
    """A duplicate that came after the manifest was read."""
    table.plugin("Hurt", hurt(table))
    table.called("Hurt")
    table.plugin("Hurt", hurt(table))
    assert "ambiguous" in table.called("Hurt")["error"]


def test_other_macros_and_none_are_refused(table):
    """With what to do."""
    table.macros[table.macro("Bell", lambda _: None)].type = "chat"
    assert "is a chat macro" in table.called("Bell")["error"]
    answer = table.called("Nobody")
    assert "no macro of this world" in answer["error"]
    assert "foundry_plugins" in answer["fix"]
