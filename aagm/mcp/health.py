"""``GET /healthz`` and what it shares with ``foundry_ping``: is a tab connected.

Source: DESIGN sections 4 and 9; WIRE section 8.
"""

from __future__ import annotations

from attrs import define, field

from aagm.members import Member
from aagm.relay.ports import Bridge, Clock
from aagm.wire.jsonrpc import Json


@define(eq=False)
class Connection:
    """What can be said of the relay without asking the tab."""

    clock: Clock
    bridge: Bridge
    member: Member
    version: str  # of the relay
    _since: float = field(init=False)  # seconds, on the clock

    @_since.default
    def _now(self) -> float:
        return self.clock.seconds()

    def status(self) -> dict[str, Json]:
        """Say whether a tab is connected, for an agent: with reason and cure."""
        owner = self.bridge.owner
        answer: dict[str, Json] = {
            "connected": owner is not None,
            "member": self.member.key,
            "version": self.version,
            "uptimeSeconds": round(self.clock.seconds() - self._since),
        }
        if owner is None:
            why = self.bridge.why_not()
            answer["reason"] = {
                "code": why.code,
                "message": why.message,
                "fix": why.fix,
            }
        elif owner.is_hidden:
            answer["hidden"] = True  # the tab is in the background
        return answer

    def health(self) -> dict[str, Json]:
        """Say the same for anybody who asks: no name, no address, no path."""
        connected = self.bridge.owner is not None
        bridge: dict[str, Json] = {"connected": connected}
        if not connected:
            bridge["reason"] = {"code": self.bridge.why_not().code}
        return {
            "ok": True,
            "member": self.member.key,
            "version": self.version,
            "bridge": bridge,
        }
