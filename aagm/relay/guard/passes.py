"""Repeat the walk, piece by piece, until no set is new to who looked at it.

A piece is a statement of the program, or a function. It is walked again when a set
has grown that it looked at before: mostly a few pieces are, and the others are not.
"""

from __future__ import annotations

from attrs import define, field

from aagm.relay.guard.parsing import OutOfTime
from aagm.relay.guard.syntax import Block, Node
from aagm.relay.guard.values import just
from aagm.relay.guard.walk import Walk

MOST_PASSES = 12


@define(eq=False)
class Passes:
    """The passes of one walk over one program."""

    walk: Walk
    _statements: list[tuple[int, Node]] = field(factory=list, init=False)

    def run(self, program: Block) -> None:
        """Walk *program* to the end; raises `OutOfTime`."""
        walk = self.walk
        self._statements = [(walk.new_bit(), each) for each in program.statements]
        for binding, function in program.functions:
            walk.write(binding, just(walk.closure(function)))
        self.settle()
        for doubts in walk.doubts.values():
            for place, reason in doubts.items():
                walk.find("unproven", reason, place)

    def settle(self) -> None:
        """Walk every piece, and again what is stale then; raises `OutOfTime`."""
        walk = self.walk
        walk.start_again()
        while walk.stale:
            walk.number += 1
            if walk.number > MOST_PASSES:
                raise OutOfTime
            for bit, statement in self._statements:
                if walk.stale & bit:
                    walk.begin(bit)
                    walk.evaluate(statement)
            self._walk_functions()

    def _walk_functions(self) -> None:
        """Walk stale functions, and those that nobody was seen to call."""
        walk = self.walk
        for closure in walk.functions:  # grows while we go
            if not closure.walked_in:
                walk.run_unknown(closure)  # JavaScript may call it
            elif walk.stale & closure.bit and closure.walked_in != walk.number:
                walk.walk_body(closure)
