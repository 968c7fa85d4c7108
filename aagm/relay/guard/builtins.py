"""What JavaScript's own functions and classes do."""

from __future__ import annotations

import json

from aagm.relay.guard import folding
from aagm.relay.guard.calls import guard_args
from aagm.relay.guard.natives import CONSTRUCTORS, FUNCTIONS, Function
from aagm.relay.guard.sequences import settled
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.things import everything, exact, exact_array
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    NOTHING,
    NUM,
    PLAIN,
    PRIM,
    UNDEFINED,
    Args,
    Thing,
    Value,
    is_plain,
    just,
    one_text,
    texts,
)
from aagm.relay.guard.walk import Walk
from aagm.relay.guard.words import words


def _answering(value: Value) -> Function:
    """Make a function that only looks at its arguments and answers *value*."""

    def look(_walk: Walk, _this: Value, _args: Args, _site: Node) -> Value:
        return value

    return look


for _name in words("""
    Array.isArray Object.is Object.hasOwn Object.isFrozen Object.isSealed
    Object.isExtensible Number.isInteger Number.isFinite Number.isNaN
    Number.isSafeInteger Number.parseFloat Number.parseInt BigInt BigInt.asIntN
    BigInt.asUintN Boolean Date Symbol Symbol.for Symbol.keyFor btoa encodeURI
    encodeURIComponent escape unescape decodeURI isFinite isNaN
    parseFloat parseInt Date.now Date.UTC Date.parse performance.now
    URL.canParse crypto.randomUUID ArrayBuffer.isView Reflect.has
    Reflect.isExtensible clearTimeout clearInterval cancelAnimationFrame
"""):
    FUNCTIONS[_name] = _answering(PRIM)
for _name in words("""
    log info warn error debug trace table dir group groupCollapsed groupEnd
    time timeEnd timeLog count assert
"""):
    FUNCTIONS[f"console.{_name}"] = _answering(UNDEFINED)


# Making plain data


def _data(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    guard_args(walk, args, site)
    return walk.data_value()


for _name in words("""
    Date RegExp URL URLSearchParams TextEncoder TextDecoder DOMParser ArrayBuffer
    DataView Float32Array Float64Array Int16Array Int32Array Int8Array
    Uint16Array Uint32Array Uint8Array Uint8ClampedArray
    Intl.NumberFormat Intl.DateTimeFormat Intl.Collator Intl.PluralRules
    Intl.ListFormat Intl.RelativeTimeFormat Intl.DisplayNames Intl.Segmenter
    Intl.Locale Number String Boolean Ray PIXI.Circle PIXI.Ellipse PIXI.Point
    PIXI.Polygon PIXI.Rectangle
"""):
    CONSTRUCTORS[_name] = _data
for _name in words("""
    structuredClone RegExp.escape URL.parse Intl.NumberFormat Intl.DateTimeFormat
    Intl.Collator Intl.getCanonicalLocales Intl.supportedValuesOf Uint8Array.of
"""):
    FUNCTIONS[_name] = _data


def _regexp(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    for text in texts(args.at(0)):
        reason = walk.protected.named_in_pattern(text)
        if reason is not None:
            walk.find("protected", reason, site.place)
    return walk.data_value()


def _parse(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    text = one_text(args.at(0))
    if not is_plain(args.at(1)):
        return _revived(walk, args.at(1), site)
    if text is not None and len(text) <= folding.LONGEST:
        try:
            value = json.loads(text)
        except ValueError:
            return EMPTY  # throws
        if type(value) is str:
            walk.check_text(value, site.place)
            return just(value)
    return walk.data_value()


def _revived(walk: Walk, reviver: Value, site: Node) -> Value:
    """Give what a reviver answers: it may stand at any place of what is parsed."""
    parsed = walk.thing(site, "data", "parsed")
    walk.make_wild(parsed)
    given = Args((PRIM, PRIM | just(parsed)))
    answer = walk.call(reviver, just(parsed), given, site)
    walk.store_rest(parsed, answer)
    return answer


def _stringify(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    guard_args(walk, args, site)
    if not is_plain(args.at(1)):
        walk.lose(args.at(0))
        walk.call(args.at(1), ANYTHING, Args((PRIM, ANYTHING)), site)
    return PRIM


def _error(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    """Make an error, which keeps its cause and what it sums up."""
    guard_args(walk, args, site)
    error = walk.thing(site, "data", "error")
    options = args.after(1).everything() - NOTHING
    walk.store(error, "cause", walk.get(options, "cause", site) | UNDEFINED)
    if not is_plain(args.at(0)):
        errors = walk.array(site, walk.each(args.at(0), site), "errors")
        walk.store(error, "errors", errors)
    return just(error)


for _name in words("""
    Error TypeError RangeError SyntaxError EvalError ReferenceError URIError
    AggregateError
"""):
    CONSTRUCTORS[_name] = FUNCTIONS[_name] = _error


# Text


def _string(_walk: Walk, _this: Value, args: Args, _site: Node) -> Value:
    return folding.joined([args.at(0)]) if args.items else just("")


def _from_codes(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    codes = [next(iter(value)) if len(value) == 1 else None for value in args.items]
    if args.more or not all(type(code) is int and 0 <= code < 65536 for code in codes):  # noqa: PLR2004
        return PRIM
    text = "".join(chr(code) for code in codes if type(code) is int)
    walk.check_text(text, site.place)
    return just(text)


def _raw(walk: Walk, _this: Value, args: Args, _site: Node) -> Value:
    strings = args.at(0)
    if len(args.items) == 1 and len(strings) == 1:
        (atom,) = strings
        if type(atom) is Thing and atom.length == 1:
            atom.readers |= walk.piece
            return atom.fields.get("0", PRIM)
    return PRIM


def _decoder(path: str) -> Function:
    def decode(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
        text = one_text(args.at(0))
        made = None if text is None else folding.decoded(path, text)
        if made is None:
            return PRIM
        walk.check_text(made, site.place)
        return just(made)

    return decode


# Arrays, maps, promises


def _array_from(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    element = walk.each(args.at(0), site)
    element |= settled(walk, element)  # `fromAsync` awaits them
    if len(args.items) < 2 and not args.more:  # noqa: PLR2004 - no function is given
        text = one_text(args.at(0))
        if text is not None and len(text) <= folding.LONGEST:
            return exact_array(walk, site, [just(char) for char in text], "from")
        return walk.array(site, element)
    answer = walk.call(args.at(1), args.at(2), Args((element | UNDEFINED, NUM)), site)
    if any(type(atom) in PLAIN for atom in args.at(1)):  # perhaps there is none
        answer |= element
    return walk.array(site, answer | settled(walk, answer))


def _array_of(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    if args.more:
        return walk.array(site, args.everything())
    return exact_array(walk, site, list(args.items), "of")


def _new_array(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    return walk.array(site, args.everything() | UNDEFINED)


def _new_map(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    thing = walk.thing(site, "map")
    _fill_map(walk, thing, args, site)
    return just(thing)


def _new_collection(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    thing = walk.thing(site, "collection")
    _fill_map(walk, thing, args, site)
    return just(thing)


def _fill_map(walk: Walk, thing: Thing, args: Args, site: Node) -> None:
    for entry in walk.each(args.at(0), site):
        keys = walk.get(just(entry), "0", site)
        thing.keys = walk.grown(thing.keys, keys, thing.readers)
        walk.store_rest(thing, walk.get(just(entry), "1", site))


def _new_set(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    thing = walk.thing(site, "set")
    walk.store_rest(thing, walk.each(args.at(0), site))
    return just(thing)


def _group(walk: Walk, args: Args, site: Node, kind: str) -> Value:
    element = walk.each(args.at(0), site)
    keys = walk.call(args.at(1), UNDEFINED, Args((element, NUM)), site)
    thing = walk.thing(site, kind, "groups")
    walk.store_rest(thing, walk.array(site, element, "group"))
    thing.keys = walk.grown(thing.keys, keys, thing.readers)
    return just(thing)


def _new_promise(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    promise = walk.thing(site, "promise")
    resolver = walk.thing(site, "data", "resolver")
    walk.call(args.at(0), UNDEFINED, Args((just(resolver), just(resolver))), site)
    walk.store_rest(promise, everything(walk, resolver) | PRIM)
    return just(promise)


def _all(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    given = args.at(0)
    if len(given) == 1 and any(type(atom) is Thing for atom in given):
        (atom,) = given
        known = exact(walk, given)
        if known is not None and atom.kind == "array":
            items = [settled(walk, value) for value in known]
            return given if items == known else exact_array(walk, site, items, "all")
    return walk.array(site, settled(walk, walk.each(given, site)))


def _first(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    return walk.each(args.at(0), site) | UNDEFINED


def _resolve(_walk: Walk, _this: Value, args: Args, _site: Node) -> Value:
    return args.at(0)


def _reject(walk: Walk, _this: Value, args: Args, _site: Node) -> Value:
    walk.lose(args.at(0))
    return UNDEFINED  # a promise that `catch` answers


def _all_settled(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    row = walk.thing(site, "object", "settled")
    walk.store(row, "status", PRIM)
    value = settled(walk, walk.each(args.at(0), site))
    walk.store(row, "value", value | UNDEFINED)
    walk.store(row, "reason", ANYTHING)
    return walk.array(site, just(row))


# Timers and code given as text


def _later(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    for text in texts(args.at(0)):
        walk.find("unproven", "a timer runs code given as text", site.place)
        walk.judge_text(text, site)
    walk.call(args.at(0), UNDEFINED, args.after(2), site)
    return NUM


def _proxy(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    walk.find("unproven", "a Proxy may do anything when it is looked at", site.place)
    return args.at(0) | ANYTHING


def _again(walk: Walk, this: Value, args: Args, site: Node) -> Value:
    walk.find("unproven", "setInterval outlives the eval", site.place)
    return _later(walk, this, args, site)


def _code(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    walk.find("unproven", "runs code given as text", site.place)
    for value in args.items[-1:]:
        for text in texts(value):
            walk.judge_text(text, site)
    return ANYTHING


FUNCTIONS.update(
    {
        "JSON.parse": _parse,
        "JSON.stringify": _stringify,
        "RegExp": _regexp,
        "String": _string,
        "Number": _answering(NUM),
        "String.fromCharCode": _from_codes,
        "String.fromCodePoint": _from_codes,
        "String.raw": _raw,
        "atob": _decoder("atob"),
        "decodeURIComponent": _decoder("decodeURIComponent"),
        "unescape": _decoder("unescape"),
        "decodeURI": _decoder("decodeURI"),
        "Array": _new_array,
        "Array.from": _array_from,
        "Array.fromAsync": _array_from,
        "Array.of": _array_of,
        "Map.groupBy": lambda w, _, a, s: _group(w, a, s, "map"),
        "Object.groupBy": lambda w, _, a, s: _group(w, a, s, "object"),
        "Iterator.from": lambda w, _, a, s: w.array(s, w.each(a.at(0), s)),
        "Promise.all": _all,
        "Promise.allSettled": _all_settled,
        "Promise.any": _first,
        "Promise.race": _first,
        "Promise.reject": _reject,
        "Promise.resolve": _resolve,
        "setTimeout": _later,
        "queueMicrotask": _later,
        "requestAnimationFrame": _later,
        "requestIdleCallback": _later,
        "setInterval": _again,
        "eval": _code,
        "Function": _code,
        "crypto.getRandomValues": _resolve,
    }
)
CONSTRUCTORS.update(
    {
        "RegExp": _regexp,
        "Array": _new_array,
        "Map": _new_map,
        "WeakMap": _new_map,
        "Set": _new_set,
        "WeakSet": _new_set,
        "Promise": _new_promise,
        "Function": _code,
        "Proxy": _proxy,
        "foundry.utils.Collection": _new_collection,
        "Object": lambda w, _, a, s: a.at(0) | just(w.thing(s, "object")),
    }
)
