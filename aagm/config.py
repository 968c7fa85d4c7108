"""Options and TOML, parsed once into a frozen `Settings`.

The TOML has the options' own names; what stands on the command line wins.
Source: DESIGN section 9; WIRE sections 1 and 2; PROTOCOL_FACTS section 15.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Callable, Mapping
from math import inf
from pathlib import Path
from typing import Any, TypeVar

import platformdirs
from attrs import evolve, field, fields, frozen

from aagm.errors import StartFault
from aagm.limits import CLIENT, HELD
from aagm.loopback import require_origin
from aagm.members import MEMBERS, Member

MIRROR = "Macro Mirror"

T = TypeVar("T")


@frozen
class Limits:
    """Numbers that the module and the relay share."""

    message: int = 32 * 1024 * 1024  # bytes a WebSocket message may have, inbound
    read_seconds: float = 30
    write_seconds: float = 300
    settle_ms: float = 250  # silence that ends a recording's tail
    settle_max_ms: float = 2000
    running_seconds: float = HELD  # a call still running is answered after so long


@frozen
class Protected:
    """Journals that no point holds and no eval may name; our Rescue Log always is.

    Source: DESIGN section 5; WIRE section 8.
    """

    ids: tuple[str, ...] = ()
    names: tuple[str, ...] = ("ItemPile Rescue Log",)
    flags: tuple[tuple[str, str], ...] = (  # (scope, key)
        ("world", "aagm-k-loot-rescue"),
        ("world", "aagm-g-loot-rescue"),
    )


@frozen
class Settings:
    """How this relay was started."""

    member: Member
    bridge: str  # Twisted endpoint description
    mcp: str  # Twisted endpoint description
    data_dir: Path
    mirror_roots: tuple[Path, ...]
    allow_origins: tuple[str, ...] = ()
    pairing: bool = True
    mcp_token_file: Path | None = None
    limits: Limits = field(factory=Limits)
    users: frozenset[str] | None = None  # None: any GM
    protected: Protected = field(factory=Protected)

    @property
    def state_dir(self) -> Path:
        """Name the folder of what the relay keeps for itself."""
        return self.data_dir / "state"

    @property
    def logs_dir(self) -> Path:
        """Name the folder of the session logs."""
        return self.data_dir / "Logs"


def load(
    given: Mapping[str, Any],
    *,
    config: Path | None = None,
    env: Mapping[str, str] = os.environ,
) -> Settings:
    """Make the settings of what was *given* on the command line and a TOML file.

    Args:
        given: Option names with their values; None or an empty list is not given.
        config: The TOML file.
        env: Where ``$STATE_DIRECTORY`` is looked up.

    Raises:
        StartFault: An unknown key or a bad value; the sentence names the key.
    """
    values = {} if config is None else _read(config)
    values |= {key: value for key, value in given.items() if value not in (None, [])}
    if unknown := sorted(values.keys() - _KEYS):
        raise StartFault(f"{unknown[0]} is no option of aagm")
    member = _member(values.get("member", "kimi"))
    data_dir = _folder(values, "data-dir") or default_data_dir(member, env)
    roots = _each(values, "mirror-root", _path) or (data_dir / MIRROR,)
    return Settings(
        member=member,
        bridge=_endpoint(values, "bridge", member.bridge_port),
        mcp=_endpoint(values, "mcp", member.mcp_port),
        data_dir=data_dir,
        mirror_roots=roots,
        allow_origins=_each(values, "allow-origin", _origin),
        pairing=_pairing(values.get("pairing", "required")),
        mcp_token_file=_folder(values, "mcp-token-file"),
        limits=_limits(_table(values, "limits")),
        users=_users(values),
        protected=_protected(_table(values, "protected")),
    )


def default_data_dir(member: Member, env: Mapping[str, str] = os.environ) -> Path:
    """Name the folder used without ``--data-dir``: one a member."""
    if states := env.get("STATE_DIRECTORY"):
        return Path(states.split(os.pathsep)[0]) / member.key
    return Path(platformdirs.user_data_dir("aagm", appauthor=False)) / member.key


_KEYS = frozenset(
    {
        "member",
        "bridge",
        "mcp",
        "data-dir",
        "allow-origin",
        "pairing",
        "mcp-token-file",
        "mirror-root",
        "limits",
        "users",
        "protected",
    }
)


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as e:
        raise StartFault(f"config: {path} cannot be read: {e.strerror}") from e
    except ValueError as e:
        raise StartFault(f"config: {path} is not TOML: {e}") from e


def _member(value: Any) -> Member:
    if isinstance(value, str) and value in MEMBERS:
        return MEMBERS[value]
    raise StartFault(f"member must be one of {', '.join(MEMBERS)}, not {value!r}")


def _endpoint(values: Mapping[str, Any], key: str, port: int) -> str:
    value = values.get(key, f"tcp:{port}:interface=127.0.0.1")
    if not isinstance(value, str) or not value:
        raise StartFault(f"{key} must be an endpoint, such as tcp:{port}")
    return value


def _pairing(value: Any) -> bool:
    if value not in ("required", "off"):
        raise StartFault(f"pairing must be required or off, not {value!r}")
    return bool(value == "required")


def _text(key: str, value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise StartFault(f"{key} must be a text that is not empty, not {value!r}")
    return value


def _path(key: str, value: Any) -> Path:
    return Path(_text(key, value)).expanduser().absolute()


def _folder(values: Mapping[str, Any], key: str) -> Path | None:
    return _path(key, values[key]) if key in values else None


def _origin(key: str, value: Any) -> str:
    return require_origin(key, _text(key, value))


def _each(
    values: Mapping[str, Any],
    key: str,
    parse: Callable[[str, Any], T],
    *,
    table: str = "",
) -> tuple[T, ...]:
    items, name = values.get(key, []), f"{table}{key}"
    if not isinstance(items, list):
        raise StartFault(f"{name} must be a list")
    return tuple(parse(name, item) for item in items)


def _table(values: Mapping[str, Any], key: str) -> dict[str, Any]:
    table = values.get(key, {})
    if not isinstance(table, dict):
        raise StartFault(f"{key} must be a table")
    return table


def _limits(table: dict[str, Any]) -> Limits:
    known = {each.name for each in fields(Limits)}
    for key, value in table.items():
        if key not in known:
            raise StartFault(f"limits.{key} is no limit of aagm")
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if not is_number or not 0 < value < inf:
            raise StartFault(f"limits.{key} must be a number above 0, not {value!r}")
    if not isinstance(table.get("message", 1), int):
        raise StartFault("limits.message must be a whole number of bytes")
    limits = evolve(Limits(), **table)
    for key in ("read_seconds", "running_seconds"):
        if (seconds := getattr(limits, key)) > HELD:
            raise StartFault(
                f"limits.{key} may be {HELD:g} at most, not {seconds:g}, as a client"
                f" may wait no longer than {CLIENT:g} s for an answer"
            )
    return limits


def _users(values: Mapping[str, Any]) -> frozenset[str] | None:
    """Keep the user ids; the family's ``capabilitySet`` can only say ``gm``."""
    if "users" not in values:
        return None
    table = _table(values, "users")
    for user, about in table.items():
        name = about.get("capabilitySet", "gm") if isinstance(about, dict) else None
        if name != "gm":
            raise StartFault(f"users.{user} must be a table with capabilitySet gm")
    return frozenset(table)


def _protected(table: dict[str, Any]) -> Protected:
    if unknown := sorted(table.keys() - {"ids", "names", "flags"}):
        raise StartFault(f"protected.{unknown[0]} is no list of aagm")
    always = Protected()
    return Protected(
        ids=(*always.ids, *_each(table, "ids", _text, table="protected.")),
        names=(*always.names, *_each(table, "names", _text, table="protected.")),
        flags=(*always.flags, *_each(table, "flags", _flag, table="protected.")),
    )


def _flag(key: str, value: Any) -> tuple[str, str]:
    match value:
        case {"scope": str(scope), "key": str(name)} if scope and name:
            return scope, name
    raise StartFault(f"{key} must hold tables with scope and key")
