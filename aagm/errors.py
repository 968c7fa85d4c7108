"""Exceptions that cross a module.

``str(error)`` is one sentence fit for the operator; ``fix`` says what to do.
``aagm.wire.codes`` gives each its JSON-RPC code.
"""

from __future__ import annotations

from typing import Any, ClassVar


class AagmError(Exception):
    """What every error of ours is.

    Args:
        message: One sentence fit for the operator.
        fix: What to do about it, one sentence; by default what helps against its kind.
        data: JSON members that travel with the error (``stack``, ``rollback``, …).
    """

    usual_fix: ClassVar[str] = ""  # what to do about an error of this kind
    read_fix: ClassVar[str] = ""  # what to do instead where only reading was asked

    def __init__(
        self, message: str, *, fix: str = "", data: dict[str, Any] | None = None
    ) -> None:
        """Keep the sentence, its cure and what travels with it."""
        super().__init__(message)
        self.fix = fix or self.usual_fix
        self.data: dict[str, Any] = data or {}


class StartFault(AagmError):
    """The process cannot start: an option, a port or a folder is wrong."""

    usual_fix = "Correct what it names, and start again."


class Unparseable(AagmError):
    """A frame or a body is not JSON."""

    usual_fix = "Send one JSON object in UTF-8."


class BadRequest(AagmError):
    """JSON that is not a JSON-RPC 2.0 message."""

    usual_fix = "Send one JSON-RPC 2.0 message."


class MethodUnknown(AagmError):
    """A method that nobody here answers."""

    usual_fix = "Update the older one of the relay, the module and the client."


class BadParams(AagmError):
    """Params or arguments of the wrong shape."""

    usual_fix = "Correct what the message names, and call again."


class Internal(AagmError):
    """A bug of ours, or a stranger's exception; the log has it whole."""

    usual_fix = "Look into the relay's log, and at the world before writing again."
    read_fix = "Look into the relay's log."


class NotCapable(AagmError):
    """A method outside the tab's capability set; nothing was sent."""

    usual_fix = "Use another tool: the relay never asks a tab for this."


class HandlerThrew(AagmError):
    """The module's handler threw; ``data`` has ``stack`` and ``rollback``."""

    usual_fix = (
        "Correct what the message names, and look at the world before writing again."
    )
    read_fix = "Correct what the message names, and call again."


class NoModule(AagmError):
    """No Foundry tab is connected, or it was refused; ``data["reason"]`` says why."""

    usual_fix = "Let a game master open the world in Foundry and connect."


class BridgeLost(NoModule):
    """The tab left while its answer was awaited."""

    usual_fix = "Wait until the Foundry tab is back, and look before you write again."
    read_fix = "Wait until the Foundry tab is back, and call again."


class ListenerOccupied(AagmError):
    """Another listener holds the lease."""

    usual_fix = "Stop polling: there is one listener at a time."


class PairingRequired(AagmError):
    """A hello without a valid token or code."""

    usual_fix = "Run `aagm pair` and type the six digits into the module's settings."


class VersionMismatch(AagmError):
    """A hello of a protocol that this relay does not speak."""

    usual_fix = "Update the older one of the relay and the module."


class NotGameMaster(AagmError):
    """A hello by a user who is not a GM."""

    usual_fix = "Log into Foundry as a game master."


class TooLarge(AagmError):
    """A message, a body or an argument past its limit."""

    usual_fix = "Ask for less, or send less, at a time."


class TimeLimit(AagmError):
    """A request that was not answered in time."""

    usual_fix = "Bring the Foundry tab to the front; reload it if it is frozen."


class LaneBusy(AagmError):
    """The write lane refused a write: the GM's rollback, or too many wait."""

    usual_fix = "Look at the world again before you repeat the write."


class CallerLeft(AagmError):
    """Whoever asked for a write left before it was begun: it was not."""

    usual_fix = "Call again: nothing was written."


class DiskFault(AagmError):
    """A file that must be written cannot be; the write was not started."""

    usual_fix = "Make room on the relay's disk, or let it write to its data folder."


class UnknownVersion(AagmError):
    """A file of a version that this relay does not know; it is left alone."""

    usual_fix = "Use the relay that wrote it, or move the file away."


class ProtectedDocument(AagmError):
    """A document on the protected list."""

    usual_fix = "Leave it alone, and tell the game master."
