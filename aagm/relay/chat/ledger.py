"""Keep every world's chat on disk: a journal of events, and now and then the whole.

``chat.json`` holds the whole as it was when its ``generation`` of the journal began;
the journals ``chat-<generation>.jsonl`` from that one on hold what came since. A relay
that is killed at any moment finds everything that it said it had.
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from aagm.errors import DiskFault, StartFault, Unparseable
from aagm.relay.chat.prompt import Cancelled
from aagm.relay.chat.room import EVENTS, Room
from aagm.relay.ports import Audit, Disk, unheard
from aagm.relay.start import start
from aagm.relay.torn import keep_torn
from aagm.wire.jsonrpc import Json, dumps, loads

VERSION = 1
MOVE_AWAY = "Move the file away."
ENOUGH = 1024 * 1024  # bytes of journal after which the whole is written anew
RECALLED = 20  # events of the journal that a new session log begins with
_MISSHAPEN = (KeyError, TypeError, AttributeError, ValueError)

# Which events the session log keeps, under the family's names.
_LOGGED = {
    "typed": "chat.in",
    "refused": "chat.external.ignored",
    "closed_tab": "chat.close",
    "cleared": "chat.terminate",
    "parked": "chat.external.parked",
    "cancelled": "chat.external.cancelled",
    "unparked": "chat.internal.unparked",
    "settled": "tab.settle",
    "said": "chat.said",
    "replied": "chat.reply",
    "handed": "chat.handed",
    "returned": "chat.returned",
    "claimed": "chat.listener",
}

_JOURNAL = re.compile(r"chat-(\d{6,})\.jsonl")


@define(eq=False)
class Ledger:
    """The rooms of all worlds; what changes them is saved first.

    Args:
        folder: Where the files lie.
        world: Gives the id of the connected world; None without a tab.
        audit: Takes what the session log keeps.
    """

    _log = Logger()

    _disk: Disk
    _folder: Path
    _world: Callable[[], str | None]
    _audit: Audit = unheard
    _rooms: dict[str, Room] = field(factory=dict, init=False)
    _here: str = field(default="", init=False)
    _generation: int = field(default=0, init=False)
    _size: int = field(default=0, init=False)  # bytes in the newest journal
    _has_gaps: bool = field(default=False, init=False)
    _writing: Deferred[object] | None = field(default=None, init=False)
    _replayed: deque[tuple[str, dict[str, Json]]] = field(
        factory=lambda: deque(maxlen=RECALLED), init=False
    )

    @property
    def here(self) -> str:
        """The world that is open in Foundry, or was last."""
        world = self._world()
        if world is not None and world != self._here:
            self._here = world
            self._append({"here": world}, is_vital=False)
            self._compact_when_due()
        return self._here

    @property
    def room(self) -> Room:
        """The chat of the world that is open, or was last."""
        return self.room_of(self.here)

    @property
    def worlds(self) -> list[str]:
        """List the worlds that have a chat."""
        return list(self._rooms)

    def room_of(self, world: str) -> Room:
        """Give the chat of *world*."""
        return self._rooms.setdefault(world, Room())

    def save(self, event: str, /, *, at: str | None = None, **what: Any) -> None:
        """Save an event of the world *at* (by default this one), then let it happen.

        Raises:
            DiskFault: It was not saved and did not happen.
        """
        self._do(event, at, what, is_vital=True)

    def note(self, event: str, /, *, at: str | None = None, **what: Any) -> None:
        """Let an event happen that is better lost by a full disk than not done."""
        self._do(event, at, what, is_vital=False)

    def load(self) -> None:
        """Read what an earlier relay left, and begin a new journal.

        Raises:
            StartFault: A file is of another version, or cannot be read.
        """
        first = self._load_whole()
        generations = self._generations()
        for generation in generations:
            if generation >= first:
                self._replay(self._path(generation))
        self._generation = max([first, *generations]) + 1
        self._log_restored()
        for world, room in list(self._rooms.items()):
            if room.prompts or room.told:
                self.note("restarted", at=world)
        if generations:
            self.compact()

    def compact(self) -> Deferred[None]:
        """Write the whole anew and drop the journals before; fires when done.

        One that is under way is waited for.
        """
        writing, done = self._writing, Deferred[None]()
        if writing is None:
            writing = start(self._compact(), self._log, "writing the chat's state")
            self._writing = writing
            writing.addBoth(self._compacted)
        writing.addBoth(lambda _: done.callback(None))
        return done

    async def when_idle(self) -> None:
        """Wait until nothing is being written."""
        while self._writing is not None:
            await self.compact()

    def _do(
        self, event: str, at: str | None, what: dict[str, Json], *, is_vital: bool
    ) -> None:
        world = self.here if at is None else at
        self._append({"at": world, "do": event, "with": what}, is_vital=is_vital)
        EVENTS[event](self.room_of(world), **what)
        if event in _LOGGED:
            self._audit(_LOGGED[event], **what)
        self._compact_when_due()

    def _append(self, line: dict[str, Json], *, is_vital: bool) -> None:
        data = dumps(line) + b"\n"
        if not self._size:
            data = dumps({"version": VERSION}) + b"\n" + data
        try:
            self._disk.append(self._path(self._generation), data)
        except DiskFault:
            if is_vital:
                raise
            self._has_gaps = True
            self._log.warn("the chat's journal cannot be written")
            return
        self._size += len(data)

    def _compact_when_due(self) -> None:
        """Write the whole anew; never between an event's line and the event."""
        if self._size > ENOUGH or self._has_gaps:
            self.compact()

    async def _compact(self) -> None:
        """Turn to a new journal, write the whole, drop the old journals."""
        had_gaps, self._has_gaps = self._has_gaps, False
        self._generation, self._size = self._generation + 1, 0
        first = self._generation
        whole = {
            "version": VERSION,
            "generation": first,
            "here": self._here,
            "rooms": {world: room.to_json() for world, room in self._rooms.items()},
        }
        try:
            data = json.dumps(whole, indent=1).encode("ascii")
            await self._disk.replace(self._folder / "chat.json", data)
        except DiskFault:
            self._has_gaps = self._has_gaps or had_gaps
            self._log.warn("the chat's state cannot be written; its journals stay")
            return
        for generation in self._generations():
            if generation < first:
                self._disk.remove(self._path(generation))

    def _compacted(self, _: object) -> None:
        self._writing = None

    def _load_whole(self) -> int:
        """Read ``chat.json``; the first generation of the journal that it lacks."""
        path = self._folder / "chat.json"
        try:
            whole = loads(self._disk.read(path))
        except FileNotFoundError:
            return 0
        except (DiskFault, Unparseable) as e:
            raise StartFault(f"{path} cannot be read: {e}", fix=MOVE_AWAY) from e
        self._check_version(path, whole)
        try:
            rooms = {w: Room.from_json(room) for w, room in whole["rooms"].items()}
            self._here, self._rooms = whole["here"], rooms
            return int(whole["generation"])
        except _MISSHAPEN as e:
            raise StartFault(f"{path} is damaged: {e!r}", fix=MOVE_AWAY) from e

    def _replay(self, path: Path) -> None:
        """Let the events of one journal happen again; a torn line is put aside."""
        torn: list[bytes] = []
        for number, text in enumerate(self._disk.read(path).splitlines()):
            try:
                line = loads(text)
                if number == 0:
                    self._check_version(path, line)
                elif "here" in line:
                    self._here = line["here"]
                else:
                    self._happen_again(line["do"], line["at"], line["with"])
            except (Unparseable, *_MISSHAPEN):
                torn.append(text)
        keep_torn(self._disk, path, torn)

    def _happen_again(self, event: str, world: str, what: dict[str, Json]) -> None:
        EVENTS[event](self.room_of(world), **what)
        if event in _LOGGED:
            self._replayed.append((_LOGGED[event], {"world": world, **what}))

    def _log_restored(self) -> None:
        """Log what a killed relay's log may lack: it is written a moment later."""
        for name, what in self._replayed:
            self._audit(name, **what, restored=True)
        self._replayed.clear()
        for world, room in self._rooms.items():
            for prompt in room.prompts.values():
                if not isinstance(prompt.place, Cancelled):
                    self._audit("chat.restored", world=world, **prompt.to_listener())

    def _check_version(self, path: Path, shape: Json) -> None:
        if not isinstance(shape, dict) or shape.get("version") != VERSION:
            raise StartFault(
                f"{path} was written by another version of AAGM",
                fix="Use that version, or move the file away.",
            )

    def _generations(self) -> list[int]:
        found = map(_JOURNAL.fullmatch, self._disk.names(self._folder))
        return sorted(int(match[1]) for match in found if match)

    def _path(self, generation: int) -> Path:
        return self._folder / f"chat-{generation:06d}.jsonl"
