"""Join the concrete parts of one relay; what `aagm.tap` and the demo start.

One function a part. Nothing here decides anything.
Source: DESIGN sections 3 and 9.
"""

from aagm.parts.relay import Relay, join

__all__ = ["Relay", "join"]
