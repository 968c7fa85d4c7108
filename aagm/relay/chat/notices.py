"""What the relay has to say to the GM, kept until a tab is there to show it."""

from __future__ import annotations

from attrs import define, field
from twisted.internet.interfaces import IDelayedCall

from aagm.relay.chat.box import Box
from aagm.relay.ports import Clock, TabLink
from aagm.wire.jsonrpc import Params

__all__ = ["Notices"]


@define(eq=False)
class Notices:
    """Say sentences in the box, each once."""

    _clock: Clock
    _box: Box
    _held: list[str] = field(factory=list, init=False)
    _timer: IDelayedCall | None = field(default=None, init=False)

    def say(self, sentence: str) -> None:
        """Say it now, or when a tab comes."""
        if self._box.unseen is None:
            self._box.say(None, sentence)
        elif sentence not in self._held:
            self._held.append(sentence)

    def accepted(self, _link: TabLink) -> Params:
        """Say what was held, once the tab's hello is answered; adds nothing to it."""
        if self._held and self._timer is None:
            self._timer = self._clock.callLater(0, self._say_held)
        return {}

    def stop(self) -> None:
        """Leave no timer behind."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _say_held(self) -> None:
        self._timer = None
        held, self._held = self._held, []
        for sentence in held:
            self.say(sentence)
