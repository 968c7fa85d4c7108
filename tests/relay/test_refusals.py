"""Whatever is refused says what to do."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest
from attrs import evolve

from aagm.errors import DiskFault
from aagm.relay import refusals
from aagm.relay.rollback import refusals as of_rollbacks
from aagm.relay.rollback.points import Head

AAGM = Path(__file__).parent.parent.parent / "aagm"
NO = ("refused", "blocked", "dropped")
LATER = Head(
    id="rp-00000b",
    ts="2026-07-28T18:00:00.000Z",
    date="2026-07-28",
    summary="Odo slips",
    tab_id=None,
    kind="eval",
)
GIVEN = {
    "point_id": "rp-00000a",
    "named": "rp-00000a",
    "title": "The Sunken Inn",
    "blockers": [LATER],
    "stuck": [LATER],
    "via": "command",
    "said": "Mira is gone",
    "shown": {"conflicts": []},
    "fault": DiskFault("rp-00000a.json cannot be read"),
}
OF_ROLLBACKS = [
    f
    for name, f in inspect.getmembers(of_rollbacks, inspect.isfunction)
    if f.__module__ == of_rollbacks.__name__ and not name.startswith("_")
]


def says_no(tree: ast.AST) -> list[ast.Dict]:
    """Find the answers that say refused, blocked or dropped, written out as sent."""
    return [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Dict)
        and any(
            isinstance(key, ast.Constant)
            and key.value in NO
            and isinstance(value, ast.Constant)
            and value.value is True
            for key, value in zip(node.keys, node.values, strict=True)
        )
    ]


def has_cure(answer: ast.Dict) -> bool:
    """Say whether an answer has a fix."""
    return "fix" in [getattr(key, "value", None) for key in answer.keys]


@pytest.mark.parametrize("shape", [refusals.refused, refusals.blocked])
def test_no_refusal_is_shaped_without_a_cure(shape):
    """Whoever leaves it out learns at once; with one it stands beside the reason."""
    with pytest.raises(TypeError, match="fix"):
        shape("no")
    answer = shape("no", fix="Ask first.", line=1)
    assert list(answer)[1:] == ["reason", "fix", "line"]
    assert (answer["reason"], answer["fix"]) == ("no", "Ask first.")


@pytest.mark.parametrize("f", OF_ROLLBACKS, ids=lambda f: f.__name__)
def test_every_refused_rollback_says_what_to_do(f):
    """A sentence of its own, after a reason without a period."""
    given = [GIVEN[name] for name in inspect.signature(f).parameters]
    answer = f(*given).answer
    assert answer["refused"] is True
    assert answer["reason"][-1] not in ".;"
    assert answer["fix"][0].isupper()
    assert answer["fix"].endswith(".")


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (1, 'Take "Odo slips" back first'),
        (2, 'Take "Odo slips" and "Odo slips" back first'),
        (7, '"Odo slips" and 2 more back first'),
    ],
)
def test_points_are_called_what_their_cards_call_them(count, said):
    """A card shows no ids, and has room for a few labels."""
    assert said in of_rollbacks.newer([LATER] * count).answer["fix"]


def test_a_label_without_end_is_cut_and_none_is_its_id():
    """Neither fills the card."""
    heads = [evolve(LATER, summary="Odo " * 50), evolve(LATER, summary="")]
    fix = of_rollbacks.newer(heads).answer["fix"]
    assert f'"{"Odo " * 14}Odo…" and "rp-00000b"' in fix


def test_nobody_writes_out_a_refusal_without_a_cure():
    """What goes round the two functions is found, wherever it stands."""
    found = {
        f"{path.relative_to(AAGM)}:{answer.lineno}"
        for path in AAGM.rglob("*.py")
        for answer in says_no(ast.parse(path.read_text(encoding="utf-8")))
        if not has_cure(answer)
    }
    assert found == set()


def test_a_refusal_without_a_cure_would_be_found():
    """Also among other members, and inside a call."""
    tree = ast.parse('f({"delivered": False, "refused": True, "reason": "no"})')
    assert [has_cure(each) for each in says_no(tree)] == [False]
    tree = ast.parse('f({"blocked": True, "fix": "Ask first."})')
    assert [has_cure(each) for each in says_no(tree)] == [True]
