"""Parse JavaScript with tree-sitter, within a time limit, and place its errors.

tree-sitter holds Python's lock while it parses, and looks at its progress
callback only when it reads through a function.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import tree_sitter
import tree_sitter_javascript
from attrs import define, field

Clock = Callable[[], float]  # seconds

PARSE_SECONDS = 0.015
_FAULT_SECONDS = 0.005  # to find out what is wrong

_JAVASCRIPT = tree_sitter.Language(tree_sitter_javascript.language())
_CHUNK = 4096  # bytes handed to the parser at a time
_OPENING = {"(": ")", "[": "]", "{": "}", "${": "}"}
_SURROGATE = re.compile("[\ud800-\udfff]")
# White space to JavaScript, but not to all parts of the parser.
_SPACE = re.compile("[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\ufeff]")


class OutOfTime(Exception):
    """The time for one verdict is up."""


class NotJavaScript(Exception):
    """The code has a syntax error at a byte offset."""

    def __init__(self, reason: str, place: int) -> None:
        """Keep what is wrong and where."""
        super().__init__(reason)
        self.reason = reason
        self.place = place


class Doubt(Exception):
    """The parser may see other tokens here than a browser would."""

    def __init__(self, reason: str, place: int) -> None:
        """Keep what is doubtful and where."""
        super().__init__(reason)
        self.reason = reason
        self.place = place


@define(eq=False)
class Budget:
    """How long a verdict may take; asked often, it looks at the clock seldom."""

    _clock: Clock
    _until: float  # on that clock
    _asked: int = field(default=0, init=False)

    def spend(self) -> None:
        """Count one step; raises `OutOfTime`."""
        self._asked += 1
        if not self._asked & 63:
            self.require()

    def require(self) -> None:
        """Look at the clock now; raises `OutOfTime`."""
        if self._clock() > self._until:
            raise OutOfTime

    def within(self, seconds: float) -> Budget:
        """Give a part of what is left."""
        return Budget(self._clock, min(self._until, self._clock() + seconds))

    @property
    def is_spent(self) -> bool:
        """Whether the time is up now."""
        return self._clock() > self._until


def encoded(code: str) -> bytes:
    """Encode *code*, with rare white space and lone surrogates made plain."""
    return _SURROGATE.sub("�", _SPACE.sub(" ", code)).encode()


def parse(source: bytes, budget: Budget) -> tree_sitter.Node:
    """Parse *source* to its root node, within *budget* and `PARSE_SECONDS`.

    Raises:
        OutOfTime: Parsing took longer than `PARSE_SECONDS`.
        NotJavaScript: The first syntax error.
        Doubt: A NUL, which the parser takes for the end; an error that may be none.
    """
    nul = source.find(b"\0")
    if nul >= 0:
        raise Doubt("a NUL character stands in the code", nul)
    parsing = budget.within(PARSE_SECONDS)

    def read(offset: int, _point: object) -> bytes:
        return source[offset : offset + _CHUNK]

    def stop(_offset: int, _has_error: bool) -> bool:
        return parsing.is_spent  # every time: it may be 10 ms until the next

    try:
        tree = tree_sitter.Parser(_JAVASCRIPT).parse(
            read, encoding="utf8", progress_callback=stop
        )
    except ValueError:  # its way of saying that the callback stopped it
        raise OutOfTime from None
    root = tree.root_node
    if root.has_error:
        if b"<!--" in source or b"-->" in source:
            raise Doubt("an HTML comment may stand in the code", 0)
        raise _fault(root, source, budget.within(_FAULT_SECONDS))
    return root


def where(source: bytes, place: int) -> tuple[int, int]:
    """Give the line (from 1) and column (from 0, in characters) of a byte offset."""
    before = source[:place].decode(errors="replace")
    lines = re.split(r"\r\n|[\n\r\u2028\u2029]", before)
    return len(lines), len(lines[-1])


def _fault(root: tree_sitter.Node, source: bytes, budget: Budget) -> NotJavaScript:
    """Find the sentence and the place for the first error below *root*."""
    wrong = _first_wrong(root)
    try:
        brackets = _unbalanced(root, budget)
    except OutOfTime:
        brackets = None
    if brackets is not None:
        return brackets
    if wrong.is_missing:
        return NotJavaScript(f'"{wrong.type}" is missing', wrong.start_byte)
    text = source[wrong.start_byte : wrong.end_byte].decode(errors="replace")
    words = text.strip().split("\n")[0][:20]
    return NotJavaScript(f'unexpected "{words}"', wrong.start_byte)


def _first_wrong(root: tree_sitter.Node) -> tree_sitter.Node:
    """Go down to the first node that is an error, or that is missing."""
    node = root
    while not (node.is_error or node.is_missing):
        worse = next((child for child in node.children if child.has_error), None)
        if worse is None:
            return node
        node = worse
    return node


def _unbalanced(root: tree_sitter.Node, budget: Budget) -> NotJavaScript | None:
    """Find a bracket that does not match."""
    open_brackets: list[tree_sitter.Node] = []
    stack = [root]
    while stack:
        budget.spend()
        node = stack.pop()
        children = node.children
        if children:
            stack.extend(reversed(children))
        elif node.type in _OPENING and not node.is_missing:
            open_brackets.append(node)
        elif node.type in _OPENING.values() and not node.is_missing:
            if not open_brackets:
                return NotJavaScript(f'"{node.type}" opens nowhere', node.start_byte)
            opened = open_brackets.pop()
            if _OPENING[opened.type] != node.type:
                text = f'"{node.type}" where "{_OPENING[opened.type]}" is due'
                return NotJavaScript(text, node.start_byte)
    if not open_brackets:
        return None
    opened = open_brackets[-1]
    return NotJavaScript(f'"{opened.type}" is never closed', opened.start_byte)
