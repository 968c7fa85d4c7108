"""Who may import whom: DESIGN section 3, held for every module of ours."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

AAGM = Path(__file__).parent.parent / "aagm"

ALL = frozenset({""})

# Longest prefix wins. A package may import itself; "" is everything.
ALLOWED: dict[str, frozenset[str]] = {
    "__init__": frozenset(),
    "errors": frozenset(),
    "foundry": frozenset(),
    "limits": frozenset(),
    "wire": frozenset({"errors"}),
    "members": frozenset({"errors"}),
    "loopback": frozenset({"errors"}),
    "config": frozenset({"errors", "members", "loopback", "limits"}),
    "relay": frozenset({"errors", "wire", "members"}),
    # What is wrong with a plug-in names the page that says how one is written.
    "relay.plugins": frozenset({"errors", "wire", "members", "relay", "foundry"}),
    # A member is a value that everybody may hold.
    "bridge": frozenset({"errors", "wire", "loopback", "members", "relay.ports"}),
    "mcp": frozenset({"errors", "wire", "loopback", "limits", "members", "relay"}),
    "testing": frozenset({"errors", "wire", "relay.ports"}),
    "daemon": frozenset({"errors", "loopback", "config", "foundry"}),
    # The composition root is two modules: options, and the joining of parts, which
    # the demo uses as well.
    "tap": ALL,
    "parts": ALL,
    "demo": ALL,
    "cli": ALL,
    "__main__": ALL,
}

# What imports nothing from Twisted: no clock, no disk, no socket (STYLE section 1).
PURE = ("wire", "members", "loopback", "limits", "errors", "config", "foundry")

MODULES = sorted(AAGM.rglob("*.py"))


def name_of(path: Path) -> str:
    """Write the dotted name below ``aagm``."""
    return ".".join(path.relative_to(AAGM).with_suffix("").parts)


def imports_of(path: Path) -> set[str]:
    """List what *path* imports, absolute, wherever the import stands."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=aliases):
                names |= {alias.name for alias in aliases}
            case ast.ImportFrom(module=module, names=aliases, level=0):
                names |= {f"{module}.{alias.name}" for alias in aliases}
            case ast.ImportFrom():
                names.add(f"a relative import in line {node.lineno}")
    return names


def is_below(name: str, package: str) -> bool:
    """Whether *name* is *package* or inside it; everything is below ""."""
    return not package or name == package or name.startswith(f"{package}.")


def rule_of(name: str) -> str:
    """Find the row that governs the module *name*."""
    return max((row for row in ALLOWED if is_below(name, row)), key=len, default="")


def breaches(name: str, imports: set[str]) -> list[str]:
    """List the imports that the row of *name* does not allow."""
    row = rule_of(name)
    allowed = ALLOWED[row] | {row}
    ours = [each.removeprefix("aagm.") for each in imports if is_below(each, "aagm")]
    return sorted(
        each
        for each in ours
        if each != "aagm" and not any(is_below(each, package) for package in allowed)
    )


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_keep_the_direction(path):
    """Every module imports only what its row of the table allows."""
    name = name_of(path)
    assert rule_of(name), f"no row of the table governs {name}"
    assert breaches(name, imports_of(path)) == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_root_names_the_reactor(path):
    """Whoever needs time or sockets is handed them."""
    if name_of(path) != "tap":
        assert "twisted.internet.reactor" not in imports_of(path)


@pytest.mark.parametrize(
    "path", [p for p in MODULES if rule_of(name_of(p)) in PURE], ids=name_of
)
def test_pure_modules_know_no_twisted(path):
    """What can be decided without a clock and a socket is decided there."""
    assert not [each for each in imports_of(path) if is_below(each, "twisted")]


def test_no_relative_imports():
    """An import says where it comes from."""
    relative = {
        each for path in MODULES for each in imports_of(path) if " relative " in each
    }
    assert relative == set()


def test_a_breach_would_be_found():
    """The check itself bites: policy that reaches for the socket is named."""
    assert breaches("relay.rollback.lane", {"aagm.bridge.sessions"}) == [
        "bridge.sessions"
    ]
    assert breaches("bridge.hub", {"aagm.relay.ports.Bridge"}) == []
    assert breaches("bridge.hub", {"aagm.relay.damage.plan"}) == ["relay.damage.plan"]


def test_a_package_init_has_no_code():
    """An ``__init__`` holds a docstring and ``__all__``."""
    for path in AAGM.rglob("__init__.py"):
        body = ast.parse(path.read_text(encoding="utf-8")).body
        kinds = [type(node) for node in body]
        assert kinds[0] is ast.Expr, path
        assert set(kinds[1:]) <= {ast.Assign, ast.Import, ast.ImportFrom}, path
