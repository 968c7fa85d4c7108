"""Tell systemd how far the process is.

Source: MCP_FACTS section 10; sd_notify(3).
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping

from twisted.logger import Logger

_log = Logger()


def notify(state: str, env: Mapping[str, str] = os.environ) -> None:
    """Send *state*, such as ``READY=1``, where ``$NOTIFY_SOCKET`` says, if anywhere."""
    if not (path := env.get("NOTIFY_SOCKET")):
        return
    address = "\0" + path[1:] if path.startswith("@") else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        try:
            channel.sendto(state.encode(), address)
        except OSError as e:  # whoever started us has gone; the relay works without
            _log.warn("{state} reached nobody: {why}", state=state, why=e.strerror)
