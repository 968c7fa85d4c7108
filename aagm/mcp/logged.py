"""Tools with a session log in between: which calls came, and which failed.

Source: PROTOCOL_FACTS section 12.1.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from attrs import evolve
from typing_extensions import override

from aagm.errors import AagmError
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Call, Registry, Tool
from aagm.relay.ports import Audit
from aagm.wire.codes import code_of
from aagm.wire.jsonrpc import Json

__all__ = ["LoggedRegistry", "logged_evals"]

_SHOWN = 8  # characters of a session's id, to tell clients apart


class LoggedRegistry(Registry):
    """A `Registry` whose every call and every error is logged."""

    def __init__(self, tools: Iterable[Tool], answers: Answers, audit: Audit) -> None:
        """Keep the log; see `Registry`."""
        super().__init__(tools, answers)
        self._audit = audit

    @override
    async def call(
        self, name: str, arguments: dict[str, Any], caller: Caller
    ) -> dict[str, Json]:
        """Run a tool, and log what was asked and what went wrong."""
        session = caller.session[:_SHOWN]
        self._audit("mcp.call", tool=name, arguments=arguments, session=session)
        try:
            result = await super().call(name, arguments, caller)
        except AagmError as e:
            error = {"code": code_of(e).number, "message": str(e)}
            self._audit("mcp.error", tool=name, **error)
            raise
        if result["isError"]:
            error = json.loads(result["content"][0]["text"])["error"]
            error.pop("tool", None)  # what travels with an error may have any name
            self._audit("mcp.error", tool=name, **error)
        return result


def logged_evals(tools: Iterable[Tool], audit: Audit) -> list[Tool]:
    """Log what each eval was declared to be, and which were blocked.

    The code itself stands in the call's own event.
    """
    return [_logged_eval(tool, audit) for tool in tools]


def _logged_eval(tool: Tool, audit: Audit) -> Tool:
    async def run(call: Call) -> Json:
        declared = {k: v for k, v in call.arguments.items() if k != "code"}
        size = len(call.arguments["code"])
        audit("eval.in", **declared, characters=size)
        answer = await tool.run(call)
        if isinstance(answer, dict) and answer.get("blocked"):
            audit("eval.blocked", **answer)
        return answer

    return evolve(tool, run=run)
