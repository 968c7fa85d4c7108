"""A tiny world: documents that can be read, changed, made and deleted."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Callable, Iterator
from typing import Any

from attrs import define, field

from aagm.relay.rollback import changes
from aagm.relay.rollback.changes import MISSING
from aagm.testing import GM_HELLO

COLLECTIONS = {"Item": "items", "ActiveEffect": "effects"}


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
