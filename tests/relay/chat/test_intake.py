"""What the GM types is taken once, saved first, and never silently lost."""

from __future__ import annotations

import pytest
from attrs import evolve

from aagm.errors import TimeLimit
from aagm.relay.chat.dispatch import WHEN_CLOSED
from aagm.testing import FAMILY_HELLO, FakeTab


def acks(world):
    """List the ids that were acknowledged."""
    return [ack["promptId"] for ack in world.tab.told_of("aagm.prompt.ack")]


def texts(world):
    """Take what is there; its texts."""
    return [prompt["text"] for prompt in world.take()]


def test_a_prompt_is_acknowledged_once_it_is_on_disk(world):
    """The acknowledgement comes after the append, and the prompt survives a kill."""
    prompt = world.type("hello")
    assert acks(world) == [prompt]
    assert world.disk.written[0][0] == "append"
    world.start()
    assert texts(world) == ["hello"]


def test_a_family_module_gets_no_acknowledgement(world):
    """It does not know the notification."""
    world.start(evolve(FAMILY_HELLO, settings={"mode": "cogm"}))
    world.type("hello")
    assert acks(world) == []
    assert texts(world) == ["hello"]


def test_what_was_typed_while_the_relay_was_down_comes_at_the_next_start(world):
    """The module sends everything again; what is known is only acknowledged."""
    first = world.type("typed before")
    world.take()
    world.start()
    world.type("typed before", id_=first)
    second = world.type("typed meanwhile")
    assert acks(world) == [first, second]
    assert texts(world) == ["typed meanwhile"]
    assert len(world.tabs()["t-1"]["transcript"]) == 2


def test_a_command_that_is_sent_again_runs_once(world):
    """A rollback is not done twice because its acknowledgement was lost."""
    prompt = world.type("/rollback rp-0a1b2c")
    world.start()
    world.type("/rollback rp-0a1b2c", id_=prompt)
    assert world.rollbacks.asked == [("rollback", "rp-0a1b2c", "chat")]
    assert acks(world) == [prompt]


def test_a_full_disk_delays_a_prompt_and_says_so(world):
    """It is not acknowledged, it is not lost, and its order stays."""
    world.disk.is_full = True
    first, second = world.type("one"), world.type("two")
    assert acks(world) == []
    world.clock.advance(10)
    assert texts(world) == []
    said = world.tab.told_of("aagm.reply")
    assert len(said) == 1
    assert "no space is left. Make room on the relay's disk" in said[0]["text"]
    world.disk.is_full = False
    world.clock.advance(2)
    assert acks(world) == [first, second]
    assert texts(world) == ["one", "two"]


@pytest.mark.parametrize("member", ["promptId", "tabId"])
@pytest.mark.parametrize("text", ["hello", "/close"])
def test_an_endless_id_is_refused_where_it_was_typed(world, member, text):
    """It is kept nowhere and closes no other tab; the words come back to be sent."""
    world.type("first", "t-1")
    told = len(world.tab.told_of("aagm.prompt.ack"))
    params = {"promptId": "p-long", "text": text, "tabId": "t-1"}
    world.bridge.tell(world.tab, "aagm.prompt", params | {member: "x" * 201})
    assert list(world.tabs()) == ["t-1"]
    assert texts(world) == ["first"]
    said = world.tab.told_of("aagm.reply")[-1]
    assert said["system"] is True
    assert "more than 200 characters" in said["text"]
    assert said["text"].endswith(f"send it again: {text}")
    assert len(world.tab.told_of("aagm.prompt.ack")) == told + 1


def test_a_prompt_that_cannot_be_handed_out_waits(world):
    """The listener is told of the disk; the prompt is not lost."""
    world.type("hello")
    world.disk.is_full = True
    assert world.poll(wait=0).error is not None
    world.disk.is_full = False
    assert texts(world) == ["hello"]


def test_a_sixth_tab_is_refused_and_its_words_are_kept(world):
    """The line stands in the first tab; the box learns that there is no sixth."""
    for number in range(5):
        world.type("hello", f"t-{number}")
    world.take()
    prompt = world.type("one too many", "t-5")
    assert acks(world)[-1] == prompt
    assert texts(world) == []
    tabs = world.tabs()
    assert list(tabs) == [f"t-{number}" for number in range(5)]
    line = tabs["t-0"]["transcript"][-1]
    assert line["role"] == "system"
    assert "one too many" in line["text"]


def test_a_command_in_a_sixth_tab_is_carried_out(world):
    """What it says is said in the first tab."""
    for number in range(5):
        world.type("hello", f"t-{number}")
    world.type("/points", "t-5")
    assert world.rollbacks.asked == [("points",)]
    assert world.tabs()["t-0"]["transcript"][-1]["role"] == "system"


def test_a_prompt_without_a_tab_goes_to_the_first_or_the_main_one(world):
    """A family module with multitasking off names none."""
    world.type("hello", None)
    assert list(world.tabs()) == ["t-main"]
    world.type("again", None)
    assert [prompt["tabId"] for prompt in world.take()] == ["t-main", "t-main"]


@pytest.mark.parametrize("text", [None, 7, ["hello"]])
def test_what_is_no_text_is_dropped(world, text):
    """A broken module harms nobody."""
    world.bridge.tell(world.tab, "aagm.prompt", {"promptId": "p-1", "text": text})
    assert acks(world) == []
    assert world.take() == []


def test_a_second_gm_s_tab_may_type(world):
    """What it sends is taken and acknowledged to it, not to the owner."""
    second = FakeTab(world.tab.hello)
    world.bridge.connect(second)
    params = {"promptId": "p-1", "text": "from the other screen", "tabId": "t-1"}
    world.bridge.tell(second, "aagm.prompt", params)
    assert len(second.told_of("aagm.prompt.ack")) == 1
    assert acks(world) == []
    assert texts(world) == ["from the other screen"]


def test_parked_prompts_are_in_the_queue_again_at_the_next_start(grok):
    """The mode begins as internal, and nothing is held back for ever."""
    grok.type("first")
    grok.type("/ext")
    grok.type("second")
    grok.start()
    assert grok.chat.facts()["interactionMode"] == "internal"
    assert texts(grok) == ["first", "second"]


def test_closing_a_tab_drops_its_queue_and_tells_the_listener(world):
    """The tab is gone; its listener is told before what others typed."""
    world.type("a task", "t-1")
    world.type("elsewhere", "t-2")
    world.take()
    world.type("never done", "t-1")
    world.bridge.tell(
        world.tab,
        "aagm.prompt",
        {"promptId": "close-t-1-1790000000000", "text": "/close", "tabId": "t-1"},
    )
    assert list(world.tabs()) == ["t-2"]
    assert world.tabs()["t-2"]["transcript"][-1]["text"] == world.said()[-1]
    assert world.said()[-1] == "Closed. Not sent any more:\nnever done"
    poll = world.poll(wait=0).arrive()
    assert [(p["text"], p["tabId"]) for p in poll["prompts"]] == [("/close", "t-1")]
    assert poll["closedTabs"] == ["t-1"]
    late = world.call("send_reply", text="too late", tabId="t-1").value
    assert late == {
        "delivered": False,
        "tabId": "t-1",
        "dropped": True,
        "reason": "no tab t-1 is open",
        "fix": WHEN_CLOSED,
    }


def test_closing_the_only_tab_leaves_word_of_what_waited(grok):
    """What was parked too; it stands where the next prompt is typed."""
    grok.type("held back", "t-1")
    grok.type("/ext", "t-1")
    grok.type("typed after", "t-1")
    grok.type("/close", "t-1")
    [(tab, shape)] = grok.tabs().items()
    assert tab == "t-main"
    said = shape["transcript"][-1]
    assert said["role"] == "system"
    assert said["text"].splitlines() == [
        "Closed. Not sent any more:",
        "held back",
        "typed after",
    ]


def test_stopping_names_what_was_held_back_too(grok):
    """`/exit` while an agent outside drives loses no word in silence."""
    grok.type("held back", "t-1")
    grok.type("/ext", "t-1")
    grok.type("/exit", "t-1")
    assert grok.said()[-1] == "Stopped. Not sent any more:\nheld back"


def test_closing_a_tab_where_nothing_waits_says_nothing(world):
    """There is nothing to tell."""
    world.type("a task", "t-1")
    world.take()
    world.type("/close", "t-1")
    assert world.said() == []


def test_closing_an_unknown_tab_does_nothing(world):
    """It is acknowledged and forgotten."""
    prompt = world.type("/close", "t-9")
    assert acks(world) == [prompt]
    assert world.take() == []


ROLLED_BACK = {
    "rolledBack": [
        {"id": "rp-0a1b2c", "summary": "Hurt the innkeeper", "state": "rolled-back"},
        {"id": "rp-3d4e5f", "summary": "Move a chair", "state": "partial", "failed": 1},
    ],
    "redoPoint": "rp-6a7b8c",
}


def test_the_box_rolls_back_with_nobody_listening(world):
    """The relay does it and says what was done; the listener gets nothing."""
    world.rollbacks.answer = ROLLED_BACK
    world.type("/rollback")
    assert world.rollbacks.asked == [("rollback", None, "chat")]
    (said,) = world.said()
    assert "rp-0a1b2c (rolled-back): Hurt the innkeeper" in said
    assert "1 could not be restored" in said
    assert "/redo" in said
    assert world.take() == []
    assert world.tabs()["t-1"]["transcript"][-1]["text"] == said


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            {"refused": True, "reason": "no live rollback point", "fix": "Look."},
            "Not rolled back: no live rollback point. Look.",
        ),
        (
            {
                "refused": True,
                "reason": "somebody changed it since",
                "conflicts": [
                    {"name": "Innkeeper", "path": "name", "kind": "changed"},
                    {"uuid": "Actor.x", "kind": "gone"},
                ],
            },
            "Innkeeper, name: changed\nActor.x: gone",
        ),
        ({"rolledBack": [], "redoPoint": None}, "Nothing had to be taken back."),
        (
            TimeLimit("no answer within 305 s", fix="Look at the tab."),
            "Look at the tab",
        ),
    ],
)
def test_the_box_says_why_a_rollback_did_nothing(world, answer, words):
    """The reason, and what to do about it, in the box."""
    world.rollbacks.answer = answer
    world.type("/rollback rp-0a1b2c")
    assert words in world.said()[-1]


def test_a_redo_says_what_it_brought_back(world):
    """It names the change, not the rollback, and the way back from there."""
    label = "Rollback to before rp-0a1b2c: Hurt the innkeeper"
    point = {"id": "rp-3d4e5f", "summary": label, "state": "rolled-back"}
    world.rollbacks.answer = {"rolledBack": [point], "redoPoint": "rp-6a7b8c"}
    world.type("/redo")
    assert world.said()[-1].splitlines() == [
        "Brought back: 1 point.",
        "rp-3d4e5f (brought back): Hurt the innkeeper",
        "/rollback takes it back again.",
    ]


def test_a_redo_that_did_nothing_is_no_rollback(world):
    """The box says so in the words of what was typed."""
    world.rollbacks.answer = {"refused": True, "reason": "there is no rollback"}
    world.type("/redo")
    assert world.said()[-1] == "Not brought back: there is no rollback"
    world.rollbacks.answer = {"rolledBack": [], "redoPoint": None}
    world.type("/redo")
    assert world.said()[-1] == "Nothing had to be brought back."


def test_redo_and_points_are_the_relay_s_too(world):
    """Both are answered in the box."""
    world.type("/redo")
    brief = {"id": "rp-0a1b2c", "state": "live", "summary": "Hurt the innkeeper"}
    points = [{**brief, "captured": "1 update"}] * 12
    world.rollbacks.answer = {"points": points}
    world.type("/points")
    assert world.rollbacks.asked == [("redo", "chat"), ("points",)]
    lines = world.said()[-1].splitlines()
    assert lines[0] == "rp-0a1b2c (live): Hurt the innkeeper [1 update]"
    assert lines[-1] == "and 2 older"


def test_the_log_command_reads_the_log_named(grok):
    """With a name it is that log's end."""
    grok.type("/log September 24 14.05.06.007.md")
    assert grok.logs.asked == [("September 24 14.05.06.007.md", 30)]


def test_the_mode_is_said_where_it_was_switched(world):
    """Typed in a tab, the tab has it in its transcript."""
    world.type("waits", "t-1")
    world.type("/ext", "t-2")
    line = world.tabs()["t-2"]["transcript"][-1]["text"]
    assert line.startswith("External")
    assert "1 prompt" in line
    world.type("/ext", "t-2")
    assert "already" in world.said()[-1]


def test_the_tool_switches_the_mode_as_the_box_does(world):
    """The box is told; nothing is said in a tab."""
    assert world.call("set_interaction_mode", mode="external").value == {
        "mode": "external"
    }
    assert world.tab.told_of("aagm.mode") == [{"mode": "external"}]
    assert world.said() == []
    assert world.chat.facts()["interactionMode"] == "external"
