"""Call functions, and methods of what is not one of the code's own objects."""

from __future__ import annotations

from typing import Any

from aagm.relay.guard import folding
from aagm.relay.guard.names import (
    DOM_ACTS,
    EFFECTS,
    FRESH_ARRAYS,
    FRESH_DATA,
    FRESH_TEXT,
    MUTATORS,
    READS,
    is_read,
)
from aagm.relay.guard.natives import FUNCTIONS, GUARDED
from aagm.relay.guard.sequences import CALLBACKS, WAITS, Over, sequence
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.things import exact_array, spread
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    FALSE,
    LIVE,
    NOTHING,
    NUM,
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
    texts,
)
from aagm.relay.guard.walk import CALLS, METHODS, Walk

_CALLERS = frozenset({"call", "apply", "bind"})


# Calls


def _call_plain(
    _walk: Walk, _atom: Any, _this: Value, _args: Args, _site: Node
) -> Value:
    return EMPTY  # throws


def _call_unknown(
    walk: Walk, _atom: Any, _this: Value, args: Args, site: Node
) -> Value:
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


def _call_method_atom(
    walk: Walk, atom: Method, this: Value, args: Args, site: Node
) -> Value:
    if atom.name == "?":
        return args.at(0) | PRIM
    return walk.call_method(this, atom.name, args, site)


def _call_effect(
    walk: Walk, atom: Effect, _this: Value, args: Args, site: Node
) -> Value:
    walk.find(atom.kind, atom.label, site.place)
    walk.surrender(args.everything(), site)
    return LIVE


def _call_bound(walk: Walk, atom: Bound, _this: Value, args: Args, site: Node) -> Value:
    if atom.args.more:
        args = Args(atom.args.items, atom.args.more | args.everything())
    else:
        args = Args((*atom.args.items, *args.items), args.more)
    return walk.call(atom.target, atom.this, args, site)


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
    if name == "toString":
        return PRIM
    return walk.call(walk.get(just(atom), name, site), just(atom), args, site)


def _of_effect(walk: Walk, atom: Effect, name: str, args: Args, site: Node) -> Value:
    found = call_as_function(walk, atom, name, args, site)
    if found is not None:
        return found
    return _of_live(walk, Live(), name, args, site)


def _of_native(walk: Walk, atom: Native, name: str, args: Args, site: Node) -> Value:
    guard_args(walk, args, site)
    if atom.path in FUNCTIONS or name in WAITS:
        found = call_as_function(walk, atom, name, args, site)
        if found is not None:
            return found
    found = EMPTY
    for held in walk.get(just(atom), name, site):
        if type(held) is Live:
            found |= _of_live(walk, held, name, args, site)
        else:
            found |= walk.call(just(held), just(atom), args, site)
    return found


def _of_maker(walk: Walk, _atom: Any, name: str, args: Args, site: Node) -> Value:
    if name in EFFECTS:
        return _call_effect(walk, EFFECTS[name], EMPTY, args, site)
    if name == "toString":
        return PRIM
    text = f"what {name} of a constructor does is not known"
    walk.find("unproven", text, site.place)
    return ANYTHING


# Methods of primitives


def _of_plain(  # noqa: PLR0911 - one return a sort of method
    walk: Walk, atom: Any, name: str, args: Args, site: Node
) -> Value:
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
    if name in ("replace", "replaceAll"):
        walk.call(args.at(1), UNDEFINED, Args((), PRIM), site)
        return PRIM
    if name in ("split", "match", "matchAll"):
        return walk.array(site, just_matches(walk, name))
    return NUM if name in ("indexOf", "search", "charCodeAt") else PRIM


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


# Methods of the world


def _of_live(  # noqa: PLR0911 - one return a sort of method
    walk: Walk, atom: Live, name: str, args: Args, site: Node
) -> Value:
    guard_args(walk, args, site)
    if name in CALLBACKS and atom.tag != "foreign":
        return _callback(walk, atom, name, args, site)
    if name in EFFECTS:
        _check_flag(walk, name, args, site)
        return _call_effect(walk, EFFECTS[name], EMPTY, args, site)
    if atom.tag == "foreign" or name in _CALLERS:
        return _call_unknown(walk, atom, EMPTY, args, site)
    if atom.tag == "dom" and name in DOM_ACTS:
        walk.find("side-effect", f"{name} changes the page", site.place)
        return LIVE
    _check_flag(walk, name, args, site)
    if name == "clone":
        return _clone(walk, args, site)
    if name == "replace" and len(args.items) < 2:  # noqa: PLR2004 - location.replace(url)
        return _unproven(walk, name, args, site)
    if name == "normalize" and not _is_form(args.at(0)):
        return _unproven(walk, name, args, site)  # a RollTable's writes
    if name == "replace":
        _replacement(walk, args, site)
        return PRIM
    if name in READS or is_read(name):
        answer = _answer(walk, name, args, site)
        return just(atom) if atom.tag in TAGS_THAT_STAY else answer
    return _unproven(walk, name, args, site)


def _callback(walk: Walk, atom: Live, name: str, args: Args, site: Node) -> Value:
    if name == "sort":
        walk.find(
            "unproven", "sort() may change a live array: copy it first", site.place
        )
    return sequence(walk, name, Over(LIVE, just(atom)), args, site)


def _unproven(walk: Walk, name: str, args: Args, site: Node) -> Value:
    if name in MUTATORS:
        text = f"{name}() may change a live object: copy it first"
    elif name in ("execute", "callScript"):
        text = f"{name}() runs a macro, which may do anything"
    else:
        text = f"what {name}() does is not known"
    walk.find("unproven", text, site.place)
    walk.surrender(args.everything(), site)
    return LIVE


def _answer(walk: Walk, name: str, args: Args, site: Node) -> Value:
    if not args.is_empty:
        walk.surrender(args.everything(), site)
    if name in FRESH_ARRAYS:
        return walk.array(site, LIVE)
    if name in FRESH_DATA:
        return walk.data_value()
    return PRIM if name in FRESH_TEXT else LIVE


def _is_form(value: Value) -> bool:
    """Whether *value* is what a text's `normalize` takes, as ``"NFD"``."""
    text = one_text(value)
    return text is not None and text.startswith("NF")


def _replacement(walk: Walk, args: Args, site: Node) -> None:
    """Walk the second argument of `replace`, which may be a function."""
    for atom in args.at(1):
        if type(atom) is not Live:
            walk.call(just(atom), UNDEFINED, Args((), PRIM), site)


def _clone(walk: Walk, args: Args, site: Node) -> Value:
    """Let `clone(data)` be, which saves nothing unless it is told to."""
    for atom in args.at(1):
        if atom in NOTHING:
            continue
        save = atom.fields.get("save") if type(atom) is Thing else None
        known = type(atom) is Thing and not atom.rest
        if not known or (save is not None and save != _NO):
            walk.find("write", "clone saves a copy", site.place)
    return LIVE


_NO = just(FALSE)
_FLAGGED = frozenset({"getFlag", "setFlag", "unsetFlag"})


def _check_flag(walk: Walk, name: str, args: Args, site: Node) -> None:
    if name not in _FLAGGED:
        return
    key = one_text(args.at(1))
    for scope in texts(args.at(0)):
        reason = walk.protected.flag(scope, key)
        if reason is not None:
            walk.find("protected", reason, site.place)


def _of_anything(walk: Walk, atom: Any, name: str, args: Args, site: Node) -> Value:
    found = EMPTY
    for lost in walk.lost:
        if type(lost) is Thing and name in lost.fields:
            found |= walk.call(lost.fields[name], just(lost), args, site)
        elif type(lost) is Native:
            found |= _of_native(walk, lost, name, args, site)
    if name == "delete" and not args.is_empty and not _is_options(args.at(0)):
        text = "delete on an object that is not known"
        walk.find("unproven", text, site.place)
        return PRIM
    if name in CALLBACKS and name != "sort":
        return found | sequence(walk, name, Over(ANYTHING, just(atom)), args, site)
    answer = _of_live(walk, Live(), name, args, site)
    return found | (ANYTHING if answer is LIVE else answer)


def _is_options(value: Value) -> bool:
    return all(type(atom) is Thing and atom.kind == "object" for atom in value)


for _type in (Mark, str, int, float):
    CALLS[_type] = _call_plain
    METHODS[_type] = _of_plain
CALLS.update(
    {
        Live: _call_unknown,
        Anything: _call_unknown,
        Maker: _call_unknown,
        Closure: _call_closure,
        Klass: _call_plain,
        Native: _call_native,
        Method: _call_method_atom,
        Effect: _call_effect,
        Bound: _call_bound,
        Thing: _call_thing,
    }
)
METHODS.update(
    {
        Live: _of_live,
        Anything: _of_anything,
        Maker: _of_maker,
        Closure: _of_function,
        Klass: _of_function,
        Method: _of_function,
        Bound: _of_function,
        Effect: _of_effect,
        Native: _of_native,
    }
)
