"""Arguments are judged by the plug-in's schema, and in time."""

from __future__ import annotations

import time
from threading import Event

import pytest

from aagm.relay.plugins.arguments import DEEPEST, LARGEST, ArgumentRules
from aagm.relay.plugins.schema import fault

SCHEMA = {
    "type": "object",
    "required": ["name"],
    "properties": {
        "name": {"type": "string", "minLength": 1, "pattern": "^[a-z ]+$"},
        "count": {"type": "integer", "multipleOf": 2},
        "tags": {"type": "array", "uniqueItems": True},
        "data": {"type": "object"},
    },
    "patternProperties": {"^x_": {"type": "number"}},
    "additionalProperties": False,
}


def judged(args, schema=SCHEMA):
    """Check *args*; a fault of the schema fails the test."""
    assert fault(schema) is None
    return ArgumentRules(schema).check(args)


def test_what_the_schema_allows_passes():
    """Also names that a pattern allows."""
    args = {"name": "eel", "count": 4, "tags": [1, True, "1"], "x_y": 0.5}
    assert judged(args) is None


@pytest.mark.parametrize(
    ("args", "error", "path"),
    [
        ({}, "'name' is a required property", "#/required"),
        ({"name": ""}, "name: '' should be non-empty", "#/properties/name/minLength"),
        ({"name": "EEL"}, "does not match", "#/properties/name/pattern"),
        ({"name": "eel\n"}, "does not match", "#/properties/name/pattern"),
        ({"name": "eel", "size": 1}, "unknown: 'size'", "#/additionalProperties"),
        (
            {"name": "eel", "x_a": "b"},
            "x_a: 'b' is not",
            "#/patternProperties/^x_/type",
        ),
        (
            {"name": "eel", "count": 3},
            "count: 3 is not",
            "#/properties/count/multipleOf",
        ),
        (
            {"name": "eel", "tags": [{"a": 1}, {"a": 1.0}]},
            "tags: two items are equal",
            "#/properties/tags/uniqueItems",
        ),
    ],
)
def test_what_it_does_not_allow_is_named_with_its_rule(args, error, path):
    """The error says where and what; schemaPath names the rule."""
    wrong = judged(args)
    assert error in wrong.error
    assert wrong.schema_path == path


def test_a_long_value_is_not_repeated_whole():
    """A complaint stays readable."""
    assert len(judged({"name": "E" * 5000}).error) < 100


@pytest.mark.parametrize(
    "args",
    [
        {"name": "eel", "data": {"__proto__": {"isGM": True}}},
        {"name": "eel", "data": [[{"__proto__": 1}]]},
        {"__proto__": {}},
        {"name": "eel", "x=evil()": 1},
        {"name": "eel", "speaker": {}},
    ],
)
def test_names_that_are_code_are_refused_whatever_the_schema(args):
    """A schema that allows everything does not allow these."""
    assert judged(args, {}) is not None


def test_true_is_not_one():
    """Equality is JSON's."""
    assert judged({"name": "eel", "tags": [1, True, 0, False]}) is None


def test_a_pattern_that_never_ends_is_stopped():
    """Backtracking costs a tenth of a second, not an evening."""
    schema = {"properties": {"s": {"pattern": "^(a|aa)+$"}}}
    began = time.thread_time()
    wrong = judged({"s": "a" * 60 + "!"}, schema)
    assert "takes too long" in wrong.error
    assert time.thread_time() - began < 1


def test_a_schema_that_doubles_at_each_step_is_stopped():
    """Forty lines of schema could ask for a million million checks."""
    steps = {"d0": {"type": "object"}}
    for i in range(1, 40):
        steps[f"d{i}"] = {"allOf": [{"$ref": f"#/$defs/d{i - 1}"}] * 2}
    wrong = judged({"a": 1}, {"$ref": "#/$defs/d39", "$defs": steps})
    assert "takes too long" in wrong.error


def test_a_recursive_schema_is_stopped_on_deep_arguments():
    """Each level twice."""
    twice = {"properties": {"a": {"$ref": "#"}}}
    schema = {"anyOf": [{**twice, "required": ["b"]}, {**twice, "required": ["b"]}]}
    args = {"b": 1}
    for _ in range(DEEPEST - 3):
        args = {"a": args}
    assert judged(args, schema) is not None


def test_the_time_is_measured_on_the_given_timer():
    """A slow machine gives up too."""
    ticks = iter(range(1000))
    rules = ArgumentRules(SCHEMA, lambda: float(next(ticks)))
    assert "takes too long" in rules.check({"name": "eel"}).error


def test_a_machine_that_stands_still_refuses_nothing():
    """Only the work on the schema counts, not the time that passes meanwhile."""
    timer = ArgumentRules(SCHEMA)._timer
    began = timer()
    Event().wait(0.1)
    assert timer() - began < 0.1


def test_arguments_have_bounds_of_their_own():
    """Levels, characters, and numbers that JSON or a float cannot hold."""
    deep = 1
    for _ in range(DEEPEST):
        deep = [deep]
    assert "levels deep" in judged({"a": deep}, {}).error
    assert "characters" in judged({"a": "x" * LARGEST}, {}).error
    assert "no name for" in judged({"a": float("nan")}, {}).error
    rule = {"properties": {"a": {"multipleOf": 0.5}}}
    assert "too large" in judged({"a": 10**400}, rule).error


def test_many_different_objects_are_compared_quickly():
    """Equality of a long list is by hash."""
    schema = {"properties": {"a": {"uniqueItems": True}}}
    rows = [{"n": i} for i in range(20_000)]
    assert judged({"a": rows}, schema) is None
    assert judged({"a": [*rows, {"n": 7.0}]}, schema) is not None


def test_nothing_is_looked_up_elsewhere():
    """The dialect's own schema is none of the plug-in's."""
    schema = {"$ref": "https://json-schema.org/draft/2020-12/schema"}
    assert "none of its own" in str(fault(schema))


def test_the_validator_is_made_once_and_judges_again_and_again():
    """What one call used up is not missing in the next."""
    rules = ArgumentRules(SCHEMA)
    for _ in range(5):
        assert rules.check({"name": "eel"}) is None
        assert rules.check({}) is not None
