"""Call a built-in method on an object that it was not made for.

`[].push.call(object, x)` fills `object[0]`, and `[].shift.call(object)` takes it out:
such a method is good for whatever has elements, `arguments` and functions too.
"""

from __future__ import annotations

from typing import Any

from aagm.relay.guard.names import FRESH_TEXT, READS
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.thing_methods import array_method
from aagm.relay.guard.things import is_of_builtin
from aagm.relay.guard.values import (
    EMPTY,
    NOTHING,
    PLAIN,
    PRIM,
    Args,
    Closure,
    Klass,
    Method,
    Thing,
    Value,
    just,
)
from aagm.relay.guard.walk import CALLS, Walk
from aagm.relay.guard.words import words

_OWN_METHODS = frozenset({"array", "data", "map", "set", "collection", "promise"})


def _call_method_atom(
    walk: Walk, atom: Method, this: Value, args: Args, site: Node
) -> Value:
    if atom.name == "?":
        return args.at(0) | PRIM
    found = EMPTY
    for receiver in this:
        thing = _properties(receiver)
        if type(receiver) in PLAIN and receiver not in NOTHING and _is_list(atom.name):
            text = walk.thing(site, "array", "characters")
            walk.store_rest(text, PRIM)
            found |= array_method(walk, text, atom.name, args, site)
        elif thing is None or thing.kind == "roll":
            found |= walk.call_method(just(receiver), atom.name, args, site)
        else:
            if thing.kind in _OWN_METHODS or is_of_builtin(thing):
                found |= walk.call_method(just(receiver), atom.name, args, site)
            if thing.kind not in ("array", "data"):
                found |= _borrow(walk, thing, atom.name, args, site)
                found |= _whole(walk, receiver, atom.name, site)
    return found


def _is_list(name: str) -> bool:
    """Whether an array's method is meant, which a text has not or has otherwise."""
    return name in _OF_LISTS or name not in READS


_OF_LISTS = words("concat entries flat toReversed toSpliced values with")


def _properties(atom: Any) -> Thing | None:
    """Give the object that *atom* is, or that holds a function's properties."""
    if type(atom) is Closure:
        return atom.props
    if type(atom) is Klass:
        return atom.statics
    return atom if type(atom) is Thing else None


def _borrow(walk: Walk, thing: Thing, name: str, args: Args, site: Node) -> Value:
    """Take *thing* for a list whose elements are its properties."""
    if name in FRESH_TEXT or name == "valueOf":
        return PRIM
    if thing.sealed:
        thing.sealed = frozenset()
        walk.stale |= thing.readers
    return array_method(walk, thing, name, args, site)


def _whole(walk: Walk, receiver: Any, name: str, site: Node) -> Value:
    """Give what holds *receiver* itself among what the method answers."""
    if name == "concat":
        return walk.array(site, just(receiver))
    return just(receiver) if name == "valueOf" else EMPTY


CALLS[Method] = _call_method_atom
