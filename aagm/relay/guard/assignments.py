"""Assign properties: harmless on the code's own objects alone."""

from __future__ import annotations

from typing import Any

from aagm.relay.guard.members import CALLERS
from aagm.relay.guard.names import HOOKS
from aagm.relay.guard.natives import is_page
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.values import (
    EMPTY,
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
)
from aagm.relay.guard.walk import PUTS, Walk


def _put_nothing(
    _walk: Walk, _atom: Any, _name: str | None, _new: Value, _site: Node
) -> None:
    """Assign to a primitive, which keeps nothing."""


def _put_live(
    walk: Walk, atom: Live, name: str | None, _new: Value, site: Node
) -> None:
    what = name or "a property"
    if atom.tag == "dom":
        walk.find("side-effect", f"changes {what} on the page", site.place)
    elif atom.tag == "foreign":
        walk.find("unproven", f"changes {what} of an unknown object", site.place)
    elif atom.tag == "detached":
        text = f"sets {what} of an element, which may run code: use DOMParser"
        walk.find("unproven", text, site.place)
    else:
        text = f"assigns {what} of a live object, which is neither saved nor undone"
        walk.find("write", text, site.place)


def _put_anything(
    walk: Walk, _atom: Any, name: str | None, new: Value, site: Node
) -> None:
    text = f"assigns {name or 'a property'} of an object that is not known"
    walk.find("unproven", text, site.place)
    walk.lose(new)


def put_thing(
    walk: Walk, thing: Thing, name: str | None, new: Value, site: Node
) -> None:
    """Assign to an object that the code made."""
    if name is None:
        if thing.kind == "array":
            walk.blur(thing)
        walk.store_rest(thing, new)
        walk.make_wild(thing)
        for setter in thing.setters.values():
            walk.call(setter, just(thing), Args((new,)), site)
        return
    if name == "__proto__":
        walk.find("unproven", "a prototype is changed", site.place)
    if name in HOOKS:
        hook(walk, new, site)
    if name in thing.setters:
        walk.call(thing.setters[name], just(thing), Args((new,)), site)
    if thing.of is not None:
        walk.call(_setters(thing.of, name), just(thing), Args((new,)), site)
    if thing.kind == "array" and name not in thing.fields:
        walk.blur(thing)
    walk.store(thing, name, new)


def _setters(klass: Klass, name: str) -> Value:
    """Give the setters that an instance of *klass* has for *name*."""
    found = klass.instance.setters.get(name, EMPTY)
    for atom in klass.superclass:
        if type(atom) is Klass:
            found |= _setters(atom, name)
    return found


def hook(walk: Walk, value: Value, site: Node) -> None:
    """Note what JavaScript may call by itself, as `toString` or an iterator."""
    for atom in value:
        if type(atom) in (Live, Anything, Native, Bound):
            text = "a method that is not known is called by JavaScript itself"
            walk.find("unproven", text, site.place)
    walk.surrender(value, site)


def _put_function(
    walk: Walk, atom: Any, name: str | None, new: Value, site: Node
) -> None:
    if name in CALLERS:
        walk.find("unproven", f"{name} of a function is changed", site.place)
    if type(atom) is Closure:
        put_thing(walk, atom.props, name, new, site)
    elif type(atom) is Klass:
        put_thing(walk, atom.statics, name, new, site)
    elif type(atom) is not Method or atom.name != "?":
        text = f"assigns {name or 'a property'} of a function or a built-in"
        walk.find("unproven", text, site.place)


def _put_native(
    walk: Walk, atom: Native, name: str | None, _new: Value, site: Node
) -> None:
    what = f"{atom.path}.{name}" if name else f"a member of {atom.path}"
    if is_page(atom.path, name):
        walk.find("side-effect", f"{what} is set: the page changes", site.place)
    else:
        walk.find("unproven", f"{what} is set", site.place)


for _type in (Mark, str, int, float):
    PUTS[_type] = _put_nothing
PUTS.update(
    {
        Live: _put_live,
        Anything: _put_anything,
        Maker: _put_function,
        Thing: put_thing,
        Closure: _put_function,
        Bound: _put_function,
        Method: _put_function,
        Effect: _put_function,
        Klass: _put_function,
        Native: _put_native,
    }
)
