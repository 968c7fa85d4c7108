"""How long a call may take: all of it fits into what the least patient client waits.

Source: WIRE section 8.
"""

from __future__ import annotations

CLIENT = 60.0  # seconds that the least patient client waits for an answer
ANSWERED = 55.0  # seconds after which any call has one, if only an error
HELD = 50.0  # seconds that a tool may hold its call, or wait for the tab
