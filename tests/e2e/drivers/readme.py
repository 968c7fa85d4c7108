"""What README.md tells a newcomer to type."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def command(number: int) -> str:
    """Give one of the two commands: what stands in the block below its mark."""
    block = re.search(rf"<!-- command {number} -->\n```sh\n(.*?)```", TEXT, re.DOTALL)
    assert block is not None, f"README.md has no command {number}"
    return block.group(1).rstrip("\n")
