"""The tool table: what a tool is, and how a call reaches it.

Source: DESIGN section 3; WIRE sections 3 and 8; PROTOCOL_FACTS 1.2.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import Any

from attrs import define, field, frozen
from jsonschema import Draft202012Validator
from twisted.internet.defer import CancelledError
from twisted.logger import Logger

from aagm.errors import AagmError, BadParams, Internal, ListenerOccupied
from aagm.mcp.answers import LONGEST, Answers, to_text
from aagm.mcp.arguments import complaint
from aagm.mcp.caller import Caller
from aagm.wire.codes import INTERNAL_MESSAGE, code_of
from aagm.wire.jsonrpc import ID_LONGEST, NAME_LONGEST, Json

_NAME = re.compile(r"[a-z0-9_]{1,40}")
_DESCRIPTION_MAX = 600  # characters
LIST_LONGEST = 1000  # items of an argument that is a list
_SHORT = ("cursor", "type")  # arguments that are no longer than an id


def _nobody() -> Caller:
    """Make a caller that hears nothing: for a call made by ourselves or a test."""
    return Caller("")


@define(eq=False)
class Call:
    """One ``tools/call`` in flight, as the tool sees it."""

    tool: str
    arguments: dict[str, Any]  # validated
    session: str  # MCP session id; one made up for a call without
    caller: Caller = field(factory=_nobody)

    @property
    def is_cancelled(self) -> bool:
        """Whether the client cancelled the call: it wants no answer."""
        return self.caller.is_cancelled

    @property
    def is_cut(self) -> bool:
        """Whether the connection ended before the answer was handed to it."""
        return self.caller.is_cut

    def left(self) -> bool:
        """Whether the caller is gone or has cancelled."""
        return self.caller.has_left

    def on_left(self, f: Callable[[], None]) -> None:
        """Call *f* once when the caller leaves before its answer; now if it has."""
        self.caller.on_left(f)

    def on_delivered(self, f: Callable[[bool], None]) -> None:
        """Call *f* once with the answer's fate; ask while the tool runs.

        True: it was written to a live connection that was not reset within 5 s.
        False: the caller left before, or the connection was reset.
        """
        self.caller.on_delivered(f)

    def progress(
        self, done: float, total: float | None = None, message: str = ""
    ) -> None:
        """Tell the caller how far the work is; nothing when it did not ask."""
        self.caller.progress(done, total, message)

    def message(self, level: str, data: Json, logger: str = "aagm") -> None:
        """Send the caller a log message; nothing when it does not want to hear."""
        self.caller.message(level, data, logger)


Run = Callable[[Call], Awaitable[Json]]


def _check_name(_tool: Tool, _field: Any, value: str) -> None:
    if not _NAME.fullmatch(value):
        raise ValueError(f"{value} is no tool name")


def _check_description(tool: Tool, _field: Any, value: str) -> None:
    if not value or len(value) > _DESCRIPTION_MAX:
        raise ValueError(f"{tool.name}: the description has {len(value)} characters")


def _check_schema(tool: Tool, _field: Any, schema: dict[str, Any]) -> None:
    """Hold a schema to what every client and model can take."""
    Draft202012Validator.check_schema(schema)
    if schema.get("type") != "object":
        raise ValueError(f"{tool.name}: arguments are an object")
    if schema.get("additionalProperties") is not False:
        raise ValueError(f"{tool.name}: unknown arguments must be refused")
    for name, each in schema.get("properties", {}).items():
        if "type" not in each:
            raise ValueError(f"{tool.name}: argument {name} has no type")


@frozen
class Tool:
    """One tool: what a client is told of it, and what it does."""

    name: str = field(validator=_check_name)
    description: str = field(validator=_check_description)
    schema: dict[str, Any] = field(validator=_check_schema, eq=False)
    run: Run = field(eq=False)
    read_only: bool
    destructive: bool = False
    idempotent: bool = False

    def listed(self) -> dict[str, Json]:
        """Write the tool as ``tools/list`` shows it.

        Hints that say what their absence says are left out: a model reads all of
        this, and all tools together have 16 KB (FIELD_LESSONS 100). For a read
        the others mean nothing (MCP, "ToolAnnotations").
        """
        hints: dict[str, Json] = {"openWorldHint": False}
        if self.read_only:
            hints["readOnlyHint"] = True
        else:
            hints["destructiveHint"] = self.destructive
            if self.idempotent:
                hints["idempotentHint"] = True
        return {
            "name": self.name,
            "description": self.description,
            "inputSchema": self.schema,
            "annotations": hints,
        }


def _bounded(schema: dict[str, Any]) -> dict[str, Any]:
    """Limit what names something; not in the list of tools, whose size is limited."""
    properties = schema.get("properties", {})
    return {
        **schema,
        "properties": {name: _limited(name, each) for name, each in properties.items()},
    }


def _limited(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    match schema:
        case {"type": "string"} if name.endswith(("name", "Name")):
            return {**schema, "maxLength": NAME_LONGEST}
        case {"type": "string"} if name.endswith("Id") or name in _SHORT:
            return {**schema, "maxLength": ID_LONGEST}
        case {"type": "array", "items": {"type": "string"} as item}:
            # A list may hold names beside ids: targets does.
            longest = ID_LONGEST if name.endswith("Ids") else NAME_LONGEST
            items = {**item, "maxLength": longest}
            return {**schema, "items": items, "maxItems": LIST_LONGEST}
    return schema


@frozen
class _Entry:
    """A tool with the validator that was made for it once."""

    tool: Tool
    validator: Draft202012Validator

    @classmethod
    def of(cls, tool: Tool) -> _Entry:
        return cls(tool, Draft202012Validator(_bounded(tool.schema)))

    def check(self, arguments: dict[str, Any]) -> None:
        """Raise `BadParams` when *arguments* are not what the schema says."""
        if not self.validator.is_valid(arguments):
            errors = self.validator.iter_errors(arguments)
            raise complaint(self.tool.name, self.tool.schema, arguments, errors)


class Registry:
    """The tools by name, in the order in which they were given."""

    _log = Logger()

    def __init__(self, tools: Iterable[Tool], answers: Answers) -> None:
        """Make a validator for each of *tools*.

        Raises:
            ValueError: Two tools have one name.
        """
        self._answers = answers
        self._entries: dict[str, _Entry] = {}
        for tool in tools:
            if tool.name in self._entries:
                raise ValueError(f"two tools are called {tool.name}")
            self._entries[tool.name] = _Entry.of(tool)

    def __iter__(self) -> Iterator[Tool]:
        """List the tools."""
        return (entry.tool for entry in self._entries.values())

    async def call(
        self, name: str, arguments: dict[str, Any], caller: Caller
    ) -> dict[str, Json]:
        """Run a tool and write what it gives as the result of ``tools/call``.

        Whatever goes wrong inside is the tool's answer, so that a model can read it.

        Raises:
            BadParams: There is no such tool.
            ListenerOccupied: The one error that a client must see as one.
        """
        if (entry := self._entries.get(name)) is None:
            raise BadParams(
                f"Unknown tool: {name}", fix="Read the list of tools again."
            )
        call = Call(name, arguments, caller.session, caller)
        try:
            entry.check(arguments)
            return _result(self._answers.fit(await entry.tool.run(call)))
        except (ListenerOccupied, CancelledError):
            raise
        except AagmError as e:
            return _fault(e, entry.tool)
        except Exception:  # noqa: BLE001 - last stop: its text is not for a client
            self._log.failure("running {tool}", tool=name)
            return _fault(Internal(INTERNAL_MESSAGE), entry.tool)


def _result(text: str, *, is_error: bool = False) -> dict[str, Json]:
    return {"content": [{"type": "text", "text": text}], "isError": is_error}


def _fault(error: AagmError, tool: Tool) -> dict[str, Json]:
    """Write *error* so that a model sees its code, its sentence and its cure.

    What travels with the error is added, but not the raw entries of a recording,
    and nothing when that would be too long.
    """
    code = code_of(error)
    body: dict[str, Json] = {
        "code": code.number,
        "name": code.name,
        "message": str(error),
    }
    fix = error.fix
    if tool.read_only and fix == error.usual_fix:
        fix = error.read_fix or fix
    if fix:
        body["fix"] = fix
    extra = {key: value for key, value in error.data.items() if key != "rollback"}
    text = to_text({"error": extra | body})
    if len(text) > LONGEST:
        body["message"] = body["message"][: LONGEST // 8]
        text = to_text({"error": body})
    return _result(text, is_error=True)
