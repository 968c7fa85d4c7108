"""Who may listen: the rules of the one lease, as functions of the time.

Source: DESIGN section 6; PROTOCOL_FACTS section 5.2.
"""

from __future__ import annotations

from attrs import field, frozen

from aagm.errors import ListenerOccupied

LEASE = 45.0  # seconds of quiet that a listener may keep


@frozen
class Vacant:
    """Nobody listens."""


@frozen
class Held:
    """One listener listens."""

    by: str
    until: float  # seconds, on the clock that was passed in as *now*
    tabs: frozenset[str] = field(factory=frozenset)  # tabs it was handed prompts of


LeaseState = Vacant | Held


def claim(state: LeaseState, by: str, *, now: float) -> Held:
    """Take or renew the lease for *by*.

    Raises:
        ListenerOccupied: Another listener holds it.
    """
    match state:
        case Held(by=holder, until=until) if holder != by and now < until:
            raise ListenerOccupied(
                "listener-occupied: another listener answers this world's box",
                fix="Stop polling, unless the GM asks you to take over; the other "
                f"listener's lease ends after {LEASE:g} seconds without a call.",
            )
        case Held(by=holder, tabs=tabs) if holder == by:
            return Held(by, now + LEASE, tabs)
    return Held(by, now + LEASE)
