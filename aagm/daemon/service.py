"""The relay as a process: listen, say so, and leave nothing behind at the end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from attrs import frozen
from twisted.application.service import MultiService
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.error import CannotListenError
from twisted.internet.interfaces import IListeningPort, IProtocolFactory
from twisted.logger import Logger
from twisted.python.failure import Failure
from typing_extensions import override

from aagm.config import Settings
from aagm.daemon import run_file
from aagm.daemon.endpoints import LoopbackEndpoint, address_of, busy, require_loopback
from aagm.daemon.lock import DataLock
from aagm.daemon.readiness import notify
from aagm.foundry import version


@frozen
class Listener:
    """Who answers at an endpoint."""

    at: LoopbackEndpoint
    factory: IProtocolFactory


class RelayService(MultiService):
    """Run the parts (the child services), then listen for the tab and for clients.

    The data folder's lock is held before this is made, so that no part has read
    the folder while another relay wrote it.
    """

    _log = Logger()

    def __init__(
        self,
        settings: Settings,
        *,
        lock: DataLock,
        bridge: Listener,
        mcp: Listener,
        control_token: str,
        when_running: Callable[[Callable[[], None]], object],
    ) -> None:
        """Keep what to listen on; nothing is opened yet.

        Args:
            settings: How the relay was started.
            lock: Held on the data folder.
            bridge: Who answers the Foundry module.
            mcp: Who answers MCP clients.
            control_token: What the ``aagm`` command sends.
            when_running: Calls once the reactor runs, and takes signals.
        """
        super().__init__()
        self._settings = settings
        self._lock = lock
        self._listeners = {"bridge": bridge, "mcp": mcp}
        self._control_token = control_token
        self._when_running = when_running
        self._ports: dict[str, IListeningPort] = {}
        self._run_file: Path | None = None

    def address(self, name: str) -> str:
        """Say where ``bridge`` or ``mcp`` listens, as ``host:port`` or a path."""
        if (port := self._ports.get(name)) is not None:
            return address_of(port)
        return self._listeners[name].at.address

    @override
    def startService(self) -> None:
        """Start the parts, listen, and tell who waits for it.

        Raises:
            StartFault: A port was taken meanwhile, or the run file cannot be written.
        """
        self._lock.sign()  # twistd may have forked since the lock was taken
        super().startService()
        for name, listener in self._listeners.items():
            self._ports[name] = listen(listener)
        self._run_file = self._write_run_file()
        self._log.info(
            "{member} {version}: the Foundry module connects to ws://{bridge},"
            " MCP clients to http://{mcp}/mcp",
            member=self._settings.member.title,
            version=version(),
            bridge=self.address("bridge"),
            mcp=self.address("mcp"),
        )
        # A signal that came before the reactor has its handlers would just kill us.
        self._when_running(_ready)

    @override
    def stopService(self) -> Deferred[None]:
        """Stop listening, then the parts; what is left is the data."""
        notify("STOPPING=1")
        return Deferred.fromCoroutine(self._end())

    async def _end(self) -> None:
        if self._run_file is not None:
            self._run_file.unlink(missing_ok=True)
        for port in self._ports.values():
            await maybeDeferred(port.stopListening)
        await maybeDeferred(super().stopService)
        self._lock.release()

    def _write_run_file(self) -> Path:
        return run_file.write(
            run_file.Running(
                pid=os.getpid(),
                member=self._settings.member.key,
                version=version(),
                data_dir=str(self._settings.data_dir),
                bridge=self.address("bridge"),
                mcp=self.address("mcp"),
                token=self._control_token,
            ),
            run_file.run_folders(self._settings.state_dir),
        )


def _ready() -> None:
    notify("READY=1")


def listen(listener: Listener) -> IListeningPort:
    """Listen now: every endpoint that we take does so without waiting.

    Raises:
        StartFault: The address was taken meanwhile, or is not loopback after all.
    """
    at = listener.at
    outcome: list[IListeningPort | Failure] = []
    at.endpoint.listen(listener.factory).addBoth(outcome.append)
    (port,) = outcome
    if isinstance(port, Failure):
        error = port.value
        if isinstance(error, CannotListenError) and isinstance(
            error.socketError, OSError
        ):
            raise busy(
                at.name, at.description, at.address, error.socketError
            ) from error
        port.raiseException()
    require_loopback(at, port)
    return port
