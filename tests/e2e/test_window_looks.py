"""How the windows look: light and dark, narrow and wide; nothing overflows or is cut.

The pictures are written to $AAGM_SCREENSHOTS, for somebody to look at.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from chat_page import API, line, point, tab
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

FOUNDRY = Path(__file__).parent.parent.parent / "foundry"
AXE = FOUNDRY / "node_modules" / "axe-core" / "axe.min.js"
SIZES = {360: 640, 720: 760}
LONG = "unbreakable" * 30
REPLY = """Done. **Ottar Reed** has *5* more hit points:

| Actor | before | after |
|---|--:|--:|
| @UUID[Actor.OttarReed0000000]{Ottar Reed} | 26 | 31 |
| Mirelle of the Sluice | 18 | 18 |

1. I looked up `system.resource.value`
2. then I wrote it, once; see https://example.com/rules

> Old Pike owes eleven pennies.

```js
await actor.update({ "system.resource.value": Math.min(31, actor.system.max) });
```"""
HEAL = [
    line("user", "Heal @UUID[Actor.OttarReed0000000]{Ottar Reed}, please.", 1),
    line("assistant", REPLY, 2),
    line(
        "user", "Now the rats: they should flee when the bell rings", 6, interrupt=True
    ),
    line("user", "Ring the bell at midnight", 8, promptId="p-3", cancelled=True),
    line("system", "External: an agent outside Foundry drives until /int.", 9),
]
HOSTILE = [
    line("user", LONG, 1),
    line(
        "assistant", f"{LONG} `{LONG}`\n\n|a|b|\n|-|-|\n|{LONG}|{LONG}|\n\n- {LONG}", 2
    ),
    line("assistant", "שלום עולם, **זה** מימין לשמאל @UUID[Actor.x]{שם}", 3),
    line("assistant", "👩‍👩‍👧‍👦🏴‍☠️ x̷̡͎̫͇̾̈́ <img src=x onerror=alert(1)> \u202eesrever", 4),
    line("user", LONG, 5, promptId="p-1", cancelled=True),
    line("system", LONG, 6),
]
POINTS = [
    point(
        "rp-00000a",
        5,
        summary="Give Ottar Reed five hit points",
        tabId="t-a",
        captured="4 update, 1 create, 1 delete",
        docs=[
            "update Actor Ottar Reed",
            "update Actor Mirelle of the Sluice",
            "create Item Lantern",
        ],
        uncoveredCount=1,
    ),
    point("rp-00000b", 6, summary=LONG, tabId="t-b", docs=[f"update Actor {LONG}"]),
]
DETAILS = {
    "documents": [
        {
            "op": "update",
            "uuid": "Actor.OttarReed0000000",
            "documentName": "Actor",
            "name": "Ottar Reed",
            "changes": [
                {"path": "system.resource.value", "before": 26, "after": 31},
                {"path": "system.details.biography", "before": "", "after": LONG},
                {"path": f"flags.{LONG}", "after": True},
            ],
            "moreChanges": 2,
        },
        {"op": "create", "uuid": "Item.x", "documentName": "Item", "name": LONG},
    ],
}
CONFLICT = {
    "dryRun": True,
    "alsoUndoes": [{"id": "rp-00000c", "summary": LONG, "tabId": "t-b"}],
    "bringsBack": [],
    "conflicts": [{"uuid": "x", "name": LONG, "path": LONG, "kind": "changed"}],
    "leftAlone": [{"uuid": "y", "name": LONG, "says": ""}],
}
RELAY = {
    "tabs": [
        tab("t-a", "Heal Ottar, please, and", "done", *HEAL),
        tab("t-b", "Lay out the cellar as be", "working", *HOSTILE),
        tab("t-c", "Rumours", "idle", line("assistant", "None.", 1)),
        tab("t-d", LONG[:24], "idle"),
        tab("t-e", "e"),
    ],
    "points": POINTS,
    "answers": {"check": CONFLICT, "details": DETAILS},
}
# Names what is wider than its place, and what stands out of the window.
OVERFLOWS = """(root) => {
  const window = root.closest(".application").getBoundingClientRect();
  const places = ".aagm-log, .aagm-fields, .aagm-changes, .aagm-code, .aagm-table";
  const fields = ["TEXTAREA", "INPUT"];
  const name = (it) => `${it.tagName}.${it.className} ${it.textContent.slice(0, 40)}`;
  const found = [];
  for (const it of root.querySelectorAll("*")) {
    const box = it.getBoundingClientRect();
    if (!box.width || !box.height || it.closest("svg, .aagm-spoken")) continue;
    const { display, overflowX, textOverflow } = getComputedStyle(it);
    const mayBeCut = ["auto", "scroll"].includes(overflowX) ||
      textOverflow === "ellipsis" || fields.includes(it.tagName);
    const isWider = it.scrollWidth > it.clientWidth + 1 && display !== "inline";
    if (isWider && !mayBeCut) found.push(`cut: ${name(it)}`);
    if (it.parentElement.closest(places)) continue; // scrolls within its place
    if (box.left < window.left - 1 || box.right > window.right + 1 ||
        box.bottom > window.bottom + 1) found.push(`out: ${name(it)}`);
  }
  return found;
}"""
SERIOUS = """async (selector) => {
  const { violations } = await axe.run(selector, { resultTypes: ["violations"] });
  return violations
    .filter(({ impact }) => ["serious", "critical"].includes(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`);
}"""


@pytest.fixture(params=SIZES)
def width(request) -> int:
    """Give a width of the window, which fills the page."""
    return request.param


@pytest.fixture(params=("light", "dark"))
def scheme(request) -> str:
    """Give what the GM likes."""
    return request.param


@pytest.fixture
def chat(make_chat, width, scheme):
    """Open a full window; 12 follows the browser, 14 its own setting."""
    version = 12 if scheme == "dark" else 14
    opposite = {"light": "dark", "dark": "light"}[scheme]
    height = SIZES[width]
    opened = make_chat(
        context={
            "viewport": {"width": width, "height": height},
            "color_scheme": scheme if version == 12 else opposite,
            "reduced_motion": "reduce",
        },
        version=version,
        relay=RELAY,
        place={"width": width, "height": height},
        settings={"core.uiConfig": {"colorScheme": {"applications": scheme}}},
    )
    opened.set_world(mode="cogm")
    expect(opened.chat.get_by_role("tab")).to_have_count(5)
    return opened


def picture(chat, name: str) -> None:
    """Take a picture for somebody to look at."""
    if folder := os.environ.get("AAGM_SCREENSHOTS"):
        viewport = chat.page.viewport_size
        scheme = "light" if is_light(chat) else "dark"
        path = Path(folder) / f"{name}-{scheme}-{viewport['width']}.png"
        chat.page.screenshot(path=path)


def is_light(chat) -> bool:
    """Say whether the window's ground is light."""
    red = chat.run(
        "getComputedStyle(document.querySelector('.aagm-content'))"
        ".backgroundColor.match(/[0-9]+/)[0]"
    )
    return int(red) > 128


def whole(chat, selector: str) -> None:
    """Hold that nothing below *selector* overflows or is cut."""
    assert chat.page.locator(selector).evaluate(OVERFLOWS) == []


def without_faults(chat, selector: str) -> None:
    """Hold that axe-core finds no serious fault below *selector*."""
    chat.page.add_script_tag(path=str(AXE))
    found = chat.run(SERIOUS, selector)
    assert found == []


def test_a_conversation_is_whole(chat, scheme):
    """Every kind of line, a card, five tabs; in the colours that the GM likes."""
    assert is_light(chat) == (scheme == "light")
    picture(chat, "conversation")
    whole(chat, ".aagm-chat")
    without_faults(chat, ".aagm-chat")
    chat.panel.get_by_role("log").evaluate("(it) => { it.scrollTop = 0; }")
    picture(chat, "conversation-top")


def test_hostile_text_stays_in_its_place(chat):
    """Words without end, other directions, marks that stack; nothing runs."""
    chat.tab("Lay out").click()
    expect(chat.lines().last).to_be_visible()
    assert chat.panel.locator("img, script").count() == 0
    shown = chat.lines("assistant").nth(2)
    expect(shown).to_contain_text("<img src=x onerror=alert(1)>")
    picture(chat, "hostile")
    whole(chat, ".aagm-chat")
    without_faults(chat, ".aagm-chat")


def test_an_unfolded_card_with_its_question_is_whole(chat):
    """Before, after, later changes, conflicts, the GM's own doing."""
    card = chat.card("Give Ottar Reed five hit points")
    card.get_by_role("button", name="Changes").click()
    card.get_by_role("button", name="Roll back").click()
    expect(card.get_by_role("group")).to_be_visible()
    card.evaluate("(it) => it.scrollIntoView()")
    picture(chat, "card")
    whole(chat, ".aagm-chat")
    without_faults(chat, ".aagm-chat")


def test_a_long_reason_with_progress_and_a_draft_is_whole(chat):
    """Not connected, prompts waiting, work half done, ten lines typed."""
    chat.tell("aagm.progress", label=LONG, done=3, total=8)
    chat.field.fill("one\n" * 12)
    picture(chat, "progress")
    whole(chat, ".aagm-chat")
    without_faults(chat, ".aagm-chat")
    chat.set_relay(isDown=True)
    chat.drop()
    chat.field.press("Enter")
    expect(chat.chat.locator(".aagm-notes")).to_contain_text("waits")
    picture(chat, "broken")
    whole(chat, ".aagm-chat")
    without_faults(chat, ".aagm-chat")


def test_the_settings_are_whole(chat):
    """Every field, and the button that saves is in sight."""
    chat.run(f"{API}.openSettings()")
    expect(chat.settings).to_be_visible()
    picture(chat, "settings")
    whole(chat, ".aagm-settings")
    without_faults(chat, "#aagm-settings .aagm-settings")
    expect(chat.settings.get_by_role("button", name="Save")).to_be_in_viewport(ratio=1)
