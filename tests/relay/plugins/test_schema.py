"""A plug-in's schema is looked at before it judges anything."""

from __future__ import annotations

import pytest

from aagm.relay.plugins.schema import DEEPEST, fault, is_deeper, pointer

GOOD = {
    "type": "object",
    "required": ["item"],
    "properties": {
        "item": {"type": "object"},
        "pack": {"type": "string", "pattern": "^[a-z0-9-]+\\.[a-z0-9-]+$"},
        "many": {
            "type": "array",
            "items": {"$ref": "#/$defs/one"},
            "uniqueItems": True,
        },
    },
    "$defs": {"one": {"type": "string"}, "tree": {"items": {"$ref": "#/$defs/tree"}}},
    "additionalProperties": False,
}


def nested(levels):
    """Make a schema of so many levels."""
    schema = {"type": "string"}
    for _ in range(levels // 2):
        schema = {"properties": {"x": schema}}
    return schema


def test_an_ordinary_schema_passes():
    """References to its own parts, patterns and trees are fine."""
    assert fault(GOOD) is None


def test_a_tree_that_refers_to_itself_level_by_level_passes():
    """The arguments end, so the schema does."""
    assert fault({"properties": {"child": {"$ref": "#"}}}) is None


def test_a_property_may_be_called_like_a_keyword():
    """Names of properties are no keywords."""
    assert fault({"properties": {"$ref": {}, "pattern": {"type": "string"}}}) is None


@pytest.mark.parametrize(
    ("schema", "says"),
    [
        ([], "an object"),
        ({"type": "objec"}, "no valid JSON Schema: #/type"),
        ({"properties": 5}, "no valid JSON Schema"),
        ({"$schema": "http://json-schema.org/draft-07/schema#"}, "another dialect"),
        ({"$ref": "https://example.org/x.json"}, "none of its own"),
        ({"properties": {"a": {"$ref": "other.json#/x"}}}, "none of its own"),
        ({"$ref": "#/$defs/missing"}, "none of its own"),
        ({"$ref": "#anchor"}, "none of its own"),
        ({"properties": {"a": {"$id": "https://example.org/"}}}, "$id is not taken"),
        ({"$dynamicRef": "#x"}, "$dynamicRef is not taken"),
        ({"allOf": [{"$ref": "#"}]}, "refers to itself without end"),
        (
            {
                "properties": {
                    "x": {"$ref": "#/properties/y"},
                    "y": {"anyOf": [{"$ref": "#/properties/x"}]},
                }
            },
            "refers to itself without end",
        ),
        ({"properties": {"a": {"pattern": "("}}}, "a group is not closed"),
        ({"patternProperties": {"[": {}}}, "a class is not closed"),
        (
            {"patternProperties": {"^a": {}}, "unevaluatedProperties": False},
            "use additionalProperties",
        ),
        (nested(DEEPEST + 2), "levels deep"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(schema, says):
    """With the place and the reason."""
    assert says in str(fault(schema))


@pytest.mark.parametrize(
    "schema",
    [
        {"properties": {"x=evil()": {}}},
        {"properties": {"actor": {"type": "string"}}},
        {"required": ["my-arg"]},
        {"allOf": [{"properties": {"token": {}}}]},
        {"if": {"required": ["class"]}},
        {"dependentRequired": {"uuid": ["speaker"]}},
        {"$ref": "#/$defs/a", "$defs": {"a": {"properties": {"0": {}}}}},
    ],
)
def test_arguments_that_foundry_cannot_bind_are_refused(schema):
    """Wherever the schema speaks of them."""
    assert "an argument cannot be called" in str(fault(schema))


def test_names_below_the_arguments_are_free():
    """Only what becomes a parameter is code."""
    assert fault({"properties": {"item": {"properties": {"my-key": {}}}}}) is None


def test_a_place_is_written_as_a_pointer():
    """As schemaPath names it."""
    assert pointer(["properties", "a/b", 0, "c~d"]) == "#/properties/a~1b/0/c~0d"


def test_levels_are_counted_no_further_than_asked():
    """A list in a list has two levels below the top."""
    assert is_deeper([[1]], 2)
    assert not is_deeper([[1]], 3)
    assert not is_deeper("x", 1)
