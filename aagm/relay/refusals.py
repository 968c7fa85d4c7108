"""Policy answers: what is not done, why, and what to do about it: pure.

Each says what to do: whoever shapes one has to give it.
Source: PROTOCOL_FACTS section 1.4; WIRE section 3.
"""

from __future__ import annotations

from typing import Any


def refused(reason: str, *, fix: str, **more: Any) -> dict[str, Any]:
    """Shape a refusal: ``{refused, reason, fix, …}``, a success and no error."""
    return {"refused": True, "reason": reason, "fix": fix, **more}


def blocked(reason: str, *, fix: str, **more: Any) -> dict[str, Any]:
    """Shape the refusal of what no point could take back, or of what is protected."""
    return {"blocked": True, "reason": reason, "fix": fix, **more}
