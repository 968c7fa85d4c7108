"""Writes that ran when the relay was stopped: found again by the call they are of.

Source: DESIGN section 4, "Repeated calls".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from attrs import define, field

from aagm.relay.rollback.index import Index
from aagm.relay.rollback.lane import Ticket
from aagm.relay.rollback.recording import Recording
from aagm.relay.rollback.recordings import Recordings
from aagm.wire.jsonrpc import Json

REPEATABLE = 600.0  # seconds after a write began
LOST = (
    "the relay was stopped while this write ran: it was not done a second time, and "
    "what it returned is lost"
)


@define(eq=False)
class Survivors:
    """Give each of these writes to the one call that repeats it.

    Its caller had no answer. What the tab recorded is whole once the recording has
    ended; what the write returned went to a relay that is no more.
    """

    _index: Index
    _recordings: Recordings
    _brief: Callable[[str], dict[str, Any] | None]
    # With how old each seemed: below 0 where the clock ran ahead when it was begun.
    _by_key: dict[str, tuple[Recording, float]] = field(factory=dict, init=False)

    def load(self, unanswered: Iterable[Recording]) -> None:
        """Take over what was found on disk, and whose caller had no answer."""
        self._by_key = {
            each.key: (each, min(0.0, self._index.age(each.head)))
            for each in unanswered
            if each.key is not None
        }

    def take(self, key: str) -> Ticket | None:
        """Give, once, the write whose call has that key; None if there is none."""
        recording, ahead = self._by_key.pop(key, (None, 0.0))
        if recording is None or self._index.age(recording.head) - ahead > REPEATABLE:
            return None
        ticket = Ticket("agent", recording.head.summary)
        ticket.is_waiting, ticket.is_sent = False, True
        ticket.point_id = recording.id
        ended = self._recordings.when_ended(recording)
        ended.addCallback(lambda _: ticket.answer(self._told(recording)))
        return ticket

    def _told(self, recording: Recording) -> Json:
        answer: dict[str, Json] = {"resultLost": True, "reason": LOST}
        if (point := self._brief(recording.id)) is not None:
            answer["rollbackPoint"] = point
        return answer
