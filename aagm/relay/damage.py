"""What damage is called, and how its answer is shaped: pure.

Source: PROTOCOL_FACTS section 9; DESIGN section 4.
"""

from __future__ import annotations

from typing import Any

from aagm.relay.refusals import refused
from aagm.wire.jsonrpc import Json, Params

KIND = "damage"
MOST = 1_000_000  # points of damage; nothing in any system has so many
LETHAL = " (lethal)"
ONLY_HURTS = "amount must be above 0, for damage only hurts"
HOW_TO_HEAL = (
    "To heal, take the damage back with foundry_rollback, or write the higher value "
    "with foundry_eval and intent write, as in "
    'actor.update({"system.attributes.hp.value": 12}).'
)


def refusal(amount: float) -> Json | None:
    """Say why *amount* is no damage; None when it is."""
    return None if amount > 0 else refused(ONLY_HURTS, fix=HOW_TO_HEAL)


def request(given: Params, *, commit: bool) -> Params:
    """Make what the tab is asked."""
    amount = int(given["amount"])
    return {"targets": given["targets"], "amount": amount, "commit": commit}


def is_resolved(plan: Json) -> bool:
    """Say whether a plan names what would happen, not what is wrong with it."""
    return isinstance(plan, dict) and "error" not in plan


def is_lethal(result: Json) -> bool:
    """Say whether somebody dies of it, or has; a family module's commit is silent."""
    return isinstance(result, dict) and result.get("lethal") is True


def label(summary: str, *, lethal: bool) -> str:
    """Name the point of a blow."""
    return f"{summary.strip()}{LETHAL if lethal else ''}"


def with_plan(result: Json, plan: Json) -> Json:
    """Take from the plan what a family module's commit leaves out."""
    if not isinstance(result, dict) or "error" in result or "lethal" in result:
        return result
    answer: dict[str, Any] = {"lethal": is_lethal(plan)}
    return result | answer
