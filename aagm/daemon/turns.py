"""Keep the pauses of the reactor's thread short, in a process that runs for long.

Python's lock goes from thread to thread, and the collector of cycles holds it while
it looks at all there is: 30 to 190 ms with everything that a relay imports.
"""

from __future__ import annotations

import gc
import sys

__all__ = ["settle"]

TURN = 0.001  # seconds that a thread may keep the lock from others; usually 0.005


def settle() -> None:
    """Call once, when the process has loaded what it keeps to its end.

    The collector looks at that no more, and threads give way to the reactor sooner.
    """
    gc.collect()
    gc.freeze()
    sys.setswitchinterval(TURN)
