"""The answer of a plug-in's call: pure.

Source: Plug-in API 1.0 section 4.
"""

from __future__ import annotations

import json
from typing import Any

from aagm.foundry import page
from aagm.relay.plugins.manifest import is_manifest
from aagm.relay.plugins.page import Ended, Returned, Threw, Unreadable

LABEL = 80  # characters of the arguments in a label
NO_REASON = "the plug-in gave no reason"
THREW = "Correct the arguments, or have the macro mended, and call again."
BROKEN = f"Have the macro mended: {page('plugins')} says what a plug-in returns."
WRONG = "Correct the arguments: foundry_plugins shows what the plug-in takes."
CHANGED = "Call again: its manifest is read anew."
OUTSIDE = "Have the macro mended, or its manifest name in writes what it touches."


def label(name: str, args: dict[str, Any]) -> str:
    """Name a call's point: the plug-in, and one line of its arguments."""
    given = ", ".join(f"{key}={_short(value)}" for key, value in args.items())
    line = " ".join(given.split())
    return f"{name}: {line if len(line) <= LABEL else f'{line[: LABEL - 1]}…'}"


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def shaped(ended: Ended) -> dict[str, Any]:
    """Make of what a run came to the one object that callers get."""
    match ended:
        case Threw(message=message):
            return failure(message, fix=THREW)
        case Unreadable(why=why):
            return _broken(why)
        case Returned(value=value) if is_manifest(value):
            return _broken(
                "called with arguments it returned its manifest instead of acting"
            )
        case Returned(value=dict(value)) if isinstance(value.get("ok"), bool):
            return _cut(value, ended.characters)
        case Returned():
            return _broken("its result has no boolean ok")


def _cut(value: dict[str, Any], characters: int | None) -> dict[str, Any]:
    answer = {key: each for key, each in value.items() if key != "rollbackPoint"}
    if answer["ok"] is False and not answer.get("error"):
        answer["error"] = NO_REASON
    if characters is not None:
        answer |= {"truncated": True, "characters": characters}
    return answer


def _broken(why: str) -> dict[str, Any]:
    return failure(f"the plug-in broke its contract: {why}", fix=BROKEN)


def failure(error: str, *, fix: str, **more: Any) -> dict[str, Any]:
    """Make the answer of a call that failed, with what to do about it."""
    return {"ok": False, "error": error, "fix": fix, **more}
