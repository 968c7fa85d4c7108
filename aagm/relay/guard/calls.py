"""Call functions, and methods of functions and of primitives."""

from __future__ import annotations

from typing import Any

from aagm.relay.guard import folding
from aagm.relay.guard.names import (
    EFFECTS,
)
from aagm.relay.guard.natives import FUNCTIONS, GUARDED
from aagm.relay.guard.sequences import WAITS, Over, sequence
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.things import exact_array, spread
from aagm.relay.guard.values import (
    ABSENT,
    ANYTHING,
    EMPTY,
    LIVE,
    NOTHING,
    NUM,
    PRIM,
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
    is_plain,
    just,
    texts,
)
from aagm.relay.guard.walk import CALLS, METHODS, Walk

_CALLERS = frozenset({"call", "apply", "bind"})


# Calls


def _call_plain(
    _walk: Walk, _atom: Any, _this: Value, _args: Args, _site: Node
) -> Value:
    return EMPTY  # throws


def call_unknown(walk: Walk, _atom: Any, _this: Value, args: Args, site: Node) -> Value:
    """Call something that is not known."""
    walk.find("unproven", "calls something that is not known", site.place)
    walk.surrender(args.everything(), site)
    return ANYTHING


def _call_closure(
    walk: Walk, atom: Closure, this: Value, args: Args, _site: Node
) -> Value:
    return walk.enter(atom, this, args)


def _call_native(
    walk: Walk, atom: Native, this: Value, args: Args, site: Node
) -> Value:
    guard_args(walk, args, site)
    function = FUNCTIONS.get(atom.path)
    if function is not None:
        return function(walk, this, args, site)
    if atom.path.startswith("Math."):
        return NUM
    walk.find("unproven", f"what {atom.path} does is not known", site.place)
    walk.surrender(args.everything(), site)
    return ANYTHING


def guard_args(walk: Walk, args: Args, site: Node) -> None:
    """Note globals that are given away, to be used where we do not look."""
    for atom in args.everything():
        if type(atom) is Native and atom.path in GUARDED:
            walk.find("unproven", f"{atom.path} is given away", site.place)


def call_effect(
    walk: Walk, atom: Effect, _this: Value, args: Args, site: Node
) -> Value:
    """Call something that is known to act."""
    walk.find(atom.kind, atom.label, site.place)
    walk.surrender(args.everything(), site)
    return LIVE


def _call_bound(walk: Walk, atom: Bound, _this: Value, args: Args, site: Node) -> Value:
    return walk.call(atom.target, atom.this, atom.given(args), site)


def _call_thing(walk: Walk, atom: Thing, _this: Value, args: Args, site: Node) -> Value:
    if atom.kind == "data":  # a function of a built-in object
        walk.surrender(args.everything(), site)
        if atom is not walk.data:  # the `resolve` of a promise keeps what it is given
            walk.store_rest(atom, args.everything())
        return just(atom)
    return EMPTY  # throws


# Methods of functions


def bind(walk: Walk, target: Value, args: Args, site: Node) -> Value:
    """Bind a function to `this` and to its first arguments."""
    for atom in target:
        if type(atom) is Effect:
            walk.find(atom.kind, atom.label, site.place)
    bound: Bound = walk.atom(site, lambda: Bound(site))
    before = bound.target, bound.this, bound.args
    bound.target |= target
    bound.this |= args.at(0)
    rest = args.after(1)
    if len(bound.args.items) == len(rest.items):
        pairs = zip(bound.args.items, rest.items, strict=True)
        bound.args = Args(tuple(a | b for a, b in pairs), bound.args.more | rest.more)
    elif bound.args.is_empty:
        bound.args = rest
    else:
        bound.args = Args((), bound.args.everything() | rest.everything())
    if before[0] and before != (bound.target, bound.this, bound.args):
        walk.start_again()
    return just(bound)


def call_as_function(
    walk: Walk, atom: Any, name: str, args: Args, site: Node
) -> Value | None:
    """Do what `call`, `apply` and `bind` do; None for another name.

    Promises are transparent, so a function may also be asked for `then`.
    """
    target = just(atom)
    if name in WAITS:
        return sequence(walk, name, Over(EMPTY, target), args, site)
    if name == "call":
        return walk.call(target, args.at(0), args.after(1), site)
    if name == "apply":
        given = spread(walk, args.at(1) - NOTHING, site)
        return walk.call(target, args.at(0), given, site)
    if name == "bind":
        return bind(walk, target, args, site)
    return None


def _of_function(walk: Walk, atom: Any, name: str, args: Args, site: Node) -> Value:
    found = call_as_function(walk, atom, name, args, site)
    if found is not None:
        return found
    if name in ("toString", "valueOf"):
        return PRIM if name == "toString" else just(atom)
    held = walk.get(just(atom), name, site)
    if type(atom) is Closure and is_plain(held) and ABSENT not in held:
        walk.doubt(f"calls {name}() of a function that has none", site.place)
    return walk.call(held, just(atom), args, site)


def _of_effect(walk: Walk, atom: Effect, name: str, args: Args, site: Node) -> Value:
    found = call_as_function(walk, atom, name, args, site)
    if found is not None:
        return found
    return walk.call_method(LIVE, name, args, site)


def _of_native(walk: Walk, atom: Native, name: str, args: Args, site: Node) -> Value:
    guard_args(walk, args, site)
    if atom.path in FUNCTIONS or name in WAITS:
        found = call_as_function(walk, atom, name, args, site)
        if found is not None:
            return found
    found = EMPTY
    for held in walk.get(just(atom), name, site):
        if type(held) is Live:
            found |= walk.call_method(just(held), name, args, site)
        else:
            found |= walk.call(just(held), just(atom), args, site)
    return found


def _of_maker(walk: Walk, _atom: Any, name: str, args: Args, site: Node) -> Value:
    if name in EFFECTS:
        return call_effect(walk, EFFECTS[name], EMPTY, args, site)
    if name == "toString":
        return PRIM
    text = f"what {name} of a constructor does is not known"
    walk.find("unproven", text, site.place)
    return ANYTHING


# Methods of primitives


def _of_plain(walk: Walk, atom: Any, name: str, args: Args, site: Node) -> Value:
    if name in WAITS:  # promises are transparent here
        return sequence(walk, name, Over(EMPTY, just(atom)), args, site)
    if atom in NOTHING:
        return EMPTY
    if name == "constructor":
        walk.find("unproven", "calls a constructor", site.place)
    if type(atom) is str:
        found = _of_text(walk, atom, name, args, site)
        if found is not None:
            return found
    elif type(atom) in (int, float) and name == "toString":
        radix = args.at(0) if args.items else just(10)
        text = folding.number_text(atom, next(iter(radix), None))
        if text is not None:
            return just(text)
    if name in _BY_PATTERN:
        return _match(walk, name, args, site)
    return NUM if name in ("indexOf", "charCodeAt") else PRIM


def _match(walk: Walk, name: str, args: Args, site: Node) -> Value:
    """Do what a text does with a pattern."""
    found = _by_pattern(walk, args.at(0))
    if name in ("replace", "replaceAll"):
        given = Args((PRIM,), PRIM | walk.data_value())  # the last may be the groups
        walk.call(args.at(1), UNDEFINED, given, site)
        return found | PRIM
    if name == "search":
        return found | NUM
    return found | walk.array(site, just_matches(walk, name))


_BY_PATTERN = frozenset(
    {"replace", "replaceAll", "split", "match", "matchAll", "search"}
)


def _by_pattern(walk: Walk, pattern: Value) -> Value:
    """Give what a pattern that is no usual one may answer in the text's place."""
    for atom in pattern:
        if type(atom) in (Closure, Klass):
            return ANYTHING
        if type(atom) is Thing:
            atom.readers |= walk.piece
            names = {name for name in atom.fields if name.startswith("@@")}
            if atom.kind not in ("data", "array") or names or "exec" in atom.fields:
                return ANYTHING
    return EMPTY


def just_matches(walk: Walk, name: str) -> Value:
    """Give an element of what `split`, `match` or `matchAll` answers."""
    return PRIM if name == "split" else PRIM | walk.data_value()


def _of_text(walk: Walk, text: str, name: str, args: Args, site: Node) -> Value | None:
    constants = [next(iter(value)) if len(value) == 1 else None for value in args.items]
    if args.more or any(type(c) not in (str, int, float) for c in constants):
        return None
    if name == "split":
        parts = folding.pieces(text, *constants[:1] or [None])
        if parts is None:
            return None
        return exact_array(walk, site, [just(part) for part in parts], "split")
    found = folding.method(text, name, constants)
    if found is not None:
        for made in texts(found):
            walk.check_text(made, site.place)
    return found


for _type in (Mark, str, int, float):
    CALLS[_type] = _call_plain
    METHODS[_type] = _of_plain
CALLS.update(
    {
        Live: call_unknown,
        Anything: call_unknown,
        Maker: call_unknown,
        Closure: _call_closure,
        Klass: _call_plain,
        Native: _call_native,
        Effect: call_effect,
        Bound: _call_bound,
        Thing: _call_thing,
    }
)
METHODS.update(
    {
        Maker: _of_maker,
        Closure: _of_function,
        Klass: _of_function,
        Method: _of_function,
        Bound: _of_function,
        Effect: _of_effect,
        Native: _of_native,
    }
)
