"""A tab of our module over a tiny world: recorder, check and apply."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from attrs import define, evolve, field
from tiny_world import World
from twisted.internet.defer import Deferred

from aagm.errors import HandlerThrew
from aagm.relay.rollback import changes
from aagm.relay.rollback.changes import MISSING
from aagm.testing import GM_HELLO, FakeBridge, FakeTab
from aagm.wire.hello import Recording as Reported


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
        for id_, rec in list(self.recordings.items()):
            if rec.kept:
                self._send(id_, list(rec.kept))
        for ask in answer.get("resend", []):
            id_, from_seq = ask["pointId"], ask["fromSeq"]
            again = [r for r in self.recordings[id_].kept if r["seq"] >= from_seq]
            self._send(id_, again)
        for id_, rec in list(self.recordings.items()):
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
        return self._differs_whole(row) if "hash" in row else None

    def _differs_whole(self, row: dict[str, Any]) -> dict[str, Any] | None:
        now = self.world.hash(row["uuid"])
        children = {u: self.world.hash(u) for u in self.world.below(row["uuid"])}
        wanted = {c["uuid"]: c["hash"] for c in row.get("children", [])}
        is_same = "children" not in row or children == wanted
        return None if is_same and row["hash"] == now else {"exists": True, "hash": now}

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
        if entry["op"] == "create":
            if exists:
                self.world.delete(uuid)
            return row | {"ok": True}
        if entry["op"] == "delete":
            return row | self._make_again(entry, exists)
        if not exists:
            return row | {"ok": False, "error": "document gone"}
        return row | self._put_back(entry, force)

    def _make_again(self, entry: dict[str, Any], exists: bool) -> dict[str, Any]:
        if exists:
            return {"ok": False, "error": "exists"}
        parent = entry["parentUuid"]
        if parent is not None and parent not in self.world.docs:
            return {"ok": False, "error": "parent gone"}
        self.world.create(entry["uuid"], entry["data"])
        return {"ok": True}

    def _put_back(self, entry: dict[str, Any], force: bool) -> dict[str, Any]:
        uuid = entry["uuid"]
        if "changes" not in entry:
            own = {k: v for k, v in entry["before"].items() if k in ("system", "flags")}
            self.world.update(uuid, own)
            return {"ok": True}
        leaves = {}
        for change in entry["changes"]:
            now = changes.read(self.world.docs[uuid], change["path"])
            if changes.same(now, changes.before(change)):
                continue
            is_expected = changes.same(now, changes.after(change))
            if not (is_expected or force or entry.get("confirmed") is False):
                return {"ok": False, "error": "changed since"}
            leaves[change["path"]] = changes.before(change)
        self.world.update(uuid, leaves)
        return {"ok": True}
