"""The plug-ins of a world, listed with what is wrong with each."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import BadParams


def act(_scope):
    """Do nothing, well."""
    return {"ok": True}


def look(table):
    """Ask without the lane; None when a macro must be run first."""
    came = []
    look = Deferred.fromCoroutine(table.desk.catalog.look())
    look.addCallback(table.desk.catalog.told).addBoth(came.append)
    return came[0]


def pressed(table, method, **params):
    """Let the window ask."""
    came = []
    asked = Deferred.fromCoroutine(table.bridge.ask(table.tab.tab, method, params))
    asked.addCallbacks(came.append, lambda failure: came.append(failure.value))
    return came[0]


def test_a_plug_in_is_listed_with_all_that_a_caller_needs(table):
    """Version, description, schema, writes, modes, problems."""
    table.plugin("Hurt", act, args={"type": "object"})
    [row] = table.listed()
    assert row["name"] == "Hurt"
    assert (row["id"], row["usable"]) == ("m0", True)
    assert row["args"] == {"type": "object"}
    assert (row["writes"], row["modes"]) == (["Actor"], ["run", "read"])
    assert "additionalProperties" in row["problems"][0]["error"]


def test_only_macros_with_the_marker_are_run(table):
    """The others are none of our business."""
    table.macro("Fireball", act, text="boom")
    table.plugin("Hurt", act)
    assert [row["name"] for row in table.listed()] == ["Hurt"]
    assert table.ran == [("Hurt", {})]


def test_a_macro_is_run_again_only_when_it_is_another(table):
    """By its text, its name, or at the caller's wish."""
    id_ = table.plugin("Hurt", act)
    assert look(table) is None
    table.listed()
    assert [row["name"] for row in look(table)["plugins"]] == ["Hurt"]
    table.listed()
    assert table.bare_runs() == 1
    table.macros[id_].text += " more"
    assert look(table) is None
    table.listed()
    assert table.bare_runs() == 2
    table.listed(refresh=True)
    assert table.bare_runs() == 3
    table.macros[id_].name = "Heal"
    assert "it says that it is called" in table.listed()[0]["problems"][0]["error"]


def test_what_cannot_be_used_says_why(table):
    """Reason and fix; the others are listed all the same."""
    table.plugin("Good", act)
    table.plugin("Odd", act, args={"properties": {"actor": {}}})
    table.macro("Rash", lambda _: table.world.update("Actor.mira", {"system.hp": 0}))
    table.plugin("Twice", act)
    table.plugin("Twice", act)
    before = table.world.snapshot()
    rows = {row["id"]: row for row in table.listed()}
    assert [rows[i]["usable"] for i in sorted(rows)] == [True, *[False] * 4]
    assert "Foundry keeps that name" in rows["m1"]["problems"][0]["error"]
    assert "wrote on a run without arguments" in rows["m2"]["problems"][0]["error"]
    assert "ambiguous: 2 macros" in rows["m3"]["problems"][0]["error"]
    assert all(row["problems"][0]["fix"] for row in rows.values() if row["problems"])
    assert table.world.snapshot() == before


def test_one_that_never_ends_does_not_hide_the_others(table):
    """At the limit it is told, and the list goes on."""
    table.plugin("A stone", act)
    table.plugin("B hurt", act)
    table.holds = True
    came = []
    table.desk.catalog.queue().copy().addCallback(came.append)
    table.clock.advance(36)
    table.holds = False
    table.held.pop(1).callback(None)
    rows = came[0]["plugins"]
    assert [row["usable"] for row in rows] == [False, True]


def test_the_window_lists_and_runs_by_the_same_checks(table):
    """aagm.plugins and aagm.plugin.run."""
    table.plugin("Hurt", act)
    [row] = pressed(table, "aagm.plugins")["plugins"]
    assert row["usable"] is True
    ran = pressed(table, "aagm.plugin.run", name="Hurt", args={"n": 1})
    assert (ran["ok"], ran["rollbackPoint"]["via"]) == (True, "box")
    wrong = pressed(table, "aagm.plugin.run", name="Hurt", args={"n": "x"})
    assert wrong["schemaPath"] == "#/properties/n/type"
    runs = table.bare_runs()
    pressed(table, "aagm.plugins", refresh=True)
    assert table.bare_runs() == runs + 1


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"name": "Hurt"},
        {"name": 1, "args": {}},
        {"name": "H" * 1_001, "args": {}},
    ],
)
def test_the_window_must_name_a_plug_in_and_its_arguments(table, params):
    """Anything else is an error."""
    assert isinstance(pressed(table, "aagm.plugin.run", **params), BadParams)
