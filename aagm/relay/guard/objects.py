"""What `Object` and the reflective functions do."""

from __future__ import annotations

from aagm.relay.guard.assignments import hook
from aagm.relay.guard.natives import FUNCTIONS, Function
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.things import (
    by_key,
    copied,
    everything,
    exact_array,
    pair,
    put_by_key,
    spread,
)
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    LIVE,
    NOTHING,
    PLAIN,
    PRIM,
    UNDEFINED,
    Args,
    Closure,
    Effect,
    Live,
    Native,
    Thing,
    Value,
    is_plain,
    just,
)
from aagm.relay.guard.walk import Walk


def _keys(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    names: Value = EMPTY
    for atom in args.at(0):
        if type(atom) is Thing and atom.kind == "object":
            atom.readers |= walk.piece
            names |= frozenset(atom.fields)
            names |= PRIM if atom.rest else EMPTY
        else:
            names |= PRIM
    if len(names) == 1 and names != PRIM:
        return exact_array(walk, site, [names], "keys")
    return walk.array(site, names)


def _held(walk: Walk, value: Value, site: Node) -> Value:
    """Give all that is held in *value* as an object, without what it inherits."""
    found = EMPTY
    for atom in value:
        if type(atom) is Thing:
            found |= everything(walk, atom)
            found |= just(atom) if atom.kind == "data" else EMPTY
        elif type(atom) is Closure:
            found |= everything(walk, atom.props)
        elif type(atom) in (Live, Native, Effect):
            found |= walk.peek(just(atom), site)
        else:
            found |= walk.each(just(atom), site)
    return found


def _values(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    return walk.array(site, _held(walk, args.at(0), site))


def _entries(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    return walk.array(site, pair(walk, PRIM, _held(walk, args.at(0), site), site))


def _from_entries(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    thing = walk.thing(site, "object", "entries")
    for entry in walk.each(args.at(0), site):
        value = walk.get(just(entry), "1", site)
        for key in walk.get(just(entry), "0", site):
            name = key if type(key) is str else None
            walk.put(just(thing), name, value, site)
    return just(thing)


def _assign(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    target = args.at(0)
    sources = args.after(1).everything() - NOTHING
    if not is_plain(sources) and any(type(atom) in PLAIN for atom in target - NOTHING):
        walk.find("unproven", "a text or a number is made an object", site.place)
    for atom in target:
        if type(atom) is Thing:
            for name in _hooks_of(sources):
                walk.put(just(atom), name, walk.get(sources, name, site), site)
            copied(walk, atom, sources, site)
        elif sources:
            walk.put(just(atom), None, _held(walk, sources, site), site)
    return target


def _hooks_of(sources: Value) -> list[str]:
    """List the properties of *sources* by which setters and hooks are reached."""
    names = [name for s in sources if type(s) is Thing for name in s.fields]
    return list(dict.fromkeys(names))


def _freeze(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    if any(type(atom) in (Live, Native) for atom in args.at(0)):
        walk.find("unproven", "a live object would be frozen", site.place)
    return args.at(0)


def _create(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    made = walk.thing(site, "object", "created")
    for descriptor in _held(walk, args.at(1), site):
        value = _of_descriptor(walk, just(descriptor), just(made), site)
        walk.store_rest(made, value)
    return args.at(0) | just(made)


def _prototype(_walk: Walk, _this: Value, _args: Args, _site: Node) -> Value:
    return LIVE


def _descriptor(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    return just(_described(walk, by_key(walk, args.at(0), args.at(1), site), site))


def _descriptors(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    held = walk.thing(site, "object", "descriptors")
    value = walk.peek(args.at(0), site)
    walk.store_rest(held, just(_described(walk, value, site)))
    return just(held)


def _described(walk: Walk, value: Value, site: Node) -> Thing:
    found = walk.thing(site, "object", "descriptor")
    walk.store(found, "value", value)
    for name in ("get", "set"):
        walk.store(found, name, LIVE | UNDEFINED)
    for name in ("writable", "enumerable", "configurable"):
        walk.store(found, name, PRIM)
    return found


def _apply(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    if is_plain(args.at(0)):
        walk.doubt("calls what cannot be followed", site.place)
    given = spread(walk, args.at(2), site)
    return walk.call(args.at(0), args.at(1), given, site)


def _reflect_get(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    _require_no_receiver(walk, args.after(2), site)
    return by_key(walk, args.at(0), args.at(1), site)


def _reflect_set(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    _require_no_receiver(walk, args.after(3), site)
    put_by_key(walk, args.at(0), args.at(1), args.at(2), site)
    return PRIM


def _require_no_receiver(walk: Walk, rest: Args, site: Node) -> None:
    """Note that a getter or a setter is run for another object."""
    if not rest.is_empty:
        walk.find("unproven", "a receiver is named", site.place)


def _reflect_delete(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    put_by_key(walk, args.at(0), args.at(1), UNDEFINED, site)
    return PRIM


def _define(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    value = _of_descriptor(walk, args.at(2), args.at(0), site)
    put_by_key(walk, args.at(0), args.at(1), value, site)
    return args.at(0)


def _of_descriptor(walk: Walk, descriptor: Value, this: Value, site: Node) -> Value:
    """Give what a property that is defined so is worth."""
    getter = walk.get(descriptor, "get", site) - NOTHING
    hook(walk, getter | (walk.get(descriptor, "set", site) - NOTHING), site)
    value = walk.get(descriptor, "value", site)
    return value | walk.call(getter, this, Args(), site)


def _object(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    return args.at(0) | just(walk.thing(site, "object"))


def _unproven(what: str) -> Function:
    def find(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
        walk.find("unproven", what, site.place)
        walk.surrender(args.everything(), site)
        return ANYTHING

    return find


FUNCTIONS.update(
    {
        "Object": _object,
        "Object.assign": _assign,
        "Object.create": _create,
        "Object.defineProperties": _unproven("properties are defined"),
        "Object.entries": _entries,
        "Object.freeze": _freeze,
        "Object.fromEntries": _from_entries,
        "Object.getOwnPropertyDescriptor": _descriptor,
        "Object.getOwnPropertyDescriptors": _descriptors,
        "Object.getOwnPropertyNames": _keys,
        "Object.getOwnPropertySymbols": _keys,
        "Object.getPrototypeOf": _prototype,
        "Object.keys": _keys,
        "Object.preventExtensions": _freeze,
        "Object.seal": _freeze,
        "Object.setPrototypeOf": _unproven("a prototype is changed"),
        "Object.values": _values,
        "Object.defineProperty": _define,
        "Reflect.apply": _apply,
        "Reflect.defineProperty": _define,
        "Reflect.deleteProperty": _reflect_delete,
        "Reflect.get": _reflect_get,
        "Reflect.set": _reflect_set,
        "Reflect.getOwnPropertyDescriptor": _descriptor,
        "Reflect.getPrototypeOf": _prototype,
        "Reflect.ownKeys": _keys,
        "Reflect.setPrototypeOf": _unproven("a prototype is changed"),
    }
)
