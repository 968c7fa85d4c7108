"""``foundry_tail_logs``: what the Foundry tab writes to its console.

Source: PROTOCOL_FACTS 1.4; WIRE section 8; DESIGN section 2.
"""

from __future__ import annotations

from attrs import frozen
from twisted.internet.defer import Deferred

from aagm.mcp.answers import Answers
from aagm.mcp.holding import rest_of
from aagm.mcp.registry import Call, Tool
from aagm.relay.chat.gate import Gate
from aagm.relay.console import LEVELS, PATTERN_LONGEST, Filter, Line
from aagm.relay.ports import Clock
from aagm.relay.refusals import refused
from aagm.relay.tail import ConsoleTail, Tail
from aagm.wire.jsonrpc import Json

DURATION = 30  # seconds, unless asked otherwise
LONGEST = 300  # seconds

# The levels of MCP's log messages, as the family maps them.
_SEVERITY = {"error": "error", "warn": "warning"}


def tail_tools(
    clock: Clock,
    console: ConsoleTail,
    answers: Answers,
    gate: Gate,
    *,
    hold: float,
) -> list[Tool]:
    """Make the tool.

    Args:
        clock: What waiting runs on.
        console: Listens to the tab.
        answers: Keeps what comes after the call was answered.
        gate: Says when the GM interrupts.
        hold: Seconds that a call is held before it is told that it goes on; what the
            tab takes to begin counts.
    """
    tailing = _Tailing(clock, console, answers, gate, hold)
    return [
        Tool(
            name="foundry_tail_logs",
            description=(
                "Listen to the Foundry tab's console for a while and get its lines. "
                "After 50 seconds: running:true and a cursor for foundry_more."
            ),
            schema=_SCHEMA,
            run=tailing.run,
            read_only=True,
        )
    ]


@frozen
class _Tailing:
    """What the tool needs."""

    _clock: Clock
    _console: ConsoleTail
    _answers: Answers
    _gate: Gate
    _hold: float

    async def run(self, call: Call) -> Json:
        given = call.arguments
        wants = Filter.of(given.get("levels"), given.get("filter"))
        if self._console.is_full:
            reason = "too many calls listen to the console"
            return refused(reason, fix="Call again when one of them is over.")
        told: list[bool] = []  # filled once the call is answered

        def heard(line: Line) -> None:
            if not told:
                severity = _SEVERITY.get(line.level, "info")
                call.message(severity, line.to_json(), "foundry")

        seconds = given.get("durationSeconds", DURATION)
        opening = Deferred.fromCoroutine(self._console.open(seconds, wants, heard))
        call.on_left(opening.cancel)
        tail = await opening
        call.on_left(tail.end)
        try:
            return await self._wait(call, tail)
        finally:
            told.append(True)

    async def _wait(self, call: Call, tail: Tail) -> Json:
        """Wait for the end, the limit of one call, or what the GM types."""
        held = rest_of(self._hold, call.caller, self._clock)
        until = self._clock.seconds() + held
        while True:
            if (instead := self._gate.enter(call, None)) is not None:
                tail.end()
                return instead
            if not await self._pause(tail, until):
                break
        answer = tail.take()
        if tail.is_over:
            return answer
        rest = tail.when_over().addCallback(lambda _: tail.take())
        return answer | {"running": True, "cursor": self._answers.pending(rest)}

    async def _pause(self, tail: Tail, until: float) -> bool:
        """Wait; True when the GM typed something, False when waiting is over."""
        woken: Deferred[bool] = Deferred()

        def wake(*, is_interrupt: bool) -> None:
            if not woken.called:
                woken.callback(is_interrupt)

        over = tail.when_over()
        over.addCallbacks(lambda _: wake(is_interrupt=False), lambda _: None)
        unwatch = self._gate.watch(None, lambda: wake(is_interrupt=True))
        rest = max(0.0, until - self._clock.seconds())
        timer = self._clock.callLater(rest, lambda: wake(is_interrupt=False))
        try:
            return await woken
        finally:
            unwatch()
            over.cancel()
            if timer.active():
                timer.cancel()


_SCHEMA = {
    "type": "object",
    "properties": {
        "durationSeconds": {
            "type": "integer",
            "minimum": 1,
            "maximum": LONGEST,
            "description": f"How long to listen; {DURATION} by default.",
        },
        "levels": {
            "type": "array",
            "items": {"type": "string", "enum": list(LEVELS)},
            "description": "Only these levels; all by default.",
        },
        "filter": {
            "type": "string",
            "minLength": 1,
            "maxLength": PATTERN_LONGEST,
            "description": "A regular expression that a line must have.",
        },
    },
    "additionalProperties": False,
}
