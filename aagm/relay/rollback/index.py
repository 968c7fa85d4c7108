"""The newest points in memory, and the way to every older one on disk.

Source: DESIGN section 4; WIRE section 5; PROTOCOL_FACTS section 8.4.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from attrs import define, field
from twisted.logger import Logger

from aagm.errors import AagmError, DiskFault
from aagm.relay.ports import Disk, Now
from aagm.relay.rollback.points import FILE, NAME, Digest, Head, Point, decode, digest

CAPACITY = 200
UNREAD = re.compile(r"(?P<date>[0-9-]{10})/rp-[0-9a-f]+\.json(\.damaged)?\Z")


def random_id() -> str:
    """Make a point's id: ``rp-`` and six hex digits."""
    return f"rp-{secrets.token_hex(3)}"


@define(eq=False)
class Index:
    """Know the newest points; find the others by their id."""

    _log = Logger()

    _disk: Disk
    _folder: Path
    _now: Now
    _make_id: Callable[[], str] = random_id
    _digests: dict[str, Digest] = field(factory=dict, init=False)  # oldest first
    _latest: int = field(default=0, init=False)  # ms, of the newest ts given or read
    _held: dict[str, Point] = field(factory=dict, init=False)  # not yet on disk
    version: int = field(default=0, init=False)  # another one is other points
    skipped: list[str] = field(factory=list, init=False)  # files that are no points

    def load(self) -> None:
        """Read the newest points, whatever their day; newest folders first."""
        for date in self._dates():
            if len(self._digests) >= CAPACITY:
                break
            self._read_folder(date)
        self._trim()

    def newest_first(self) -> list[Digest]:
        """List what memory holds."""
        return list(reversed(self._digests.values()))

    def get(self, point_id: str) -> Digest | None:
        """Find a point in memory."""
        return self._digests.get(point_id)

    def add(self, point: Point) -> None:
        """Take in a new point, or what became of a known one."""
        known = point.id in self._digests
        self._digests[point.id] = digest(point)
        self.version += 1
        self._latest = max(self._latest, _ms(point.head.ts))
        if not known:
            self._sort()
            self._trim()

    def update(self, point: Point) -> None:
        """Take in what became of a point, if memory holds it."""
        if point.id in self._digests:
            self._digests[point.id] = digest(point)
            self.version += 1

    def hold(self, point: Point) -> None:
        """Take in a point whose file is not written yet."""
        self._held[point.id] = point
        self.add(point)

    def let_go(self, point_id: str) -> None:
        """Take note that the point's file holds everything."""
        self._held.pop(point_id, None)

    def remove(self, point_id: str) -> None:
        """Forget a point."""
        self._digests.pop(point_id, None)
        self.version += 1
        self._held.pop(point_id, None)

    def read(self, head: Head) -> Point:
        """Read a point with its entries.

        Raises:
            DiskFault: The file is gone, damaged, or cannot be read.
        """
        if (held := self._held.get(head.id)) is not None:
            return held
        if (point := self._read_file(head.date, f"{head.id}.json")) is None:
            raise DiskFault(
                f"the file of {head.id} is gone or damaged: {head.file}",
                fix="Mend the file, or undo without this point.",
            )
        return point

    def path_of(self, head: Head) -> Path:
        """Say where the point's file lies."""
        return self._folder / head.file

    def find(self, point_id: str) -> Point | None:
        """Find a point in memory or on disk, with its entries.

        Raises:
            DiskFault: Its file is gone, damaged, or cannot be read.
        """
        if (held := self._held.get(point_id)) is not None:
            return held
        if (known := self._digests.get(point_id)) is not None:
            return self.read(known.head)
        if NAME.match(point_id) is None:
            return None
        for date in self._dates():
            if f"{point_id}.json" not in self._disk.names(self._folder / date):
                continue
            if (point := self._read_file(date, f"{point_id}.json")) is not None:
                return point
            raise DiskFault(
                f"the file of {point_id} is damaged: {date}/{point_id}.json",
                fix="Mend the file, or undo without this point.",
            )
        return None

    def readable(self, point_id: str) -> Point | None:
        """Find a point as `find` does; None also when its file cannot be read."""
        try:
            return self.find(point_id)
        except DiskFault as e:
            self._log.warn("went on without {id}: {why}", id=point_id, why=str(e))
            return None

    def set_aside(self, head: Head) -> None:
        """Keep a copy of a damaged file that lies where *head*'s is to be written.

        Raises:
            DiskFault: The copy cannot be written.
        """
        if head.file not in self.skipped:
            return
        path = self.path_of(head)
        with suppress(FileNotFoundError):
            self._disk.append(
                path.with_name(f"{path.name}.damaged"), self._disk.read(path)
            )
        self.skipped.remove(head.file)
        self.skip(f"{head.file}.damaged", "a newer one took its place")

    def skipped_since(self, date: str) -> list[str]:
        """Name the skipped files of points that may be of that day or later."""
        return [
            name
            for name in self.skipped
            if (of := UNREAD.match(name)) is not None and of["date"] >= date
        ]

    def since(self, point_id: str) -> list[Digest] | None:
        """List every point from the newest down to that one; None if it is unknown.

        A point that memory no longer holds costs reading the days since.
        """
        newest_first = self.newest_first()
        if (known := self._digests.get(point_id)) is None:
            older = self._older_down_to(point_id)
            if older is None:
                return None
            newest_first += older
            known = older[-1]
        return newest_first[: newest_first.index(known) + 1]

    def _older_down_to(self, point_id: str) -> list[Digest] | None:
        if (wanted := self.find(point_id)) is None:
            return None
        oldest = next(iter(self._digests.values()), None)
        between = [
            digest(point)
            for date in self._dates()
            if date >= wanted.head.date
            for name in self._disk.names(self._folder / date)
            if (point := self._read_file(date, name)) is not None
            if point.id not in self._digests
            if oldest is None or point.head.ts < oldest.head.ts
            if point.head.ts >= wanted.head.ts
        ]
        return sorted(between, key=lambda each: each.head.ts, reverse=True)

    def new_id(self) -> str:
        """Make an id that neither memory nor today's folder has."""
        today = set(self._disk.names(self._folder / self._date(self._now())))
        while True:
            made = self._make_id()
            if made not in self._digests and f"{made}.json" not in today:
                return made

    def age(self, head: Head) -> float:
        """Say how many seconds ago a point was begun."""
        return self._now() - _ms(head.ts) / 1000

    def new_time(self) -> tuple[str, str]:
        """Give the ts and the day of a new point: strictly later than all before."""
        self._latest = max(int(self._now() * 1000), self._latest + 1)
        seconds = self._latest / 1000
        moment = datetime.fromtimestamp(seconds, UTC)
        ts = f"{moment:%Y-%m-%dT%H:%M:%S}.{self._latest % 1000:03d}Z"
        return ts, self._date(seconds)

    @staticmethod
    def _date(seconds: float) -> str:
        return f"{datetime.fromtimestamp(seconds, UTC).astimezone():%Y-%m-%d}"

    def _dates(self) -> Iterator[str]:
        for name in reversed(self._disk.names(self._folder)):
            if _is_date(name):
                yield name
            else:
                self.skip(name, "no day's folder")

    def _read_folder(self, date: str) -> None:
        for name in self._disk.names(self._folder / date):
            if (point := self._read_file(date, name)) is not None:
                self._digests.setdefault(point.id, digest(point))
                self._latest = max(self._latest, _ms(point.head.ts))
        self._sort()

    def _read_file(self, date: str, name: str) -> Point | None:
        if FILE.match(name) is None:
            self.skip(f"{date}/{name}", "no point's name")
            return None
        try:
            point = decode(self._disk.read(self._folder / date / name))
        except (AagmError, OSError) as e:
            self.skip(f"{date}/{name}", str(e))
            return None
        if f"{point.id}.json" != name or point.head.date != date:
            self.skip(f"{date}/{name}", f"holds {point.id} of {point.head.date}")
            return None
        return point

    def skip(self, name: str, why: str) -> None:
        """Take note of a file of which no point comes."""
        if name not in self.skipped:
            self.skipped.append(name)
            self._log.warn("skipped {name} among the points: {why}", name=name, why=why)

    def _sort(self) -> None:
        ordered = sorted(self._digests.values(), key=lambda each: each.head.ts)
        self._digests = {each.id: each for each in ordered}

    def _trim(self) -> None:
        for point_id in list(self._digests)[: max(0, len(self._digests) - CAPACITY)]:
            del self._digests[point_id]


def _is_date(name: str) -> bool:
    try:
        return datetime.strptime(name, "%Y-%m-%d").replace(tzinfo=UTC) is not None
    except ValueError:
        return False


def _ms(ts: str) -> int:
    return round(datetime.fromisoformat(ts).timestamp() * 1000)
