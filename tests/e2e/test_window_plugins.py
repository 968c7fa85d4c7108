"""The window of plug-ins: what there is, what is wrong with it, and a form to run one.

The relay is the real one, so that the same checks apply as to an agent.
"""

from __future__ import annotations

import json

import pytest
from chat_page import API, Mouse
from playwright.sync_api import expect
from relay_process import RelayProcess

from aagm.foundry import plugins_folder

pytestmark = pytest.mark.browser

OTTAR = "Actor.OttarReed0000000"
MANY = """\
const MANIFEST = {
  api: "aagm-plugin/1.0", name: "Many Kinds", version: "2.1.0", description: "Echoes.",
  args: { type: "object", required: ["word"], properties: {
    word: { type: "string", maxLength: 5, description: "Five letters." },
    count: { type: "integer" }, sure: { type: "boolean" },
    tide: { enum: ["ebb", "flood"] }, data: { type: "object" } } },
  writes: [], modes: ["run", "read"],
};
if (!Object.keys(scope).length) return MANIFEST;
if (scope.word === "slow") await new Promise((go) => Hooks.once("goOn", go));
return { ok: true, scope };
"""
RASH = """\
await game.actors.getName("Old Pike").update({ name: "Rash Pike" });
return { api: "aagm-plugin/1.0" };
"""


@pytest.fixture(scope="module")
def relay(tmp_path_factory):
    """Run one relay for all pages: each is a world of its own."""
    folder = tmp_path_factory.mktemp("relay")
    folder.chmod(0o700)
    running = RelayProcess(folder, ("--pairing", "off"))
    yield running.start()
    running.close()


@pytest.fixture(params=(12, 13, 14))
def chat(request, make_chat, relay):
    """Open a world with three macros, and the window of plug-ins."""
    opened = make_chat(version=request.param, url=relay.bridge_url)
    expect(opened.status).to_contain_text("No agent")
    rename = (plugins_folder() / "rename-actor.js").read_text()
    texts = {"Rename Actor": rename, "Many Kinds": MANY, "Rash": RASH}
    for name, command in texts.items():
        source = {"name": name, "type": "script", "command": command}
        opened.run(f"getDocumentClass('Macro').create({json.dumps(source)})")
    opened.run(f"{API}.openPlugins()")
    return opened


def row(chat, name: str):
    """Find a plug-in in the list."""
    return chat.page.locator("#aagm-plugins .aagm-plugin").filter(has_text=name)


def opened(chat, hands, name: str):
    """Unfold a plug-in's form."""
    found = row(chat, name)
    expect(found).to_be_visible()
    hands.press(found.locator("summary"))
    return found


def test_the_list_shows_each_with_its_scope_and_its_problems(chat):
    """What can be run, what it may write, and why one cannot be used."""
    rename = row(chat, "Rename Actor")
    expect(rename).to_contain_text("1.0.0")
    expect(rename).to_contain_text("Renames one actor by uuid.")
    expect(rename).to_contain_text("May write: Actor.")
    expect(row(chat, "Many Kinds")).to_contain_text("Writes nothing.")
    expect(row(chat, "Many Kinds")).to_contain_text("additionalProperties")
    rash = row(chat, "Rash")
    expect(rash).to_contain_text("wrote on a run without arguments: Actor")
    expect(rash.locator("summary")).to_have_count(0)
    assert chat.run("game.actors.getName('Old Pike')?.name") == "Old Pike"


def test_a_form_runs_a_plug_in_and_says_what_came_of_it(chat, hand, request):
    """Wrong arguments are refused at their field; a run names its point."""
    hands = hand(chat.page)
    form = opened(chat, hands, "Rename Actor")
    run = form.get_by_role("button", name="Run", exact=True)
    uuid = form.get_by_label("uuid", exact=False)
    name = form.get_by_label("name", exact=False)
    uuid.fill(OTTAR)
    hands.press(run)
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(name).to_be_focused()
    expect(form.locator(".aagm-plugin-fault:visible").first).to_contain_text("name")
    called = f"Ottar {request.node.callspec.id}"  # the relay has cards of other pages
    name.fill(called)
    hands.press(run)
    expect(form).to_contain_text("Done.")
    expect(form).to_contain_text("Rollback point: 1 update (can be taken back).")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    assert chat.run(f"fromUuidSync('{OTTAR}').name") == called
    hands.press(form.get_by_role("button", name="Take it back"))
    card = chat.card(f"Rename Actor: uuid={OTTAR}, name={called}")
    expect(card).to_be_visible()


def test_every_kind_of_argument_has_its_field(chat):
    """Text, number, tick, choice, JSON, and what the schema takes besides."""
    hands = Mouse(chat.page)
    form = opened(chat, hands, "Many Kinds")
    run = form.get_by_role("button", name="Run", exact=True)
    field = {
        name: form.get_by_label(name, exact=False).first
        for name in ("word", "count", "sure", "tide", "data", "More")
    }
    expect(form).to_contain_text("Five letters.")
    field["word"].fill("reeds")
    field["count"].fill("three")
    field["data"].fill("{")
    hands.press(run)
    expect(form).to_contain_text("This must be a number.")
    expect(form).to_contain_text("This is no JSON.")
    field["count"].fill("3")
    field["data"].fill('{"a.b": [1]}')
    field["More"].fill('{"other": null}')
    field["tide"].select_option("flood")
    hands.press(field["sure"])
    hands.press(form.get_by_label("Only look"))
    hands.press(run)
    shown = form.locator("pre")
    expect(shown).to_be_visible()
    assert json.loads(shown.inner_text())["scope"] == {
        "other": None,
        "word": "reeds",
        "count": 3,
        "sure": True,
        "tide": "flood",
        "data": {"a.b": [1]},
        "mode": "read",
    }
    expect(form).not_to_contain_text("Rollback point")
    field["word"].fill("too long")
    hands.press(run)
    expect(field["word"]).to_have_attribute("aria-invalid", "true")


def test_a_macro_that_was_put_right_is_looked_at_again(chat):
    """At a press; there is one such window."""
    expect(row(chat, "Rash")).to_be_visible()
    chat.run("game.macros.getName('Rash').delete()")
    chat.page.get_by_role("button", name="Look again").click()
    expect(row(chat, "Rash")).to_have_count(0)
    chat.run(f"{API}.openPlugins()")
    expect(chat.page.locator("#aagm-plugins")).to_have_count(1)


def look_again(chat, hands):
    """Have the list looked at anew, and wait for it."""
    hands.press(chat.page.get_by_role("button", name="Look again"))
    expect(chat.page.locator(".aagm-plugin-note")).to_contain_text("Each run")


def test_a_form_that_is_half_filled_outlasts_another_look(chat):
    """Its fields keep what was typed, also when the plug-in has other ones now."""
    hands = Mouse(chat.page)
    form = opened(chat, hands, "Many Kinds")
    form.get_by_label("word", exact=False).first.fill("reeds")
    form.get_by_label("data", exact=False).first.fill('{"a":')
    form.get_by_label("tide", exact=False).select_option("flood")
    hands.press(form.get_by_label("sure"))
    hands.press(form.get_by_label("Only look"))
    command = MANY.replace("count: {", 'depth: { type: "number" }, count: {')
    broken = MANY.replace("plugin/1.0", "plugin/9.9")
    for text in (MANY, command, broken, "return 7;", command):
        source = json.dumps({"command": text})
        chat.run(f"game.macros.getName('Many Kinds').update({source})")
        look_again(chat, hands)
        if text == "return 7;":
            expect(form).to_have_count(0)
            continue
        expect(form.get_by_label("word", exact=False).first).to_have_value("reeds")
        expect(form.get_by_label("data", exact=False).first).to_have_value('{"a":')
        tide = form.get_by_label("tide", exact=False)
        expect(tide.locator("option:checked")).to_have_text("flood")
        expect(form.get_by_label("sure")).to_be_checked()
        expect(form.get_by_label("Only look")).to_be_checked()
    expect(form.get_by_label("depth", exact=False)).to_be_visible()


def test_the_answer_of_a_plug_in_outlasts_another_look(chat):
    """It runs when the list is looked at again; what came of it is shown."""
    hands = Mouse(chat.page)
    form = opened(chat, hands, "Many Kinds")
    form.get_by_label("word", exact=False).first.fill("slow")
    hands.press(form.get_by_role("button", name="Run", exact=True))
    expect(form).to_contain_text("Running")
    chat.page.wait_for_function("Hooks.events.goOn?.length === 1")
    hands.press(chat.page.get_by_role("button", name="Look again"))
    expect(chat.page.locator(".aagm-plugin-note")).to_contain_text("Looking")
    chat.run("Hooks.callAll('goOn')")
    expect(chat.page.locator(".aagm-plugin-note")).to_contain_text("Each run")
    expect(form).to_contain_text("Done.")
    expect(form.locator("pre")).to_contain_text("slow")


def test_a_relay_that_knows_no_plug_ins_is_named(make_chat):
    """A family relay of 2.0 answers that there is no such method."""
    chat = make_chat()
    chat.run(f"{API}.openPlugins()")
    note = chat.page.locator("#aagm-plugins .aagm-plugin-note")
    expect(note).to_have_text("This relay knows no plug-ins: update it.")
