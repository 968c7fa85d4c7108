"""There is one version number."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

from aagm.foundry import (
    module_folder,
    plugins_folder,
    simulator_folder,
    version,
)

ROOT = Path(__file__).parent.parent


def test_the_module_has_the_packages_version():
    """Foundry and pip show the same number."""
    package = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    manifest = json.loads((ROOT / "foundry/module/module.json").read_text("utf-8"))
    assert manifest["version"] == package["project"]["version"] == version()


def test_the_data_is_found():
    """Module, simulator and plug-ins are there, installed or in a checkout."""
    assert (module_folder() / "module.json").is_file()
    assert simulator_folder().is_dir()
    assert plugins_folder().is_dir()
