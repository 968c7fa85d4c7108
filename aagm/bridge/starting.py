"""Start work that nobody waits for."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any

from twisted.internet.defer import Deferred
from twisted.logger import Logger


def start(
    work: Coroutine[Deferred[Any], Any, object], log: Logger, what: str
) -> Deferred[object]:
    """Run *work* where nobody waits for it; what it raises is logged as *what*."""
    d: Deferred[object] = Deferred.fromCoroutine(work)
    d.addErrback(lambda failure: log.failure("while {what}", failure, what=what))
    return d
