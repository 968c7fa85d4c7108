"""Pages that were turned away: the GM hears of each once.

Source: DESIGN section 7; WIRE section 6.
"""

from __future__ import annotations

from attrs import define, field

from aagm.wire.jsonrpc import Params

KEPT = 50  # origins; a program that makes up more is not worth the room


@define(eq=False)
class RefusedPages:
    """Count refusals by origin, and hand each origin out once."""

    _counts: dict[str, int] = field(factory=dict, init=False)
    _reported: set[str] = field(factory=set, init=False)

    def note(self, origin: str) -> None:
        """Count one more refusal of *origin*, written so that a person may read it."""
        if origin in self._counts or len(self._counts) < KEPT:
            self._counts[origin] = self._counts.get(origin, 0) + 1

    def take_unreported(self) -> list[Params]:
        """Give what was not given yet, as params of ``aagm.page.refused``."""
        fresh = [each for each in self._counts if each not in self._reported]
        self._reported.update(fresh)
        return [{"origin": each, "count": self._counts[each]} for each in fresh]
