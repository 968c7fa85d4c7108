"""What the box is told, in which order and how often."""

from __future__ import annotations

from attrs import evolve

from aagm.relay.chat.lease import LEASE
from aagm.relay.chat.tab import MAX_LINE, MAX_LINES
from aagm.testing import FakeTab
from aagm.wire.hello import World


def told(world):
    """List the methods of what the box was told since last time."""
    methods = [each.method for each in world.tab.told]
    world.tab.told.clear()
    return methods


def ask(world):
    """Ask for everything, as a box that just opened."""
    world.bridge.tell(world.tab, "aagm.status.request", {})


def test_a_box_that_opens_is_told_tabs_first_and_the_cards_last(world):
    """Tabs, then status and mode, then the rollback cards."""
    world.type("hello")
    world.clock.advance(1)
    told(world)
    ask(world)
    assert world.cards == [3]
    assert told(world) == ["aagm.tabs", "aagm.status", "aagm.mode"]


def test_a_box_that_opens_right_after_a_change_waits_for_its_turn(world):
    """The order holds also when the table of tabs went out just now."""
    world.type("hello")
    told(world)
    ask(world)
    assert told(world) == []
    world.clock.advance(0.05)
    assert told(world) == ["aagm.tabs", "aagm.status", "aagm.mode"]
    assert world.cards == [3]


def test_only_the_owner_s_box_is_answered(world):
    """A second tab that asks does not make the first one draw anew."""
    second = FakeTab(evolve(world.tab.hello, user_name="Ebba"))
    world.bridge.connect(second)
    world.bridge.tell(second, "aagm.status.request", {})
    assert world.tab.told == second.told == []


def test_tabs_go_out_at_most_every_50_ms(world):
    """Twenty prompts in one moment: one table now, one 50 ms later, none missing."""
    for number in range(20):
        world.type(f"prompt {number}")
    assert len(world.tab.told_of("aagm.tabs")) == 1
    world.clock.advance(0.04)
    assert len(world.tab.told_of("aagm.tabs")) == 1
    world.clock.advance(0.01)
    tables = world.tab.told_of("aagm.tabs")
    assert [len(table["tabs"][0]["transcript"]) for table in tables] == [1, 20]
    world.clock.advance(10)
    assert len(world.tab.told_of("aagm.tabs")) == 2


def test_replies_do_not_wait(world):
    """A reply shows at once, however often tabs change."""
    world.type("hello")
    world.take()
    world.call("send_reply", text="at once", promptId="typed-1", tabId="t-1")
    assert world.tab.told_of("aagm.reply") == [
        {"text": "at once", "tabId": "t-1", "promptId": "typed-1"}
    ]


def test_a_reply_to_a_prompt_that_nobody_typed_says_so(world):
    """The game master reads the text; the agent learns that its promptId is wrong."""
    prompt = world.type("light the lamps")
    world.take()
    answer = world.call("send_reply", text="Lit.", promptId="p-none").value
    assert answer["delivered"] is True
    assert answer["unknownPrompt"] is True
    assert "p-none" in answer["reason"]
    assert world.tabs()["t-1"]["transcript"][-1]["text"] == "Lit."

    answer = world.call("send_reply", text="Lit.", promptId=prompt).value
    assert answer == {"delivered": True, "tabId": "t-1"}
    world.bridge.disconnect(world.tab)
    answer = world.call("send_reply", text="Lit.", promptId="p-none").value
    assert (answer["delivered"], answer["unknownPrompt"]) == (False, True)


def test_a_reply_to_another_tabs_prompt_says_so(world):
    """The text is not lost; the prompt of the other tab is not taken as answered."""
    world.type("light the lamps", "t-1")
    prompt = world.type("sweep the hearth", "t-2")
    world.take()
    given = {"text": "Lit.", "promptId": prompt, "tabId": "t-1"}
    answer = world.call("send_reply", **given).value
    assert (answer["delivered"], answer["tabId"]) == (True, "t-1")
    assert answer["promptTab"] == "t-2"
    assert f"{prompt} was typed in tab t-2" in answer["reason"]
    assert "tabId" in answer["fix"]
    assert world.tabs()["t-1"]["transcript"][-1]["text"] == "Lit."
    assert world.tabs()["t-2"]["state"] == "working"
    assert world.tab.told_of("aagm.reply")[-1] == {"text": "Lit.", "tabId": "t-1"}

    given = {"text": "Swept.", "promptId": prompt, "tabId": "t-2"}
    answer = world.call("send_reply", **given).value
    assert answer == {"delivered": True, "tabId": "t-2"}


def test_a_slip_does_not_take_another_tabs_prompt_away(world):
    """The listener that comes next is offered it, since nobody answered it."""
    world.type("light the lamps", "t-1")
    prompt = world.type("sweep the hearth", "t-2")
    world.take()
    world.call("send_reply", text="Lit.", promptId=prompt, tabId="t-1")
    world.clock.advance(LEASE + 1)
    again = world.take("the-next-listener")
    assert [each["promptId"] for each in again] == [prompt]


def test_a_transcript_has_forty_lines_of_eight_thousand_characters(world):
    """The oldest lines go, long ones are cut; the prompt itself is whole."""
    for number in range(30):
        world.type(f"prompt {number}")
    world.take()
    for number in range(30):
        world.call("send_reply", text=f"reply {number}", tabId="t-1")
    long = "é" * (MAX_LINE + 1)
    world.type(long)
    lines = world.tabs()["t-1"]["transcript"]
    assert len(lines) == MAX_LINES
    assert lines[0]["text"] == "prompt 21"
    assert lines[-1]["text"] == long[:-1]
    assert [prompt["text"] for prompt in world.take()] == [long]


def test_a_tab_is_named_for_its_first_prompt_and_keeps_the_name(world):
    """24 characters of it, trimmed; the id where it is empty."""
    world.type("   What lives in the cellar of the inn?", "t-1")
    world.type("something else", "t-1")
    world.type("  ", "t-2")
    tabs = world.tabs()
    assert tabs["t-1"]["title"] == "What lives in the cellar"
    assert tabs["t-2"]["title"] == "t-2"


def test_states_follow_the_work(world):
    """Working from the prompt on, done with the final reply."""
    world.type("a task")
    assert world.tabs()["t-1"]["state"] == "working"
    world.take()
    world.call("send_reply", text="half", tabId="t-1", final=False)
    assert world.tabs()["t-1"]["state"] == "working"
    world.call("send_reply", text="all", tabId="t-1")
    assert world.tabs()["t-1"]["state"] == "done"


def test_a_tab_with_more_in_the_queue_is_not_done(world):
    """What was typed before the final reply still has to be worked on."""
    world.type("a task")
    world.take()
    world.type("and this")
    world.call("send_reply", text="first done", tabId="t-1")
    assert world.tabs()["t-1"]["state"] == "working"


def test_the_status_says_whether_anybody_listens(world):
    """It changes when a listener comes and when it goes."""
    world.type("hello")
    world.clock.advance(1)
    assert world.tab.told_of("aagm.status")[-1]["state"] == "no-listener"
    world.take()
    assert world.tab.told_of("aagm.status")[-1]["state"] == "ready"
    world.clock.advance(45)
    assert world.tab.told_of("aagm.status")[-1]["state"] == "no-listener"


def test_background_work_shows_until_it_is_cleared(world):
    """The listener says what its agents do; the box keeps it over a reload."""
    world.take()
    shown = world.call("set_status", text="reading the cellar", count=2).value
    assert shown == {
        "delivered": True,
        "state": "working",
        "text": "reading the cellar",
        "count": 2,
    }
    world.clock.advance(1)
    ask(world)
    assert world.tab.told_of("aagm.status")[-1]["text"] == "reading the cellar"
    cleared = world.call("set_status", clear=True).value
    assert cleared == {"delivered": True, "state": "ready"}
    world.bridge.disconnect(world.tab)
    unseen = world.call("set_status", clear=True).value
    assert unseen["delivered"] is False
    assert unseen["reason"].startswith("nobody sees it now: ")
    assert unseen["fix"]


def test_background_work_is_refused_without_multitasking(world):
    """Assistant mode has one task at a time; it counts from the next call on."""
    world.bridge.tell(world.tab, "settings.sync", {"mode": "assistant"})
    refused = world.call("set_status", text="much").value
    assert (refused["refused"], refused["reason"]) == (True, "multitasking-disabled")
    assert "settings" in refused["fix"]
    world.bridge.tell(world.tab, "settings.sync", {"mode": "cogm"})
    assert world.call("set_status", text="much").value["count"] == 1


def test_cancelled_prompts_come_back_after_a_reload(kimi):
    """The box can still offer to send them again."""
    kimi.type("long ago " + "x" * MAX_LINE)
    kimi.type("/ext")
    kimi.clock.advance(1)
    kimi.tab.told.clear()
    kimi.start()
    ask(kimi)
    (cancelled,) = kimi.tab.told_of("aagm.cancelled")
    assert cancelled["tabId"] == "t-1"
    (prompt,) = cancelled["prompts"]
    assert prompt["text"].endswith("x" * MAX_LINE)
    assert told(kimi)[:2] == ["aagm.tabs", "aagm.cancelled"]


def test_a_cancelled_prompt_that_is_sent_again_is_cancelled_no_more(kimi):
    """The same words in the same tab: its button goes, the listener gets it."""
    kimi.type("a task")
    kimi.type("/ext")
    kimi.type("/int")
    kimi.type("a task")
    assert [prompt["text"] for prompt in kimi.take()] == ["a task"]
    lines = [
        line for line in kimi.tabs()["t-1"]["transcript"] if line["text"] == "a task"
    ]
    assert [line.get("cancelled", False) for line in lines] == [False, False]
    kimi.tab.told.clear()
    ask(kimi)
    kimi.clock.advance(1)
    assert kimi.tab.told_of("aagm.cancelled") == []


def test_another_world_s_box_shows_its_own_tabs(world):
    """A GM with two campaigns sees each one's chat in its own world."""
    world.type("for the inn")
    world.take()
    inn, dock = world.tab.hello, evolve(world.tab.hello, world=World("dock", "Dock"))
    world.start(dock)
    assert world.take() == []
    ask(world)
    assert world.tabs() == {}
    world.type("for the dock")
    assert [prompt["text"] for prompt in world.take()] == ["for the dock"]
    world.start(inn)
    ask(world)
    assert [tab["title"] for tab in world.tabs().values()] == ["for the inn"]
