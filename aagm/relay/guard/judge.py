"""Judge evals without holding up the reactor: a cache, and a thread for long code."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b

from attrs import define, field
from twisted.internet.defer import Deferred

from aagm.relay.guard.classification import classify
from aagm.relay.guard.protected import Protected
from aagm.relay.guard.verdicts import Verdict

SHORT = 2048  # characters that are judged on the spot
KEPT = 1024  # verdicts in the cache

InThread = Callable[
    [Callable[[str, Protected], Verdict], str, Protected], Deferred[Verdict]
]


@define(eq=False)
class Guard:
    """Say what an eval may do, and remember it.

    Args:
        in_thread: Runs a function with its arguments in a thread, as
            `twisted.internet.threads.deferToThread` does.
        protected: What no eval may touch.
    """

    _in_thread: InThread
    protected: Protected
    _kept: OrderedDict[bytes, Verdict] = field(factory=OrderedDict, init=False)

    async def judge(self, code: str) -> Verdict:
        """Classify *code*; the same code is looked at once."""
        key = blake2b(code.encode(errors="surrogatepass"), digest_size=16).digest()
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            return kept
        if len(code) > SHORT:
            verdict = await self._in_thread(classify, code, self.protected)
        else:
            verdict = classify(code, self.protected)
        if not verdict.unfinished:
            self._kept[key] = verdict
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return verdict
