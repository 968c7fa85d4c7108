"""A model reads what it did wrong, and what became of its call."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import (
    BadParams,
    BridgeLost,
    HandlerThrew,
    Internal,
    ListenerOccupied,
    NoModule,
)
from aagm.mcp.answers import LONGEST, Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Call, Registry, Tool

SCHEMA = {
    "type": "object",
    "properties": {
        "actorId": {"type": "string", "minLength": 2},
        "amount": {"type": "integer", "minimum": 1},
        "intent": {"type": "string", "enum": ["read", "write"]},
        "targets": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["actorId"],
    "additionalProperties": False,
}


@pytest.fixture
def call(tool):
    """Call a tool that does what the given function does; gives the result."""

    def call(run, arguments=None, name="do", **options):
        registry = Registry([tool(run, **options)], Answers(Clock()))
        calling = registry.call(name, arguments or {}, Caller("session"))
        return Deferred.fromCoroutine(calling)

    return call


async def echo(call):
    """Answer with the arguments."""
    return call.arguments


def text_of(result):
    """Read the one text of a result."""
    seen = []
    result.addCallback(seen.append)
    ((content,), is_error) = seen[0]["content"], seen[0]["isError"]
    assert set(seen[0]) == {"content", "isError"}
    assert content["type"] == "text"
    return is_error, json.loads(content["text"])


def test_an_answer_is_one_text_of_compact_json(call):
    """The data is sent once, as text."""
    assert text_of(call(echo, {"actorId": "ab"}, schema=SCHEMA)) == (
        False,
        {"actorId": "ab"},
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({}, "missing actorId"),
        ({"actorId": 7}, "actorId must be string"),
        ({"actorId": "a"}, "actorId must have at least 2 characters"),
        ({"actorId": "ab", "id": "x"}, "unknown argument id"),
        ({"actorId": "ab", "x": 1, "y": 2}, "unknown argument x, y"),
        ({"actorId": "ab", "amount": 0}, "amount must be at least 1"),
        ({"actorId": "ab", "amount": True}, "amount must be integer"),
        ({"actorId": "ab", "amount": 1.5}, "amount must be integer"),
        ({"actorId": "ab", "intent": "kill"}, "intent must be one of read, write"),
        ({"actorId": "ab", "targets": ["a", 1]}, "targets.1 must be string"),
        ({"amount": "x"}, "amount must be integer; missing actorId"),
    ],
)
def test_wrong_arguments_are_named(call, arguments, said):
    """The tool does not run; the model is told which argument is wrong, and how."""
    ran = []
    is_error, answer = text_of(call(ran.append, arguments, schema=SCHEMA))
    error = answer["error"]
    assert (is_error, ran) == (True, [])
    assert (error["code"], error["name"]) == (-32602, "invalid-params")
    assert error["message"] == f"do: {said}"
    assert error["fix"].startswith("do takes actorId, amount (optional)")


@pytest.mark.parametrize(
    ("name", "longest"), [("tabId", 200), ("listenerId", 200), ("name", 1000)]
)
def test_what_names_something_is_not_endless(call, name, longest):
    """What would be kept and shown for ever has a limit, told as any other."""
    schema = {
        "type": "object",
        "properties": {name: {"type": "string", "minLength": 1}},
        "additionalProperties": False,
    }
    assert text_of(call(echo, {name: "x" * longest}, schema=schema))[0] is False
    is_error, answer = text_of(call(echo, {name: "x" * 200_000}, schema=schema))
    said = f"do: {name} has 200000 characters; it may have {longest}"
    assert (is_error, answer["error"]["message"]) == (True, said)


@pytest.mark.parametrize(("name", "longest"), [("eventIds", 200), ("targets", 1000)])
def test_what_a_list_names_is_not_endless(call, name, longest):
    """Neither one of its items nor their number."""
    items = {"type": "string", "minLength": 1}
    schema = {
        "type": "object",
        "properties": {name: {"type": "array", "items": items}},
        "additionalProperties": False,
    }
    most = ["x" * longest] + ["x"] * 999
    assert text_of(call(echo, {name: most}, schema=schema))[0] is False
    for wrong, said in (
        (["x", "x" * 5_000], f"{name}.1 has 5000 characters; it may have {longest}"),
        (["x"] * 1_001, f"{name} has 1001 items; it may have 1000"),
    ):
        is_error, answer = text_of(call(echo, {name: wrong}, schema=schema))
        assert (is_error, answer["error"]["message"]) == (True, f"do: {said}")


def test_the_listed_schema_is_as_it_was():
    """A model reads all of it: the limits are not in the list."""
    properties = {"eventIds": {"type": "array", "items": {"type": "string"}}}
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    tool = Tool("do", "Do.", schema, echo, read_only=True)
    Registry([tool], Answers(Clock()))
    assert tool.listed()["inputSchema"]["properties"] == {
        "eventIds": {"type": "array", "items": {"type": "string"}}
    }


@pytest.mark.parametrize("kind", [HandlerThrew, BridgeLost, Internal])
@pytest.mark.parametrize("read_only", [True, False])
def test_a_read_that_failed_does_not_speak_of_writing(call, kind, read_only):
    """Only after a write there is something to look at first."""

    async def run(_call):
        raise kind("It went wrong.")

    _is_error, answer = text_of(call(run, read_only=read_only))
    assert ("writ" in answer["error"]["fix"]) is not read_only


def test_a_long_wrong_argument_is_not_repeated(call):
    """Neither a huge value nor a hundred unknown names come back."""
    arguments = {"actorId": {"deep": "x" * 50_000}, "n" * 5_000: 1}
    arguments |= {f"unknown{n}": n for n in range(3)}
    _is_error, answer = text_of(call(echo, arguments, schema=SCHEMA))
    assert len(answer["error"]["message"]) < 300


def test_all_that_is_missing_is_named_at_once(call):
    """A model that forgot two arguments need not ask twice."""
    schema = {**SCHEMA, "required": ["actorId", "amount"]}
    _is_error, answer = text_of(call(echo, {}, schema=schema))
    assert answer["error"]["message"] == "do: missing actorId, amount"


def test_no_arguments_means_none(call):
    """A tool without arguments says so."""
    _is_error, answer = text_of(call(echo, {"x": 1}))
    assert answer["error"]["message"] == "do: unknown argument x"
    assert answer["error"]["fix"] == "do takes no arguments."


def test_an_error_of_ours_keeps_its_code_and_cure(call):
    """A model sees the number, the name, the sentence and what to do."""

    async def run(_call):
        raise NoModule("No tab.", fix="Open the world.", data={"reason": "no_module"})

    assert text_of(call(run)) == (
        True,
        {
            "error": {
                "reason": "no_module",
                "code": -33003,
                "name": "no-module",
                "message": "No tab.",
                "fix": "Open the world.",
            }
        },
    )


def test_a_recordings_entries_do_not_travel_with_an_error(call):
    """The stack helps a model, the raw entries do not; too much is left out."""

    async def run(_call):
        data = {"stack": "at line 1", "rollback": {"entries": ["x" * 90_000]}}
        raise HandlerThrew("boom", data=data)

    async def far_too_much(_call):
        raise HandlerThrew("boom" * 9_000, data={"stack": "x" * 90_000})

    _is_error, answer = text_of(call(run, read_only=False))
    assert answer["error"] == {
        "stack": "at line 1",
        "code": -33002,
        "name": "handler-threw",
        "message": "boom",
        "fix": HandlerThrew.usual_fix,
    }
    _is_error, answer = text_of(call(far_too_much))
    assert len(json.dumps(answer)) < LONGEST
    assert answer["error"]["message"].startswith("boom")


def test_a_bug_says_nothing_of_itself(call, captured):
    """A stranger's exception is logged whole and answered with a bare sentence."""

    async def run(_call):
        raise ZeroDivisionError("/home/secret")

    is_error, answer = text_of(call(run))
    assert is_error
    assert answer["error"]["code"] == -32603
    assert "secret" not in json.dumps(answer)
    assert [e["log_failure"].type for e in captured] == [ZeroDivisionError]


def test_an_answer_that_is_no_json_is_a_bug(call, captured):
    """A tool that gives what JSON cannot write answers with an internal error."""

    async def run(_call):
        return {"when": object()}

    assert text_of(call(run))[1]["error"]["code"] == -32603
    assert len(captured) == 1


def test_a_policy_refusal_is_an_ordinary_answer(call):
    """A refusal is a decision, not a fault."""

    async def run(_call):
        return {"refused": True, "reason": "external-mode"}

    assert text_of(call(run))[0] is False


def test_an_occupied_listener_is_an_error_of_the_protocol(call):
    """A second listener must see a true error, or it would poll on."""

    async def run(_call):
        raise ListenerOccupied("Another listener is at work.")

    seen = []
    call(run).addErrback(lambda f: seen.append(f.value))
    assert isinstance(seen[0], ListenerOccupied)


def test_an_unknown_tool_is_an_error_of_the_protocol(call):
    """There is no tool to answer."""
    seen = []
    call(echo, name="nope").addErrback(lambda f: seen.append(f.value))
    assert isinstance(seen[0], BadParams)
    assert str(seen[0]) == "Unknown tool: nope"


def test_a_long_answer_is_cut(call):
    """What one call cannot carry comes with a cursor."""

    async def run(_call):
        return "x" * 40_000

    is_error, answer = text_of(call(run))
    assert (is_error, answer["truncated"], answer["chars"]) == (False, True, 40_002)
    assert answer["cursor"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"name": "Foundry.Ping"}, "no tool name"),
        ({"name": "f" * 41}, "no tool name"),
        ({"description": "x" * 601}, "601 characters"),
        ({"description": ""}, "0 characters"),
        ({"schema": {"type": "object", "properties": {}}}, "unknown arguments"),
        ({"schema": {"type": "string", "additionalProperties": False}}, "an object"),
        (
            {
                "schema": {
                    "type": "object",
                    "properties": {"x": {"description": "anything"}},
                    "additionalProperties": False,
                }
            },
            "argument x has no type",
        ),
    ],
)
def test_a_tool_that_some_client_cannot_take_is_not_made(changed, said):
    """Names, lengths and schemas keep to what every client accepts."""
    right = {"name": "do", "description": "Do.", "schema": SCHEMA, "run": echo}
    with pytest.raises(ValueError, match=said):
        Tool(**(right | changed), read_only=True)


def test_two_tools_with_one_name_are_a_mistake(tool):
    """The composition root hears of it at start-up."""
    with pytest.raises(ValueError, match="called do"):
        Registry([tool(echo), tool(echo)], Answers(Clock()))


def test_hints_say_what_a_tool_does(tool):
    """A client may run a read without asking its user."""
    read = tool(echo).listed()["annotations"]
    write = tool(echo, read_only=False, destructive=True).listed()["annotations"]
    add = tool(echo, read_only=False, idempotent=True).listed()["annotations"]
    assert read == {"readOnlyHint": True, "openWorldHint": False}
    # Absent, a hint means: it changes things, it destroys, it is not idempotent.
    assert write == {"destructiveHint": True, "openWorldHint": False}
    assert add == {
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
    }


def test_a_call_made_without_a_client_is_heard_by_nobody():
    """Our own calls, and tests, need no transport."""
    call = Call("do", {}, "session")
    call.progress(1)
    call.message("error", "x")
    assert (call.left(), call.is_cut, call.is_cancelled) == (False, False, False)
