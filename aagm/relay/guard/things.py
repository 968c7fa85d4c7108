"""What the code's own objects hold, and what iterating over anything gives."""

from __future__ import annotations

from typing import Any

from aagm.relay.guard.folding import as_text
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    LIVE,
    NOTHING,
    NUMBER,
    PLAIN,
    PRIM,
    TAGS_THAT_STAY,
    UNDEFINED,
    Anything,
    Args,
    Bound,
    Closure,
    Effect,
    Klass,
    Live,
    Maker,
    Mark,
    Method,
    Native,
    Thing,
    Value,
    just,
    one_text,
)
from aagm.relay.guard.walk import EACH, Walk


def everything(walk: Walk, thing: Thing) -> Value:
    """Join all that *thing* holds, keys apart."""
    thing.readers |= walk.piece
    return thing.rest.union(*thing.fields.values())


def elements(walk: Walk, thing: Thing, site: Node) -> Value:
    """Give what iterating over *thing* yields."""
    held = everything(walk, thing)
    if thing.kind not in _BY_ITERATOR and "@@iterator" in thing.fields:
        held |= _by_iterator(walk, thing, site)
    if thing.kind == "map":
        return pair(walk, thing.keys, held, site)
    if thing.kind == "data":
        return held | walk.data_value()
    if thing.kind in _BY_ITERATOR:
        return _by_iterator(walk, thing, site) | (ANYTHING if held else EMPTY)
    return held


_BY_ITERATOR = frozenset({"object", "instance", "promise"})


def _by_iterator(walk: Walk, thing: Thing, site: Node) -> Value:
    """Give what the iterator that *thing* has of its own yields."""
    found = EMPTY
    for name in ("@@iterator", "@@asyncIterator"):
        method = walk.get(just(thing), name, site) - NOTHING
        for made in walk.call(method, just(thing), Args(), site):
            is_list = type(made) is Thing and made.kind == "array"
            found |= elements(walk, made, site) if is_list else ANYTHING
    return found


def as_set(walk: Walk, value: Value, site: Node) -> Value:
    """Give what the methods of sets take from *value*: a map's keys, too."""
    found = walk.each(value, site)
    for atom in value:
        if type(atom) is Thing and atom.kind != "set":
            found |= ANYTHING if atom.kind in ("object", "instance") else atom.keys
    return found


def is_of_builtin(thing: Thing) -> bool:
    """Whether *thing* inherits methods of a built-in class, or of one not known."""
    return thing.of is not None and bool(bases(thing.of))


def bases(klass: Klass) -> Value:
    """Give what an instance inherits from, besides classes of the code."""
    found = EMPTY
    for atom in klass.superclass:
        found |= bases(atom) if type(atom) is Klass else just(atom)
    return found - NOTHING


def pair(walk: Walk, key: Value, value: Value, site: Node) -> Value:
    """Give a `[key, value]` made at *site*."""
    thing = walk.thing(site, "array", "pair")
    thing.length = 2
    walk.store(thing, "0", key)
    walk.store(thing, "1", value)
    return just(thing)


def exact(walk: Walk, value: Value) -> list[Value] | None:
    """List the elements of the one array that *value* is, when all are known."""
    if len(value) != 1:
        return None
    (atom,) = value
    if type(atom) is str:
        return [just(char) for char in atom] if len(atom) <= 64 else None  # noqa: PLR2004
    if type(atom) is not Thing or atom.length is None or atom.rest:
        return None
    atom.readers |= walk.piece
    return [atom.fields.get(str(i), EMPTY) for i in range(atom.length)]


def exact_array(walk: Walk, site: Node, items: list[Value], role: str) -> Value:
    """Give an array made at *site* whose elements are known one by one."""
    thing = walk.thing(site, "array", role)
    measured(walk, thing, len(items))
    for index, value in enumerate(items):
        walk.store(thing, str(index), value)
    return just(thing)


def measured(walk: Walk, thing: Thing, length: int | None) -> None:
    """Note how long a literal is; None, or another length, blurs it."""
    if not thing.is_made:
        thing.is_made, thing.length = True, length
    elif thing.length is not None and thing.length != length:
        walk.blur(thing)


def by_number(walk: Walk, value: Value, site: Node) -> Value:
    """Read `value[i]` with a number that is not known."""
    found = EMPTY
    for atom in value:
        if type(atom) is Thing and atom.kind in ("array", "data"):
            found |= elements(walk, atom, site) | UNDEFINED
        elif type(atom) is Thing:
            found |= walk.peek(just(atom), site)
        else:
            found |= walk.get(just(atom), "0", site)
    return found


def by_key(walk: Walk, value: Value, key: Value, site: Node) -> Value:
    """Read `value[key]`, as far as the key is known."""
    if not key:
        walk.doubt("reads a property that cannot be followed", site.place)
    found = EMPTY
    for atom in key:
        name = key_name(walk, atom)
        if name is not None:
            found |= walk.get(value, name, site)
        elif atom is NUMBER:
            found |= by_number(walk, value, site)
        else:
            found |= walk.peek(value, site)
    return found


def put_by_key(walk: Walk, value: Value, key: Value, new: Value, site: Node) -> None:
    """Assign to `value[key]`, as far as the key is known."""
    if not key:
        walk.doubt("assigns a property that cannot be followed", site.place)
    for name in {key_name(walk, atom) for atom in key}:
        walk.put(value, name, new, site)


def key_name(walk: Walk, atom: Any) -> str | None:
    """Give the name that *atom* is as a key, also when it is `["name"]`."""
    if type(atom) is Thing and atom.length == 1:
        (only,) = exact(walk, just(atom)) or [EMPTY]
        return one_text(only)
    return as_text(atom)


def spread(walk: Walk, value: Value, site: Node) -> Args:
    """Turn the elements of *value* into arguments."""
    known = exact(walk, value)
    if known is not None:
        return Args(tuple(known))
    return Args((), walk.each(value, site))


def copied(walk: Walk, target: Thing, source: Value, site: Node) -> None:
    """Copy the properties of *source* to *target*, over what it has."""
    if target.sealed:
        target.sealed = frozenset()
        walk.stale |= target.readers
    spilled(walk, target, source, site)


def spilled(walk: Walk, target: Thing, source: Value, site: Node) -> None:
    """Copy the properties of *source* to *target*, as `{...source}` does."""
    for atom in source:
        kind = type(atom)
        if kind is Thing:
            atom.readers |= walk.piece
            for name, value in list(atom.fields.items()):
                walk.store(target, name, value)
            if atom.rest:
                walk.store_rest(target, atom.rest)
            if atom.kind == "data":
                walk.store_rest(target, walk.data_value())
            if atom.is_wild:
                walk.make_wild(target)
        elif kind is Klass:
            spilled(walk, target, just(atom.statics), site)
        elif kind not in PLAIN:
            walk.store_rest(target, walk.peek(just(atom), site))


def _plain(_walk: Walk, atom: Any, _site: Node) -> Value:
    return EMPTY if atom in NOTHING else PRIM


def _live(_walk: Walk, atom: Live, _site: Node) -> Value:
    return just(atom) if atom.tag in TAGS_THAT_STAY else LIVE


def _anything(_walk: Walk, _atom: Any, _site: Node) -> Value:
    return ANYTHING


def _nothing(_walk: Walk, _atom: Any, _site: Node) -> Value:
    return EMPTY


def _closure(walk: Walk, atom: Closure, site: Node) -> Value:
    return elements(walk, atom.props, site)


def _native(_walk: Walk, atom: Native, _site: Node) -> Value:
    return LIVE if atom.path == "CONFIG" else ANYTHING


EACH.update(
    {
        Mark: _plain,
        str: _plain,
        int: _plain,
        float: _plain,
        Live: _live,
        Effect: lambda _w, _a, _s: LIVE,
        Anything: _anything,
        Maker: _anything,
        Native: _native,
        Thing: elements,
        Closure: _closure,
        Klass: _anything,
        Method: _nothing,
        Bound: _nothing,
    }
)
