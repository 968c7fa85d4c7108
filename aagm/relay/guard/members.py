"""Read properties, by a name that is known or by one that is not."""

from __future__ import annotations

from typing import Any

from aagm.relay.guard.names import EFFECTS, READS, WAYS_OUT
from aagm.relay.guard.natives import child, children
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.things import everything
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    FOREIGN,
    LIVE,
    NOTHING,
    NUM,
    OPAQUE,
    PRIM,
    SYSTEM,
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
    native,
)
from aagm.relay.guard.walk import GETS, PEEKS, Walk
from aagm.relay.guard.words import words

GHOST = just(Method("?"))  # what every object has besides: a built-in
CALLERS = frozenset({"call", "apply", "bind"})


def _way_out(walk: Walk, name: str, site: Node) -> None:
    if name in WAYS_OUT:
        walk.find("unproven", f"{name} leads out of what can be followed", site.place)


def _storage(walk: Walk, site: Node) -> None:
    """Note the way to the values of all settings: those of AAGM are among them."""
    walk.find("unproven", "storage holds AAGM's own settings, too", site.place)


def _get_plain(walk: Walk, atom: Any, name: str, site: Node) -> Value:
    if name == "constructor":
        return OPAQUE
    if atom in NOTHING:
        return just(atom)
    _way_out(walk, name, site)
    if name == "length":
        return NUM
    if name.isdecimal():
        if type(atom) is str:
            return just(atom[int(name)]) if int(name) < len(atom) else UNDEFINED
        return PRIM
    return just(Method(name)) if name in READS else UNDEFINED


def _get_live(walk: Walk, atom: Live, name: str, site: Node) -> Value:
    if name == "constructor":
        return OPAQUE
    _way_out(walk, name, site)
    tag = atom.tag
    if tag:
        found = _get_tagged(walk, tag, name, site)
        if found is not None:
            return found
    effect = EFFECTS.get(name)
    if effect is not None:
        return just(effect)
    if name == "storage":
        _storage(walk, site)
    if name == "flags":
        return just(Live("flags"))
    if name == "location":
        return native("location")
    return LIVE


def _get_tagged(walk: Walk, tag: str, name: str, site: Node) -> Value | None:
    if tag in ("dom", "detached"):
        return just(EFFECTS[name]) if name in EFFECTS else just(Live(tag))
    if tag == "foreign" and name != "flags":
        return just(EFFECTS[name]) if name in EFFECTS else FOREIGN
    if tag == "ours" and name == "api":
        walk.find("protected", "AAGM's own interface is protected", site.place)
    if tag == "system" and name == "id":
        return just(SYSTEM)
    kind, _, rest = tag.partition(":")
    if kind == "config" and name in ("documentClass", "implementation"):
        return native(f"class:{rest}")
    if kind == "flags":
        scope, key = (rest, name) if rest else (name, None)
        reason = walk.protected.flag(scope, key)
        if reason is not None:
            walk.find("protected", reason, site.place)
        return LIVE if rest else just(Live(f"flags:{name}"))
    return None


def _get_anything(walk: Walk, _atom: Any, name: str, site: Node) -> Value:
    found = _get_live(walk, Live(), name, site)
    if found is LIVE:
        found = ANYTHING
    for atom in walk.lost_atoms():
        if type(atom) is Thing:
            found |= _get_thing(walk, atom, name, site)
    return found


def _get_maker(_walk: Walk, _atom: Any, name: str, _site: Node) -> Value:
    if name == "constructor":
        return OPAQUE
    return just(EFFECTS[name]) if name in EFFECTS else LIVE


def own(walk: Walk, thing: Thing, name: str, site: Node) -> Value:
    """Give what *thing* has under *name* of its own, or of its class."""
    thing.readers |= walk.piece
    found = thing.fields.get(name, EMPTY)
    if thing.of is not None:
        found |= of_class(walk, thing.of, thing, name, site)
    return found


def of_class(walk: Walk, klass: Klass, this: Thing, name: str, site: Node) -> Value:
    """Give the method, or what the getter says, that an instance inherits."""
    found = klass.methods.get(name, EMPTY)
    if name in klass.getters:
        found |= walk.call(klass.getters[name], just(this), Args(), site)
    for atom in klass.superclass:
        if type(atom) is Klass:
            found |= of_class(walk, atom, this, name, site)
    return found


def _get_thing(walk: Walk, thing: Thing, name: str, site: Node) -> Value:
    if name == "constructor":
        return OPAQUE
    _way_out(walk, name, site)
    found = own(walk, thing, name, site)
    if thing.kind == "data":
        held = thing.rest if thing.is_wild or name.isdecimal() else EMPTY
        return found | held | just(thing)
    if name in ("length", "size"):
        return found | NUM
    if thing.kind in ("object", "instance"):
        if name in thing.sealed and not thing.is_wild:
            return found
        found |= thing.rest | UNDEFINED
    return found | _inherited(walk, thing, name, found, site)


def _inherited(walk: Walk, thing: Thing, name: str, found: Value, site: Node) -> Value:
    """Give what *thing* has besides its own: elements, and built-in methods."""
    if thing.kind == "roll":
        return walk.get(LIVE, name, site)
    if name.isdecimal():
        is_whole = bool(found) and thing.length is not None and not thing.rest
        return EMPTY if is_whole else thing.rest | UNDEFINED
    if thing.kind == "array" and name in _OF_MATCHES:
        return just(thing) if name == "raw" else PRIM | walk.data_value()
    if thing.kind == "collection" and name == "contents":
        return walk.array(site, thing.rest, "contents")
    known = _BUILT_IN if thing.kind == "object" else _METHODS
    if name in known:
        return just(Method(name))
    return EMPTY if found else UNDEFINED


_OF_MATCHES = words("groups index indices input raw")
_BUILT_IN = words("""
    hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString
    valueOf
    """)
# Methods of lists, maps and sets that act on their object alone.
_LIST_METHODS = words("""
    map filter find findIndex findLast findLastIndex some every reduce
    reduceRight forEach flatMap sort toSorted push pop shift unshift splice
    reverse fill copyWithin set add delete clear then catch finally next
    return throw
    """)
_METHODS = READS | _LIST_METHODS


def _get_function(walk: Walk, atom: Any, name: str, site: Node) -> Value:
    if name == "constructor":
        return OPAQUE
    _way_out(walk, name, site)
    if name in CALLERS:
        return just(Method(name)) if type(atom) is not Effect else just(atom)
    if name in ("name", "length"):
        return PRIM
    if type(atom) is Closure:
        if name == "prototype":
            made = walk.thing(atom.function, "object", "prototype")
            return just(made) | own(walk, atom.props, name, site)
        return _get_thing(walk, atom.props, name, site)
    return LIVE if type(atom) is Effect else UNDEFINED


def _get_class(walk: Walk, klass: Klass, name: str, site: Node) -> Value:
    if name == "constructor":
        return OPAQUE
    _way_out(walk, name, site)
    if name == "prototype":
        return just(klass.instance)
    found = _static(walk, klass, klass, name, site)
    return found | (PRIM if name == "name" else UNDEFINED)


def _static(walk: Walk, klass: Klass, this: Klass, name: str, site: Node) -> Value:
    """Give what the class *this* has under *name*, by *klass* or one above it."""
    found = own(walk, klass.statics, name, site) | klass.statics.rest
    if klass is not this and name in klass.static_getters:
        found |= walk.call(klass.static_getters[name], just(this), Args(), site)
    for atom in klass.superclass:
        if type(atom) is Klass:
            found |= _static(walk, atom, this, name, site)
        else:
            found |= walk.get(just(atom), name, site)
    return found


def _get_native(walk: Walk, atom: Native, name: str, site: Node) -> Value:
    if name == "constructor":
        return OPAQUE
    _way_out(walk, name, site)
    if atom.path in ("localStorage", "sessionStorage"):
        walk.check_text(name, site.place)
    if atom.path == "game.settings" and name == "storage":
        _storage(walk, site)
    return child(atom.path, name)


# Names that are not known


def _peek_plain(_walk: Walk, atom: Any, _site: Node) -> Value:
    return just(atom) if atom in NOTHING else ANYTHING


def _peek_live(_walk: Walk, atom: Live, _site: Node) -> Value:
    return just(atom) if atom.tag in TAGS_THAT_STAY else LIVE


def _peek_anything(walk: Walk, _atom: Any, _site: Node) -> Value:
    found = ANYTHING
    for atom in walk.lost_atoms():
        if type(atom) is Thing:
            found |= everything(walk, atom)
    return found


def _peek_thing(walk: Walk, thing: Thing, site: Node) -> Value:
    found = everything(walk, thing) | UNDEFINED | GHOST
    if thing.kind == "data":
        found |= walk.data_value()
    if thing.kind == "roll":
        found |= LIVE
    if thing.of is not None:
        for name in (*thing.of.methods, *thing.of.getters):
            found |= of_class(walk, thing.of, thing, name, site)
    return found


def _peek_native(walk: Walk, atom: Native, site: Node) -> Value:
    found = children(atom.path)
    if found is None:
        text = f"a member of {atom.path} that is not known"
        walk.find("unproven", text, site.place)
        return ANYTHING
    return found


def _peek_maker(_walk: Walk, _atom: Any, _site: Node) -> Value:
    return OPAQUE


for _type in (Mark, str, int, float):
    GETS[_type] = _get_plain
    PEEKS[_type] = _peek_plain
GETS.update(
    {
        Live: _get_live,
        Anything: _get_anything,
        Maker: _get_maker,
        Thing: _get_thing,
        Closure: _get_function,
        Bound: _get_function,
        Method: _get_function,
        Effect: _get_function,
        Klass: _get_class,
        Native: _get_native,
    }
)
PEEKS.update(
    {
        Live: _peek_live,
        Anything: _peek_anything,
        Maker: _peek_maker,
        Thing: _peek_thing,
        Closure: _peek_maker,
        Bound: _peek_maker,
        Method: _peek_maker,
        Effect: _peek_maker,
        Klass: _peek_maker,
        Native: _peek_native,
    }
)
