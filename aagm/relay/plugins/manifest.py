"""A plug-in's manifest: read from what a bare run returned, or refused: pure.

Source: Plug-in API 1.0 section 2.
"""

from __future__ import annotations

import re
from typing import Any

from attrs import field, frozen

from aagm.foundry import page
from aagm.relay.plugins.arguments import ArgumentRules
from aagm.relay.plugins.schema import fault

API = "aagm-plugin/1."
MARKER = "aagm-plugin/"  # what a macro's source holds when it means to be one
RUN, READ = "run", "read"

_TYPE = re.compile(r"[A-Z][A-Za-z]*\Z")
STEP = f"{page('plugins')}, step 2."
_SEE = f"See {STEP}"
_SHAPE = {
    "name": (str, "the macro's exact name"),
    "version": (str, "a text like 1.0.0"),
    "description": (str, "a sentence that says what it does"),
    "args": (dict, "a JSON Schema"),
    "writes": (list, "a list of document types, empty when it only reads"),
}


@frozen
class Refused:
    """Why a macro is no plug-in that can be called, and what to do about it."""

    reason: str
    fix: str
    more: dict[str, Any] = field(factory=dict)  # members of the answer

    def as_json(self) -> dict[str, Any]:
        """Shape it as a tool's answer."""
        said = {"ok": False, "refused": True, "error": self.reason, "fix": self.fix}
        return said | self.more


@frozen
class Manifest:
    """What a plug-in says of itself."""

    api: str
    name: str
    version: str
    description: str
    args: dict[str, Any] = field(eq=False)
    writes: tuple[str, ...]
    modes: tuple[str, ...]
    rules: ArgumentRules = field(eq=False)

    @property
    def only_reads(self) -> bool:
        """Say whether it may write nothing at all."""
        return not self.writes

    def hints(self) -> list[str]:
        """Say what the specification recommends and the plug-in does otherwise."""
        if self.args.get("additionalProperties") is False:
            return []
        return ["args takes names it does not list: add additionalProperties: false"]

    def as_json(self) -> dict[str, Any]:
        """Shape it for a list."""
        return {
            "name": self.name,
            "version": self.version,
            "description": self.description,
            "args": self.args,
            "writes": list(self.writes),
            "modes": list(self.modes),
            "api": self.api,
        }


def is_manifest(value: Any) -> bool:
    """Say whether a result is a manifest, of whatever version."""
    return isinstance(value, dict) and str(value.get("api", "")).startswith(MARKER)


def read(value: Any, macro: str) -> Manifest | Refused:
    """Read what the bare run of the macro called *macro* returned."""
    if not isinstance(value, dict) or not isinstance(value.get("api"), str):
        return Refused(
            f"{macro} is not a plug-in: run without arguments it returns no manifest",
            f"Have it return its manifest when scope is empty. {_SEE}",
        )
    if not value["api"].startswith(API):
        return Refused(
            f"{macro} keeps to {value['api'][:40]}, and this relay to {API}0",
            f'Its manifest\'s api must begin with "{API}".',
        )
    said = _shape(value, macro) or fault(value["args"])
    if said is not None:
        return Refused(f"the manifest of {macro} cannot be used: {said}", _SEE)
    return Manifest(
        api=value["api"],
        name=macro,
        version=value["version"],
        description=value["description"],
        args=value["args"],
        writes=tuple(value["writes"]),
        modes=tuple(value.get("modes") or (RUN,)),
        rules=ArgumentRules(value["args"]),
    )


def _shape(value: dict[str, Any], macro: str) -> str | None:
    for key, (kind, what) in _SHAPE.items():
        if not isinstance(value.get(key), kind):
            return f"{key} must be {what}"
    if value["name"] != macro:
        return f"it says that it is called {value['name'][:80]!r}"
    for each in value["writes"]:
        if not isinstance(each, str) or _TYPE.match(each) is None:
            return f"writes names {str(each)[:40]!r}, which is no document type"
    modes = value.get("modes", [RUN])
    if not isinstance(modes, list) or not {RUN, READ} & {str(each) for each in modes}:
        return "modes must be a list of run and read"
    return None
