"""What the ``aagm pair`` command asks of a running relay.

Source: WIRE sections 2 and 7.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from aagm.bridge.pairing import WINDOW, Pairing
from aagm.errors import BadParams
from aagm.wire.jsonrpc import Json, Params

Verb = Callable[[Params], Awaitable[Json]]


def pair_verbs(pairing: Pairing | None) -> dict[str, Verb]:
    """Give the verb ``pair``: it opens a window and answers with its code.

    The code goes back over the control channel, whose token only this user can
    read, to be shown on that terminal and nowhere else.
    """

    async def pair(params: Params) -> Json:  # noqa: ARG001
        if pairing is None:
            raise BadParams(
                "this relay runs with --pairing off: every GM's tab is let in"
            )
        codes: list[str] = []
        pairing.open_window(WINDOW, show=codes.append)
        return {"code": codes[0], "seconds": WINDOW}

    return {"pair": pair}
