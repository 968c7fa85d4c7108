"""Look at the schema that a plug-in brings, before it judges anything: pure.

The schema is a stranger's text: it may name remote documents, refer to itself without
end, hold patterns that never end, or give arguments names that are code.
Source: Plug-in API 1.0 section 2; JSON Schema draft 2020-12.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

from attrs import define, field
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from aagm.relay.plugins.ecma import NotEcma, compile_pattern
from aagm.relay.plugins.names import first_fault

DIALECT = "https://json-schema.org/draft/2020-12/schema"
DEEPEST = 24  # levels of JSON in a schema

# Where schemas lie in a schema: those that look at the same value, and the others.
_SAME_ONE = ("not", "if", "then", "else")
_SAME_MANY = ("allOf", "anyOf", "oneOf")
_BELOW_ONE = (
    "items",
    "contains",
    "additionalProperties",
    "propertyNames",
    "unevaluatedItems",
    "unevaluatedProperties",
    "contentSchema",
)
_BELOW_MANY = ("prefixItems",)
_BELOW_NAMED = ("properties", "patternProperties", "$defs", "definitions")
_SAME_NAMED = ("dependentSchemas",)

_META = Draft202012Validator.META_SCHEMA
_REFUSED = {
    "$id": "only the whole schema may have an $id",
    "$anchor": "refer with #/$defs/name",
    "$dynamicRef": "refer with $ref and #/$defs/name",
    "$dynamicAnchor": "refer with $ref and #/$defs/name",
}

Schema = dict[str, Any]


def levels(value: Any) -> Iterator[list[Any]]:
    """Give some JSON level by level, the whole first."""
    row = [value]
    while row:
        yield row
        row = [
            below
            for each in row
            if isinstance(each, dict | list)
            for below in (each.values() if isinstance(each, dict) else each)
        ]


def is_deeper(value: Any, limit: int) -> bool:
    """Say whether some JSON has more than *limit* levels."""
    return next(islice(levels(value), limit, None), None) is not None


def fault(schema: Any) -> str | None:
    """Say why a manifest's ``args`` cannot be used; None when it can."""
    if not isinstance(schema, dict):
        return "args is no JSON Schema: it must be an object"
    if is_deeper(schema, DEEPEST):
        return f"args lies more than {DEEPEST} levels deep"
    if schema.get("$schema", DIALECT) not in (DIALECT, f"{DIALECT}#"):
        return f"args is of another dialect than {DIALECT}"
    wrong = best_match(Draft202012Validator(_META).iter_errors(schema))
    if wrong is not None:
        place = pointer(wrong.absolute_path)
        return f"args is no valid JSON Schema: {place} {wrong.message[:200]}"
    looking = _Looking(schema)
    return looking.fault() or first_fault(looking.names())


def pointer(steps: Iterable[str | int]) -> str:
    """Write a place in some JSON as a pointer, ``#/properties/pack``."""
    parts = (str(step).replace("~", "~0").replace("/", "~1") for step in steps)
    return "/".join(["#", *parts])


@define
class _Looking:
    root: Schema
    _ends: set[int] = field(factory=set)  # schemas, by identity, that come to an end

    def fault(self) -> str | None:
        every = list(self._every(self.root, "#"))
        for place, schema in every:
            if (said := self._one(place, schema)) is not None:
                return f"args {place}: {said}"
        keywords = {key for _, schema in every for key in schema}
        if {"patternProperties", "unevaluatedProperties"} <= keywords:
            return (
                "args has unevaluatedProperties beside patternProperties: use "
                "additionalProperties"
            )
        for place, schema in every:
            if self._is_endless(schema, frozenset()):
                return f"args {place} refers to itself without end"
        return None

    def _every(self, schema: Any, place: str) -> Iterator[tuple[str, Schema]]:
        """Give every schema in *schema*, that one first."""
        if not isinstance(schema, dict):
            return
        yield place, schema
        for key in (*_SAME_ONE, *_BELOW_ONE):
            if key in schema:
                yield from self._every(schema[key], f"{place}/{key}")
        for key in (*_SAME_MANY, *_BELOW_MANY):
            for at, each in enumerate(schema.get(key, ())):
                yield from self._every(each, f"{place}/{key}/{at}")
        for key in (*_BELOW_NAMED, *_SAME_NAMED):
            for name, each in schema.get(key, {}).items():
                yield from self._every(each, f"{place}/{key}/{name}")

    def _one(self, place: str, schema: Schema) -> str | None:
        for key, instead in _REFUSED.items():
            if key in schema and not (key == "$id" and place == "#"):
                return f"{key} is not taken; {instead}"
        if "$ref" in schema and self._target(schema["$ref"]) is None:
            shown = str(schema["$ref"])[:80]
            return (
                f"$ref {shown} is none of its own: it must begin with # and name a "
                "place in args"
            )
        for pattern in (schema.get("pattern"), *schema.get("patternProperties", ())):
            if pattern is not None:
                try:
                    compile_pattern(pattern)
                except NotEcma as e:
                    return f"pattern {e}"
        return None

    def _target(self, ref: str) -> Any:
        """Follow a reference inside the schema; None when it leads nowhere."""
        if ref == "#":
            return self.root
        if not ref.startswith("#/"):
            return None
        at: Any = self.root
        for step in ref[2:].split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            if isinstance(at, dict) and name in at:
                at = at[name]
            elif isinstance(at, list) and name.isdigit() and int(name) < len(at):
                at = at[int(name)]
            else:
                return None
        return at if isinstance(at, dict | bool) else None

    def _same(self, schema: Schema) -> Iterator[Schema]:
        """Give the schemas that look at the same value as *schema* does."""
        found = [schema[key] for key in _SAME_ONE if key in schema]
        found += [each for key in _SAME_MANY for each in schema.get(key, ())]
        found += [e for key in _SAME_NAMED for e in schema.get(key, {}).values()]
        if "$ref" in schema:
            found.append(self._target(schema["$ref"]))
        return (each for each in found if isinstance(each, dict))

    def _is_endless(self, schema: Schema, above: frozenset[int]) -> bool:
        if id(schema) in above:
            return True
        if id(schema) in self._ends:
            return False
        below = above | {id(schema)}
        if any(self._is_endless(each, below) for each in self._same(schema)):
            return True
        self._ends.add(id(schema))
        return False

    def names(self) -> Iterator[str]:
        """Give the names of the arguments that the schema speaks of."""
        todo, done = [self.root], set[int]()
        while todo:
            schema = todo.pop()
            if id(schema) in done:
                continue
            done.add(id(schema))
            yield from schema.get("properties", ())
            yield from schema.get("required", ())
            for name, needed in schema.get("dependentRequired", {}).items():
                yield from (name, *needed)
            yield from schema.get("dependentSchemas", ())
            todo += self._same(schema)
