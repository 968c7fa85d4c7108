"""Names of a plug-in's arguments: Foundry makes each a parameter, so names are code.

Pure. Source: FOUNDRY_FACTS section 6; PROTOCOL_FACTS section 14.5.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

_IDENTIFIER = re.compile(r"[A-Za-z_$][A-Za-z0-9_$]*\Z")

# Foundry takes the first three out of the scope, and shadows or breaks the others.
_TAKEN = """
speaker actor token character scope this arguments eval __proto__
"""
TAKEN = frozenset(_TAKEN.split())
_RESERVED = """
await break case catch class const continue debugger default delete do else enum
export extends false finally for function if implements import in instanceof interface
let new null package private protected public return static super switch throw true
try typeof var void while with yield
"""
_WORDS = frozenset(_RESERVED.split())
_SHOWN = 60  # characters of a name that is repeated


def fault(name: str) -> str | None:
    """Say why *name* can be no argument; None when it can."""
    shown = name if len(name) <= _SHOWN else f"{name[:_SHOWN]}…"
    if name in TAKEN:
        return f"an argument cannot be called {shown}: Foundry keeps that name"
    if name in _WORDS:
        return f"an argument cannot be called {shown}: it is a word of JavaScript"
    if _IDENTIFIER.match(name) is None:
        return f"an argument cannot be called {shown!r}: it is no plain identifier"
    return None


def first_fault(names: Iterable[str]) -> str | None:
    """Say what is wrong with the first bad name."""
    return next((said for name in names if (said := fault(name))), None)
