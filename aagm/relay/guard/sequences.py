"""Methods that call back for each element, as `map`, `reduce` and `then` do."""

from __future__ import annotations

from attrs import frozen

from aagm.relay.guard.syntax import Node
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    NUM,
    PLAIN,
    PRIM,
    UNDEFINED,
    Args,
    Closure,
    Thing,
    Value,
)
from aagm.relay.guard.walk import Walk
from aagm.relay.guard.words import words

_EACH = words("""
    map filter find findIndex findLast findLastIndex some every forEach flatMap
    partition
    """)
_FOLDS = frozenset({"reduce", "reduceRight"})
_SORTS = frozenset({"sort", "toSorted"})
WAITS = frozenset({"then", "catch", "finally"})
CALLBACKS = _EACH | _FOLDS | _SORTS | WAITS


@frozen
class Over:
    """What a callback goes over: each element, and the whole of them."""

    element: Value
    source: Value


def sequence(  # noqa: PLR0911 - one return a method
    walk: Walk, name: str, over: Over, args: Args, site: Node
) -> Value:
    """Walk the callback of the method *name*; what the method answers.

    ``sort`` answers the source itself: whether it may be sorted is not asked here.
    """
    element, source = over.element, over.source
    if name in WAITS:
        return _wait(walk, name, source, args, site)
    if name not in _SORTS and args.at(0) <= UNDEFINED:
        walk.doubt("calls back what cannot be followed", site.place)
    callback = _reached(args.at(0), element)
    if name in _FOLDS:
        return _fold(walk, callback, over, args, site)
    if name in _SORTS:
        walk.call(callback, UNDEFINED, Args((element, element)), site)
        return source if name == "sort" else walk.array(site, element)
    answer = walk.call(callback, args.at(1), Args((element, NUM, source)), site)
    if name == "map":
        return walk.array(site, answer)
    if name == "flatMap":
        lists = frozenset(filter(may_be_list, answer))
        return walk.array(site, walk.each(lists, site) | _single(answer))
    if name == "filter":
        return walk.array(site, element)
    if name == "partition":
        return walk.array(site, walk.array(site, element, "part"))
    if name in ("find", "findLast"):
        return element | UNDEFINED
    return UNDEFINED if name == "forEach" else PRIM


def may_be_list(atom: object) -> bool:
    """Whether `flat` and `flatMap` may take *atom* apart."""
    return type(atom) is not Thing or atom.kind in ("array", "data", "instance")


def _single(value: Value) -> Value:
    """Give what `flatMap` takes as it is: all that is no array."""
    return frozenset(
        atom for atom in value if type(atom) is not Thing or atom.kind != "array"
    )


def _reached(callback: Value, element: Value) -> Value:
    """Leave the code's own functions out where there is never an element.

    They are walked as if a stranger called them, which an empty list does not.
    """
    if element:
        return callback
    return frozenset(atom for atom in callback if type(atom) is not Closure)


def _fold(walk: Walk, callback: Value, over: Over, args: Args, site: Node) -> Value:
    element, source = over.element, over.source
    start = element if args.is_empty or len(args.items) == 1 else args.at(1)
    total = start
    while True:
        answer = walk.call(
            callback, UNDEFINED, Args((total, element, NUM, source)), site
        )
        if answer <= total:
            return total
        joined = total | answer
        if len(joined) > 24:  # noqa: PLR2004 - as good as anything
            walk.lose(joined)
            return ANYTHING
        total = joined


def _wait(walk: Walk, name: str, source: Value, args: Args, site: Node) -> Value:
    if name == "finally":
        walk.call(args.at(0), UNDEFINED, Args(), site)
        return source
    if name == "catch":
        return source | walk.call(args.at(0), UNDEFINED, Args((ANYTHING,)), site)
    awaited = settled(walk, source)
    answer = walk.call(args.at(0), UNDEFINED, Args((awaited,)), site)
    if any(type(atom) in PLAIN for atom in args.at(0)):  # perhaps there is none
        answer |= awaited
    if len(args.items) > 1:
        answer |= walk.call(args.at(1), UNDEFINED, Args((ANYTHING,)), site)
    return answer


def settled(walk: Walk, value: Value) -> Value:
    """Give what awaiting *value* gives: promises are transparent here."""
    seen: Value = EMPTY
    while True:
        promises = frozenset(
            atom for atom in value if type(atom) is Thing and atom.kind == "promise"
        )
        value -= promises
        if promises <= seen:
            return value
        for promise in promises - seen:
            promise.readers |= walk.piece
            value |= promise.rest | UNDEFINED
        seen |= promises
