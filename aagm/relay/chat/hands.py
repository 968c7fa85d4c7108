"""Put prompts into answers, and take back what did not arrive."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from attrs import define

from aagm.relay.chat.ledger import Ledger
from aagm.relay.chat.polls import Caller
from aagm.relay.chat.prompt import Prompt
from aagm.wire.jsonrpc import Json


@define(eq=False)
class Hands:
    """Hand prompts out, once each.

    Args:
        came_back: Called when prompts are to be had again.
    """

    _ledger: Ledger
    _came_back: Callable[[], None]

    def give(
        self,
        prompts: Sequence[Prompt],
        caller: Caller,
        *,
        to: str | None,
        closed: Sequence[str] = (),
    ) -> list[Json]:
        """Shape *prompts* for the answer that *caller* gets.

        Args:
            prompts: Queued prompts; they leave the queue.
            caller: Whose answer it is.
            to: The listener; None when they ride on a tool's answer.
            closed: Closed tabs that the same answer tells of.

        Raises:
            DiskFault: It could not be saved; nothing was handed out.
        """
        world = self._ledger.here
        ids = [p.id for p in prompts]
        self._ledger.save("handed", ids=ids, closed=list(closed), to=to)
        hand = self._ledger.room.hands

        def settle(arrived: bool) -> None:
            if arrived:
                self._ledger.note("written", at=world, hand=hand)
            else:
                self._ledger.note("returned", at=world, hand=hand)
                self._came_back()

        caller.on_delivered(settle)
        return [p.to_listener() for p in prompts]
