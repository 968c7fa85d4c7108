"""The points on disk: what a start reads, and what it passes over."""

from __future__ import annotations

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
from attrs import evolve, frozen
from twisted.logger import capturedLogs

from aagm.errors import DiskFault, UnknownVersion, Unparseable
from aagm.relay.rollback.index import CAPACITY, Index
from aagm.relay.rollback.points import Head, Point, decode, encode
from aagm.testing import MemoryDisk
from aagm.wire.hello import World

FOLDER = Path("/points")
INN = World("sunken-inn", "The Sunken Inn")


def head(number, on="2026-03-01", **more):
    """Make a head; the number gives its id and its time of day."""
    hour, minute, second = number // 3600, number // 60 % 60, number % 60
    return Head(
        id=f"rp-{number:06x}",
        ts=f"{on}T{hour:02}:{minute:02}:{second:02}.000Z",
        date=on,
        summary="change the inn",
        tab_id=None,
        kind="eval",
        world=INN,
        **more,
    )


def entry(seq=1, **more):
    """Make an update's entry."""
    return {
        "seq": seq,
        "op": "update",
        "uuid": "Actor.mira",
        "documentName": "Actor",
        "name": "Mira",
        "changes": [{"path": "system.hp", "before": 20, "after": 12}],
        **more,
    }


def put(disk, point, state="live"):
    """Write a point's file."""
    disk.files[FOLDER / point.head.file] = encode(point, state)


@frozen
class Reads:
    """A disk that counts what is read."""

    disk: MemoryDisk
    read_paths: list[Path]

    def read(self, path):
        """Count and read."""
        self.read_paths.append(path)
        return self.disk.read(path)

    def names(self, folder):
        """List."""
        return self.disk.names(folder)


@pytest.fixture
def disk():
    """An empty disk."""
    return MemoryDisk()


@pytest.fixture
def index(disk):
    """An index at noon of the first of March 2026."""
    return Index(disk, FOLDER, lambda: 1_772_366_400.0)


def test_a_point_comes_back_as_it_was_written(disk, index):
    """Every member, and the key order of a document's body."""
    body = {"_id": "x", "name": "Ü \ud83c", "b": 1, "a": {"z": 1, "y": 2}}
    point = Point(
        head(1, via="tool", suspect="rp-00000f", member="kimi"),
        entries=(entry(), {"seq": 2, "op": "delete", "uuid": "Actor.x", "data": body}),
        uncovered=({"op": "update", "why": "noHook"},),
        failed="eval: execution threw",
        result={"applied": []},
        last_seq=7,
    )
    data = encode(point, "live")
    assert decode(data) == point
    assert data.isascii()
    lines = data.decode().splitlines()
    assert [line.strip()[:9] for line in lines if '"op"' in line][1:] == [
        '{"seq":1,',
        '{"seq":2,',
    ]
    assert list(json.loads(data)["entries"][1]["data"]) == ["_id", "name", "b", "a"]


def test_the_newest_200_are_read_whatever_their_day(disk, index):
    """A session that crossed midnight is not cut in two."""
    for number in range(150):
        put(disk, Point(head(number, "2026-02-27"), entries=(entry(),)))
        put(disk, Point(head(1000 + number, "2026-02-28"), entries=(entry(),)))
    index.load()
    newest_first = index.newest_first()
    assert len(newest_first) == CAPACITY
    assert newest_first[0].id == f"rp-{1149:06x}"
    assert newest_first[-1].id == f"rp-{100:06x}"
    assert [d.head.ts for d in newest_first] == sorted(
        (d.head.ts for d in newest_first), reverse=True
    )


def test_a_start_over_100000_points_reads_only_the_newest(disk):
    """Two years of points: only the last folders are opened."""
    data = encode(Point(head(0), entries=(entry(),)), "live")
    first = date(2024, 3, 1)
    for day in range(730):
        on = (first + timedelta(days=day)).isoformat()
        for number in range(137):
            name = f"rp-{day * 137 + number:06x}"
            text = data.replace(b"rp-000000", name.encode())
            text = text.replace(b"2026-03-01", on.encode())
            disk.files[FOLDER / on / f"{name}.json"] = text
    counting = Reads(disk, [])
    index = Index(counting, FOLDER, lambda: 1_772_366_400.0)
    index.load()
    assert len(disk.files) > 100_000
    assert len(index.newest_first()) == CAPACITY
    assert len(counting.read_paths) == 2 * 137
    assert index.skipped == []


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("2026-03-01/rp-00000a.json", b""),
        ("2026-03-01/rp-00000a.json", b'{"version":1,"id":"rp-00'),
        ("2026-03-01/rp-00000a.json", b"[]"),
        ("2026-03-01/rp-00000a.json", b'{"version":1,"id":"rp-00000a","entries":[]}'),
        ("2026-03-01/rp-00000a.json", encode(Point(head(11)), "live")),
        ("2026-03-01/notes.txt", b"hello"),
        ("old/rp-00000a.json", encode(Point(head(10)), "live")),
    ],
)
def test_what_is_no_point_is_passed_over_and_named(disk, index, name, data):
    """Corrupt, foreign and half-written files: the others are read."""
    put(disk, Point(head(1), entries=(entry(),)))
    disk.files[FOLDER / name] = data
    with capturedLogs() as logs:
        index.load()
    assert [d.id for d in index.newest_first()] == ["rp-000001"]
    assert index.skipped == [name if name.startswith("2026") else "old"]
    assert any("skipped" in event.get("log_format", "") for event in logs)


def test_an_unknown_version_is_never_guessed_at():
    """A newer relay's file is left alone."""
    data = encode(Point(head(1)), "live").replace(b'"version": 1', b'"version": 2')
    with pytest.raises(UnknownVersion):
        decode(data)


def test_entries_that_are_none_make_no_point():
    """A file whose entries are an object is refused as such."""
    with pytest.raises(Unparseable):
        decode(b'{"version":1,"id":"rp-000001","ts":"x","entries":{}}')


def test_a_family_relays_file_is_read(disk, index):
    """It has no version, its entries no seq, and its state is believed."""
    body = {
        "id": "rp-0000aa",
        "ts": "2026-02-28T10:00:00.000Z",
        "date": "2026-02-28",
        "summary": "old",
        "tabId": "A",
        "kind": "eval",
        "entries": [
            {"op": "update", "uuid": "Actor.a", "documentName": "Actor", "before": {}},
            {"op": "create", "uuid": "Actor.b", "documentName": "Actor", "name": "B"},
        ],
        "state": "rolled-back",
    }
    path = FOLDER / "2026-02-28" / "rp-0000aa.json"
    disk.files[path] = json.dumps(body).encode()
    index.load()
    [digest] = index.newest_first()
    assert digest.captured == "1 update, 1 create"
    assert list(digest.seqs) == [1, 2]
    assert digest.family_state == "rolled-back"


def test_an_older_point_is_found_by_its_id(disk, index):
    """It is out of memory, not out of reach; so is everything since."""
    for number in range(230):
        put(disk, Point(head(number), entries=(entry(),)))
    index.load()
    assert index.get("rp-000005") is None
    since = index.since("rp-000005")
    assert [d.id for d in since] == [f"rp-{n:06x}" for n in range(229, 4, -1)]
    assert index.find("rp-000005").head.id == "rp-000005"
    assert index.since("rp-ffffff") is None


def test_times_only_go_forward(disk):
    """A clock that jumps back an hour does not put a point before an older one."""
    now = [1_772_366_400.0]
    index = Index(disk, FOLDER, lambda: now[0])
    times = []
    for jump in (0, 0, -3600, -86_400 * 40, 1):
        now[0] += jump
        ts, on = index.new_time()
        times.append(ts)
        index.add(Point(evolve(head(len(times)), ts=ts, date=on)))
    assert times == sorted(set(times))
    again = Index(disk, FOLDER, lambda: 0.0)
    put(disk, Point(evolve(head(1), ts=times[-1], date="2026-03-01")))
    again.load()
    assert again.new_time()[0] > times[-1]


@pytest.mark.parametrize("ts", ["9999-12-31T23:59:59.999Z", "0001-01-01T00:00:00"])
def test_a_time_that_nothing_can_come_after_is_no_points(disk, index, ts):
    """Its file is passed over and named; new points have times, and order."""
    put(disk, Point(evolve(head(1), ts=ts, date=ts[:10]), entries=(entry(),)))
    put(disk, Point(head(2), entries=(entry(),)))
    index.load()
    assert [each.id for each in index.newest_first()] == ["rp-000002"]
    assert index.skipped == [f"{ts[:10]}/rp-000001.json"]
    assert index.new_time()[0] > head(2).ts


def test_a_time_far_ahead_keeps_the_order(disk):
    """A point of a clock that ran ahead is older than all that come after it."""
    ts = "2031-05-06T07:08:09.010Z"
    put(disk, Point(evolve(head(1), ts=ts, date=ts[:10]), entries=(entry(),)))
    index = Index(disk, FOLDER, lambda: 1_772_366_400.0)
    index.load()
    for number in (2, 3):
        later, on = index.new_time()
        index.add(Point(evolve(head(number), ts=later, date=on)))
    assert [each.id for each in index.since("rp-000001")] == [
        "rp-000003",
        "rp-000002",
        "rp-000001",
    ]


def test_an_id_is_used_once(disk):
    """Neither one in memory nor one in today's folder is given again."""
    made = iter(["rp-000001", "rp-000002", "rp-000003"])
    index = Index(disk, FOLDER, lambda: 1_772_366_400.0, lambda: next(made))
    index.add(Point(head(1)))
    put(disk, Point(head(2)))
    assert index.new_id() == "rp-000003"


def damaged(**members):
    """Write point 10 as a file, with some members of the file replaced."""
    body = json.loads(encode(Point(head(10), entries=(entry(),)), "live"))
    return json.dumps(body | members).encode()


@pytest.mark.parametrize(
    "members",
    [
        {"entries": [entry(changes="nope")]},
        {"entries": [entry(changes=None)]},
        {"entries": [entry(changes=[{"after": 1}])]},
        {"entries": [entry(), {"op": "boom"}]},
        {"entries": [entry(), {"op": ["update"], "uuid": "Actor.x"}]},
        {"entries": [{"seq": 1, "op": "update", "changes": []}]},
        {"entries": [entry(), "nope"]},
        {"entries": [entry(seq="1")]},
        {"entries": [entry(), entry()]},
        {"entries": [entry(uuid=7)]},
        {"entries": [entry(confirmed="no")]},
        {"entries": [{"seq": 1, "op": "delete", "uuid": "Actor.x", "data": "nope"}]},
        {"entries": [entry(op="create", children=["nope"])]},
        {"entries": [entry(parentUuid=1)]},
        {"undoes": {}},
        {"undoes": [{"id": 7, "seqs": [1], "own": [[1]]}]},
        {"undoes": [{"id": "rp-000001", "seqs": "nope", "own": []}]},
        {"annulled": ["nope"]},
        {"uncovered": ["nope"]},
        {"world": {}},
        {"world": {"id": 7, "title": "The Sunken Inn"}},
        {"tabId": 7},
        {"direction": ["undo"]},
        {"failed": {}},
        {"result": "nope"},
        {"lastSeq": "nope"},
        {"summary": 7},
    ],
    ids=lambda members: json.dumps(members)[:60],
)
def test_a_point_with_one_damaged_member_is_passed_over_and_named(disk, index, members):
    """It is no empty point: its file is named, and stays as it is."""
    put(disk, Point(head(1), entries=(entry(),)))
    name = "2026-03-01/rp-00000a.json"
    disk.files[FOLDER / name] = damaged(**members)
    with capturedLogs() as logs:
        index.load()
    assert [d.id for d in index.newest_first()] == ["rp-000001"]
    assert index.skipped == [name]
    assert [event["name"] for event in logs if "name" in event] == [name]
    assert disk.files[FOLDER / name] == damaged(**members)
    with pytest.raises(DiskFault, match="the file of rp-00000a is damaged: 2026-03-01"):
        index.find("rp-00000a")


def test_a_file_damaged_since_it_was_listed_is_refused_when_it_is_read(disk, index):
    """Whoever needs its entries is told which file it is."""
    put(disk, Point(head(10), entries=(entry(),)))
    index.load()
    disk.files[FOLDER / "2026-03-01/rp-00000a.json"] = damaged(entries=["nope"])
    with pytest.raises(DiskFault, match="gone or damaged: 2026-03-01"):
        index.find("rp-00000a")
    assert index.readable("rp-00000a") is None
    assert index.skipped == ["2026-03-01/rp-00000a.json"]
    index.load()
    assert index.skipped == ["2026-03-01/rp-00000a.json"]
