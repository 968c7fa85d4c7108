"""What every part stands on: settings, clock, disk, the session log, the tabs' word."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, ParamSpec, TypeVar

from attrs import frozen
from twisted.internet.defer import Deferred
from twisted.internet.threads import deferToThreadPool
from twisted.logger import Logger

from aagm.config import Settings
from aagm.daemon.log_thread import OneThread
from aagm.relay.audit import SessionLog
from aagm.relay.disk import LocalDisk
from aagm.relay.inbound import Inbound
from aagm.relay.log_files import LogFiles
from aagm.relay.refusal_log import RefusalLog

_stdout = Logger("aagm.parts")

P = ParamSpec("P")
T = TypeVar("T")

now = time.time


@frozen
class Ground:
    """What the other parts are handed."""

    reactor: Any  # clock, sockets and threads
    settings: Settings
    disk: LocalDisk
    inbound: Inbound
    log: SessionLog
    log_thread: OneThread
    log_files: LogFiles
    refusals: RefusalLog
    on_trouble: list[Callable[[str], None]]  # told when the session log loses lines

    def in_thread(
        self, work: Callable[P, T], *args: P.args, **named: P.kwargs
    ) -> Deferred[T]:
        """Run *work* off the reactor's thread."""
        pool = self.reactor.getThreadPool()
        return deferToThreadPool(self.reactor, pool, work, *args, **named)


def lay_ground(reactor: Any, settings: Settings) -> Ground:
    """Make it; nothing is written yet."""
    pool = reactor.getThreadPool()
    disk = LocalDisk(partial(deferToThreadPool, reactor, pool))
    log_thread = OneThread(reactor, "session log")
    on_trouble: list[Callable[[str], None]] = []

    def trouble(sentence: str) -> None:
        _stdout.warn("{sentence}", sentence=sentence)
        for tell in on_trouble:
            tell(sentence)

    log = SessionLog(
        folder=settings.logs_dir,
        member=settings.member,
        disk=disk,
        now=now,
        in_thread=log_thread,
        trouble=trouble,
    )
    return Ground(
        reactor=reactor,
        settings=settings,
        disk=disk,
        inbound=Inbound(),
        log=log,
        log_thread=log_thread,
        log_files=LogFiles(settings.logs_dir, log.path.name),
        refusals=RefusalLog(reactor, log),
        on_trouble=on_trouble,
    )
