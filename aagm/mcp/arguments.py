"""Say what is wrong with a call's arguments, in words that help to correct them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jsonschema import ValidationError

from aagm.errors import BadParams

_SHOWN = 5  # complaints at most; a model corrects one after the other
_LONGEST = 60  # characters of a name or value that is repeated
_SAID = {
    "maxLength": "has {size} characters; it may have {wanted}",
    "minLength": "must have at least {wanted} characters",
    "maximum": "must be at most {wanted}",
    "minimum": "must be at least {wanted}",
    "minItems": "must have at least {wanted} items",
    "maxItems": "has {size} items; it may have {wanted}",
}


def complaint(
    tool: str,
    schema: dict[str, Any],
    arguments: dict[str, Any],
    errors: Iterable[ValidationError],
) -> BadParams:
    """Write what the validator found as one error; values are not repeated whole."""
    # A missing argument is an error each; one sentence names them all.
    found = list(dict.fromkeys(_sentence(schema, arguments, e) for e in errors))
    more = f"; and {len(found) - _SHOWN} more" if len(found) > _SHOWN else ""
    return BadParams(
        f"{tool}: {'; '.join(found[:_SHOWN])}{more}", fix=_signature(tool, schema)
    )


def _sentence(
    schema: dict[str, Any], arguments: dict[str, Any], error: ValidationError
) -> str:
    path = ".".join(str(step) for step in error.absolute_path)
    rule: Any = error.validator
    wanted: Any = error.validator_value
    instance: Any = error.instance
    match rule:
        case "additionalProperties" if not path:
            known = schema.get("properties", {})
            unknown = [_short(name) for name in arguments if name not in known]
            return f"unknown argument {', '.join(unknown)}"
        case "required":
            missing = [name for name in wanted if name not in instance]
            return f"missing {_under(path)}{', '.join(missing)}"
        case "type":
            kinds = wanted if isinstance(wanted, str) else " or ".join(wanted)
            return f"{path} must be {kinds}"
        case "enum":
            return f"{path} must be one of {', '.join(map(str, wanted))}"
    if isinstance(instance, str) and not instance.strip():
        return f"{path} must not be empty"
    said = _SAID.get(rule, "must keep to {rule} {wanted}")
    size = len(instance) if isinstance(instance, str | list) else ""
    wanted = _short(str(wanted))
    return (
        f"{path or 'the arguments'} {said.format(rule=rule, wanted=wanted, size=size)}"
    )


def _signature(tool: str, schema: dict[str, Any]) -> str:
    properties = schema.get("properties", {})
    required = schema.get("required", ())
    if not properties:
        return f"{tool} takes no arguments."
    names = [n if n in required else f"{n} (optional)" for n in properties]
    return f"{tool} takes {', '.join(names)}."


def _under(path: str) -> str:
    return f"{path}." if path else ""


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
