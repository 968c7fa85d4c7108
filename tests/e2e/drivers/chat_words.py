"""What rows of the chat say of answers, in few words."""

from __future__ import annotations

from typing import Any

from chat_room import ChatRoom


def texts(prompts: list[dict[str, Any]]) -> list[str]:
    """Give the texts of prompts as a listener gets them."""
    return [prompt["text"] for prompt in prompts]


def marks(prompts: list[dict[str, Any]], *names: str) -> list[tuple[bool, ...]]:
    """Give the marks of prompts as a listener gets them."""
    return [tuple(prompt.get(name, False) for name in names) for prompt in prompts]


def task(room: ChatRoom, tab: str = "t-1") -> None:
    """Let a tab's worker begin."""
    room.type("a task", tab)
    assert texts(room.take()) == ["a task"]


def interrupted(room: ChatRoom) -> None:
    """Let a tab's worker begin, and type into the tab."""
    task(room)
    room.type("stop that")


def answered(answer: dict[str, Any]) -> list[str] | str:
    """Say whether a call did its work; else give the prompts in its answer."""
    if answer.get("interrupted"):
        assert "instruction" in answer
        return texts(answer["prompts"])
    return "worked"
