"""Keep the collector of cycles out of a verdict.

A verdict makes some ten thousand small objects and drops them all. That many
call the collector, which then looks at the whole process: 10 ms and more.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, field


@define(eq=False)
class _Pause:
    """How many verdicts are being made, in all threads."""

    lock: threading.Lock = field(factory=threading.Lock)
    running: int = 0
    was_enabled: bool = False


_PAUSE = _Pause()


@contextmanager
def no_collection() -> Iterator[None]:
    """Hold the collector back; it is as it was when the last verdict is made."""
    with _PAUSE.lock:
        if not _PAUSE.running:
            _PAUSE.was_enabled = gc.isenabled()
            gc.disable()
        _PAUSE.running += 1
    try:
        yield
    finally:
        with _PAUSE.lock:
            _PAUSE.running -= 1
            if not _PAUSE.running and _PAUSE.was_enabled:
                gc.enable()
