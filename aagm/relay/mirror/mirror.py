"""Back macros up into files, list them, and read one for its restore.

Source: PROTOCOL_FACTS section 11; DESIGN section 7.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

from attrs import define, field, frozen
from twisted.internet.defer import Deferred

from aagm.errors import AagmError, DiskFault
from aagm.relay.mirror.names import safe_name
from aagm.relay.mirror.places import File, NoPlace, Parts, Place, place_all
from aagm.relay.mirror.record import MacroRecord, from_file, from_wire, to_file
from aagm.relay.mirror.tree import CAN_NOT_FOLLOW, Tree
from aagm.relay.ports import Bridge
from aagm.wire.jsonrpc import Json, Params

__all__ = ["Mirror", "MirrorRefused", "MirrorSettings"]

AT_ONCE = 50  # macros written before progress is told
_SUFFIX = ".js"
_NAME_FOLDER = (
    "Let the game master name a folder in AAGM's settings, by its whole path."
)

T = TypeVar("T")
Progress = Callable[[int, int], None]  # done, total


class MirrorRefused(Exception):
    """The mirror may not or cannot be used; the text says why."""

    def __init__(self, reason: str, *, fix: str) -> None:
        """Keep why, and what to do about it."""
        super().__init__(reason)
        self.fix = fix


@frozen
class MirrorSettings:
    """What the world's settings say of the mirror."""

    is_enabled: bool
    path: str
    sorts: bool


@frozen
class _Scan:
    """What lies below the root."""

    files: list[File]
    folders: list[Parts]


@define(eq=False)
class Mirror:
    """The macros of the world as files.

    Args:
        bridge: Lists the world's macros.
        settings: Gives the world's settings as they are now.
        allowed: The folders of ``--mirror-root``.
        in_thread: Runs a function off the reactor (`deferToThread`).
        read_seconds: How long the tab may take to list the macros.
    """

    _bridge: Bridge
    _settings: Callable[[], MirrorSettings]
    _allowed: tuple[Path, ...]
    _in_thread: Callable[..., Deferred[Any]]
    _read_seconds: float
    _is_busy: bool = field(default=False, init=False)

    async def backup(self, name: str | None, progress: Progress) -> Json:
        """Write every macro, or those called *name*, into their files.

        Returns:
            ``{root, written:[path], unchanged, failed:[{name, reason}]}``

        Raises:
            MirrorRefused: The mirror is off, misplaced or busy, or no such macro.
            AagmError: The tab did not list its macros.
        """
        tree, sorts = self._open()
        if self._is_busy:
            raise MirrorRefused(
                "a backup is running", fix="Call again when it is done."
            )
        self._is_busy = True
        try:
            macros = await self._listed(name)
            return await self._write(tree, macros, progress, sorts=sorts)
        finally:
            self._is_busy = False

    async def backups(self) -> Json:
        """List the files: ``{root, backups:[path]}``.

        Raises:
            MirrorRefused: The mirror is off or misplaced.
        """
        tree, _ = self._open()
        scan: _Scan = await self._in_thread(_scan, tree)
        return {
            "root": str(tree.root),
            "backups": sorted(file.path for file in scan.files),
        }

    async def find(self, name: str) -> Params:
        """Read the one file of *name*, a macro's name or uuid or a listed path.

        Returns:
            The record that ``mirror.restore`` takes, with ``file``.

        Raises:
            MirrorRefused: The mirror is off or misplaced; no file, or several.
        """
        tree, _ = self._open()
        found: list[tuple[File, MacroRecord]] = await self._in_thread(
            lambda: _matching(tree, name)
        )
        if not found:
            raise MirrorRefused(
                f"no backup of a macro called {name}",
                fix="foundry_mirror_backups lists all; name one as it stands there.",
            )
        if len(found) > 1:
            paths = ", ".join(sorted(file.path for file, _ in found))
            raise MirrorRefused(
                f"several backups are called {name}: {paths}",
                fix="Name one by its path.",
            )
        [(file, macro)] = found
        return macro.to_wire() | {"file": file.path}

    def _open(self) -> tuple[Tree, bool]:
        """Check the settings and the root, at every use."""
        settings = self._settings()
        if not CAN_NOT_FOLLOW:
            raise MirrorRefused(
                "this system cannot open files without following links, "
                "so the Macro Mirror stays off",
                fix="Let the relay run on Linux or macOS to use it.",
            )
        if not settings.is_enabled:
            raise MirrorRefused(
                "the Macro Mirror is off",
                fix="Tell the game master, who turns it on in AAGM's settings.",
            )
        return Tree(_checked(settings.path, self._allowed)), settings.sorts

    async def _listed(self, name: str | None) -> list[MacroRecord]:
        params = {} if name is None else {"name": name}
        answer = await self._bridge.call(
            "mirror.list", params, limit=self._read_seconds
        )
        macros = [from_wire(macro) for macro in answer["macros"]]
        if name is not None and not macros:
            raise MirrorRefused(
                f"the world has no macro called {name}",
                fix="Give its exact name, or none to back up all macros.",
            )
        return macros

    async def _write(
        self, tree: Tree, macros: list[MacroRecord], progress: Progress, *, sorts: bool
    ) -> Json:
        def plan() -> list[Place | NoPlace]:
            scan = _scan(tree)
            return place_all(macros, scan.files, scan.folders, sorts=sorts)

        places: list[Place | NoPlace] = await self._in_thread(plan)
        written: list[str] = []
        failed: list[Params] = []
        unchanged = 0
        for start in range(0, len(places), AT_ONCE):
            some = places[start : start + AT_ONCE]
            rows = await self._in_thread(_write_some, tree, some)
            for place, row in zip(some, rows, strict=True):
                match row:
                    case str(reason):
                        failed.append({"name": place.macro.name, "reason": reason})
                    case True:
                        assert isinstance(place, Place)  # noqa: S101 - it was written
                        written.append(place.file.path)
                    case False:
                        unchanged += 1
            progress(start + len(some), len(places))
        return {
            "root": str(tree.root),
            "written": written,
            "unchanged": unchanged,
            "failed": failed,
        }


def _checked(path: str, allowed: tuple[Path, ...]) -> Path:
    """Resolve the root that the world names, and hold it to the command line."""
    if not path:
        raise MirrorRefused("the Macro Mirror has no folder", fix=_NAME_FOLDER)
    if not Path(path).is_absolute():
        raise MirrorRefused(
            f"the mirror's folder {path} is no absolute path", fix=_NAME_FOLDER
        )
    try:
        root = Path(path).resolve(strict=True)
        roots = [each.resolve() for each in allowed]
    except (OSError, ValueError, RuntimeError) as e:
        raise MirrorRefused(
            f"the mirror's folder {path} does not exist",
            fix="Make it first, or name another in AAGM's settings.",
        ) from e
    if not root.is_dir():
        raise MirrorRefused(
            f"the mirror's folder {path} is no folder", fix=_NAME_FOLDER
        )
    if not any(root.is_relative_to(each) for each in roots):
        named = ", ".join(str(each) for each in roots)
        raise MirrorRefused(
            f"the mirror's folder {path} lies outside {named}",
            fix="Name one inside, or start the relay with --mirror-root to allow it.",
        )
    return root


def _scan(tree: Tree) -> _Scan:
    files: list[File] = []
    folders: list[Parts] = []
    for parts, _, names in tree.walk():
        folders.append(parts)
        for name in names:
            if name.lower().endswith(_SUFFIX):
                macro = _record(tree, parts, name)
                files.append(File(parts, name, macro.uuid if macro else None))
    return _Scan(files, folders)


def _record(tree: Tree, parts: Parts, name: str) -> MacroRecord | None:
    try:
        data = tree.read(parts, name)
    except DiskFault:
        return None
    return None if data is None else from_file(data, name[: -len(_SUFFIX)])


def _matching(tree: Tree, name: str) -> list[tuple[File, MacroRecord]]:
    """Find the files of a macro: the one at a path, else by uuid, else by name."""
    wanted, plain = _folded(name), _folded(f"{safe_name(name)}{_SUFFIX}")
    by_uuid: list[tuple[File, MacroRecord]] = []
    by_name: list[tuple[File, MacroRecord]] = []
    for file in _scan(tree).files:
        if (macro := _record(tree, file.parts, file.name)) is None:
            continue
        if name == file.path:
            return [(file, macro)]
        if name == macro.uuid:
            by_uuid.append((file, macro))
        elif wanted == _folded(macro.name) or plain == _folded(file.name):
            by_name.append((file, macro))
    return by_uuid or by_name


def _folded(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def _write_some(tree: Tree, places: list[Place | NoPlace]) -> list[bool | str]:
    """Write some macros: True for a file written, False for one as it was."""
    rows: list[bool | str] = []
    for place in places:
        if isinstance(place, NoPlace):
            rows.append(place.reason)
            continue
        try:
            rows.append(_write_one(tree, place))
        except AagmError as e:
            rows.append(str(e))
    touched = {place.file.parts for place in _written(places, rows)}
    for parts in touched:
        with suppress(DiskFault):  # they are written, and safe a little later
            tree.keep(parts)
    return rows


def _written(places: list[Place | NoPlace], rows: list[bool | str]) -> Iterator[Place]:
    for place, row in zip(places, rows, strict=True):
        if row is True and isinstance(place, Place):
            yield place


def _write_one(tree: Tree, place: Place) -> bool:
    """Write one macro; what its file held before stands beside it as ``.bkp``."""
    file, data = place.file, to_file(place.macro)
    before = tree.read(file.parts, file.name)
    if before == data:
        return False
    if before is not None:
        tree.write(file.parts, f"{file.name}.bkp", before)
    tree.write(file.parts, file.name, data)
    if (left := place.leaves) is not None:
        tree.move(left.parts, left.name, f"{left.name}.bkp")
    return True
