"""Lists of names, written as text."""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """Split *text* into its words."""
    return frozenset(text.split())
