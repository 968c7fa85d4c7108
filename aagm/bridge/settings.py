"""What the bridge is told at the start."""

from __future__ import annotations

from attrs import frozen

from aagm.wire.jsonrpc import Params

MIB = 1024 * 1024


@frozen
class BridgeSettings:
    """The bridge's part of the relay's settings.

    ``limits`` and ``protected`` are members of the hello's answer as they stand there.
    Source: WIRE section 1.
    """

    member: str  # kimi or grok
    member_name: str
    relay_version: str
    limits: Params
    protected: Params
    allow_origins: frozenset[str] = frozenset()  # in their one form
    users: frozenset[str] | None = None  # user ids; None: any GM
    page: str | None = None  # where the demo shows its world
    message: int = 32 * MIB  # bytes a frame may have, in and out
    stranger: int = MIB  # bytes a frame may have whose sender is not let in
    outgoing: int = 64 * MIB  # bytes that may wait for a tab that does not read
    sockets: int = 64  # at once; further ones get HTTP 503
    hello_seconds: float = 5.0
    ping_seconds: float = 20.0
    pong_seconds: float = 10.0
    replace_seconds: float = 2.0  # for a pong, before another tab of the user goes
    close_seconds: float = 2.0  # for the other side to close, before it is cut
