"""What the session log says of tool calls."""

from __future__ import annotations

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import BadParams, ListenerOccupied, NoModule
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.logged import LoggedRegistry, logged_evals

TEXT = {"type": "string", "description": "A text."}


@define
class Bench:
    """A table of tools with a log."""

    log: list[tuple[str, dict]] = field(factory=list)

    def audit(self, event, /, **fields):
        """Keep an event."""
        self.log.append((event, fields))

    def call(self, tool, **arguments):
        """Call a tool; gives the answer or the failure."""
        registry = LoggedRegistry([tool], Answers(Clock()), self.audit)
        got = []
        work = registry.call(tool.name, arguments, Caller("0123456789abcdef"))
        Deferred.fromCoroutine(work).addBoth(got.append)
        return got[0]


@pytest.fixture
def bench():
    """A log."""
    return Bench()


@pytest.fixture
def make(tool):
    """Make a tool that takes a text."""

    def make(run, name="do"):
        schema = {
            "type": "object",
            "properties": {"code": TEXT, "summary": TEXT},
            "additionalProperties": False,
        }

        async def ran(call):
            return run(call)

        return tool(ran, name=name, schema=schema)

    return make


def test_a_call_is_logged_with_its_arguments(bench, make):
    """Who asked what; a session's id is cut, so that nobody can use it."""
    bench.call(make(lambda _: 1), code="x")
    assert bench.log == [
        ("mcp.call", {"tool": "do", "arguments": {"code": "x"}, "session": "01234567"})
    ]


def test_an_error_is_logged_as_the_model_sees_it(bench, make):
    """Code, sentence and reason stand in the log."""

    def fail(_call):
        raise NoModule("no tab is there", data={"reason": "no_module"})

    bench.call(make(fail))
    assert bench.log[-1] == (
        "mcp.error",
        {
            "tool": "do",
            "code": -33003,
            "name": "no-module",
            "message": "no tab is there",
            "fix": NoModule.usual_fix,
            "reason": "no_module",
        },
    )


def test_whatever_travels_with_an_error_it_is_logged_and_answered(bench, make):
    """The Foundry tab chooses the names of what it sends along."""
    data = {"tool": "hammer", "event": "x", "session": "y", "stack": "at line 1"}

    def fail(_call):
        raise NoModule("no tab is there", data=data)

    answer = bench.call(make(fail))
    assert '"code":-33003' in answer["content"][0]["text"]
    event, fields = bench.log[-1]
    assert (event, fields["tool"], fields["stack"]) == ("mcp.error", "do", "at line 1")


def test_wrong_arguments_are_logged_too(bench, make):
    """A model that guesses shows in the log."""
    bench.call(make(lambda _: 1), nonsense=1)
    event, fields = bench.log[-1]
    assert (event, fields["code"]) == ("mcp.error", -32602)


@pytest.mark.parametrize(
    ("error", "code"), [(ListenerOccupied("taken"), -33005), (BadParams("no"), -32602)]
)
def test_errors_of_the_protocol_are_logged(bench, make, error, code):
    """A second listener is in the log, and still gets its error."""

    def fail(_call):
        raise error

    got = bench.call(make(fail))
    assert bench.log[-1][0] == "mcp.error"
    assert bench.log[-1][1]["code"] == code
    assert isinstance(error, BadParams) or got.check(ListenerOccupied)


def test_evals_are_logged_with_what_they_were_declared(bench, make):
    """The log tells reads from writes, and why one was not run."""
    blocked = {"blocked": True, "reason": "it sends a chat message"}
    [tool] = logged_evals(
        [make(lambda _: blocked, name="foundry_eval")], audit=bench.audit
    )
    bench.call(tool, code="await x", summary="Say hello")
    assert bench.log[1:] == [
        ("eval.in", {"summary": "Say hello", "characters": 7}),
        ("eval.blocked", blocked),
    ]
