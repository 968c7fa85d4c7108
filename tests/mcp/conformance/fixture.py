"""The tools and prompts that the conformance scenarios call by name.

They run through our own tool table and kernel. What we do not offer (resources,
completion, sampling, elicitation, pictures and sound) has no fixture: the files
``not-offered-*.yml`` name those scenarios, and the suite fails when one of them
would pass.
"""

from __future__ import annotations

from collections.abc import Mapping

from aagm.errors import HandlerThrew
from aagm.mcp.prompts import Prompt, PromptArgument
from aagm.mcp.registry import Call, Run, Tool

_NO_ARGUMENTS = {"type": "object", "properties": {}, "additionalProperties": False}


async def _simple(_call: Call) -> str:
    """Answer with a text."""
    return "This is a simple text response for testing."


async def _error(_call: Call) -> str:
    """Fail."""
    raise HandlerThrew("This tool intentionally returns an error for testing")


async def _logging(call: Call) -> str:
    """Send three log messages, then answer."""
    for step in ("started", "processing data", "completed"):
        call.message("info", f"Tool execution {step}")
    return "done"


async def _progress(call: Call) -> str:
    """Tell the progress three times, then answer."""
    for done in (0, 50, 100):
        call.progress(done, 100, f"Completed step {done} of 100")
    return "done"


def _with_arguments(given: Mapping[str, str]) -> str:
    return f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'"


def _tool(name: str, run: Run) -> Tool:
    return Tool(
        name=name,
        description="A tool of the conformance suite.",
        schema=_NO_ARGUMENTS,
        run=run,
        read_only=True,
    )


TOOLS = [
    _tool("test_simple_text", _simple),
    _tool("test_error_handling", _error),
    _tool("test_tool_with_logging", _logging),
    _tool("test_logging_tool", _logging),
    _tool("test_tool_with_progress", _progress),
    _tool("test_streaming_elicitation", _progress),
]

PROMPTS = [
    Prompt(
        name="test_simple_prompt",
        description="A prompt without arguments.",
        write=lambda _given: "This is a simple prompt for testing.",
    ),
    Prompt(
        name="test_prompt_with_arguments",
        description="A prompt with two arguments.",
        write=_with_arguments,
        arguments=(
            PromptArgument("arg1", "The first.", required=True),
            PromptArgument("arg2", "The second.", required=True),
        ),
    ),
]
