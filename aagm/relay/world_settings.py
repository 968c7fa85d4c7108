"""The five world settings as the relay holds them: checked here, in force from now on.

Source: PROTOCOL_FACTS section 4.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field, fields, frozen

from aagm.relay.ports import TabLink
from aagm.wire.jsonrpc import Json, Params

MODES = ("assistant", "cogm", "custom")

# What a mode forces ``multitasking`` to; where a mode is absent, the GM's value counts.
_PRESETS = {"assistant": False, "cogm": True}


@frozen
class Posture:
    """What the GM set, presets applied."""

    mode: str = "assistant"
    multitasking: bool = False
    mirror_enabled: bool = False
    mirror_path: str = ""
    mirror_contextual_sort: bool = False

    def to_json(self) -> dict[str, Json]:
        """Shape it as the family's five settings."""
        return {wire: getattr(self, name) for wire, name in _NAMES.items()}


_NAMES = {
    "mode": "mode",
    "multitasking": "multitasking",
    "mirrorEnabled": "mirror_enabled",
    "mirrorPath": "mirror_path",
    "mirrorContextualSort": "mirror_contextual_sort",
}
_KINDS = {
    wire: type(getattr(fields(Posture), name).default) for wire, name in _NAMES.items()
}


def take(old: Posture, sent: dict[str, Any]) -> Posture:
    """Take what a tab sent; a bad value leaves the old one, an unknown key nothing."""
    changes = {
        _NAMES[wire]: value for wire, value in sent.items() if _is_good(wire, value)
    }
    new = evolve(old, **changes)
    return evolve(new, multitasking=_PRESETS.get(new.mode, new.multitasking))


def _is_good(wire: str, value: Json) -> bool:
    if wire == "mode":
        return value in MODES
    return type(value) is _KINDS.get(wire)


@define(eq=False)
class WorldSettings:
    """Hold the posture of each world; the one that counts is the open world's.

    Args:
        world: Gives the id of the world that is open in Foundry, or was last.
    """

    _world: Callable[[], str]
    _by_world: dict[str, Posture] = field(factory=dict, init=False)

    @property
    def now(self) -> Posture:
        """What is in force."""
        return self._by_world.get(self._world(), Posture())

    def accepted(self, link: TabLink) -> Params:
        """Take the settings in a tab's hello; adds nothing to the answer."""
        self.synced(link, link.hello.settings)
        return {}

    def synced(self, link: TabLink, params: Params) -> None:
        """Take ``settings.sync``, from any GM's tab."""
        world = link.hello.world.id
        self._by_world[world] = take(self._by_world.get(world, Posture()), params)
