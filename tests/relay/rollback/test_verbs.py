"""What the command asks of a running relay."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import BadParams
from aagm.relay.rollback.verbs import point_verbs

HURT = ["update", "Actor.mira", {"system.hp": 12}]


@pytest.fixture
def ask(table):
    """Ask a verb; an error is raised."""
    verbs = point_verbs(table.desk)

    def asked(verb, **params):
        came = []
        d = Deferred.fromCoroutine(verbs[verb](params))
        d.addCallbacks(came.append, lambda f: came.append(f.value))
        if isinstance(came[0], Exception):
            raise came[0]
        return came[0]

    return asked


def test_points_are_listed_and_shown(table, ask):
    """With their derived state."""
    point = table.wrote(HURT)
    assert [p["id"] for p in ask("points")["points"]] == [point]
    shown = ask("point", id=point)
    assert shown["entries"][0]["changes"][0]["after"] == 12
    table.undone(point)
    assert ask("point", id=point)["state"] == "rolled-back"


def test_a_rollback_by_the_command_is_the_gms(table, ask):
    """It goes before what agents queued, and says where it came from."""
    point = table.wrote(HURT)
    assert ask("rollback", id=point, dryRun=True)["dryRun"] is True
    assert table.hp("Actor.mira") == 12
    assert ask("rollback", id=point)["via"] == "command"
    assert table.hp("Actor.mira") == 20


def test_a_refusal_names_the_options_that_the_command_has(table, ask):
    """Who reads it is the game master, who need not ask anybody."""
    first = table.wrote(HURT)
    table.wrote(["update", "Actor.mira", {"system.hp": 3}])
    fix = ask("rollback", id=first, only=True)["fix"]
    assert "leave --only away" in fix
    table.world.update("Actor.mira", {"system.hp": 9})
    fix = ask("rollback", id=first)["fix"]
    assert fix.startswith("Repeat it with --force")
    assert "game master" not in fix


@pytest.mark.parametrize("params", [{}, {"id": 7}, {"id": "rp-000000"}])
def test_a_point_must_be_named(ask, params):
    """Else the command prints what is wrong."""
    with pytest.raises(BadParams):
        ask("point", **params)
