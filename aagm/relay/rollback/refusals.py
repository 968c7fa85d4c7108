"""Why a rollback or a redo is refused, and what to do about it: pure.

The reasons are the family's words where it has some.
Source: PROTOCOL_FACTS sections 1.4 and 8.7; WIRE section 5.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from aagm.errors import DiskFault
from aagm.relay.refusals import refused
from aagm.relay.rollback.points import Head
from aagm.relay.rollback.told import enumerated

LIST = (  # what to do when a point is not the one to take back
    "List the points and name one: foundry_rollback_points, /points in the chat box,"
    " or aagm points list."
)
NOTHING_LIVE = (
    "Nothing of this world is left to take back; what was rolled back comes again"
    " with a redo."
)
NAMED = 5  # points by their labels; a card has room for no more
LONGEST = 60  # characters of a label
_ON_THE_CARD = "Press the button on its card: there it is overwritten or kept."
_CHANGED_SINCE = {  # by where it was asked; the game master is the one who reads these
    "command": "Repeat it with --force to write over that, or leave it as it is.",
    "chat": _ON_THE_CARD,
    "box": _ON_THE_CARD,
}


class Refusal(Exception):
    """A policy answer, on its way out."""

    def __init__(self, reason: str, *, fix: str, **more: Any) -> None:
        """Keep the answer."""
        super().__init__(reason)
        self.answer = refused(reason, fix=fix, **more)


def unknown(point_id: str | None) -> Refusal:
    """Refuse a point that is nowhere."""
    return Refusal(f"unknown point {point_id}", fix=LIST)


def unreadable_target(fault: DiskFault) -> Refusal:
    """Refuse a point whose file is there and cannot be read."""
    return Refusal(f"{fault}; nothing was taken back", fix=fault.fix)


def unreadable_return(point_id: str) -> Refusal:
    """Refuse to bring back what only an unreadable file knows."""
    return Refusal(
        f"the file of {point_id} cannot be read, so it cannot be brought back",
        fix="Mend the file, or name a newer point.",
    )


def unreadable_between(point_id: str) -> Refusal:
    """Refuse what lies before a point whose file cannot be read."""
    return Refusal(
        f"the file of {point_id} cannot be read, so nothing before it can be taken "
        "back",
        fix="Name a newer point, or mend or remove the file.",
    )


def conflict(said: str, via: str | None, shown: dict[str, Any]) -> Refusal:
    """Refuse to write over what somebody changed; the cure is for who asked *via*."""
    agents = "Let the game master decide: with force it is written over."
    fix = _CHANGED_SINCE.get(via or "", agents)
    return Refusal(f"conflict: {said}", fix=fix, **shown)


def overlapped(blockers: Sequence[Head], via: str | None) -> Refusal:
    """Refuse to undo one point alone under later ones."""
    ids = [each.id for each in blockers]
    option = "--only" if via == "command" else "only"
    return Refusal(
        f"later points touched the same: {', '.join(ids)}",
        fix=f"Take {_labels(blockers)} back first, or leave {option} away, so that "
        "what is later goes with it.",
        blockers=ids,
    )


def elsewhere(point_id: str, title: str) -> Refusal:
    """Refuse a point of another world."""
    return Refusal(
        f"{point_id} is a point of another world: {title}",
        fix="Open that world in Foundry to take it back, or name a point of this one.",
    )


def running(point_id: str) -> Refusal:
    """Refuse a point whose write is not done."""
    return Refusal(
        f"{point_id} is still running",
        fix="Call again when it has ended: until then the list of points calls it"
        " open.",
    )


def gone(point_id: str) -> Refusal:
    """Refuse a point that the world has lost already."""
    return Refusal(
        f"{point_id} already rolled back",
        fix="Nothing is left to do; a redo of that rollback brings it back.",
    )


def nothing_live() -> Refusal:
    """Refuse where there is nothing to take back."""
    return Refusal("no live rollback point", fix=NOTHING_LIVE)


def only_stuck(stuck: Sequence[Head]) -> Refusal:
    """Refuse to choose among what could not be taken back before."""
    ids = [each.id for each in stuck]
    return Refusal(
        "no live rollback point but what could not be taken back before: "
        f"{', '.join(ids)}",
        fix=f"Name one of them to try it again: {_labels(stuck)}.",
        stuck=ids,
    )


def newer(blockers: Sequence[Head]) -> Refusal:
    """Refuse a redo under newer writes."""
    ids = [each.id for each in blockers]
    return Refusal(
        f"newer changes are in the way: {', '.join(ids)}",
        fix=f"Take {_labels(blockers)} back first, or leave what was undone as it is.",
        blockers=ids,
    )


def _labels(heads: Sequence[Head]) -> str:
    """Call points what their cards call them, which show no ids; newest first."""
    labels = [f'"{_short(each.summary) or each.id}"' for each in heads[:NAMED]]
    if len(heads) > NAMED:
        labels.append(f"{len(heads) - NAMED} more")
    return enumerated(labels)


def _short(label: str) -> str:
    return label if len(label) <= LONGEST else f"{label[: LONGEST - 1]}…"


def no_redo(named: str | None) -> Refusal:
    """Refuse a redo of what is no undo."""
    if named is None:
        return Refusal(
            "nothing to redo",
            fix="Only a rollback can be redone, and this world has none that is live.",
        )
    return Refusal(
        f"{named} is no undo",
        fix="Name the redoPoint of a rollback's answer, or no point for the newest.",
    )
