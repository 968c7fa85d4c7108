"""The posture that the relay holds: checked, preset, in force at once."""

from __future__ import annotations

import pytest
from attrs import evolve

from aagm.relay.world_settings import Posture, WorldSettings, take
from aagm.testing import GM_HELLO, FakeTab
from aagm.wire.hello import World

OLD = Posture(mode="custom", multitasking=True, mirror_path="/srv/macros")


@pytest.mark.parametrize(
    ("sent", "now"),
    [
        ({"mode": "assistant"}, evolve(OLD, mode="assistant", multitasking=False)),
        ({"mode": "cogm", "multitasking": False}, evolve(OLD, mode="cogm")),
        ({"multitasking": False}, evolve(OLD, multitasking=False)),
        ({"mirrorEnabled": True}, evolve(OLD, mirror_enabled=True)),
        ({"mirrorPath": ""}, evolve(OLD, mirror_path="")),
        ({"mirrorContextualSort": True}, evolve(OLD, mirror_contextual_sort=True)),
    ],
)
def test_a_good_value_counts_and_presets_force_theirs(sent, now):
    """Assistant turns multitasking off, Co-GM on, Custom leaves it to the GM."""
    assert take(OLD, sent) == now


@pytest.mark.parametrize(
    "sent",
    [
        {"mode": "tyrant"},
        {"mode": None},
        {"mode": ["cogm"]},
        {"multitasking": 0},
        {"multitasking": "no"},
        {"mirrorEnabled": 1},
        {"mirrorPath": 7},
        {"mirrorContextualSort": None},
        {"relayUrl": "ws://example.org"},
    ],
)
def test_a_bad_value_leaves_the_old_one(sent):
    """Wrong types and unknown keys change nothing."""
    assert take(OLD, sent) == OLD


def test_a_bad_value_does_not_spoil_the_good_beside_it():
    """Each of the five is judged alone."""
    sent = {"mode": "cogm", "mirrorPath": 3}
    assert take(OLD, sent) == evolve(OLD, mode="cogm")


def test_hello_and_sync_count_from_the_next_look():
    """What a tab says in its hello holds until a tab says otherwise."""
    settings = WorldSettings(lambda: "sunken-inn")
    assert settings.now == Posture()
    tab = FakeTab(evolve(GM_HELLO, settings={"mode": "cogm"}))
    assert settings.accepted(tab) == {}
    assert settings.now.multitasking is True
    settings.synced(tab, {"mode": "assistant"})
    assert settings.now.multitasking is False


def test_another_world_has_its_own():
    """A tab of another world changes nothing here."""
    settings = WorldSettings(lambda: "sunken-inn")
    other = evolve(GM_HELLO, world=World("dry-dock", "Dry Dock"))
    settings.synced(FakeTab(other), {"mode": "cogm"})
    assert settings.now == Posture()


def test_the_posture_reads_as_the_family_s_five():
    """``foundry_ping`` shows it under the names that the module uses."""
    assert OLD.to_json() == {
        "mode": "custom",
        "multitasking": True,
        "mirrorEnabled": False,
        "mirrorPath": "/srv/macros",
        "mirrorContextualSort": False,
    }
