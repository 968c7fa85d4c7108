"""One prompt, and where it is on its way from the GM to a listener."""

from __future__ import annotations

from typing import Any

from attrs import asdict, field, frozen

from aagm.wire.jsonrpc import Json


@frozen
class Queued:
    """Nobody has it yet."""


@frozen
class Parked:
    """Queued, and held back until ``/int``."""


@frozen
class Cancelled:
    """Nobody will get it; its tab shows it, to be sent again."""


@frozen
class Handed:
    """It was put into an answer.

    Kept until it is known to have arrived and to have been taken up, since until then
    it may have to be offered again.
    """

    hand: int  # which answer, counted
    to: str | None  # the listener; None: it rode on a tool's answer
    is_written: bool = False  # the answer reached a live connection
    is_touched: bool = False  # a call named its tab since

    def is_lost_to(self, by: str) -> bool:
        """Say whether another listener has it, now that *by* holds the lease."""
        return self.to is not None and self.to != by and not self.is_touched


Place = Queued | Parked | Cancelled | Handed

_PLACES: dict[str, type[Any]] = {
    "queued": Queued,
    "parked": Parked,
    "cancelled": Cancelled,
    "handed": Handed,
}
_NAMES = {kind: name for name, kind in _PLACES.items()}


@frozen
class Prompt:
    """What the GM typed, once."""

    id: str
    text: str
    tab: str
    ts: str  # when it was typed, ISO 8601, UTC
    is_interrupt: bool = False
    is_external: bool = False  # typed while the session was external
    is_close: bool = False  # says that its tab was closed
    is_redelivered: bool = False
    place: Place = field(factory=Queued)

    def to_listener(self) -> dict[str, Json]:
        """Shape it as an element of ``prompts``; marks that do not hold are absent."""
        shape = {"promptId": self.id, "text": self.text, "tabId": self.tab}
        marks = {
            "interrupt": self.is_interrupt,
            "external": self.is_external,
            "close": self.is_close,
            "redelivered": self.is_redelivered,
        }
        return {**shape, "ts": self.ts, **{k: v for k, v in marks.items() if v}}


def to_json(prompt: Prompt) -> dict[str, Json]:
    """Shape *prompt* for the disk."""
    shape = asdict(prompt)
    shape["place"] = {"is": _NAMES[type(prompt.place)], **asdict(prompt.place)}
    return shape


def from_json(shape: dict[str, Json]) -> Prompt:
    """Read what `to_json` wrote."""
    place = dict(shape["place"])
    kind = _PLACES[place.pop("is")]
    return Prompt(**{**shape, "place": kind(**place)})
