"""A thread for the session log, and the service whose parts are logged to their end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from threading import Thread
from typing import Any

from twisted.application.service import MultiService
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.threads import deferToThreadPool
from twisted.python.threadpool import ThreadPool
from typing_extensions import override

__all__ = ["LoggedParts", "OneThread"]


class _Background(Thread):
    """A thread that keeps no process alive: a start that fails just ends."""

    def __init__(self, **options: Any) -> None:
        """Make the thread."""
        super().__init__(**options, daemon=True)


class _Pool(ThreadPool):
    threadFactory: type[Thread] = _Background  # noqa: N815 - ThreadPool reads it


class OneThread:
    """Run functions off the reactor, one at a time, in the order they were given."""

    def __init__(self, reactor: Any, name: str) -> None:
        """Make the thread's pool; nothing runs before `start`."""
        self._reactor = reactor
        self._pool = _Pool(minthreads=0, maxthreads=1, name=name)

    def __call__(self, work: Callable[[], None]) -> Deferred[None]:
        """Run *work*, after everything that was given before."""
        return deferToThreadPool(self._reactor, self._pool, work)

    def start(self) -> None:
        """Run what was given and what will be."""
        self._pool.start()

    def stop(self) -> None:
        """End the thread; it is idle when everything given was awaited."""
        self._pool.stop()


class LoggedParts(MultiService):
    """Parts of which the log hears everything: it begins before, and ends after them.

    Args:
        thread: Writes the log.
        began: Writes the log's first line.
        when_written: Waits until everything that was told is written.
    """

    def __init__(
        self,
        thread: OneThread,
        began: Callable[[], None],
        when_written: Callable[[], Awaitable[None]],
    ) -> None:
        """Keep the log; the parts are the child services."""
        super().__init__()
        self._thread = thread
        self._began = began
        self._when_written = when_written

    @override
    def startService(self) -> None:
        """Begin the log, then the parts."""
        self._thread.start()
        self._began()
        super().startService()

    @override
    def stopService(self) -> Deferred[None]:
        """End the parts, then the log."""
        return Deferred.fromCoroutine(self._end())

    async def _end(self) -> None:
        await maybeDeferred(super().stopService)
        await self._when_written()
        self._thread.stop()
