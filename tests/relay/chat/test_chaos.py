"""Random moments: relays killed, tabs reloaded, listeners dead, connections broken."""

from __future__ import annotations

import random

import pytest
from attrs import define, field

from aagm.testing import FakeTab, MemoryDisk

PROMPTS = 200
TABS = [f"t-{n}" for n in range(5)]


@define(eq=False)
class Box:
    """The module's side: it keeps what is not acknowledged and sends it again."""

    rng: random.Random
    waiting: dict[str, dict] = field(factory=dict)

    def send(self, world, params):
        """Send what was typed, or keep it while the relay is down."""
        self.waiting[params["promptId"]] = params
        if world is not None:
            self._tell(world, params)

    def reconnect(self, world):
        """Send everything again that was not acknowledged."""
        for params in list(self.waiting.values()):
            self._tell(world, params)
        world.bridge.tell(world.tab, "aagm.status.request", {})

    def _tell(self, world, params):
        world.bridge.tell(world.tab, "aagm.prompt", params)
        if self.rng.random() < 0.1:
            world.tab.told.clear()  # the acknowledgement is lost with the socket
        for ack in world.tab.told_of("aagm.prompt.ack"):
            self.waiting.pop(ack["promptId"], None)


@define(eq=False)
class Story:
    """One random run."""

    world: object
    rng: random.Random
    box: Box = field(init=False)
    is_down: bool = False
    listener: int = 0
    poll: object = None
    typed: dict = field(factory=dict)  # id -> (tab, text), in order
    got: dict = field(factory=dict)  # id -> whether marked, each time it was read
    lines: dict = field(factory=lambda: {tab: [] for tab in TABS})
    todo: list = field(factory=list)

    answered: set = field(factory=set)

    deaths: float = field(init=False)

    def __attrs_post_init__(self):
        """Open the box."""
        self.box = Box(self.rng)
        self.deaths = self.rng.choice([0, 0.2, 1])

    def step(self):
        """Let one thing happen."""
        steps = {
            self.type: 8,
            self.listen: 8,
            self.answer: 4,
            self.kill: 1,
            self.reload: 1,
            self.die: self.deaths,
            self.breathe: 2,
        }
        self.rng.choices(list(steps), list(steps.values()))[0]()
        self.world.clock.advance(self.rng.random())

    def type(self):
        """Type a prompt, whether or not the relay is there."""
        if len(self.typed) == PROMPTS:
            return
        prompt_id, tab = f"p-{len(self.typed)}", self.rng.choice(TABS)
        self.typed[prompt_id] = tab, f"prompt {len(self.typed)}"
        text = self.typed[prompt_id][1]
        params = {"promptId": prompt_id, "text": text, "tabId": tab}
        self.lines[tab].append(("user", text))
        self.box.send(None if self.is_down else self.world, params)

    def listen(self):
        """Poll, or let the poll that waits meet its fate."""
        if self.is_down:
            return
        if self.poll is None:
            self.poll = self.world.poll(f"listener-{self.listener}", 20)
        fate = self.rng.choice(["wait", "arrive", "arrive", "reset", "cut", "repeat"])
        if fate == "repeat":
            again = self.world.poll(f"listener-{self.listener}", 20)
            self.poll.cut()
            self.poll = again
        elif not self.poll.is_done:
            if fate == "cut":
                self.poll.cut()
                self.poll = None
        elif fate == "reset":
            self.read()
            self.poll.reset()
            self.poll = None
        elif fate != "wait":
            self.read()
            self.poll.arrive()
            self.poll = None

    def read(self):
        """Let the listener read the answer; its fate comes later."""
        assert self.poll.error is None
        for prompt in self.poll.value["prompts"]:
            marks = self.got.setdefault(prompt["promptId"], [])
            marks.append(prompt.get("redelivered", False))
            self.todo.append(prompt)

    def answer(self):
        """Reply to something that was read."""
        if self.is_down or not self.todo:
            return
        prompt = self.todo.pop(0)
        text = f"reply to {prompt['promptId']}"
        self.world.call(
            "send_reply", text=text, tabId=prompt["tabId"], promptId=prompt["promptId"]
        )
        self.lines[prompt["tabId"]].append(("assistant", text))
        self.answered.add(prompt["promptId"])

    def kill(self):
        """Kill the relay, or start it again."""
        if not self.is_down:
            if self.poll is not None and self.poll.is_done and self.rng.random() < 0.5:
                self.read()
            self.poll, self.is_down = None, True
            self.world.disk = MemoryDisk(dict(self.world.disk.files))
            return
        self.is_down = False
        self.world.start()
        self.box.reconnect(self.world)

    def reload(self):
        """Reload the tab; sometimes it was in the middle of sending."""
        if self.is_down:
            return
        self.world.bridge.disconnect(self.world.tab)
        self.world.tab = FakeTab(self.world.tab.hello)
        self.world.bridge.connect(self.world.tab)
        self.box.reconnect(self.world)

    def die(self):
        """Let the listener die with what it read; another comes after the lease."""
        if self.is_down:
            return
        if self.poll is not None:
            self.poll.cut()
            self.poll = None
        self.todo.clear()
        self.listener += 1
        self.world.clock.advance(46)

    def breathe(self):
        """Let writing the whole take its time, or come to its end."""
        if self.rng.random() < 0.5:
            self.world.disk.release()
        self.world.disk.hold()

    def end(self):
        """Let everything come to rest and the last listener answer all there is."""
        while len(self.typed) < PROMPTS:
            self.type()
        if self.is_down:
            self.kill()
        while self.box.waiting:
            self.reload()
        if self.deaths:
            self.die()
        if self.poll is not None:
            self.poll.cut()
        while self.todo or self.poll is None or self.poll.value["prompts"]:
            self.poll = self.world.poll(f"listener-{self.listener}", 0)
            self.read()
            self.poll.arrive()
            while self.todo:
                self.answer()


@pytest.mark.parametrize("seed", range(8))
def test_nothing_typed_is_lost_or_doubled(world, seed, monkeypatch):
    """Every prompt is answered, none comes twice unmarked, transcripts are whole."""
    monkeypatch.setattr("aagm.relay.chat.ledger.ENOUGH", 20_000)
    story = Story(world, random.Random(seed))
    for _ in range(700):
        story.step()
    story.end()
    assert story.box.waiting == {}
    assert sorted(story.answered) == sorted(story.typed)
    doubled = {i: marks for i, marks in story.got.items() if not all(marks[1:])}
    assert doubled == {}
    tabs = story.world.tabs()
    for tab, lines in story.lines.items():
        shown = [(line["role"], line["text"]) for line in tabs[tab]["transcript"]]
        assert shown == lines[-40:]
