"""The guard: what an eval may do, told from its syntax tree before it runs.

`classify` is the pure rule; `Guard` asks it without holding up the reactor.
It is a safety net, not a sandbox: see ``docs/eval.md``.
"""

from aagm.relay.guard.classification import classify
from aagm.relay.guard.judge import Guard
from aagm.relay.guard.protected import Protected
from aagm.relay.guard.verdicts import Kind, Verdict

__all__ = ["Guard", "Kind", "Protected", "Verdict", "classify"]
