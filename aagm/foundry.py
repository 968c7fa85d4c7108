"""Where the module, the simulator and the plug-ins lie, and the one version number.

Installed they are data below ``aagm``; in a checkout they stand beside it. The pages
of documentation are below it in both.
Source: MCP_FACTS section 9.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path

_AAGM = Path(str(files("aagm")))


def module_folder() -> Path:
    """Name the folder that Foundry installs as ``modules/aagm``."""
    return _folder("_foundry", "foundry") / "module"


def simulator_folder() -> Path:
    """Name the folder of the simulated Foundry."""
    return _folder("_foundry", "foundry") / "simulator"


def plugins_folder() -> Path:
    """Name the folder of the shipped plug-in macros."""
    return _folder("_plugins", "plugins")


def page(name: str) -> Path:
    """Name the file of a page of documentation, by its name without an ending."""
    return (_AAGM / "docs" / f"{name}.md").resolve()


@cache
def version() -> str:
    """Give the version that module, relay and package share."""
    manifest = (module_folder() / "module.json").read_text(encoding="utf-8")
    return str(json.loads(manifest)["version"])


def _folder(installed: str, in_checkout: str) -> Path:
    folder = _AAGM / installed
    return folder if folder.is_dir() else _AAGM.parent / in_checkout
