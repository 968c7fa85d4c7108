"""Read tree-sitter's tree into the forms of `syntax`, and resolve scopes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

import tree_sitter
from attrs import define, field

from aagm.relay.guard.literals import cooked
from aagm.relay.guard.parsing import Budget, Doubt, NotJavaScript
from aagm.relay.guard.scopes import Scope
from aagm.relay.guard.syntax import Await, Block, Function, Node
from aagm.relay.guard.words import words

DEEPEST = 150  # forms inside one another

Read = Callable[["Reader", tree_sitter.Node], Node]
STATEMENTS: dict[str, Callable[[Reader, tree_sitter.Node], Node | None]] = {}
EXPRESSIONS: dict[str, Read] = {}

_COMMENTS = (b"//", b"/*", b"<!--", b"-->", b"#!")
_SKIPPED = frozenset({"comment", "html_comment", "empty_statement"})


@define(eq=False)
class Reader:
    """Where the reading stands: the scope, and the functions around."""

    source: bytes
    _budget: Budget
    scope: Scope
    _plain: str | None = field(init=False)  # the source, where a byte is a character
    _is_bare: bool = field(init=False)  # surely without comments
    function: Function | None = None  # the nearest, arrows too
    owner: Function | None = None  # whose `this` it is: the nearest that is no arrow
    hoisted: list[tuple[object, Function]] = field(factory=list)
    is_async: bool = True  # the code is the body of an async function
    is_generator: bool = False
    is_awaited: bool = False
    _depth: int = 0
    _forms: int = 0  # read so far

    def __attrs_post_init__(self) -> None:
        """Look once at what the source has."""
        self._plain = self.source.decode() if self.source.isascii() else None
        self._is_bare = not any(mark in self.source for mark in _COMMENTS)

    def text(self, node: tree_sitter.Node) -> str:
        """Give the source text of *node*."""
        return self.between(node.start_byte, node.end_byte)

    def between(self, start: int, end: int) -> str:
        """Give the source text from the byte *start* to the byte *end*."""
        if self._plain is not None:
            return self._plain[start:end]
        return self.source[start:end].decode(errors="replace")

    def word(self, node: tree_sitter.Node) -> str:
        """Give the name that an identifier spells, escapes resolved."""
        if self._plain is None:
            return cooked(self.text(node))
        text = self._plain[node.start_byte : node.end_byte]
        return cooked(text) if "\\" in text else text

    def expression(self, node: tree_sitter.Node) -> Node:
        """Read an expression; raises `Doubt` when it is too deep."""
        if self.is_awaited:  # what hangs on this expression is; it is not
            self.is_awaited = False
            form = self.expression(node)
            self.is_awaited = True
            return form
        form = self.link(node)
        if self.is_awaited:
            self.is_awaited = False
            return Await(form.place, form)
        return form

    def link(self, node: tree_sitter.Node) -> Node:
        """Read what a call or a member hangs on.

        The grammar takes ``await (x).y()`` for a call of a function *await*:
        `is_awaited` carries the word out to the end of the chain.
        """
        read = EXPRESSIONS.get(node.type)
        if read is None:
            raise Doubt(f"{node.type} is not known here", node.start_byte)
        self._depth += 1
        self._forms += 1
        if self._depth > DEEPEST or not self._forms & 127:
            self._check(node)
        form = read(self, node)
        self._depth -= 1
        return form

    def _check(self, node: tree_sitter.Node) -> None:
        """Look at the clock, and at how deep the code is."""
        self._budget.require()
        if self._depth > DEEPEST:
            raise Doubt("the code is nested too deeply", node.start_byte)

    def statement(self, node: tree_sitter.Node) -> Node | None:
        """Read a statement; None when it does nothing."""
        read = STATEMENTS.get(node.type)
        if read is None:
            return self.expression(node)
        self._depth += 1
        self._forms += 1
        if self._depth > DEEPEST or not self._forms & 127:
            self._check(node)
        form = read(self, node)
        self._depth -= 1
        return form

    def statements(self, nodes: Iterable[tree_sitter.Node]) -> list[Node]:
        """Read statements, without those that do nothing."""
        found = []
        for node in nodes:
            if node.type not in _SKIPPED:
                form = self.statement(node)
                if form is not None:
                    found.append(form)
        return found

    def block(
        self,
        nodes: Iterable[tree_sitter.Node],
        place: int,
        scope: Scope | None = None,
    ) -> Block:
        """Read statements in a scope of their own."""
        outer, self.scope = self.scope, scope or Scope(self.scope)
        functions, self.hoisted = self.hoisted, []
        statements = self.statements(nodes)
        block = Block(place, statements, self.hoisted)  # type: ignore[arg-type]
        self.scope, self.hoisted = outer, functions
        return block

    def named(self, node: tree_sitter.Node) -> list[tree_sitter.Node]:
        """List the named children, without comments."""
        if self._is_bare:
            return node.named_children
        return [child for child in node.named_children if child.type not in _SKIPPED]

    def part(self, node: tree_sitter.Node, name: str) -> tree_sitter.Node:
        """Give the child called *name*, which the grammar promises."""
        child = node.child_by_field_name(name)
        if child is None:
            raise Doubt(f"{node.type} has no {name}", node.start_byte)
        return child


def read_program(root: tree_sitter.Node, source: bytes, budget: Budget) -> Block:
    """Read a whole eval: the body of an async function in strict mode.

    Raises:
        NotJavaScript: The grammar takes it, but an eval cannot hold it.
        Doubt: Something is not known, or may mean two things.
    """
    _require_no_html_comment(root, source)
    scope = Scope(None, is_function=True)
    reader = Reader(source, budget, scope)
    first = root.children[0] if root.child_count else None
    if first is not None and first.type == "hash_bang_line":
        raise NotJavaScript('"#!" stands in the code', first.start_byte)
    return reader.block(root.named_children, 0, scope)


_HTML = re.compile(rb"<!--|(?:^|[\n\r]|\xe2\x80[\xa8\xa9]|\*/)[ \t\v\f]*-->")
_INSIDE = words("string string_fragment template_string comment regex regex_pattern")


def _require_no_html_comment(root: tree_sitter.Node, source: bytes) -> None:
    """Raise `Doubt` for what a browser takes for a comment, and the parser may not.

    ``i-->0`` is none: the arrow must begin a line.
    """
    if b"<!--" not in source and b"-->" not in source:
        return
    for found in _HTML.finditer(source):
        node = root.descendant_for_byte_range(found.end() - 1, found.end())
        if node is None or node.type not in _INSIDE:
            raise Doubt("an HTML comment stands in the code", found.start())
