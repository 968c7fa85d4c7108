"""Random writes, rollbacks and redos through the real relay, judged after each step.

The world must be the one before the target, and what the point files call live,
put on top of an empty world in order, must give the world.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

from attrs import define, field

Documents = dict[str, Any]  # canonical sources by uuid
Call = Callable[..., Any]  # a tool and its arguments
Look = Callable[[], Documents]  # the documents that sequences made

# What sequences write into: everything else stays out of the comparison.
NAMES = ("Eel", "Cask", "Rope", "Lamp", "Oar", "Bell")


@define(eq=False)
class Wrote:
    """A write of the sequence, and what it did to the world."""

    id: str
    file: str
    before: Documents
    after: Documents

    def onto(self, world: Documents) -> Documents:
        """Put this write on top of *world*."""
        changed = {
            uuid: source
            for uuid, source in self.after.items()
            if self.before.get(uuid) != source
        }
        gone = self.before.keys() - self.after.keys()
        return {u: s for u, s in (world | changed).items() if u not in gone}


@define(eq=False)
class Sequence:
    """One random sequence on an empty world."""

    rng: random.Random
    call: Call
    look: Look
    points: Path  # the folder of point files
    steps: int = 4
    writes: list[Wrote] = field(factory=list, init=False)
    told: list[str] = field(factory=list, init=False)
    _world: Documents = field(factory=dict, init=False)

    def run(self) -> None:
        """Do the steps, then take everything back."""
        # A live write that stays: redo goes no further back than to it.
        self.call("foundry_eval", code=MARK, intent="write", summary="begin")
        for _ in range(self.steps):
            self.rng.choice((self.write, self.write, self.roll_back, self.redo))()
        if any(self.live()):
            self.undo(self.live()[0])
        assert self._world == {}

    def write(self) -> None:
        """Do one to three random things in one eval."""
        before, code = self._world, self.some_code()
        self.told.append(code.removeprefix(HELPERS))
        answer = self.call("foundry_eval", code=code, intent="write", summary="a step")
        self._world = self.look()
        point = answer["rollbackPoint"]
        wrote = Wrote(point["id"], point["file"], before, self._world)
        self.writes.append(wrote)
        self.judge()

    def roll_back(self) -> None:
        """Roll back to a random point, live or not."""
        if self.writes:
            self.undo(self.rng.choice(self.writes))

    def undo(self, target: Wrote) -> None:
        """Roll back to *target*; the world is the one before it."""
        self.told.append(f"roll back to {target.id}")
        is_live = self.state(target) in ("live", "empty")
        answer = self.call("foundry_rollback", rollbackId=target.id)
        before, self._world = self._world, self.look()
        assert ("rolledBack" in answer) == is_live, answer
        assert self._world == (target.before if is_live else before)
        self.judge()

    def redo(self) -> None:
        """Bring back what the last rollback undid, if nothing newer is in the way."""
        self.told.append("redo")
        before = self._world
        answer = self.call("foundry_rollback", redo=True)
        self._world = self.look()
        if answer.get("refused"):
            assert self._world == before
        self.judge()

    def live(self) -> list[Wrote]:
        """List the writes whose files say that they are in the world, oldest first."""
        return [each for each in self.writes if self.state(each) == "live"]

    def state(self, wrote: Wrote) -> str:
        """Read a point's state from its file."""
        filed: dict[str, Any] = json.loads((self.points / wrote.file).read_bytes())
        state: str = filed["state"]
        return state

    def judge(self) -> None:
        """Replay the live points from an empty world."""
        world: Documents = {}
        for each in self.live():
            world = each.onto(world)
        assert world == self._world, self.story()

    def story(self) -> str:
        """Tell what was done and how it stands, for whoever reads a failure."""
        states = {each.id: self.state(each) for each in self.writes}
        return f"{self.told}\n{states}"

    def some_code(self) -> str:
        """Write code that creates, changes and deletes."""
        kinds = (self.create, self.create, self.change, self.change, self.delete)
        steps = [self.rng.choice(kinds)() for _ in range(self.rng.randint(1, 3))]
        return HELPERS + "".join(steps)

    def create(self) -> str:
        """Create an actor, with items inside now and then, or a journal."""
        name = self.rng.choice(NAMES)
        if self.rng.random() < 0.3:
            return f'await JournalEntry.create({{ name: "seq {name}" }});\n'
        items = [{"name": f"seq {name}", "type": "gear"}] * self.rng.randint(0, 2)
        source = {
            "name": f"seq {name}",
            "type": "npc",
            "system": {"resource": {"value": self.rng.randint(0, 9), "max": 9}},
            "items": items,
        }
        return f"await Actor.create({json.dumps(source)});\n"

    def change(self) -> str:
        """Change a random document of ours: a field, a flag, or one flag less."""
        number = self.rng.randint(0, 10**6)
        change = self.rng.choice(
            (
                f'doc.update({{ name: "seq {self.rng.choice(NAMES)} {number}" }})',
                f'doc.setFlag("world", "seq", {number})',
                'doc.unsetFlag("world", "seq")',
                f"doc.update({{ sort: {number} }})",
            )
        )
        return f"{{ const doc = pick({number}); if (doc) await {change}; }}\n"

    def delete(self) -> str:
        """Delete a random document of ours."""
        number = self.rng.randint(0, 10**6)
        return f"{{ const doc = pick({number}); if (doc) await doc.delete(); }}\n"


# `pick` chooses among our documents, items inside actors included.
MARK = 'await game.journal.getName("How it sank").setFlag("world", "seq", Date.now());'
HELPERS = """
const isOurs = (doc) => doc.name.startsWith("seq ");
const own = () => [...game.actors, ...game.journal].filter(isOurs);
const pick = (number) => {
  const all = own().flatMap((doc) => [doc, ...(doc.items ?? [])]);
  return all[number % all.length];
};
"""
