"""What an expression may be worth: sets of atoms.

The guard does not run the code; it walks it with *sets* of what each name may
hold. A string or a number stands for itself; everything else is an atom of
this page. An empty set is something that never comes to be.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import define, field, frozen

if TYPE_CHECKING:
    from aagm.relay.guard.syntax import Class, Function, Node
    from aagm.relay.guard.verdicts import Kind


Value = frozenset[Any]


@define(eq=False, repr=False)
class Mark:
    """An atom that is only itself."""

    name: str

    def __repr__(self) -> str:
        """Show the name, for whoever debugs a verdict."""
        return f"<{self.name}>"


@define(eq=False, repr=False)
class Anything(Mark):
    """An atom of which nothing is known."""


@define(eq=False, repr=False)
class Maker(Mark):
    """What `.constructor` gives: good for its name, and able to make code."""


PRIMITIVE = Mark("primitive")  # no function, no object
NUMBER = Mark("number")
TRUE = Mark("true")
FALSE = Mark("false")
NULL = Mark("null")  # or undefined: nothing is there, as far as can be seen
ABSENT = Mark("absent")  # null or undefined because the code says so
ANY = Anything("anything")
SYSTEM = Mark("system")  # the id of the game's system, which is never ours
CONSTRUCTOR = Maker("constructor")


@frozen
class Live:
    """Something of the running world: a document, its data, a collection.

    Which, says the ``tag``: empty for most, ``dom`` for the page's elements,
    ``detached`` for elements that are on no page yet,
    ``foreign`` for globals nobody knows, ``flags`` and ``flags:<scope>``
    below a document's flags, ``config:<Type>`` where ``documentClass`` is one
    we know, ``ours`` for our own module,
    ``system`` for the game's system.
    """

    tag: str = ""


@frozen
class Native:
    """A function, a class or a namespace that we know by its name."""

    path: str


@frozen
class Method:
    """A built-in method without its object, as `[].map` or `"".concat`."""

    name: str


@frozen
class Effect:
    """A method known to act: harmless until it is called or given away."""

    kind: Kind
    label: str


@define(eq=False)
class Thing:
    """An object that the code itself made; one for each place that makes one."""

    kind: str  # object, array, map, set, data, promise, instance, roll
    fields: dict[str, Value] = field(factory=dict)
    rest: frozenset[Any] = frozenset()  # under keys that are not known
    keys: frozenset[Any] = frozenset()  # a Map's
    length: int | None = None  # of an array whose every element is a field
    of: Klass | None = None  # an instance's class
    is_made: bool = False  # its literal was walked once
    is_wild: bool = False  # something callable may lie under any name
    sealed: frozenset[str] = frozenset()  # names that `rest` does not hold
    setters: dict[str, Value] = field(factory=dict)
    readers: int = 0  # the pieces that read it, as bits


@define(eq=False)
class Closure:
    """A function of the code."""

    function: Function
    args: list[Value] = field(factory=list)
    extra: frozenset[Any] = frozenset()  # what may stand after the last of args
    this: frozenset[Any] = frozenset()
    result: frozenset[Any] = frozenset()
    yields: frozenset[Any] = frozenset()
    props: Thing = field(factory=lambda: Thing("object"))
    bit: int = 0  # its own, as a piece of the code
    walked_in: int = 0  # the last pass that walked its body
    readers: int = 0  # the pieces that read its result
    watchers: int = 0  # the pieces that read its `this` or `arguments`
    is_running: bool = False


@define(eq=False)
class Klass:
    """A class of the code, and its one instance that stands for all."""

    node: Class
    superclass: frozenset[Any] = frozenset()
    constructor: Closure | None = None
    methods: dict[str, Value] = field(factory=dict)
    getters: dict[str, Value] = field(factory=dict)
    static_getters: dict[str, Value] = field(factory=dict)
    initializers: list[tuple[Any, Closure]] = field(factory=list)
    statics: Thing = field(factory=lambda: Thing("object"))
    instance: Thing = field(factory=lambda: Thing("instance"))


class Args(NamedTuple):  # made for every call: attrs would take thrice as long
    """The arguments of one call: those in order, then any number of ``more``."""

    items: tuple[Value, ...] = ()
    more: Value = frozenset()

    def at(self, index: int) -> Value:
        """Give the argument at *index*; undefined when there is none."""
        if index < len(self.items):
            return self.items[index]
        return self.more | LEFT_OUT

    def after(self, count: int) -> Args:
        """Give the arguments from *count* on."""
        return Args(self.items[count:], self.more)

    def everything(self) -> Value:
        """Join all of them."""
        return self.more.union(*self.items)

    @property
    def is_empty(self) -> bool:
        """Whether there surely is none."""
        return not self.items and not self.more


@define(eq=False)
class Bound:
    """What `bind` gave at one place."""

    node: Node
    target: frozenset[Any] = frozenset()
    this: frozenset[Any] = frozenset()
    args: Args = field(factory=Args)

    def given(self, args: Args) -> Args:
        """Give the arguments of a call with *args*."""
        known, more = self.args
        if more:
            return Args(known, more | args.everything())
        return Args((*known, *args.items), args.more)


TAGS_THAT_STAY = ("dom", "detached", "foreign")  # with all that is below

EMPTY: Value = frozenset()
UNDEFINED: Value = frozenset({NULL})
LEFT_OUT: Value = frozenset({ABSENT})
NOTHING: Value = frozenset({NULL, ABSENT})
PRIM: Value = frozenset({PRIMITIVE})
NUM: Value = frozenset({NUMBER})
ANYTHING: Value = frozenset({ANY})
LIVE: Value = frozenset({Live()})
DOM: Value = frozenset({Live("dom")})
FOREIGN: Value = frozenset({Live("foreign")})
OPAQUE: Value = frozenset({CONSTRUCTOR})

PLAIN = frozenset({Mark, str, int, float})  # atoms that hold no function
_WIDEST = 40  # atoms in one set
_CONSTANTS = 16  # strings and numbers in one set


def just(atom: object) -> Value:
    """Make the set of one atom."""
    return frozenset((atom,))


@lru_cache(maxsize=1024)
def native(path: str) -> Value:
    """Make the value of a known global."""
    return frozenset((Native(path),))


def texts(value: Value) -> list[str]:
    """List the strings *value* may be."""
    return [atom for atom in value if type(atom) is str]


def one_text(value: Value) -> str | None:
    """Give the one string *value* is, if it is one."""
    if len(value) == 1:
        (atom,) = value
        if type(atom) is str:
            return atom
    return None


def one_number(value: Value) -> float | int | None:
    """Give the one number *value* is, if it is one."""
    if len(value) == 1:
        (atom,) = value
        if type(atom) is int or type(atom) is float:
            return atom
    return None


def is_plain(value: Value) -> bool:
    """Tell whether *value* surely holds no function and no object."""
    return all(type(atom) in PLAIN for atom in value)


def narrowed(value: Value) -> tuple[Value, Value]:
    """Keep *value* small: the set to go on with, and the atoms that were lost."""
    if len(value) <= _CONSTANTS:
        return value, EMPTY
    constants = [atom for atom in value if type(atom) in (str, int, float)]
    if len(constants) > _CONSTANTS:
        value = value.difference(constants) | PRIM
    if len(value) <= _WIDEST:
        return value, EMPTY
    return ANYTHING, value
