"""A bearer token that a request must carry."""

from __future__ import annotations

import hmac

from attrs import field, frozen
from twisted.web.server import Request

from aagm.mcp.message import header


@frozen
class Bearer:
    """A token, compared so that timing tells nothing."""

    token: str = field(repr=False)

    def admits(self, request: Request) -> bool:
        """Whether *request* carries the token."""
        scheme, _, token = (header(request, "authorization") or "").partition(" ")
        same = hmac.compare_digest(token.strip().encode(), self.token.encode())
        return same and scheme.lower() == "bearer"
