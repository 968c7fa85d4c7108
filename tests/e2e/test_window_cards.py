"""Rollback cards in the chat window: look, ask, take back, bring back."""

from __future__ import annotations

import pytest
from chat_page import API, line, point, tab
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CLEAR = {
    "dryRun": True,
    "target": "rp-00000a",
    "alsoUndoes": [],
    "bringsBack": [],
    "conflicts": [],
}
LATER = [
    {"id": "rp-00000b", "summary": "Lay out the cellar", "tabId": "t-b"},
    {"id": "rp-00000c", "summary": "Name the rats", "tabId": None},
]
CONFLICTS = [
    {"uuid": "Actor.a", "name": "Ottar", "path": "system.hp", "kind": "changed"},
    {"uuid": "Item.b", "name": "Lantern", "kind": "edited-after-create"},
]
DETAILS = {
    "id": "rp-00000a",
    "documents": [
        {
            "op": "update",
            "uuid": "Actor.OttarReed0000000",
            "documentName": "Actor",
            "name": "Ottar Reed",
            "changes": [
                {"path": "system.resource.value", "before": 26, "after": 31},
                {"path": "flags.world.healed", "after": True},
            ],
        },
        {"op": "delete", "uuid": "Item.x", "documentName": "Item", "name": "Crust"},
    ],
    "moreDocuments": 3,
}


def done(state: str = "rolled-back", *failures: str) -> dict:
    """Shape what a rollback did."""
    rows = [{"uuid": "a", "name": "Ottar", "says": "Actor Ottar put back", "ok": True}]
    rows += [{"uuid": "b", "name": "", "says": each, "ok": False} for each in failures]
    point = {"id": "rp-00000a", "summary": "", "state": state, "documents": rows}
    return {
        "rolledBack": [{**point, "failed": len(failures)}],
        "redoPoint": "rp-00000d",
        "target": "rp-00000a",
    }


@pytest.fixture(params=(12, 13, 14))
def chat(request, make_chat):
    """Open a window with one change that can be rolled back."""
    relay = {
        "tabs": [
            tab("t-a", "Heal Ottar", "done", line("assistant", "Done.", 2)),
            tab("t-b", "Cellar"),
        ],
        "points": [point("rp-00000a", 1, summary="Heal Ottar Reed")],
        "answers": {
            "check": CLEAR,
            "details": DETAILS,
            "rollback": done(),
            "redo": done("live"),
        },
    }
    opened = make_chat(version=request.param, relay=relay)
    expect(opened.card("Heal Ottar Reed")).to_be_visible()
    return opened


def asked(chat) -> list[dict]:
    """List what the card asked of the relay."""
    return chat.said("aagm.rollback.request")


def answer(chat, **answers: object) -> None:
    """Let the relay answer otherwise."""
    chat.run("(answers) => Object.assign(relay.answers, answers)", answers)


def roll_back(chat, hands) -> None:
    """Press the card's main button."""
    hands.press(chat.card("Heal Ottar Reed").get_by_role("button", name="Roll back"))


def test_a_change_is_rolled_back_with_one_press_and_redone(chat, hand):
    """With nothing in the way nobody is asked; the card says what came of it."""
    hands, card = hand(chat.page), chat.card("Heal Ottar Reed")
    expect(card).to_contain_text("1 changed")
    roll_back(chat, hands)
    expect(card.get_by_role("status")).to_have_text("Rolled back: 1 document.")
    actions = [(each["pointId"], each["action"]) for each in asked(chat)]
    assert actions == [("rp-00000a", "check"), ("rp-00000a", "rollback")]
    undone = point("rp-00000a", 1, summary="Heal Ottar Reed", state="rolled-back")
    undo = point(
        "rp-00000d",
        3,
        summary="Rollback to before rp-00000a",
        kind="redo",
        direction="undo",
        undoes=["rp-00000a"],
    )
    chat.tell("aagm.rollback", event="point", point=undo)
    chat.tell("aagm.rollback", event="rolled-back", point=undone, via="box")
    expect(card).to_contain_text("Rolled back")
    expect(card.get_by_role("button", name="Roll back")).to_have_count(0)
    hands.press(card.get_by_role("button", name="Redo"))
    expect(card.get_by_role("status")).to_have_text("Brought back: 1 document.")
    assert asked(chat)[-1] == {"pointId": "rp-00000d", "action": "redo"}


def test_what_changed_unfolds_path_by_path(chat, hand):
    """Before and after of each value, and who is who; it folds up again."""
    hands, card = hand(chat.page), chat.card("Heal Ottar Reed")
    unfold = card.get_by_role("button", name="Changes")
    hands.press(unfold)
    changes = card.locator(".aagm-change")
    expect(changes).to_have_text(
        [
            "system.resource.valuebefore: 26, after: 31",
            "flags.world.healedbefore: nothing, after: true",
        ]
    )
    expect(card).to_contain_text("and 3 more documents")
    expect(unfold).to_have_attribute("aria-expanded", "true")
    expect(card.get_by_role("button", name="Ottar Reed")).to_be_visible()
    hands.press(unfold)
    expect(changes).to_have_count(0)


def test_later_changes_are_named_before_they_go_too(chat, hand):
    """The GM sees whose they are, and may take this one alone."""
    answer(chat, check={**CLEAR, "alsoUndoes": LATER})
    hands, card = hand(chat.page), chat.card("Heal Ottar Reed")
    roll_back(chat, hands)
    question = card.get_by_role("group", name="Before anything is done")
    expect(question).to_contain_text("2 later changes are undone as well (Cellar)")
    expect(question.get_by_role("listitem")).to_have_text(
        ["Lay out the cellar", "Name the rats"]
    )
    hands.press(question.get_by_role("button", name="Only this one"))
    expect(card.get_by_role("status")).to_have_text("Rolled back: 1 document.")
    assert asked(chat)[-1] == {
        "pointId": "rp-00000a",
        "action": "rollback",
        "only": True,
    }


def test_all_of_them_go_when_the_gm_says_so(chat, hand):
    """Also what may be the GM's own doing, when that is ticked."""
    own = [{"uuid": "t", "name": "Ottar's token", "says": ""}]
    answer(chat, check={**CLEAR, "alsoUndoes": LATER, "leftAlone": own})
    hands, card = hand(chat.page), chat.card("Heal Ottar Reed")
    roll_back(chat, hands)
    expect(card).to_contain_text("Ottar's token")
    hands.press(card.get_by_role("checkbox"))
    hands.press(card.get_by_role("button", name="Roll back all 3"))
    expect(card.get_by_role("status")).to_be_visible()
    assert asked(chat)[-1] == {
        "pointId": "rp-00000a",
        "action": "rollback",
        "own": True,
    }


def test_a_card_names_the_damaged_points_that_are_left_out(chat, hand):
    """Before it is done, and after: what those changed stays."""
    skipped = {"skipped": ["2026-09-10/rp-0000ff.json"], "skippedWhy": "damaged"}
    rolled_back = {**done(), **skipped}
    look = {**CLEAR, "alsoUndoes": LATER, **skipped}
    answer(chat, check=look, rollback=rolled_back)
    hands, card = hand(chat.page), chat.card("Heal Ottar Reed")
    roll_back(chat, hands)
    file = card.get_by_role("listitem").filter(has_text="rp-0000ff")
    expect(file).to_have_text("2026-09-10/rp-0000ff.json")
    hands.press(card.get_by_role("button", name="Roll back all 3"))
    expect(card).to_contain_text("1 damaged point was left out: what it changed stays.")


@pytest.mark.parametrize(
    ("choice", "request_", "outcome"),
    [
        ("Cancel", {"action": "check"}, "Left as it is."),
        (
            "Keep theirs",
            {"action": "rollback", "keep": True},
            "Rolled back: 1 document.",
        ),
        (
            "Overwrite",
            {"action": "rollback", "force": True},
            "Rolled back: 1 document.",
        ),
    ],
)
def test_a_conflict_is_put_to_the_gm(chat, hand, choice, request_, outcome):
    """Nothing of anybody else's is written over without a yes."""
    answer(chat, check={**CLEAR, "conflicts": CONFLICTS})
    hands, card = hand(chat.page), chat.card("Heal Ottar Reed")
    roll_back(chat, hands)
    expect(
        card.get_by_role("listitem").filter(has_text="Ottar (system.hp)")
    ).to_have_text("Ottar (system.hp) was changed")
    expect(card).to_contain_text("Lantern was edited or put to use after it was made")
    hands.press(card.get_by_role("button", name=choice))
    expect(card.get_by_role("status")).to_have_text(outcome)
    assert asked(chat)[-1] == {"pointId": "rp-00000a", **request_}


def test_what_could_not_be_put_back_is_named_and_can_be_tried_again(chat):
    """A card that is partly rolled back keeps its button."""
    answer(chat, rollback=done("partial", "Item Lantern: another module locks it"))
    card = chat.card("Heal Ottar Reed")
    card.get_by_role("button", name="Roll back").click()
    expect(card.get_by_role("status")).to_contain_text("another module locks it")
    part = point("rp-00000a", 1, summary="Heal Ottar Reed", state="partial")
    chat.tell("aagm.rollback", event="rolled-back", point=part)
    expect(card).to_contain_text("Partly rolled back")
    expect(card.get_by_role("button", name="Roll back the rest")).to_be_enabled()


def test_a_refusal_is_told_in_the_card(chat):
    """With the relay's reason, and what to do about it."""
    reason, fix = "rp-00000a is still running", "Call again when it has ended."
    answer(chat, check={"refused": True, "reason": reason, "fix": fix})
    card = chat.card("Heal Ottar Reed")
    card.get_by_role("button", name="Roll back").click()
    expect(card.get_by_role("status")).to_have_text(
        "Not done: rp-00000a is still running. Call again when it has ended."
    )


def test_details_that_cannot_be_had_say_why(chat):
    """A refusal with its cure, a broken connection as such."""
    reason, fix = "rp-00000a is of another world", "Open that world."
    answer(chat, details={"refused": True, "reason": reason, "fix": fix})
    card = chat.card("Heal Ottar Reed")
    changes = card.get_by_role("button", name="Changes")
    changes.click()
    expect(card).to_contain_text(f"{reason}. {fix}")
    changes.click()
    chat.set_relay(isDown=True)
    chat.drop()
    changes.click()
    expect(card).to_contain_text("That failed: the relay is not connected")


def test_details_that_are_folded_while_they_come_stay_folded(chat):
    """The second press counts, whatever the relay says after it."""
    card = chat.card("Heal Ottar Reed")
    card.evaluate(
        """async (card) => {
          card.querySelector("[data-part=details]").click();
          card.querySelector("[data-part=details]").click();
          await new Promise(requestAnimationFrame);
        }"""
    )
    unfold = card.get_by_role("button", name="Changes")
    expect(unfold).to_have_attribute("aria-expanded", "false")
    assert card.locator(".aagm-change").count() == 0


def test_the_focus_stays_in_the_card(chat, hand):
    """Who works with the keyboard is not thrown back to the page's beginning."""
    answer(chat, check={**CLEAR, "conflicts": CONFLICTS})
    hands, card = hand(chat.page), chat.card("Heal Ottar Reed")
    roll_back(chat, hands)
    if hand.__name__ == "Keyboard":
        expect(card.get_by_role("button", name="Overwrite")).to_be_focused()
        chat.page.keyboard.press("Enter")
    else:
        card.get_by_role("button", name="Overwrite").click()
    expect(card.get_by_role("status")).to_be_visible()
    assert card.evaluate("(it) => it.contains(document.activeElement)")


def test_an_older_relay_is_asked_with_a_prompt(chat, hand):
    """A family relay has no buttons; what it lacks is said."""
    hello = chat.run("relay.hello") | {"protocol": None, "features": []}
    hello.pop("protocol")
    chat.run("(hello) => { relay.hello = hello; }", hello)
    chat.drop()
    chat.run(f"{API}.restart()")
    expect(chat.chat.locator(".aagm-notes")).to_contain_text("older one")
    roll_back(chat, hand(chat.page))
    assert chat.said("aagm.prompt")[-1]["text"] == "/rollback rp-00000a"
    assert asked(chat) == []
    chat.card("Heal Ottar Reed").get_by_role("button", name="Changes").click()
    expect(chat.card("Heal Ottar Reed")).to_contain_text("does not tell what changed")


def test_a_card_says_what_its_point_could_not_hold(chat):
    """Nothing that was not recorded is hidden."""
    odd = point(
        "rp-00000e",
        4,
        summary="Summon eels",
        failed="the eval timed out",
        lost="part of its journal was damaged",
        uncoveredCount=2,
        mayExist=1,
    )
    chat.tell("aagm.rollback", event="point", point=odd, unsaved=True)
    notes = chat.card("Summon eels").locator(".aagm-note")
    expect(notes).to_have_count(5)
    expect(notes.nth(2)).to_contain_text("Part of its record was damaged")
    expect(notes.first).to_contain_text("the eval timed out")
    far = point("rp-00000f", 5, summary="Elsewhere", otherWorld="The Dry Inn")
    chat.tell("aagm.rollback", event="point", point=far)
    expect(chat.card("Elsewhere")).to_contain_text("Of another world: The Dry Inn")
    expect(
        chat.card("Elsewhere").get_by_role("button", name="Roll back")
    ).to_have_count(0)
