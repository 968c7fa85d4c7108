"""The hello: what a tab says of itself, parsed once.

Source: WIRE section 1; PROTOCOL_FACTS section 3.
"""

from __future__ import annotations

from typing import Any

from attrs import field, frozen

from aagm.errors import BadParams
from aagm.wire.jsonrpc import ID_LONGEST, NAME_LONGEST, Params

FAMILY_PROTOCOL = 2
PROTOCOL = 3
FEATURES = ("stream", "prompt-ack", "pairing", "take-over")


@frozen
class World:
    """A Foundry world; ``title`` is its id where the tab named none."""

    id: str
    title: str


@frozen
class Recording:
    """A recording that runs, or that has entries not yet acknowledged."""

    point_id: str
    last_seq: int
    running: bool
    failed: str | None = None


@frozen
class Hello:
    """What a tab says of itself."""

    user_id: str
    user_name: str
    is_gm: bool
    world: World
    foundry_version: str
    module_version: str
    settings: dict[str, Any]
    protocol: int = FAMILY_PROTOCOL
    features: frozenset[str] = frozenset()
    tab_instance: str | None = None
    system_id: str | None = None
    system_version: str | None = None
    is_hidden: bool = False
    token: str | None = field(default=None, repr=False)
    pairing_code: str | None = field(default=None, repr=False)
    recordings: tuple[Recording, ...] = ()
    takes_over: bool = False


def parse_hello(params: Params) -> Hello:
    """Parse the params of a hello; unknown members are ignored.

    Raises:
        BadParams: A member is missing or of the wrong type; names it.
    """
    world_id = _text(params, "worldId")
    protocol = params.get("protocol", FAMILY_PROTOCOL)
    if isinstance(protocol, bool) or not isinstance(protocol, int):
        raise BadParams("hello: protocol must be an integer")
    return Hello(
        user_id=_text(params, "userId"),
        user_name=_optional_text(params, "userName", NAME_LONGEST) or "",
        is_gm=params.get("isGM") is True,
        world=World(
            world_id, _optional_text(params, "worldTitle", NAME_LONGEST) or world_id
        ),
        foundry_version=_optional_text(params, "foundryVersion") or "",
        module_version=_optional_text(params, "moduleVersion") or "",
        settings=_typed(params, "settings", dict, {}),
        protocol=protocol,
        features=frozenset(
            f for f in _typed(params, "features", list, []) if isinstance(f, str)
        ),
        tab_instance=_optional_text(params, "tabInstance"),
        system_id=_optional_text(params, "systemId"),
        system_version=_optional_text(params, "systemVersion"),
        is_hidden=params.get("hidden") is True,
        token=_optional_text(params, "token"),
        pairing_code=_optional_text(params, "pairingCode"),
        recordings=tuple(_recording(r) for r in _typed(params, "recordings", list, [])),
        takes_over=params.get("takeOver") is True,
    )


def _recording(value: Any) -> Recording:
    match value:
        case {"pointId": str(point_id), "lastSeq": int(last_seq)} if (
            last_seq is not True
            and last_seq is not False
            and len(point_id) <= ID_LONGEST
        ):
            failed = value.get("failed")
            return Recording(
                point_id=point_id,
                last_seq=last_seq,
                running=value.get("running") is True,
                failed=failed if isinstance(failed, str) else None,
            )
    raise BadParams("hello: a recording needs pointId and lastSeq")


def _text(params: Params, key: str) -> str:
    value = _optional_text(params, key)
    if not value:
        raise BadParams(f"hello: {key} is missing")
    return value


def _optional_text(params: Params, key: str, longest: int = ID_LONGEST) -> str | None:
    value = params.get(key)
    if value is not None and not isinstance(value, str):
        raise BadParams(f"hello: {key} must be a string")
    if value is not None and len(value) > longest:
        raise BadParams(f"hello: {key} has {len(value)} characters, not {longest}")
    return value


def _typed(params: Params, key: str, kind: type, default: Any) -> Any:
    value = params.get(key, default)
    if not isinstance(value, kind):
        raise BadParams(f"hello: {key} must be {kind.__name__}")
    return value
