"""Prompts that a client can ask for by name: instructions that ship with the relay.

Source: PROTOCOL_FACTS 5.7; DESIGN section 6.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import frozen

from aagm.errors import BadParams
from aagm.wire.jsonrpc import Json


@frozen
class PromptArgument:
    """What a prompt's text is filled with; always text."""

    name: str
    description: str
    required: bool = False


@frozen
class Prompt:
    """One prompt: what a client is told of it, and its text."""

    name: str
    description: str
    write: Callable[[Mapping[str, str]], str]  # arguments → text
    arguments: tuple[PromptArgument, ...] = ()

    def listed(self) -> dict[str, Json]:
        """Write the prompt as ``prompts/list`` shows it."""
        return {
            "name": self.name,
            "description": self.description,
            "arguments": [
                {"name": a.name, "description": a.description, "required": a.required}
                for a in self.arguments
            ],
        }

    def got(self, arguments: Mapping[str, str]) -> dict[str, Json]:
        """Write the prompt's text as the result of ``prompts/get``.

        Raises:
            BadParams: An argument is missing or unknown; names it.
        """
        known = {a.name for a in self.arguments}
        missing = [
            a.name for a in self.arguments if a.required and a.name not in arguments
        ]
        if missing:
            raise BadParams(f"{self.name}: missing {', '.join(missing)}")
        if unknown := sorted(arguments.keys() - known):
            raise BadParams(f"{self.name}: unknown argument {', '.join(unknown)}")
        text = {"type": "text", "text": self.write(arguments)}
        return {
            "description": self.description,
            "messages": [{"role": "user", "content": text}],
        }


class Prompts:
    """The prompts by name, in the order in which they were given."""

    def __init__(self, prompts: Iterable[Prompt] = ()) -> None:
        """Take *prompts*; of two with one name the later counts."""
        self._by_name = {prompt.name: prompt for prompt in prompts}

    def listed(self) -> list[dict[str, Json]]:
        """List all prompts as ``prompts/list`` shows them."""
        return [prompt.listed() for prompt in self._by_name.values()]

    def get(self, name: str, arguments: Mapping[str, str]) -> dict[str, Json]:
        """Write one prompt's text as the result of ``prompts/get``.

        Raises:
            BadParams: There is no such prompt, or the arguments do not fit.
        """
        if (prompt := self._by_name.get(name)) is None:
            raise BadParams(f"Unknown prompt: {name}")
        return prompt.got(arguments)
