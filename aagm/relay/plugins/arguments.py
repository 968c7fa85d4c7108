"""Judge a call's arguments by a plug-in's schema, within bounds: pure.

The validator is jsonschema's; what could run away in it is put right: patterns end in
time, equality is by hash, and the number of keywords that are looked at is bounded.
Source: Plug-in API 1.0 section 3, step 2.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

from attrs import define, field, frozen
from jsonschema import Draft202012Validator, ValidationError
from jsonschema.exceptions import best_match
from jsonschema.validators import extend
from referencing import Registry

from aagm.relay.plugins.ecma import Pattern, compile_pattern
from aagm.relay.plugins.names import first_fault
from aagm.relay.plugins.schema import Schema, is_deeper, levels, pointer

LARGEST = 1024 * 1024  # characters of the arguments' JSON
DEEPEST = 32  # levels of JSON in arguments
KEYWORDS = 100_000  # looked at in one call
SECONDS = 1.0  # that one call may take
PATTERN_SECONDS = 0.1  # that one pattern may take on one text
_SHOWN = 300  # characters of a complaint

Arguments = dict[str, Any]
Keyword = Callable[[Any, Any, Any, Any], Iterator[ValidationError] | None]


@frozen
class Wrong:
    """Why arguments are refused; ``schema_path`` names the rule."""

    error: str
    schema_path: str = "#"


class _TooCostly(Exception):
    """The schema takes too long on these arguments."""


@define(eq=False)
class ArgumentRules:
    """A plug-in's schema, ready to judge; `aagm.relay.plugins.schema` has passed it."""

    _schema: Schema
    _timer: Callable[[], float] = time.thread_time  # no pause counts
    _left: int = field(default=0, init=False)  # keywords
    _until: float = field(default=0.0, init=False)
    _validator: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        """Make the validator, once."""
        ours = Draft202012Validator.VALIDATORS | _OURS
        counted = {name: self._counted(keyword) for name, keyword in ours.items()}
        kind = extend(Draft202012Validator, counted)
        self._validator = kind(self._schema, registry=Registry())

    def _counted(self, keyword: Keyword) -> Keyword:
        def spending(validator: Any, value: Any, instance: Any, schema: Any) -> Any:
            self._left -= 1
            if self._left < 0 or self._timer() > self._until:
                raise _TooCostly
            return keyword(validator, value, instance, schema)

        return spending

    def check(self, args: Arguments) -> Wrong | None:
        """Say what is wrong with *args*; None when nothing is."""
        if (said := first_fault(args)) is not None:
            return Wrong(said, "#/propertyNames")
        if is_deeper(args, DEEPEST):
            return Wrong(f"the arguments lie more than {DEEPEST} levels deep")
        if any(_holds_proto(row) for row in levels(args)):
            return Wrong("the arguments hold the name __proto__, which is code")
        try:
            size = len(json.dumps(args, allow_nan=False))
        except ValueError:
            return Wrong("the arguments hold a number that JSON has no name for")
        if size > LARGEST:
            return Wrong(f"the arguments have more than {LARGEST} characters")
        return self._judge(args)

    def _judge(self, args: Arguments) -> Wrong | None:
        self._left, self._until = KEYWORDS, self._timer() + SECONDS
        try:
            found = best_match(self._validator.iter_errors(args))
        except (_TooCostly, TimeoutError):
            return Wrong("the schema takes too long to judge these arguments")
        except RecursionError:
            return Wrong("the arguments or their schema lie too deep")
        except OverflowError:
            return Wrong("the arguments hold a number that is too large")
        return None if found is None else _wrong(found)


def _wrong(error: ValidationError) -> Wrong:
    where = pointer(error.absolute_path).removeprefix("#/").replace("/", ".")
    message = error.message
    if len(message) > _SHOWN:
        message = f"does not keep to {error.validator}"
    said = f"{where}: {message}" if error.absolute_path else message
    return Wrong(said, pointer(error.absolute_schema_path))


def _holds_proto(row: list[Any]) -> bool:
    return any(isinstance(each, dict) and "__proto__" in each for each in row)


@cache
def _pattern(pattern: str) -> Pattern:
    return compile_pattern(pattern)


def _fits(pattern: str, text: str) -> bool:
    return _pattern(pattern).search(text, timeout=PATTERN_SECONDS) is not None


def _pattern_keyword(
    _validator: Any, pattern: str, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if isinstance(instance, str) and not _fits(pattern, instance):
        yield ValidationError(f"{instance!r} does not match {pattern!r}")


def _pattern_properties(
    validator: Any, rules: Mapping[str, Any], instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    for pattern, rule in rules.items():
        for name, value in instance.items():
            if _fits(pattern, name):
                yield from validator.descend(
                    value, rule, path=name, schema_path=pattern
                )


def _additional_properties(
    validator: Any, rule: Any, instance: Any, schema: Any
) -> Iterator[ValidationError]:
    if not isinstance(instance, dict):
        return
    known = schema.get("properties", {})
    patterns = schema.get("patternProperties", ())
    extras = [
        name
        for name in instance
        if name not in known and not any(_fits(each, name) for each in patterns)
    ]
    if rule is False:
        if extras:
            named = ", ".join(repr(name) for name in extras)
            yield ValidationError(f"unknown: {named}")
        return
    for name in extras:
        yield from validator.descend(instance[name], rule, path=name)


def _unique_items(
    _validator: Any, wanted: bool, instance: Any, _schema: Any
) -> Iterator[ValidationError]:
    if not (wanted and isinstance(instance, list)):
        return
    if len({_key(each) for each in instance}) < len(instance):
        yield ValidationError("two items are equal")


def _key(value: Any) -> Any:
    """Make a key that is equal for equal JSON: 1 is 1.0, and true is not 1."""
    match value:
        case bool() | None | str():
            return (type(value).__name__, value)
        case int() | float():
            return ("number", value)
        case list():
            return ("array", tuple(_key(each) for each in value))
    return ("object", frozenset((name, _key(each)) for name, each in value.items()))


_OURS: dict[str, Keyword] = {
    "pattern": _pattern_keyword,
    "patternProperties": _pattern_properties,
    "additionalProperties": _additional_properties,
    "uniqueItems": _unique_items,
}
