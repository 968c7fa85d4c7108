"""Walk an eval with sets of what every name may hold, until nothing is new.

The walk is blind to the order in which things happen and to which branch is
taken: a name holds whatever is ever put there. It is repeated, piece by piece as
`passes` says: whoever looks into an atom adds the walk's `piece` to its readers.
What a form does is in tables that `expressions`, `statements`, `members`, `calls`
and their like fill.
Source: the usual constraint-based flow analysis, in its simplest form (0-CFA).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from attrs import define, field, frozen

from aagm.relay.guard.natives import GUARDED
from aagm.relay.guard.parsing import Budget
from aagm.relay.guard.protected import Protected
from aagm.relay.guard.scopes import Binding
from aagm.relay.guard.syntax import Function, Name, Node
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    LEFT_OUT,
    UNDEFINED,
    Args,
    Bound,
    Closure,
    Effect,
    Native,
    Thing,
    Value,
    is_plain,
    just,
    narrowed,
)
from aagm.relay.guard.verdicts import Kind

Form = Callable[["Walk", Any], Value]
FORMS: dict[type, Form] = {}  # how an expression or a statement is walked
TARGETS: dict[type, Callable[[Walk, Any, Value], None]] = {}  # assigned to
GETS: dict[type, Callable[[Walk, Any, str, Node], Value]] = {}  # a known name
PEEKS: dict[type, Callable[[Walk, Any, Node], Value]] = {}  # an unknown name
PUTS: dict[type, Callable[[Walk, Any, str | None, Value, Node], None]] = {}
CALLS: dict[type, Callable[[Walk, Any, Value, Args, Node], Value]] = {}
METHODS: dict[type, Callable[[Walk, Any, str, Args, Node], Value]] = {}
EACH: dict[type, Callable[[Walk, Any, Node], Value]] = {}  # what iterating gives


@frozen
class Finding:
    """One thing that makes the code no read."""

    kind: Kind
    reason: str
    place: int


@define(eq=False)
class Walk:
    """The state of one walk."""

    protected: Protected
    budget: Budget
    findings: dict[tuple[int, Kind], Finding] = field(factory=dict)
    number: int = 0  # of the pass
    piece: int = 0  # what is walked now: a statement or a function, as a bit
    stale: int = 0  # the pieces that looked at a set before it grew
    doubts: dict[int, dict[int, str]] = field(factory=dict)  # piece, place: reason
    data: Thing = field(factory=lambda: Thing("data"))  # all plain copies in one
    lost: Value = EMPTY  # atoms that `ANY` may be
    _lost_readers: int = 0
    _steps: int = 0
    _next: int = 1  # the bit of the next piece
    _things: dict[tuple[int, str], Thing] = field(factory=dict)
    _atoms: dict[int, Any] = field(factory=dict)  # closures, classes … by node
    functions: list[Closure] = field(factory=list)
    judge: Callable[[str], None] | None = None  # looks at code given as text
    inside: int = 0  # where that text stands

    def new_bit(self) -> int:
        """Give the bit of a new piece."""
        bit = self._next
        self._next <<= 1
        return bit

    def begin(self, bit: int) -> None:
        """Go to the piece *bit*, as if it had never been walked."""
        self.piece = bit
        self.stale &= ~bit
        self.doubts.pop(bit, None)

    # What was found

    def find(self, kind: Kind, reason: str, place: int) -> None:
        """Note that something at *place* makes the code no read."""
        self.findings.setdefault((place, kind), Finding(kind, reason, place))

    def doubt(self, reason: str, place: int) -> None:
        """Note what cannot be as it looks: it stands if the last look sees it."""
        self.doubts.setdefault(self.piece, {})[place] = reason

    def check_text(self, text: str, place: int) -> None:
        """Note a text that names what is protected."""
        reason = self.protected.named_in(text)
        if reason is not None:
            self.find("protected", reason, place)

    def judge_text(self, text: str, site: Node) -> None:
        """Look at code that is given as text."""
        if self.judge is not None:
            self.inside = site.place
            self.judge(text)

    # Dispatch

    def evaluate(self, node: Node) -> Value:
        """Walk a form; what it is worth."""
        self._steps += 1
        if not self._steps & 127:  # a look at the clock takes its time
            self.budget.require()
        return FORMS[type(node)](self, node)

    def assign(self, target: Node, value: Value) -> None:
        """Put *value* into a name, a member or a pattern."""
        TARGETS[type(target)](self, target, value)

    def get(self, value: Value, name: str, site: Node) -> Value:
        """Read the property called *name*."""
        if len(value) == 1:
            (atom,) = value
            return GETS[type(atom)](self, atom, name, site)
        return EMPTY.union(*[GETS[type(a)](self, a, name, site) for a in value])

    def peek(self, value: Value, site: Node) -> Value:
        """Read a property whose name is not known."""
        if len(value) == 1:
            (atom,) = value
            return PEEKS[type(atom)](self, atom, site)
        return EMPTY.union(*[PEEKS[type(a)](self, a, site) for a in value])

    def put(self, value: Value, name: str | None, new: Value, site: Node) -> None:
        """Assign to a property; None for a name that is not known."""
        if is_plain(value):
            self.doubt("assigns a property of what cannot be followed", site.place)
        for atom in value:
            PUTS[type(atom)](self, atom, name, new, site)

    def call(self, value: Value, this: Value, args: Args, site: Node) -> Value:
        """Call *value*."""
        if len(value) == 1:
            (atom,) = value
            return CALLS[type(atom)](self, atom, this, args, site)
        return EMPTY.union(*[CALLS[type(a)](self, a, this, args, site) for a in value])

    def call_method(self, value: Value, name: str, args: Args, site: Node) -> Value:
        """Call the method called *name*."""
        if len(value) == 1:
            (atom,) = value
            return METHODS[type(atom)](self, atom, name, args, site)
        return EMPTY.union(
            *[METHODS[type(a)](self, a, name, args, site) for a in value]
        )

    def each(self, value: Value, site: Node) -> Value:
        """Give what iterating over *value* yields."""
        if len(value) == 1:
            (atom,) = value
            return EACH[type(atom)](self, atom, site)
        return EMPTY.union(*[EACH[type(a)](self, a, site) for a in value])

    # Sets that grow

    def grown(self, old: Value, new: Value, readers: int) -> Value:
        """Join *new* to *old*: *readers* looked too early, if that is news."""
        if new <= old:
            return old
        joined, lost = narrowed(old | new)
        if lost:
            self.lose(lost)
        if joined == old:
            return old
        self.stale |= readers
        return joined

    def start_again(self) -> None:
        """Walk everything once more: something changed whose readers nobody noted."""
        self.stale = self._next - 1

    def read(self, binding: Binding) -> Value:
        """Read a name."""
        binding.readers |= self.piece
        return binding.value

    def write(self, binding: Binding, value: Value) -> None:
        """Put *value* into a name."""
        binding.value = self.grown(binding.value, value, binding.readers)

    def store(self, thing: Thing, name: str, value: Value) -> None:
        """Put *value* under a known name."""
        old = thing.fields.get(name, EMPTY)
        thing.fields[name] = self.grown(old, value, thing.readers)

    def store_rest(self, thing: Thing, value: Value) -> None:
        """Put *value* under some name or index."""
        thing.rest = self.grown(thing.rest, value, thing.readers)

    def blur(self, thing: Thing) -> None:
        """Forget in which order an array is."""
        if thing.length is not None:
            thing.length = None
            self.stale |= thing.readers
        for value in list(thing.fields.values()):
            self.store_rest(thing, value)

    def make_wild(self, thing: Thing) -> None:
        """Note that something callable may lie under any name."""
        if not thing.is_wild:
            thing.is_wild = True
            self.stale |= thing.readers

    def set_setter(self, thing: Thing, name: str, value: Value) -> None:
        """Add a setter to an object literal."""
        old = thing.setters.get(name, EMPTY)
        thing.setters[name] = old | value
        if thing.is_made and not value <= old:
            self.start_again()

    # Atoms, one for each place

    def thing(self, site: Node, kind: str, role: str = "") -> Thing:
        """Give the object made at *site*."""
        key = (id(site), role or kind)
        found = self._things.get(key)
        if found is None:
            found = self._things[key] = Thing(kind)
        return found

    def array(self, site: Node, elements: Value, role: str = "") -> Value:
        """Give an array made at *site* that holds *elements*."""
        thing = self.thing(site, "array", role)
        self.store_rest(thing, elements)
        return just(thing)

    def data_value(self) -> Value:
        """Give plain data that nobody else holds, as `toObject()` makes it."""
        return just(self.data)

    def atom(self, site: Node, make: Callable[[], Any]) -> Any:
        """Give the class or bound function made at *site*."""
        found = self._atoms.get(id(site))
        if found is None:
            found = self._atoms[id(site)] = make()
        return found

    def closure(self, function: Function) -> Closure:
        """Give the atom of *function*."""
        found: Closure | None = self._atoms.get(id(function))
        if found is None:
            found = self._atoms[id(function)] = Closure(function, bit=self.new_bit())
            self.functions.append(found)
        return found

    def this_of(self, function: Function) -> Value:
        """Give what `this` may be in *function*."""
        closure = self.closure(function)
        closure.watchers |= self.piece
        return closure.this

    # Functions of the code

    def enter(self, closure: Closure, this: Value, args: Args) -> Value:
        """Call a function of the code; what it may answer."""
        is_news = self._hand_over(closure, this, args)
        is_due = closure.walked_in != self.number and (
            not closure.walked_in or self.stale & closure.bit
        )
        if is_news or is_due:
            if closure.is_running:
                self.stale |= closure.bit
            else:
                self.walk_body(closure)
        closure.readers |= self.piece
        function = closure.function
        if function.is_generator:
            return self.array(function, closure.yields | closure.result, "generator")
        if function.is_async:
            return closure.result | UNDEFINED  # it may be rejected
        return closure.result

    def _hand_over(self, closure: Closure, this: Value, args: Args) -> bool:
        """Join the arguments to those of earlier calls; whether that was news."""
        known, (items, more) = closure.args, args
        missing = max(len(closure.function.params), len(items)) - len(known)
        known += [EMPTY] * missing
        is_news = missing > 0
        if not this <= closure.this:
            closure.this = self.grown(closure.this, this, closure.watchers)
            is_news = True
        if not more <= closure.extra:
            closure.extra = self.grown(closure.extra, more, closure.watchers)
            is_news = True
        for index, old in enumerate(known):
            new = items[index] if index < len(items) else more | LEFT_OUT
            if not new <= old:
                known[index] = self.grown(old, new, closure.watchers)
                is_news |= known[index] != old
        return is_news

    def walk_body(self, closure: Closure) -> None:
        """Walk the body with all that the function was ever given."""
        closure.walked_in = self.number
        closure.is_running = True
        function = closure.function
        outer = self.piece
        self.begin(closure.bit)
        try:
            for index, param in enumerate(function.params):
                self._hand_in(closure, param, self._given(closure, param, index))
            value = self.evaluate(function.body)
            if type(function.body) not in STATEMENT_BODIES:
                self.answer(closure, value)
            else:
                self.answer(closure, UNDEFINED)
        finally:
            closure.is_running = False
            self.piece = outer

    def _hand_in(self, closure: Closure, param: Node, value: Value) -> None:
        """Assign a parameter: the body, walked next, has not looked too early."""
        if type(param) is Name and param.binding is not None:
            binding = param.binding
            others = binding.readers & ~closure.bit
            binding.value = self.grown(binding.value, value, others)
        else:
            self.assign(param, value)

    def _given(self, closure: Closure, param: Node, index: int) -> Value:
        if type(param) in REST_PARAMS:
            rest = EMPTY.union(closure.extra, *closure.args[index:])
            return self.array(param, rest)
        return closure.args[index]

    def answer(self, closure: Closure, value: Value) -> None:
        """Note what a function may answer."""
        closure.result = self.grown(closure.result, value, closure.readers)

    def run_unknown(self, closure: Closure) -> None:
        """Walk a function as if a stranger called it."""
        self.enter(closure, ANYTHING, Args((), ANYTHING))

    # What leaves our sight

    def lose(self, value: Value) -> None:
        """Give *value* out of hand: whoever holds `ANY` may hold it."""
        new = value - self.lost
        if not new:
            return
        self.lost = self.grown_lost(new)
        for atom in new:
            self._lose_atom(atom)

    def grown_lost(self, new: Value) -> Value:
        """Join *new* to the lost atoms, without any bound."""
        self.stale |= self._lost_readers
        return self.lost | new

    def lost_atoms(self) -> Value:
        """List what `ANY` may be, besides what nobody knows."""
        self._lost_readers |= self.piece
        return self.lost

    def _lose_atom(self, atom: Any) -> None:
        if type(atom) is Closure:
            self.run_unknown(atom)
        elif type(atom) is Thing:
            inherited = () if atom.of is None else atom.of.methods.values()
            held = (*atom.fields.values(), *inherited)
            self.lose(EMPTY.union(atom.rest, atom.keys, *held))
        elif type(atom) is Effect:
            self.find(atom.kind, atom.label, 0)
        elif type(atom) is Native and atom.path in GUARDED:
            self.find("unproven", f"{atom.path} is given out of hand", 0)

    def surrender(self, value: Value, site: Node) -> None:
        """Hand *value* to code that may call it, with arguments of its own."""
        for atom in value:
            kind = type(atom)
            if kind is Closure:
                self.run_unknown(atom)
            elif kind is Effect:
                self.find(atom.kind, atom.label, site.place)
            elif kind is Bound:
                self.call(atom.target, atom.this, Args(atom.args.items, ANYTHING), site)


STATEMENT_BODIES: set[type] = set()  # bodies that answer by `return` alone
REST_PARAMS: set[type] = set()
