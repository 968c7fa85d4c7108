"""Read statements; functions and classes have a module of their own."""

from __future__ import annotations

import tree_sitter

from aagm.relay.guard.parsing import Doubt, NotJavaScript
from aagm.relay.guard.reading import STATEMENTS, Reader
from aagm.relay.guard.reading_functions import empty_block, target
from aagm.relay.guard.scopes import Scope
from aagm.relay.guard.syntax import (
    Branch,
    Catch,
    Declare,
    ForEach,
    Node,
    Opaque,
    Return,
    Throw,
)

# A statement that starts so is something else to a browser than an expression.
_AMBIGUOUS = (b"/", b"{", b"function", b"class", b"async function")


def _expression(reader: Reader, node: tree_sitter.Node) -> Node:
    start = node.start_byte
    if reader.source.startswith(_AMBIGUOUS, start):
        word = reader.source[start : start + 1].decode()
        if word in "/{" or reader.named(node)[0].start_byte == start:
            inner = _leftmost(reader.named(node)[0])
            if inner.type in ("regex", "object", "function_expression", "class"):
                raise Doubt("a statement starts in a doubtful way", start)
    return reader.expression(reader.named(node)[0])


def _leftmost(node: tree_sitter.Node) -> tree_sitter.Node:
    while node.named_child_count and node.type not in (
        "regex",
        "object",
        "function_expression",
        "generator_function",
        "class",
    ):
        first = node.named_children[0]
        if first.start_byte != node.start_byte:
            break
        node = first
    return node


def _block(reader: Reader, node: tree_sitter.Node) -> Node:
    return reader.block(node.named_children, node.start_byte)


def _declaration(reader: Reader, node: tree_sitter.Node) -> Node:
    is_var = node.type == "variable_declaration"
    declare = reader.scope.declare_var if is_var else reader.scope.declare
    parts: list[Node] = []
    for child in reader.named(node):
        to = target(reader, reader.part(child, "name"), declare)
        value = child.child_by_field_name("value")
        form = None if value is None else reader.expression(value)
        parts.append(Declare(child.start_byte, to, form))
    return parts[0] if len(parts) == 1 else Branch(node.start_byte, parts)


def _parts(reader: Reader, node: tree_sitter.Node) -> Branch:
    """Read every child in order: each may run, and any number of times."""
    return Branch(node.start_byte, reader.statements(node.named_children))


def _scoped(reader: Reader, node: tree_sitter.Node) -> Node:
    """Read a `for` or a `switch`, whose names live inside it alone."""
    return reader.block(node.named_children, node.start_byte)


def _for_each(reader: Reader, node: tree_sitter.Node) -> Node:
    outer, reader.scope = reader.scope, Scope(reader.scope)
    kind = node.child_by_field_name("kind")
    word = "" if kind is None else reader.text(kind)
    if word not in ("", "var", "let", "const"):
        raise Doubt(f"{word} is not known in a loop", node.start_byte)
    declare = {
        "": None,
        "var": reader.scope.declare_var,
        "let": reader.scope.declare,
        "const": reader.scope.declare,
    }[word]
    to = target(reader, reader.part(node, "left"), declare)
    iterable = reader.expression(reader.part(node, "right"))
    body = reader.statement(reader.part(node, "body"))
    is_of = reader.text(reader.part(node, "operator")) == "of"
    reader.scope = outer
    place = node.start_byte
    if body is None:
        body = empty_block(place)
    return ForEach(place, to, iterable, body, is_of, is_declared=bool(word))


def _return(reader: Reader, node: tree_sitter.Node) -> Return:
    inner = reader.named(node)
    argument = reader.expression(inner[0]) if inner else None
    return Return(node.start_byte, argument, reader.function)


def _throw(reader: Reader, node: tree_sitter.Node) -> Throw:
    return Throw(node.start_byte, reader.expression(reader.named(node)[0]))


def _catch(reader: Reader, node: tree_sitter.Node) -> Catch:
    outer, reader.scope = reader.scope, Scope(reader.scope)
    parameter = node.child_by_field_name("parameter")
    to = None
    if parameter is not None:
        to = target(reader, parameter, reader.scope.declare)
    body = _block(reader, reader.part(node, "body"))
    reader.scope = outer
    return Catch(node.start_byte, to, body)


def _nothing(_reader: Reader, _node: tree_sitter.Node) -> None:
    return None


def _labeled(reader: Reader, node: tree_sitter.Node) -> Node | None:
    return reader.statement(reader.part(node, "body"))


def _module(_reader: Reader, node: tree_sitter.Node) -> Node:
    word = node.type.partition("_")[0]
    raise NotJavaScript(f"{word} cannot stand in an eval", node.start_byte)


def _using(_reader: Reader, node: tree_sitter.Node) -> Node:
    return Opaque(node.start_byte, "using calls what the value brings along")


STATEMENTS.update(
    {
        "expression_statement": _expression,
        "statement_block": _block,
        "lexical_declaration": _declaration,
        "variable_declaration": _declaration,
        "using_declaration": _using,
        "if_statement": _parts,
        "else_clause": _parts,
        "while_statement": _parts,
        "do_statement": _parts,
        "try_statement": _parts,
        "finally_clause": _parts,
        "for_statement": _scoped,
        "switch_statement": _parts,
        "switch_body": _scoped,
        "switch_case": _parts,
        "switch_default": _parts,
        "for_in_statement": _for_each,
        "return_statement": _return,
        "throw_statement": _throw,
        "catch_clause": _catch,
        "labeled_statement": _labeled,
        "break_statement": _nothing,
        "continue_statement": _nothing,
        "debugger_statement": _nothing,
        "empty_statement": _nothing,
        "import_statement": _module,
        "export_statement": _module,
        "with_statement": _module,
    }
)
