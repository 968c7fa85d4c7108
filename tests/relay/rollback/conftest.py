"""A tiny world that speaks the wire, and the rollback parts over memory."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import define, evolve, field, frozen
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import HandlerThrew
from aagm.members import KIMI
from aagm.relay.inbound import Inbound
from aagm.relay.rollback import changes
from aagm.relay.rollback.changes import MISSING
from aagm.relay.rollback.desk import RollbackDesk, set_up
from aagm.relay.rollback.undo import UndoRequest
from aagm.relay.rollback.writes import Write
from aagm.testing import GM_HELLO, FakeBridge, FakeTab, MemoryDisk
from aagm.wire.hello import Recording as Reported
from aagm.wire.hello import World as Place

COLLECTIONS = {"Item": "items", "ActiveEffect": "effects"}
FOLDER = Path("/data")


@frozen
class Limits:
    """Limits as the configuration has them."""

    read_seconds: float = 30
    write_seconds: float = 300
    settle_max_ms: float = 2000
    running_seconds: float = 50


@define(eq=False)
class World:
    """Documents by uuid, children apart from their parents."""

    docs: dict[str, dict[str, Any]] = field(factory=dict)
    on_change: Callable[[dict[str, Any], dict[str, Any]], None] | None = None
    was: dict[str, Any] = field(factory=dict)  # the last updated document, before

    def snapshot(self) -> dict[str, Any]:
        """Copy everything."""
        return copy.deepcopy(self.docs)

    def whole(self, uuid: str) -> dict[str, Any]:
        """Give a document's source with its children inside."""
        source = copy.deepcopy(self.docs[uuid])
        for child in self.children(uuid):
            kind = child.split(".")[-2]
            source.setdefault(COLLECTIONS[kind], []).append(self.whole(child))
        return source

    def children(self, uuid: str) -> list[str]:
        """List the direct children."""
        depth = uuid.count(".") + 2
        return [
            u for u in self.docs if u.startswith(f"{uuid}.") and u.count(".") == depth
        ]

    def below(self, uuid: str) -> list[str]:
        """List every descendant."""
        return [u for u in self.docs if u.startswith(f"{uuid}.")]

    def hash(self, uuid: str) -> str:
        """Name a document's content, without children."""
        body = json.dumps(self.docs[uuid], sort_keys=True).encode()
        return hashlib.blake2s(body, digest_size=8).hexdigest()

    def put(self, uuid: str, source: dict[str, Any]) -> None:
        """Store a document and the children inside its source."""
        own = copy.deepcopy(source)
        inside = {name: own.pop(name, []) for name in COLLECTIONS.values()}
        self.docs[uuid] = own
        for kind, name in COLLECTIONS.items():
            for child in inside[name]:
                self.put(f"{uuid}.{kind}.{child['_id']}", child)

    def update(self, uuid: str, leaves: dict[str, Any], **marks: Any) -> None:
        """Change leaves of a document."""
        new = old = self.docs[uuid]
        for path, value in leaves.items():
            new = changes.write(new, path, value)
        if told := list(diff(old, new)):
            intent = self._head("update", uuid) | {"changes": told} | marks
            self.was = self.whole(uuid)
            self.docs[uuid] = new
            self._tell(intent, {"changes": told, "hash": self.hash(uuid)})

    def create(self, uuid: str, source: dict[str, Any]) -> None:
        """Make a document, with its children inside."""
        self.put(uuid, source)
        intent = self._head("create", uuid) | {"uuid": None}
        children = [{"uuid": u, "hash": self.hash(u)} for u in self.below(uuid)]
        news = {"uuid": uuid, "hash": self.hash(uuid), "children": children}
        self._tell(intent, news | {"name": source.get("name")})

    def delete(self, uuid: str) -> None:
        """Remove a document and what is in it."""
        intent = self._head("delete", uuid) | {"data": self.whole(uuid)}
        for each in [uuid, *self.below(uuid)]:
            del self.docs[each]
        self._tell(intent, {})

    def _head(self, op: str, uuid: str) -> dict[str, Any]:
        *above, kind, _ = uuid.split(".")
        return {
            "op": op,
            "uuid": uuid,
            "documentName": kind,
            "name": self.docs[uuid].get("name"),
            "parentUuid": ".".join(above) or None,
            "pack": None,
            "userId": GM_HELLO.user_id,
        }

    def _tell(self, intent: dict[str, Any], news: dict[str, Any]) -> None:
        if self.on_change is not None:
            self.on_change(intent, news)


def diff(old: Any, new: Any, path: str = "") -> Iterator[dict[str, Any]]:
    """Give the leaves that differ: an empty object is a leaf."""
    if isinstance(old, dict) and isinstance(new, dict) and old and new:
        for key in {**old, **new}:
            below = f"{path}.{key}" if path else key
            yield from diff(old.get(key, MISSING), new.get(key, MISSING), below)
    elif not changes.same(old, new):
        before = {} if old is MISSING else {"before": old}
        yield {"path": path, **before, **({} if new is MISSING else {"after": new})}


@define(eq=False)
class Rec:
    """A recording as the tab keeps it."""

    seq: int = 0
    kept: list[dict[str, Any]] = field(factory=list)  # not acknowledged
    is_running: bool = True
    is_closed_known: bool = False


@define(eq=False)
class WorldTab:
    """A tab of our module over a `World`: recorder, check and apply."""

    world: World
    bridge: FakeBridge
    streams: bool = True
    recordings: dict[str, Rec] = field(factory=dict, init=False)
    tab: FakeTab = field(init=False)
    hold: bool = field(default=False, init=False)  # evals do nothing by themselves
    held: list[Deferred[Any]] = field(factory=list, init=False)
    closes: bool = field(default=True, init=False)  # by itself, after each answer
    unsent: bool = field(default=False, init=False)  # the socket is cut
    _rp: str | None = field(default=None, init=False)
    _family: list[dict[str, Any]] = field(factory=list, init=False)
    acks_seen: int = field(default=0, init=False)

    def __attrs_post_init__(self) -> None:
        """Hook into the world."""
        self.world.on_change = self._changed
        features = GM_HELLO.features if self.streams else frozenset()
        self.tab = FakeTab(evolve(GM_HELLO, features=features))
        self.tab.answers |= {
            "eval": self._eval,
            "rollback.check": self._check,
            "rollback.apply": self._apply,
        }

    def connect(self) -> dict[str, Any]:
        """Say hello, then do what the answer asks."""
        self.take_acks()
        told = tuple(
            Reported(id_, rec.seq, rec.is_running)
            for id_, rec in self.recordings.items()
            if rec.kept or rec.is_running or not rec.is_closed_known
        )
        self.tab.hello = evolve(self.tab.hello, recordings=told)
        self.unsent = False
        answer = self.bridge.connect(self.tab)
        for id_, rec in self.recordings.items():
            if rec.kept:
                self._send(id_, list(rec.kept))
        for ask in answer.get("resend", []):
            id_, from_seq = ask["pointId"], ask["fromSeq"]
            again = [r for r in self.recordings[id_].kept if r["seq"] >= from_seq]
            self._send(id_, again)
        for id_, rec in self.recordings.items():
            if not rec.is_running and not rec.is_closed_known:
                self.close(id_)
        return answer

    def cut(self) -> None:
        """Lose the socket; the tab goes on."""
        self.unsent = True
        self.bridge.disconnect(self.tab)

    def take_acks(self) -> None:
        """Forget what the relay has."""
        acks = self.tab.told_of("rollback.entry.ack")
        for ack in acks[self.acks_seen :]:
            if (rec := self.recordings.get(ack["pointId"])) is None:
                continue  # of before a reload
            rec.kept = [raw for raw in rec.kept if raw["seq"] > ack["seq"]]
            rec.is_closed_known = rec.is_closed_known or ack.get("closed") is True
        self.acks_seen = len(acks)

    def _changed(self, intent: dict[str, Any], news: dict[str, Any]) -> None:
        if self._rp is None:
            return
        if not self.streams:
            entry = {key: value for key, value in intent.items() if key != "changes"}
            entry |= {"uuid": news.get("uuid", intent["uuid"])}
            if entry["op"] == "update":
                entry["before"] = self.world.was
            self._family.append(entry)
            return
        rec = self.recordings[self._rp]
        raw = [
            {"seq": rec.seq + 1, **intent, "confirmed": False},
            {
                "seq": rec.seq + 2,
                "confirms": rec.seq + 1,
                "uuid": intent["uuid"],
                **news,
            },
        ]
        rec.seq += 2
        self.say(self._rp, raw)

    def say(self, point_id: str, raw: list[dict[str, Any]]) -> None:
        """Stream raw entries, and keep them until they are acknowledged."""
        self.recordings[point_id].kept += raw
        self._send(point_id, raw)

    def _send(self, point_id: str, raw: list[dict[str, Any]]) -> None:
        if raw and not self.unsent:
            params = {"pointId": point_id, "entries": raw}
            self.bridge.tell(self.tab, "rollback.entry", params)

    def close(self, point_id: str, **more: Any) -> None:
        """End a recording."""
        rec = self.recordings[point_id]
        rec.is_running = False
        if not self.unsent:
            params = {"pointId": point_id, "lastSeq": rec.seq, **more}
            self.bridge.tell(self.tab, "rollback.closed", params)

    def record(self, rp: dict[str, Any], work: Callable[[], Any]) -> Any:
        """Run *work* recorded; gives the answer."""
        rec = self.recordings.setdefault(rp["id"], Rec(rp.get("seq", 0)))
        rec.is_running, rec.is_closed_known = True, False
        self._rp, self._family = rp["id"], []
        try:
            return {**work(), "rollback": self._part(rec)}
        except HandlerThrew as e:
            raise HandlerThrew(str(e), data={"rollback": self._part(rec)}) from e
        finally:
            self._rp = None
            if self.closes and self.streams:
                self.close(rp["id"])

    def _part(self, rec: Rec) -> dict[str, Any]:
        return {"streamed": rec.seq} if self.streams else {"entries": self._family}

    def _answer(self, params: dict[str, Any], work: Callable[[], Any]) -> Any:
        if not self.hold:
            return self.record(params["rp"], work)
        self.recordings.setdefault(params["rp"]["id"], Rec())
        d: Deferred[Any] = Deferred()
        self.held.append(d)
        return d

    def go_on(self, point_id: str, *steps: list[Any]) -> None:
        """Do some steps of a recording whose answer is held, or is given."""
        self._rp = point_id
        for step in steps:
            self.do(step)
        self._rp = None

    def finish(self, point_id: str) -> None:
        """Give the held answer, and close the recording."""
        part = self._part(self.recordings[point_id])
        self.held.pop(0).callback({"ok": True, "rollback": part})
        self.close(point_id)

    def _eval(self, params: dict[str, Any]) -> Any:
        steps = json.loads(params["code"])

        def work() -> dict[str, Any]:
            for step in steps:
                self.do(step)
            return {"ok": True, "valueType": "null", "value": None}

        return self._answer(params, work)

    def do(self, step: list[Any]) -> None:
        """Do one step of an eval."""
        match step:
            case ["update", uuid, leaves]:
                self.world.update(uuid, leaves)
            case ["remove", uuid, path]:
                self.world.update(uuid, {path: MISSING})
            case ["create", uuid, source]:
                self.world.create(uuid, source)
            case ["delete", uuid]:
                self.world.delete(uuid)
            case ["own", uuid, leaves]:
                self.world.update(uuid, leaves, own=True)
            case ["tail", uuid, leaves]:
                self.world.update(uuid, leaves, tail=True)
            case ["throw", message]:
                raise HandlerThrew(message)

    def _check(self, params: dict[str, Any]) -> Any:
        found = []
        for index, row in enumerate(params["expected"]):
            if (now := self._differs(row)) is not None:
                doc = self.world.docs.get(row["uuid"], {})
                head = {"index": index, "uuid": row["uuid"], "name": doc.get("name")}
                found.append(head | {"documentName": "Actor"} | now)
        return {"found": found}

    def _differs(self, row: dict[str, Any]) -> dict[str, Any] | None:
        doc = self.world.docs.get(row["uuid"])
        if (doc is not None) is not row["exists"] or doc is None:
            return (
                None
                if doc is None and not row["exists"]
                else {"exists": doc is not None}
            )
        if "path" in row:
            now = changes.read(doc, row["path"])
            if changes.same(now, row.get("value", MISSING)):
                return None
            value = {"absent": True} if now is MISSING else {"value": now}
            return {"exists": True, "path": row["path"], **value}
        if "hash" in row:
            children = {u: self.world.hash(u) for u in self.world.below(row["uuid"])}
            wanted = {c["uuid"]: c["hash"] for c in row.get("children", [])}
            if row["hash"] == self.world.hash(row["uuid"]) and (
                "children" not in row or children == wanted
            ):
                return None
            return {"exists": True, "hash": self.world.hash(row["uuid"])}
        return None

    def _apply(self, params: dict[str, Any]) -> Any:
        force = params.get("force") is True

        def work() -> dict[str, Any]:
            rows = {
                e["seq"]: self._take_back(e, force) for e in params["entries"][::-1]
            }
            applied = [rows[e["seq"]] for e in params["entries"]]
            return {"pointId": params["pointId"], "applied": applied}

        return self._answer(params, work)

    def _take_back(self, entry: dict[str, Any], force: bool) -> dict[str, Any]:
        row = {"seq": entry["seq"], "uuid": entry["uuid"], "op": entry["op"]}
        uuid, exists = entry["uuid"], entry["uuid"] in self.world.docs
        match entry["op"]:
            case "create":
                if exists:
                    self.world.delete(uuid)
                return row | {"ok": True}
            case "delete":
                if exists:
                    return row | {"ok": False, "error": "exists"}
                parent = entry["parentUuid"]
                if parent is not None and parent not in self.world.docs:
                    return row | {"ok": False, "error": "parent gone"}
                self.world.create(uuid, entry["data"])
                return row | {"ok": True}
        if not exists:
            return row | {"ok": False, "error": "document gone"}
        if "changes" not in entry:
            own = {k: v for k, v in entry["before"].items() if k in ("system", "flags")}
            self.world.update(uuid, own)
            return row | {"ok": True}
        leaves = {}
        for change in entry["changes"]:
            now = changes.read(self.world.docs[uuid], change["path"])
            if changes.same(now, changes.before(change)):
                continue
            is_expected = changes.same(now, changes.after(change))
            if not (is_expected or force or entry.get("confirmed") is False):
                return row | {"ok": False, "error": "changed since"}
            leaves[change["path"]] = changes.before(change)
        self.world.update(uuid, leaves)
        return row | {"ok": True}


@define(eq=False)
class Table:
    """Relay parts, a tab and a world around one clock."""

    clock: Clock
    disk: MemoryDisk
    bridge: FakeBridge
    desk: RollbackDesk
    world: World
    tab: WorldTab

    def write(self, *steps: list[Any], **more: Any) -> list[Any]:
        """Queue an eval; what it comes to is in the list once it has."""
        write = Write(
            method="eval",
            params={"code": json.dumps(steps)},
            kind="eval",
            summary=more.pop("summary", "change the inn"),
            **more,
        )
        return outcome(self.desk.writes.queue(write).copy())

    def wrote(self, *steps: list[Any], **more: Any) -> str:
        """Do an eval; gives the point's id."""
        [answer] = self.write(*steps, **more)
        assert isinstance(answer, dict), answer
        return answer["rollbackPoint"]["id"]

    def undo(
        self, point_id: str | None = None, *, by: str = "agent", **how: Any
    ) -> list[Any]:
        """Queue a rollback."""
        request = UndoRequest(point_id, **how)
        return outcome(self.desk.undo.queue(request, by=by).copy())

    def undone(self, point_id: str | None = None, **how: Any) -> dict[str, Any]:
        """Roll back; gives the answer."""
        [answer] = self.undo(point_id, **how)
        assert isinstance(answer, dict), answer
        return answer

    def brief(self, point_id: str) -> dict[str, Any]:
        """Find a point in the list."""
        return next(p for p in self.desk.undo.briefs() if p["id"] == point_id)

    def file(self, point_id: str) -> dict[str, Any]:
        """Read a point's file."""
        [path] = [p for p in self.disk.files if p.name == f"{point_id}.json"]
        return json.loads(self.disk.files[path])

    def looked(self, point_id: str | None = None, **how: Any) -> dict[str, Any]:
        """Ask what a rollback would do."""
        request = UndoRequest(point_id, **how)
        [answer] = outcome(Deferred.fromCoroutine(self.desk.undo.look(request)))
        return answer

    def pressed(self, **params: Any) -> list[Any]:
        """Press a card's button."""
        d = Deferred.fromCoroutine(
            self.bridge.ask(self.tab.tab, "aagm.rollback.request", params)
        )
        return outcome(d)

    def hp(self, uuid: str) -> Any:
        """Look at somebody's hit points."""
        return self.world.docs[uuid]["system"]["hp"]

    def enter_world(self, id_: str, title: str) -> None:
        """Let the tab come back with another world."""
        self.tab.cut()
        self.tab.tab.hello = evolve(self.tab.tab.hello, world=Place(id_, title))
        self.tab.connect()

    @staticmethod
    def silence() -> Deferred[Any]:
        """Never answer."""
        return Deferred()

    def journal_path(self, point_id: str) -> Path:
        """Say where a journal lies."""
        return FOLDER / "state" / "journal" / f"{point_id}.jsonl"

    def journal(self, point_id: str) -> list[dict[str, Any]]:
        """Read a journal."""
        lines = self.disk.files[self.journal_path(point_id)].splitlines()
        return [json.loads(line) for line in lines]

    def journals(self) -> list[str]:
        """Name the journals that are on disk."""
        return [p.stem for p in self.disk.files if p.suffix == ".jsonl"]

    def restart(self) -> None:
        """Kill the relay, and start another over the same disk and tab."""
        self.desk.stop()
        for tab in list(self.bridge.tabs):
            self.bridge.events = None
            self.bridge.disconnect(tab)
        self.bridge = FakeBridge(self.clock)
        self.tab.bridge, self.tab.unsent = self.bridge, True
        self.tab.take_acks()
        self.desk = start_desk(self.clock, self.disk, self.bridge)


def start_desk(clock: Clock, disk: MemoryDisk, bridge: FakeBridge) -> RollbackDesk:
    """Start the rollback parts over *disk*."""
    desk = set_up(
        clock,
        lambda: 1_789_000_000 + clock.seconds(),
        disk,
        bridge,
        folder=FOLDER,
        limits=Limits(),
        member=KIMI,
    )
    inbound = Inbound()
    desk.join(inbound)
    inbound.notifications["aagm.status.request"] = desk.cards.sync
    bridge.events = inbound
    desk.start()
    return desk


def outcome(d: Deferred[Any]) -> list[Any]:
    """Collect what a Deferred comes to; an error as the exception."""
    came: list[Any] = []
    d.addCallbacks(came.append, lambda failure: came.append(failure.value))
    return came


@pytest.fixture
def rec():
    """Make what a tab keeps of a recording."""
    return Rec


def make_table(*, streams: bool = True) -> Table:
    """Set a table: the inn with an actor, an item in it, and a relay."""
    clock = Clock()
    disk = MemoryDisk()
    bridge = FakeBridge(clock)
    desk = start_desk(clock, disk, bridge)
    world = World()
    mira = {"_id": "mira", "name": "Mira", "system": {"hp": 20, "gold": 5}, "flags": {}}
    world.put("Actor.mira", mira)
    world.put(
        "Actor.mira.Item.sword", {"_id": "sword", "name": "Sword", "system": {"n": 1}}
    )
    world.put(
        "Actor.odo", {"_id": "odo", "name": "Odo", "system": {"hp": 9}, "flags": {}}
    )
    tab = WorldTab(world, bridge, streams=streams)
    tab.connect()
    return Table(clock, disk, bridge, desk, world, tab)


@pytest.fixture
def table():
    """A relay with a tab of ours and the inn."""
    return make_table()


@pytest.fixture
def family_table():
    """A relay with a tab of the family's 2.0."""
    return make_table(streams=False)


@pytest.fixture
def set_table():
    """Make tables, for a test that needs many."""
    return make_table
