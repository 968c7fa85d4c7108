"""Which file each macro goes to: pure.

A macro keeps the file that holds its uuid. Where two would share a name, on any file
system, each carries its id.

Source: PROTOCOL_FACTS section 11; WIRE section 8; FIELD_LESSONS 72, 73.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from attrs import frozen

from aagm.relay.mirror.names import key_of, safe_name, sort_key
from aagm.relay.mirror.record import MacroRecord

Parts = tuple[str, ...]
_Key = tuple[Parts, str]


@frozen
class File:
    """A ``.js`` file below the root, and the macro whose uuid its head names."""

    parts: Parts
    name: str
    uuid: str | None

    @property
    def key(self) -> _Key:
        """What files share that some file system holds for one."""
        return _key(self.parts, self.name)

    @property
    def path(self) -> str:
        """The path below the root, as a person reads it."""
        return "/".join((*self.parts, self.name))


@frozen
class Place:
    """Where a macro goes, and the file that it leaves for it."""

    macro: MacroRecord
    file: File
    leaves: File | None


@frozen
class NoPlace:
    """A macro that cannot be written, and why."""

    macro: MacroRecord
    reason: str


def place_all(
    macros: Sequence[MacroRecord],
    files: Iterable[File],
    folders: Iterable[Parts],
    *,
    sorts: bool,
) -> list[Place | NoPlace]:
    """Find a file for each macro; the answer has the macros' order.

    Args:
        macros: What is to be written.
        files: Every ``.js`` file below the root.
        folders: Every folder below the root.
        sorts: Whether macros go to folders (``mirrorContextualSort``).
    """
    files = list(files)
    own: dict[str, list[File]] = defaultdict(list)
    for file in files:
        if file.uuid is not None:
            own[file.uuid].append(file)
    homes = _homes(macros, list(folders), sorts=sorts)
    wanted = Counter(
        _key(home, _plain(macro)) for macro, home in zip(macros, homes, strict=True)
    )
    taken = {file.key: file.uuid for file in files}
    placed: list[Place | NoPlace] = []
    for macro, home in zip(macros, homes, strict=True):
        plain, full = _plain(macro), _with_id(macro)
        clashes = (
            wanted[_key(home, plain)] > 1
            or taken.get(_key(home, plain), macro.uuid) != macro.uuid
        )
        mine = own.get(macro.uuid, [])
        names = (full,) if clashes else (plain, full)
        kept = _kept(mine, [_key(home, name) for name in names])
        file = kept or File(home, names[0], macro.uuid)
        if taken.get(file.key, macro.uuid) != macro.uuid:
            placed.append(NoPlace(macro, f"another macro's file is {file.path}"))
            continue
        taken[file.key] = macro.uuid
        leaves = None if kept or not mine else mine[0]
        placed.append(Place(macro, file, leaves))
    return placed


def _kept(mine: list[File], keys: list[_Key]) -> File | None:
    """Find the file that already holds the macro under a name that it may have."""
    for key in keys:
        for file in mine:
            if file.key == key:
                return file
    return None


def _homes(
    macros: Sequence[MacroRecord], folders: list[Parts], *, sorts: bool
) -> list[Parts]:
    """Find the folder of each macro."""
    if not sorts:
        return [()] * len(macros)
    by_name: dict[str, list[Parts]] = defaultdict(list)
    for parts in folders:
        if parts:
            by_name[sort_key(parts[-1])].append(parts)
    homes: list[Parts] = []
    for macro in macros:
        if not macro.folder:
            homes.append(())
            continue
        literal = tuple(safe_name(part) for part in macro.folder)
        like = by_name[sort_key(macro.folder[-1])]
        homes.append(like[0] if len(like) == 1 else literal)
    return homes


def _key(parts: Parts, name: str) -> _Key:
    return tuple(key_of(part) for part in parts), key_of(name)


def _plain(macro: MacroRecord) -> str:
    return f"{safe_name(macro.name)}.js"


def _with_id(macro: MacroRecord) -> str:
    return f"{safe_name(macro.name)} ({safe_name(macro.id)}).js"
