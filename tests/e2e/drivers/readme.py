"""What README.md tells a newcomer to type, and its table of tools.

``python tests/e2e/drivers/renew_readme.py`` writes the table anew.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent.parent
README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")
_TOOLS = re.compile(r"(?<=<!-- tools -->\n).*?(?=<!-- /tools -->)", re.DOTALL)


def command(number: int) -> str:
    """Give one of the two commands: what stands in the block below its mark."""
    block = re.search(rf"<!-- command {number} -->\n```sh\n(.*?)```", TEXT, re.DOTALL)
    assert block is not None, f"README.md has no command {number}"
    return block.group(1).rstrip("\n")


def shown_tools() -> str:
    """Give the table of tools that stands there."""
    found = _TOOLS.search(TEXT)
    assert found is not None, "README.md has no table of tools"
    return found.group()


def with_tools(table: str) -> str:
    """Write the README with another table of tools."""
    return _TOOLS.sub(lambda _: table, TEXT)


def tool_table(tools: Iterable[Any]) -> str:
    """Write the table: each tool, what its first sentence says, what it may change."""
    rows = [
        f"| `{tool.name}` | {_first(tool.description)} | {_changes(tool)} |"
        for tool in tools
    ]
    return "\n".join(
        ["| tool | does | changes the world |", "|---|---|---|", *rows, ""]
    )


def _first(description: str) -> str:
    return f"{description.partition('. ')[0].rstrip('.')}.".replace("|", "\\|")


def _changes(tool: Any) -> str:
    return "yes, recorded" if tool.name in RECORDED else "no"


RECORDED = {
    "foundry_apply_damage",
    "foundry_eval",
    "foundry_mirror_restore",
    "foundry_plugin",
    "foundry_restore_loot",
    "foundry_rollback",
}
