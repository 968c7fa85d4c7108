"""Exceptions that cross a module.

``str(error)`` is one sentence fit for the operator; ``fix`` says what to do.
``aagm.wire.codes`` gives each its JSON-RPC code.
"""

from __future__ import annotations

from typing import Any


class AagmError(Exception):
    """What every error of ours is.

    Args:
        message: One sentence fit for the operator.
        fix: What to do about it, one sentence; empty when nothing can be done.
        data: JSON members that travel with the error (``stack``, ``rollback``, …).
    """

    def __init__(
        self, message: str, *, fix: str = "", data: dict[str, Any] | None = None
    ) -> None:
        """Keep the sentence, its cure and what travels with it."""
        super().__init__(message)
        self.fix = fix
        self.data: dict[str, Any] = data or {}


class StartFault(AagmError):
    """The process cannot start: an option, a port or a folder is wrong."""


class Unparseable(AagmError):
    """A frame or a body is not JSON."""


class BadRequest(AagmError):
    """JSON that is not a JSON-RPC 2.0 message."""


class MethodUnknown(AagmError):
    """A method that nobody here answers."""


class BadParams(AagmError):
    """Params or arguments of the wrong shape."""


class Internal(AagmError):
    """A bug of ours, or a stranger's exception; the log has it whole."""


class NotCapable(AagmError):
    """A method outside the tab's capability set; nothing was sent."""


class HandlerThrew(AagmError):
    """The module's handler threw; ``data`` has ``stack`` and ``rollback``."""


class NoModule(AagmError):
    """No Foundry tab is connected, or it was refused; ``data["reason"]`` says why."""


class BridgeLost(NoModule):
    """The tab left while its answer was awaited."""


class ListenerOccupied(AagmError):
    """Another listener holds the lease."""


class PairingRequired(AagmError):
    """A hello without a valid token or code."""


class VersionMismatch(AagmError):
    """A hello of a protocol that this relay does not speak."""


class NotGameMaster(AagmError):
    """A hello by a user who is not a GM."""


class TooLarge(AagmError):
    """A message, a body or an argument past its limit."""


class TimeLimit(AagmError):
    """A request that was not answered in time."""


class LaneBusy(AagmError):
    """The write lane refused a write: the GM's rollback, or too many wait."""


class CallerLeft(AagmError):
    """Whoever asked for a write left before it was begun: it was not."""


class DiskFault(AagmError):
    """A file that must be written cannot be; the write was not started."""


class UnknownVersion(AagmError):
    """A file of a version that this relay does not know; it is left alone."""


class ProtectedDocument(AagmError):
    """A document on the protected list."""
