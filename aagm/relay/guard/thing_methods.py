"""Methods of the objects that the code made itself: harmless, but for callbacks."""

from __future__ import annotations

from collections.abc import Callable

from aagm.relay.guard import folding
from aagm.relay.guard.assignments import hook
from aagm.relay.guard.members import own
from aagm.relay.guard.names import EFFECTS, FRESH_TEXT, WAYS_OUT
from aagm.relay.guard.natives import KNOWN_BASES
from aagm.relay.guard.sequences import CALLBACKS, WAITS, Over, may_be_list, sequence
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.things import (
    as_set,
    bases,
    elements,
    everything,
    exact,
    exact_array,
    pair,
)
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    LIVE,
    NUM,
    PLAIN,
    PRIM,
    UNDEFINED,
    Args,
    Native,
    Thing,
    Value,
    just,
)
from aagm.relay.guard.walk import METHODS, Walk
from aagm.relay.guard.words import words


def _of_thing(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    if name == "constructor" or name in WAYS_OUT:
        walk.find("unproven", f"{name} leads out of what can be followed", site.place)
    if name == "valueOf" and name not in thing.fields:
        return just(thing)
    if name.isdecimal():
        held = walk.get(just(thing), name, site)
        return walk.call(held, just(thing), args, site)
    found = EMPTY
    mine = own(walk, thing, name, site)
    if mine:
        found = walk.call(mine, just(thing), args, site)
        if thing.kind in ("object", "instance", "roll"):
            return found
    return found | _KINDS[thing.kind](walk, thing, name, args, site)


def _object(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    thing.readers |= walk.piece
    held = frozenset(atom for atom in thing.rest if type(atom) not in PLAIN)
    if held and name not in _OBJECT_METHODS:
        return walk.call(held, just(thing), args, site)
    if name in WAITS:
        return sequence(walk, name, Over(EMPTY, just(thing)), args, site)
    return PRIM if name in _OBJECT_METHODS else EMPTY  # throws


_OBJECT_METHODS = words("""
    hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString
    valueOf
    """)


def _instance(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    inherited = EMPTY if thing.of is None else bases(thing.of)
    for base in inherited:
        if type(base) is not Native or base.path not in KNOWN_BASES:
            text = f"what {name} of an unknown class does is not known"
            walk.find("unproven", text, site.place)
    if inherited:
        kind = "map" if any(_is_map(base) for base in inherited) else "array"
        return _KINDS[kind](walk, thing, name, args, site)
    return _object(walk, thing, name, args, site)


def _is_map(base: object) -> bool:
    return type(base) is Native and base.path == "Map"


def _data(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    value = just(thing)
    if name in ("call", "apply", "bind"):
        walk.find("unproven", f"{name} of something that is not known", site.place)
        return value
    if thing.is_wild:
        held = frozenset(atom for atom in thing.rest if type(atom) is not Thing)
        walk.call(held, value, args, site)
    if name in CALLBACKS:
        element = elements(walk, thing, site)
        return sequence(walk, name, Over(element, value), args, site)
    walk.surrender(args.everything(), site)
    if name.startswith("@@"):  # as `/x/[Symbol.replace](text, function)`
        hook(walk, args.everything(), site)
    given = args.everything()
    if name in _KEEPERS:
        walk.store_rest(thing, given)
    if name in ("replace", "replaceAll"):
        walk.call(args.at(1), UNDEFINED, Args((PRIM,), PRIM | value), site)
    if name in _JOINERS:
        given |= walk.each(given, site)
    return everything(walk, thing) | value | (given if name in _GIVERS else EMPTY)


_KEEPERS = words("push unshift splice fill set add concat with getOrInsert")
_JOINERS = words("concat union symmetricDifference")
_GIVERS = _JOINERS | words("toSpliced with copyTo")


def _promise(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    if name in WAITS:
        return sequence(walk, name, Over(EMPTY, just(thing)), args, site)
    return UNDEFINED


def _roll(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    if name in _ROLL_SELF:
        return just(thing)
    if name in ("render", "getTooltip"):
        return PRIM
    if name in EFFECTS:
        return walk.call(just(EFFECTS[name]), EMPTY, args, site)
    return walk.call_method(LIVE, name, args, site)


_ROLL_SELF = words("""
    alter clone evaluate evaluateSync reroll resetFormula roll then catch finally
    """)


# Maps and sets


def _map(  # noqa: PLR0911 - one return a method
    walk: Walk, thing: Thing, name: str, args: Args, site: Node
) -> Value:
    this = just(thing)
    thing.readers |= walk.piece
    if name in ("get", "getName"):
        return thing.rest | UNDEFINED
    if name in ("set", "getOrInsert"):
        thing.keys = walk.grown(thing.keys, args.at(0), thing.readers)
        walk.store_rest(thing, args.at(1))
        return this if name == "set" else thing.rest
    if name == "forEach":
        walk.call(args.at(0), args.at(1), Args((thing.rest, thing.keys, this)), site)
        return UNDEFINED
    if name == "keys":
        return walk.array(site, thing.keys)
    if name == "values" or (name == "toJSON" and thing.kind == "collection"):
        return walk.array(site, thing.rest)
    if name == "entries":
        return walk.array(site, pair(walk, thing.keys, thing.rest, site))
    if name in CALLBACKS:
        return sequence(walk, name, Over(thing.rest, this), args, site)
    return PRIM if name in _TELLS else _unlisted(walk, name, args, site)


def _set(  # noqa: PLR0911 - one return a method
    walk: Walk, thing: Thing, name: str, args: Args, site: Node
) -> Value:
    thing.readers |= walk.piece
    if name == "add":
        walk.store_rest(thing, args.at(0))
        return just(thing)
    if name in ("values", "keys", "toObject"):
        return walk.array(site, thing.rest)
    if name == "entries":
        return walk.array(site, pair(walk, thing.rest, thing.rest, site))
    if name == "forEach":
        given = Args((thing.rest, thing.rest, just(thing)))
        walk.call(args.at(0), args.at(1), given, site)
        return UNDEFINED
    if name in _SET_ALGEBRA:
        made = walk.thing(site, "set")
        walk.store_rest(made, thing.rest | as_set(walk, args.at(0), site))
        return just(made)
    if name in CALLBACKS:
        return sequence(walk, name, Over(thing.rest, just(thing)), args, site)
    return PRIM if name in _TELLS else _unlisted(walk, name, args, site)


_TELLS = frozenset({"delete", "clear", "has"})
_SET_ALGEBRA = frozenset({"union", "intersection", "difference", "symmetricDifference"})


# Arrays and what generators give


def array_method(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    """Call a method of arrays, or of what generators give."""
    method = _ARRAY.get(name)
    if method is not None:
        return method(walk, thing, args, site)
    if name in CALLBACKS:
        return _array_callback(walk, thing, name, args, site)
    return _unlisted(walk, name, args, site)


def _unlisted(walk: Walk, name: str, args: Args, site: Node) -> Value:
    """Do what a method that is not listed does to an object of the code."""
    if name in FRESH_TEXT:
        return PRIM
    walk.surrender(args.everything(), site)
    return ANYTHING


def _array_callback(
    walk: Walk, thing: Thing, name: str, args: Args, site: Node
) -> Value:
    this = just(thing)
    if name == "map" and len(args.items) == 1:
        known = exact(walk, this)
        if known is not None and len(known) == 1:
            answer = sequence(walk, name, Over(known[0], this), args, site)
            (made,) = answer
            return exact_array(walk, site, [everything(walk, made)], "mapped")
    if name == "sort":
        walk.blur(thing)
    return sequence(walk, name, Over(everything(walk, thing), this), args, site)


def _keep(walk: Walk, thing: Thing, args: Args, _site: Node) -> Value:
    walk.store_rest(thing, args.everything())
    walk.blur(thing)
    return NUM


def _fill(walk: Walk, thing: Thing, args: Args, site: Node) -> Value:
    _keep(walk, thing, args, site)
    return just(thing)


def _set_item(walk: Walk, thing: Thing, args: Args, _site: Node) -> Value:
    walk.store_rest(thing, args.at(1))  # `set` and `with` name the place first
    return just(thing)


def _take(walk: Walk, thing: Thing, _args: Args, _site: Node) -> Value:
    found = everything(walk, thing) | UNDEFINED
    walk.blur(thing)
    return found


def _splice(walk: Walk, thing: Thing, args: Args, site: Node) -> Value:
    walk.store_rest(thing, args.after(2).everything())
    walk.blur(thing)
    return walk.array(site, everything(walk, thing))


def _at(walk: Walk, thing: Thing, args: Args, _site: Node) -> Value:
    known = exact(walk, just(thing))
    index = next(iter(args.at(0)), None)
    if known is not None and type(index) is int and -len(known) <= index < len(known):
        return known[index]
    return everything(walk, thing) | UNDEFINED


def _reverse(walk: Walk, thing: Thing, _args: Args, site: Node) -> Value:
    known = exact(walk, just(thing))
    walk.blur(thing)
    if known is None:
        return just(thing)
    return exact_array(walk, site, known[::-1], "reversed")


def _reversed(walk: Walk, thing: Thing, _args: Args, site: Node) -> Value:
    known = exact(walk, just(thing))
    if known is None:
        return walk.array(site, everything(walk, thing))
    return exact_array(walk, site, known[::-1], "reversed")


def _join(walk: Walk, thing: Thing, args: Args, site: Node) -> Value:
    known = exact(walk, just(thing))
    if known is None or len(known) > folding.LONGEST:
        return PRIM
    separator = args.at(0) if args.items else just(",")
    parts: list[Value] = []
    for value in known:
        parts += [separator, value]
    text = folding.joined(parts[1:])
    for made in text:
        if type(made) is str:
            walk.check_text(made, site.place)
    return text


def _concat(walk: Walk, thing: Thing, args: Args, site: Node) -> Value:
    parts = [exact(walk, just(thing)), *(exact(walk, v) for v in args.items)]
    if not args.more and None not in parts:
        items = [value for part in parts if part is not None for value in part]
        return exact_array(walk, site, items, "joined")
    more = walk.each(args.everything(), site) | args.everything()
    return walk.array(site, everything(walk, thing) | more)


def _slice(walk: Walk, thing: Thing, args: Args, site: Node) -> Value:
    known = exact(walk, just(thing))
    if known is not None and args.is_empty:
        return exact_array(walk, site, known, "sliced")
    return walk.array(site, everything(walk, thing))


def _flat(walk: Walk, thing: Thing, _args: Args, site: Node) -> Value:
    found = everything(walk, thing)
    for _ in range(3):  # levels; deeper ones are kept as they are
        found |= walk.each(frozenset(filter(may_be_list, found)), site)
    return walk.array(site, found)


def _entries(walk: Walk, thing: Thing, _args: Args, site: Node) -> Value:
    return walk.array(site, pair(walk, NUM, everything(walk, thing), site))


def _keys(walk: Walk, _thing: Thing, _args: Args, site: Node) -> Value:
    return walk.array(site, NUM)


def _copy(walk: Walk, thing: Thing, _args: Args, site: Node) -> Value:
    return walk.array(site, everything(walk, thing))


def _with(walk: Walk, thing: Thing, args: Args, site: Node) -> Value:
    return walk.array(site, everything(walk, thing) | args.after(1).everything())


def _next(walk: Walk, thing: Thing, args: Args, site: Node) -> Value:
    walk.lose(args.everything())  # what `yield` is worth, or `return` answers
    step = walk.thing(site, "object", "step")
    held = everything(walk, thing) | args.everything()
    walk.store(step, "value", held | UNDEFINED)
    walk.store(step, "done", PRIM)
    return just(step)


_ARRAY: dict[str, Callable[[Walk, Thing, Args, Node], Value]] = {
    "push": _keep,
    "unshift": _keep,
    "fill": _fill,
    "add": _fill,
    "copyWithin": _fill,
    "set": _set_item,
    "pop": _take,
    "shift": _take,
    "get": _take,
    "splice": _splice,
    "at": _at,
    "reverse": _reverse,
    "toReversed": _reversed,
    "join": _join,
    "concat": _concat,
    "slice": _slice,
    "toArray": _copy,
    "take": _copy,
    "drop": _copy,
    "toSpliced": _with,
    "with": _with,
    "flat": _flat,
    "entries": _entries,
    "keys": _keys,
    "values": lambda _walk, thing, _args, _site: just(thing),
    "@@iterator": lambda _walk, thing, _args, _site: just(thing),
    "next": _next,
    "return": _next,
    "throw": _next,
    "toString": lambda _walk, _thing, _args, _site: PRIM,
}

_KINDS: dict[str, Callable[[Walk, Thing, str, Args, Node], Value]] = {
    "object": _object,
    "array": array_method,
    "map": _map,
    "collection": _map,
    "set": _set,
    "data": _data,
    "promise": _promise,
    "instance": _instance,
    "roll": _roll,
}

METHODS[Thing] = _of_thing
