"""At random over five tabs: an interrupt never reaches another tab's worker."""

from __future__ import annotations

import random

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred

TABS = [f"t-{n}" for n in range(5)]
LISTENER = "listener-a"


@define(eq=False)
class Crowd:
    """Five workers, an outside agent, a listener and a GM who types a lot."""

    world: object
    rng: random.Random
    tab_of: dict = field(factory=dict)  # prompt id -> its tab
    outside: set = field(factory=set)  # ids typed while external
    seen: list = field(factory=list)  # (id, who)
    running: list = field(factory=list)

    def step(self):
        """Let one thing happen."""
        world, tab = self.world, self.rng.choice(TABS)
        match self.rng.randrange(8):
            case 0 | 1:
                self.type(tab)
            case 2:
                self.work(tab)
            case 3:
                self.take(world.call("eval", tabId=tab), tab)
            case 4:
                self.take(world.call("eval"), None)
            case 5:
                call = world.call("get_interrupts", listenerId=LISTENER, tabId=tab)
                self.take(call, tab)
            case 6:
                self.take(world.poll(LISTENER, 0), "listener")
            case 7:
                self.turn(tab)

    def type(self, tab):
        """Type a prompt, or switch the mode."""
        if self.rng.random() < 0.15:
            self.world.type(self.rng.choice(["/int", "/ext"]), tab)
            return
        prompt_id = self.world.type("words", tab)
        self.tab_of[prompt_id] = tab
        if self.world.chat.facts()["interactionMode"] == "external":
            self.outside.add(prompt_id)

    def work(self, tab):
        """Let a call begin, or let the oldest end."""
        if self.running and self.rng.random() < 0.5:
            self.running.pop(0).callback({"did": "work"})
            return
        work = Deferred()
        self.world.work = lambda _call: work
        call = self.world.call("eval", tabId=tab)
        self.world.work = lambda _call: {"did": "work"}
        if not call.is_done:
            self.running.append(work)
        self.take(call, tab)

    def turn(self, tab):
        """Let the turn of a write come."""
        call = self.world.call("get_interrupts", listenerId=LISTENER, tabId="none")
        named = self.rng.choice([tab, None])
        result = self.world.chat.gate.before_write(call.caller_of(), named)
        self.check(result or {}, named)

    def take(self, call, who):
        """Look at an answer, which arrives or is lost."""
        self.check(call.value or {}, who)
        if self.rng.random() < 0.8:
            call.arrive()
        else:
            call.reset()

    def check(self, answer, who):
        """Hold every prompt in an answer to the rule."""
        is_external = self.world.chat.facts()["interactionMode"] == "external"
        for prompt in answer.get("prompts", []):
            prompt_id = prompt["promptId"]
            assert prompt["tabId"] == self.tab_of[prompt_id]
            if who is None:
                assert is_external
                assert prompt_id in self.outside
            elif who != "listener":
                assert prompt["tabId"] == who
            self.seen.append((prompt_id, who))


@pytest.mark.parametrize("seed", range(5))
def test_no_worker_gets_another_s_orders(world, seed):
    """A call gets its own tab's; one without a tab what was typed while external."""
    crowd = Crowd(world, random.Random(seed))
    for _ in range(600):
        crowd.step()
    by_calls = {who for _, who in crowd.seen if who != "listener"}
    assert by_calls & set(TABS)
    rides = world.member.interrupts.rides_calls
    assert (None in by_calls) == rides


def test_one_tab_means_the_main_one_when_others_are_left(grok):
    """With multitasking off a call without a tab takes the main tab's, no other's."""
    grok.type("a task", "t-1")
    grok.type("a task", "t-main")
    grok.take()
    grok.bridge.tell(grok.tab, "settings.sync", {"mode": "assistant"})
    grok.type("for the worker of t-1", "t-1")
    assert grok.call("eval").value == {"did": "work"}
    grok.type("for the main one", "t-main")
    prompts = grok.call("eval").value["prompts"]
    assert [prompt["text"] for prompt in prompts] == ["for the main one"]
