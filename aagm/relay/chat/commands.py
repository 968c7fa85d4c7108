"""The commands of the box that the relay itself carries out.

They work with no agent listening; whatever is no command is a prompt.

Source: DESIGN section 2; PROTOCOL_FACTS section 5.4.
"""

from __future__ import annotations

import re

from attrs import frozen

_ROLL_BACK = re.compile(r"/rollback(?:\s+(\S+))?")
_LOG = re.compile(r"/log(?:\s+(\S.*))?", re.IGNORECASE)


@frozen
class SwitchMode:
    """``/int`` and ``/ext``: who drives."""

    is_external: bool


@frozen
class RollBack:
    """``/rollback [id]``: undo to before a point, the newest without one."""

    target: str | None


@frozen
class Redo:
    """``/redo``: take the newest rollback back."""


@frozen
class ListPoints:
    """``/points``: say which rollback points there are."""


@frozen
class CloseTab:
    """``/close``: close the tab it is typed in."""


@frozen
class Terminate:
    """``/exit``, ``/stop``, ``/quit``: stop the listener, clear the tabs."""


@frozen
class ReadLog:
    """``/log [name]``: say the end of a session log, of the running one by default."""

    name: str | None


Command = SwitchMode | RollBack | Redo | ListPoints | CloseTab | Terminate | ReadLog

PLAIN: dict[str, Command] = {
    "/int": SwitchMode(is_external=False),
    "/ext": SwitchMode(is_external=True),
    "/redo": Redo(),
    "/points": ListPoints(),
    "/close": CloseTab(),
    "/exit": Terminate(),
    "/stop": Terminate(),
    "/quit": Terminate(),
}


def parse_command(text: str, *, reads_log: bool) -> Command | None:
    """Read what was typed as a command; None when it is a prompt.

    Args:
        text: As typed. Case and space around it do not matter; anything after a
            command that takes no argument makes it a prompt (``/ext later``).
        reads_log: Whether ``/log`` is a command.
    """
    typed = text.strip()
    lowered = typed.lower()
    if lowered in PLAIN:
        return PLAIN[lowered]
    if found := _ROLL_BACK.fullmatch(lowered):
        return RollBack(found[1])
    if reads_log and (found := _LOG.fullmatch(typed)):
        return ReadLog(found[1])
    return None
