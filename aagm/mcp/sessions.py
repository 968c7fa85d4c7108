"""Sessions of the handshake era: an id, its revision, its running calls.

Source: MCP_FACTS "Decided" and section 5; FIELD_LESSONS 93, 95.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable

from attrs import define, field

from aagm.mcp.revisions import ASSUMED
from aagm.relay.ports import Clock

MOST = 1000  # sessions kept; the longest unused goes first
IDLE = 1800.0  # seconds without a call after which a session may go
_ENDED_KEPT = 200

LONGEST = 200  # characters of an id

_ID = re.compile(rf"[\x21-\x7e]{{1,{LONGEST}}}")


def made_up_id() -> str:
    """Make an id that nobody can guess."""
    return secrets.token_hex(16)


@define(eq=False)
class Session:
    """One client that shook hands, or says that it did."""

    id: str
    revision: str = ASSUMED
    level: str = "info"  # the least log message that the client wants to hear
    used: float = 0.0  # seconds, on the clock
    # How to cancel each running call, by the type and text of its request id:
    # 1 and "1" are two calls.
    _running: dict[tuple[type, str | int], Callable[[], None]] = field(
        factory=dict, init=False
    )

    @property
    def is_idle(self) -> bool:
        """Whether no call of this session runs."""
        return not self._running

    def began(self, id_: str | int, cancel: Callable[[], None]) -> None:
        """Take note of a running call; of two with one id the newer is cancelled."""
        self._running[type(id_), id_] = cancel

    def ended(self, id_: str | int, cancel: Callable[[], None]) -> None:
        """Forget a call, unless a newer one has taken its id."""
        if self._running.get((type(id_), id_)) is cancel:
            del self._running[type(id_), id_]

    def cancel(self, id_: str | int) -> None:
        """Cancel a running call of this session; no error when there is none."""
        cancel = self._running.pop((type(id_), id_), None)
        if cancel is not None:
            cancel()


@define(eq=False)
class Sessions:
    """The sessions by id; an id that we do not know is adopted."""

    _clock: Clock
    _by_id: dict[str, Session] = field(factory=dict, init=False)  # longest unused first
    _ended: dict[str, None] = field(factory=dict, init=False)  # oldest first

    def __len__(self) -> int:
        """Count the sessions that are kept."""
        return len(self._by_id)

    def open(self, revision: str) -> Session:
        """Begin a session after a handshake."""
        return self._keep(Session(made_up_id(), revision))

    def find(self, id_: str) -> Session | None:
        """Give the session of *id_*, adopting an id that we never saw.

        A relay that was restarted knows no ids, and several clients never shake
        hands a second time.

        Returns:
            None when the session was ended by its client, or the id is none.
        """
        session = self._by_id.pop(id_, None)
        if session is None:
            if self.was_ended(id_) or not _ID.fullmatch(id_):
                return None
            session = Session(id_)
        return self._keep(session)

    def was_ended(self, id_: str) -> bool:
        """Whether a client ended the session of *id_*, not long ago."""
        return id_ in self._ended

    def end(self, id_: str) -> bool:
        """End a session at its client's wish; False when there is none."""
        if self._by_id.pop(id_, None) is None:
            return False
        self._ended[id_] = None
        while len(self._ended) > _ENDED_KEPT:
            del self._ended[next(iter(self._ended))]
        return True

    def _keep(self, session: Session) -> Session:
        """Put *session* last, and drop those that nobody used for long."""
        now = session.used = self._clock.seconds()
        self._by_id[session.id] = session
        while True:
            oldest = next(iter(self._by_id.values()))
            is_stale = oldest.is_idle and oldest.used + IDLE < now
            if not (is_stale or len(self._by_id) > MOST):
                return session
            del self._by_id[oldest.id]
