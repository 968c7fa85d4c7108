"""The limits that writes keep to; the composition root hands them over."""

from __future__ import annotations

from typing import Protocol

GRACE = 5.0  # seconds that the relay waits longer than the module does


class Limits(Protocol):
    """The limits that writes keep to."""

    @property
    def read_seconds(self) -> float:
        """How long a read may take."""

    @property
    def write_seconds(self) -> float:
        """How long a write may take."""

    @property
    def settle_max_ms(self) -> float:
        """How long a recording stays open after its answer, at most."""

    @property
    def running_seconds(self) -> float:
        """How long a call is held before it is told that its write goes on."""
