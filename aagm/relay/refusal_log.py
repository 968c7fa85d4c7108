"""How much is logged of those who are turned away: no stranger may fill the disk.

Source: DESIGN section 7; PROTOCOL_FACTS section 12.1.
"""

from __future__ import annotations

from collections import Counter

from attrs import define, field
from twisted.internet.interfaces import IDelayedCall
from twisted.logger import Logger

from aagm.relay.ports import Audit, Clock

__all__ = ["KINDS", "MINUTE", "WHOLE", "RefusalLog"]

MINUTE = 60.0  # seconds, from the first refusal on
WHOLE = 3  # refusals of one kind that are logged whole in it
KINDS = 20  # of one event that are told apart in it; anybody can make up more
_OTHERS = "others"


@define(eq=False)
class RefusalLog:
    """Say of each refusal whether it is logged; tell the number of the others.

    Args:
        clock: What the minute runs on.
        audit: Keeps the session log.
    """

    _log = Logger()

    _clock: Clock
    _audit: Audit
    _seen: Counter[tuple[str, ...]] = field(factory=Counter, init=False)
    _timer: IDelayedCall | None = field(default=None, init=False)
    _is_over: bool = field(default=False, init=False)

    def __call__(self, event: str, /, *kind: str) -> bool:
        """Take note of a refusal; whether it is logged whole (`Refusals`)."""
        if self._timer is None and not self._is_over:
            self._timer = self._clock.callLater(MINUTE, self._tell)
        what = (event, *kind)
        if what not in self._seen and self._kinds_of(event) >= KINDS:
            what = (event, _OTHERS)
        self._seen[what] += 1
        return what != (event, _OTHERS) and self._seen[what] <= WHOLE

    def stop(self) -> None:
        """Tell what was counted, and leave no timer behind."""
        self._is_over = True
        if self._timer is not None:
            self._timer.cancel()
            self._tell()

    def _kinds_of(self, event: str) -> int:
        return sum(each == event for each, *_ in self._seen)

    def _tell(self) -> None:
        """Log how many were not, in one line, and begin to count anew."""
        self._timer = None
        seen, self._seen = self._seen, Counter()
        more = {
            " ".join(what): rest
            for what, count in seen.items()
            if (rest := count if what[1:] == (_OTHERS,) else count - WHOLE) > 0
        }
        if more:
            self._audit("refusals.more", seconds=MINUTE, counts=more)
            self._log.info("{count} more were refused", count=sum(more.values()))
