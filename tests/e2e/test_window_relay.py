"""The window on a real relay: each member's rows, a card's round trip, a reload.

The listener is the official MCP client.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from attrs import define
from chat_page import MEMBERS, ChatPage
from mcp_caller import McpCaller, mcp_caller
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

LISTENER = "listener-of-the-test"
RELOADED = 1000  # ms from the fetch of the module until the window is as it was
# Describes all that the GM sees of the window.
LOOK = """
window.look = () => {
  const chat = document.querySelector("#aagm-chat-window");
  if (!chat) return "";
  const { left, top, width, height } = chat.getBoundingClientRect();
  const tabs = [...chat.querySelectorAll("[role=tab]")]
    .map((tab) => [tab.textContent, tab.dataset.state, tab.ariaSelected]);
  const panel = chat.querySelector(".aagm-panel:not([hidden])");
  const lines = [...panel.querySelectorAll(".aagm-line, .aagm-card")]
    .map(({ textContent }) => textContent);
  const status = chat.querySelector(".aagm-status-text").textContent;
  const draft = chat.querySelector("textarea").value;
  return JSON.stringify({ left, top, width, height, tabs, lines, status, draft });
};
const wanted = sessionStorage.getItem("wanted");
const compare = () => {
  if (window.look() === wanted) window.sameAt = performance.now();
  else requestAnimationFrame(compare);
};
if (wanted) requestAnimationFrame(compare);
"""


@define(eq=False)
class Table:
    """A window, its relay's member, and an agent that listens."""

    chat: ChatPage
    member: str
    agent: McpCaller

    def take(self) -> list[dict]:
        """Let the listener poll; what it gets."""
        poll = self.agent.call(
            "foundry_get_prompts", listenerId=LISTENER, waitSeconds=0
        )
        prompts: list[dict] = poll["prompts"]
        return prompts

    def typed(self, text: str) -> None:
        """Type a prompt and wait until the relay has it on disk."""
        self.chat.send(text)
        self.chat.page.wait_for_function(
            "game.modules.get('aagm').api.waiting().length === 0"
        )

    def answer(self, text: str, **more: object) -> dict:
        """Let the agent reply; what it is told of that."""
        told: dict = self.agent.call(
            "foundry_send_reply", text=text, tabId="t-main", **more
        )
        return told

    def says(self, text: str):
        """Find what the relay itself says in the box."""
        return self.chat.lines("system").filter(has_text=text)

    def write(self, code: str, summary: str) -> None:
        """Let the agent write, and wait until nothing more belongs to its point."""
        socket = self.chat.sockets[-1]
        with socket.expect_event("framesent", lambda sent: "rollback.closed" in sent):
            self.agent.call("foundry_eval", code=code, intent="write", summary=summary)

    @property
    def is_kimi(self) -> bool:
        """Say which of the two columns holds."""
        return self.member == "kimi"


@pytest.fixture(params=MEMBERS)
def table(request, make_relay, make_chat) -> Iterator[Table]:
    """Set a table for one member."""
    relay = make_relay("--pairing", "off", "--member", request.param).start()
    with mcp_caller(relay.mcp_url) as agent:
        chat = make_chat(url=relay.bridge_url, member=request.param, persist=None)
        expect(chat.status).to_contain_text("No agent listens")
        made = Table(chat, request.param, agent)
        assert made.take() == []
        expect(chat.status).to_contain_text("Ready")
        yield made


def test_the_window_has_its_members_name_and_way_of_saying_how_things_stand(table):
    """K says it in words; G begins with who drives."""
    title = table.chat.page.locator("#aagm-chat-window .window-title")
    expect(title).to_have_text(f"{MEMBERS[table.member]} Chat")
    starts = r"^Ready" if table.is_kimi else r"^INT\. Ready"
    expect(table.chat.status).to_have_text(re.compile(starts))
    table.typed("/ext")
    starts = r"^External" if table.is_kimi else r"^EXT\. External"
    expect(table.chat.status).to_have_text(re.compile(starts))


def test_a_prompt_goes_to_the_agent_and_its_answer_comes_back(table):
    """The whole loop; a second prompt meanwhile is marked as an interrupt."""
    table.typed("Light the lamps")
    [prompt] = table.take()
    assert prompt["text"] == "Light the lamps"
    expect(table.chat.status).to_contain_text("Working")
    table.typed("The red ones")
    expect(table.chat.lines("user").last).to_contain_text("Interrupt")
    [interrupt] = table.take()
    assert interrupt["interrupt"] is True
    table.answer("Lit, the **red** ones.", promptId=prompt["promptId"])
    expect(table.chat.lines("assistant")).to_contain_text("Lit, the red ones.")
    expect(table.chat.lines("assistant").locator("strong")).to_have_text("red")
    expect(table.chat.lines("assistant")).to_contain_text(MEMBERS[table.member])


def test_going_external_cancels_or_parks_what_waits(table):
    """K shows the text with a button that sends it again; G puts it back at /int."""
    table.typed("Ring the bell")
    table.chat.chat.get_by_role("switch").click()
    expect(table.chat.status).to_contain_text("An agent outside Foundry drives")
    prompt = table.chat.lines("user").first
    if table.is_kimi:
        expect(table.says("Cancelled: 1 prompt")).to_be_visible()
        expect(prompt).to_contain_text("Not delivered")
    else:
        expect(table.says("Parked until /int: 1 prompt")).to_be_visible()
        expect(prompt).not_to_contain_text("Not delivered")
    table.chat.button("Drive from here").click()
    expect(table.chat.status).to_contain_text(
        "Working" if not table.is_kimi else "Ready"
    )
    if table.is_kimi:
        assert table.take() == []
        table.chat.button("Send again").click()
        expect(table.chat.button("Send again")).to_have_count(0)
        expect(table.chat.status).to_contain_text("Working")
    else:
        expect(table.says("In the queue again: 1 prompt")).to_be_visible()
    assert [each["text"] for each in table.take()] == ["Ring the bell"]


def test_what_is_typed_while_external_is_refused_or_held_visibly(table):
    """Nothing typed is lost: K says so and keeps the text, G says when it goes."""
    table.typed("/ext")
    table.typed("Ring the bell")
    last = table.chat.lines("user").last
    if table.is_kimi:
        expect(table.says("Not sent: the session is external")).to_be_visible()
        expect(last).to_contain_text("Not delivered")
        expect(table.chat.button("Send again")).to_be_visible()
    else:
        expect(table.says("this waits for the next call")).to_be_visible()
        expect(last).to_contain_text("Interrupt")
    table.typed("/int")
    taken = [each["text"] for each in table.take()]
    assert taken == ([] if table.is_kimi else ["Ring the bell"])


def test_a_working_conversation_and_its_replies_while_external(table):
    """K lets the tab be done and refuses the reply; G lets the work go on."""
    table.typed("Count the rats")
    [prompt] = table.take()
    table.typed("/ext")
    if table.is_kimi:
        refused = table.answer("Four.", promptId=prompt["promptId"])
        assert refused["delivered"] is False
        expect(table.chat.lines("assistant")).to_have_count(0)
    else:
        table.answer("Four.", promptId=prompt["promptId"])
        expect(table.chat.lines("assistant")).to_contain_text("Four.")
    table.typed("/int")
    expect(table.chat.status).to_contain_text("Ready")


def test_log_is_a_command_or_a_prompt(table):
    """G reads the session log in the box; for K it is a prompt like any other."""
    table.typed("/log")
    if table.is_kimi:
        assert [each["text"] for each in table.take()] == ["/log"]
    else:
        expect(table.chat.lines("system").last).to_be_visible()
        assert table.take() == []


def test_a_second_listener_is_told_to_the_gm(table):
    """It is turned away, and a notice says so."""
    with pytest.raises(Exception, match="listen"):
        table.agent.call(
            "foundry_get_prompts", listenerId="another-listener", waitSeconds=0
        )
    table.chat.page.wait_for_function(
        "booted.client.ui.notifications.shown"
        ".some(({ message }) => /second agent/.test(message))"
    )


WRITE = 'await game.actors.getName("Ottar Reed").update({"system.resource.value": 12});'


def test_a_change_is_looked_into_rolled_back_and_redone(table):
    """The card of a real write, down to the hit points."""
    chat = table.chat
    hp = "game.actors.getName('Ottar Reed').system.resource.value"
    table.write(WRITE, "Hurt Ottar")
    card = chat.card("Hurt Ottar").first
    expect(card).to_contain_text("1 changed")
    assert chat.run(hp) == 12
    card.get_by_role("button", name="Changes").click()
    expect(card.locator(".aagm-change")).to_have_text(
        ["system.resource.valuebefore: 31, after: 12"]
    )
    card.get_by_role("button", name="Roll back").click()
    expect(card).to_contain_text("Rolled back: 1 document.")
    assert chat.run(hp) == 31
    card.get_by_role("button", name="Redo").click()
    expect(card).to_contain_text("Brought back: 1 document.")
    assert chat.run(hp) == 12


def test_what_the_gm_changed_since_is_asked_about(table):
    """Keep theirs takes back the rest; Overwrite takes that back all the same."""
    chat = table.chat
    hp = "game.actors.getName('Ottar Reed').system.resource.value"
    pike = "game.actors.getName('Old Pike')?.name"
    renamed = 'await game.actors.getName("Old Pike").update({name: "Older Pike"});'
    table.write(WRITE + renamed, "Hurt Ottar")
    card = chat.card("Hurt Ottar").first
    expect(card).to_be_visible()
    chat.run("game.actors.getName('Ottar Reed').update({'system.resource.value': 20})")
    chat.page.wait_for_function(f"{hp} === 20")
    card.get_by_role("button", name="Roll back").click()
    expect(card).to_contain_text("Ottar Reed (system.resource.value) was changed")
    card.get_by_role("button", name="Cancel").click()
    expect(card).to_contain_text("Left as it is.")
    assert chat.run(f"{pike} ?? null") is None
    card.get_by_role("button", name="Roll back").click()
    card.get_by_role("button", name="Keep theirs").click()
    expect(card).to_contain_text("Only partly rolled back: 1 document.")
    expect(card).to_contain_text("Ottar Reed: left as it is, since somebody changed it")
    assert (chat.run(hp), chat.run(pike)) == (20, "Old Pike")
    card.get_by_role("button", name="Roll back").click()
    card.get_by_role("button", name="Overwrite").click()
    expect(card).to_contain_text("Rolled back: 1 document.")
    assert chat.run(hp) == 31


@pytest.mark.speed
def test_a_reload_during_work_brings_everything_back(make_relay, make_chat):
    """Tabs, lines, cards, draft, what is unread, place and size: within a second."""
    relay = make_relay("--pairing", "off").start()
    with mcp_caller(relay.mcp_url) as agent:
        chat = make_chat(url=relay.bridge_url, persist="reload", before=LOOK)
        chat.set_world(mode="cogm")
        table = Table(chat, "kimi", agent)
        table.take()
        table.typed("Light the lamps")
        chat.button("New conversation").click()
        table.typed("Count the rats")
        first, second = (prompt["tabId"] for prompt in table.take())
        table.write(WRITE, "Hurt Ottar")
        for tab, text, is_final in ((first, "Lit.", True), (second, "Two…", False)):
            reply = {"text": text, "tabId": tab, "final": is_final}
            agent.call("foundry_send_reply", **reply)
        expect(chat.tab("Light the lamps")).to_contain_text("unread")
        expect(chat.lines("assistant")).to_contain_text("Two…")
        chat.field.fill("and the ee")
        chat.run("sessionStorage.setItem('wanted', look())")
        chat.reload()
        chat.page.wait_for_function("window.sameAt")
        took = chat.run(
            """sameAt - performance.getEntriesByType("resource")
              .find(({ name }) => name.endsWith("/bridge.js")).startTime"""
        )
        assert took < RELOADED
