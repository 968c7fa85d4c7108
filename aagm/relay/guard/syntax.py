"""The syntax tree the guard walks: JavaScript in few forms.

`reading` makes it of tree-sitter's tree. A ``place`` is a byte offset; ``None``
for an expression means that the source has nothing there.
"""

from __future__ import annotations

from attrs import define, field

from aagm.relay.guard.scopes import Binding, Scope
from aagm.relay.guard.values import NULL


@define(eq=False)
class Node:
    """What every form has."""

    place: int


@define(eq=False)
class Literal(Node):
    """A string, a number, `true`, `null` …: ``value`` is an atom of `values`."""

    value: object


@define(eq=False)
class Regex(Node):
    """A regular expression."""

    text: str


@define(eq=False)
class Name(Node):
    """An identifier in an expression, or the target of an assignment."""

    name: str
    scope: Scope
    binding: Binding | None = field(default=None, init=False)
    is_resolved: bool = field(default=False, init=False)


@define(eq=False)
class This(Node):
    """`this`; ``owner`` is None at the top."""

    owner: Function | None


@define(eq=False)
class Super(Node):
    """`super`, as a callee or with a member."""

    owner: Function | None


@define(eq=False)
class Arguments(Node):
    """`arguments`."""

    owner: Function | None


@define(eq=False)
class Template(Node):
    """A template string: one more text than there are expressions."""

    texts: list[str]
    expressions: list[Node]


@define(eq=False)
class Spread(Node):
    """`...x` in an array, an object or a call."""

    argument: Node


@define(eq=False)
class Array(Node):
    """An array literal; a hole is None."""

    items: list[Node | None]


@define(eq=False)
class Property(Node):
    """A member of an object literal or of a class."""

    key: str | Node
    value: Node
    kind: str = "init"  # init, get, set, method
    is_static: bool = False


@define(eq=False)
class Object(Node):
    """An object literal."""

    properties: list[Property | Spread]


@define(eq=False)
class Function(Node):
    """A function in any spelling, and a class field's or static block's code."""

    name: str | None = None
    own_name: Binding | None = None  # a function expression's name, for itself
    params: list[Node] = field(factory=list)
    body: Node = field(factory=lambda: Literal(0, NULL))  # a Block, or an expression
    is_arrow: bool = False
    is_async: bool = False
    is_generator: bool = False
    home: Class | None = None  # the class it is a method of


@define(eq=False)
class Class(Node):
    """A class."""

    name: str | None = None
    own_name: Binding | None = None
    superclass: Node | None = None
    members: list[Property] = field(factory=list)
    blocks: list[Function] = field(factory=list)  # static blocks


@define(eq=False)
class Member(Node):
    """`object.name`; the place is the name's."""

    object: Node
    name: str


@define(eq=False)
class Index(Node):
    """`object[index]`; the place is the index's."""

    object: Node
    index: Node


@define(eq=False)
class Call(Node):
    """A call; with ``is_new`` a construction, with ``is_tag`` a tagged template."""

    callee: Node
    args: list[Node]
    is_new: bool = False


@define(eq=False)
class Import(Node):
    """`import`, as the callee of a dynamic import."""


@define(eq=False)
class Assign(Node):
    """`target operator value`."""

    operator: str
    target: Node
    value: Node


@define(eq=False)
class Delete(Node):
    """`delete target`."""

    target: Node


@define(eq=False)
class Unary(Node):
    """`typeof x`, `!x`, `-x`, `x++` …; the last has its target as argument."""

    operator: str
    argument: Node


@define(eq=False)
class Chain(Node):
    """A chain of binary operators of one sort, from left to right."""

    operators: list[str]
    operands: list[Node]


@define(eq=False)
class Choice(Node):
    """`a && b || c ?? d`, and both arms of `test ? a : b`: any may be the value."""

    tests: list[Node]
    values: list[Node]


@define(eq=False)
class Sequence(Node):
    """`a, b`."""

    expressions: list[Node]


@define(eq=False)
class Await(Node):
    """`await x`."""

    argument: Node


@define(eq=False)
class Yield(Node):
    """`yield x`, or `yield* x`."""

    argument: Node | None
    owner: Function | None
    is_delegate: bool


@define(eq=False)
class Opaque(Node):
    """Something whose value is never known, with the reason why it matters."""

    reason: str
    parts: list[Node] = field(factory=list)


@define(eq=False)
class ObjectPattern(Node):
    """`{a, b: c = 1, ...rest}` as a target."""

    properties: list[Property]
    rest: Node | None


@define(eq=False)
class ArrayPattern(Node):
    """`[a, , ...rest]` as a target."""

    items: list[Node | None]
    rest: Node | None


@define(eq=False)
class Default(Node):
    """`target = value` inside a pattern."""

    target: Node
    value: Node


@define(eq=False)
class Rest(Node):
    """`...target` as the last parameter."""

    target: Node


@define(eq=False)
class Block(Node):
    """Statements with a scope; ``functions`` are hoisted."""

    statements: list[Node]
    functions: list[tuple[Binding, Function]]


@define(eq=False)
class Declare(Node):
    """One declarator of `var`, `let` or `const`, or a class declaration."""

    target: Node
    value: Node | None


@define(eq=False)
class Branch(Node):
    """`if`, `for`, `while`, `switch` …: every part may run, in this order."""

    parts: list[Node]


@define(eq=False)
class ForEach(Node):
    """`for (target of iterable)`, or `in`."""

    target: Node
    iterable: Node
    body: Node
    is_of: bool
    is_declared: bool


@define(eq=False)
class Return(Node):
    """`return x`."""

    argument: Node | None
    owner: Function | None


@define(eq=False)
class Throw(Node):
    """`throw x`."""

    argument: Node


@define(eq=False)
class Catch(Node):
    """`catch (target) {…}`."""

    target: Node | None
    body: Node
