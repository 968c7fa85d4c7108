"""Read expressions; functions and classes have a module of their own."""

from __future__ import annotations

import tree_sitter

from aagm.relay.guard.literals import cooked, number, shown
from aagm.relay.guard.parsing import Doubt, NotJavaScript
from aagm.relay.guard.reading import EXPRESSIONS, Reader
from aagm.relay.guard.syntax import (
    Arguments,
    Array,
    Await,
    Call,
    Chain,
    Choice,
    Delete,
    Import,
    Index,
    Literal,
    Member,
    Name,
    Node,
    Object,
    Opaque,
    Property,
    Regex,
    Sequence,
    Spread,
    Super,
    Template,
    This,
    Unary,
    Yield,
)
from aagm.relay.guard.values import ABSENT, FALSE, PRIMITIVE, TRUE

_LOGICAL = ("&&", "||", "??")


def _identifier(reader: Reader, node: tree_sitter.Node) -> Node:
    name = reader.word(node)
    if name in ("await", "yield"):  # a browser may go on with other tokens
        raise Doubt(f"{name} stands where its meaning is not clear", node.start_byte)
    if name == "arguments":
        return Arguments(node.start_byte, reader.owner)
    return Name(node.start_byte, name, reader.scope)


def string_text(reader: Reader, node: tree_sitter.Node) -> str:
    """Give the text of a string literal."""
    return cooked(reader.between(node.start_byte + 1, node.end_byte - 1))


def _string(reader: Reader, node: tree_sitter.Node) -> Literal:
    return Literal(node.start_byte, string_text(reader, node))


def _number(reader: Reader, node: tree_sitter.Node) -> Literal:
    value = number(reader.text(node))
    return Literal(node.start_byte, PRIMITIVE if value is None else value)


def _template(reader: Reader, node: tree_sitter.Node) -> Template:
    texts, expressions, start = [], [], node.start_byte + 1
    for child in node.named_children:
        if child.type == "template_substitution":
            texts.append(_between(reader, start, child.start_byte))
            start = child.end_byte
            inner = reader.named(child)
            if inner:
                expressions.append(reader.expression(inner[0]))
    texts.append(_between(reader, start, node.end_byte - 1))
    return Template(node.start_byte, texts, expressions)


def _between(reader: Reader, start: int, end: int) -> str:
    return cooked(reader.between(start, end))


def _regex(reader: Reader, node: tree_sitter.Node) -> Regex:
    return Regex(node.start_byte, reader.text(node))


def _array(reader: Reader, node: tree_sitter.Node) -> Array:
    items: list[Node | None] = []
    is_hole = True
    for child in node.children:
        if child.type == ",":
            if is_hole:
                items.append(None)
            is_hole = True
        elif child.is_named and child.type != "comment":
            items.append(reader.expression(child))
            is_hole = False
    return Array(node.start_byte, items)


def _spread(reader: Reader, node: tree_sitter.Node) -> Spread:
    return Spread(node.start_byte, reader.expression(reader.named(node)[0]))


def property_key(reader: Reader, node: tree_sitter.Node) -> str | Node:
    """Read a property's key: its text, or the expression that computes it."""
    if node.type == "computed_property_name":
        return reader.expression(reader.named(node)[0])
    if node.type == "string":
        return string_text(reader, node)
    if node.type == "number":
        value = number(reader.text(node))
        return reader.text(node) if value is None else shown(value)
    return reader.word(node)


def _object(reader: Reader, node: tree_sitter.Node) -> Object:
    form = Object(node.start_byte, [])
    for child in reader.named(node):
        place = child.start_byte
        if child.type == "spread_element":
            form.properties.append(_spread(reader, child))
        elif child.type == "shorthand_property_identifier":
            name = reader.word(child)
            form.properties.append(Property(place, name, _identifier(reader, child)))
        elif child.type == "pair":
            key = property_key(reader, reader.part(child, "key"))
            value = reader.expression(reader.part(child, "value"))
            form.properties.append(Property(place, key, value))
        elif child.type == "method_definition":
            tokens = [token.type for token in child.children if not token.is_named]
            kind = "get" if "get" in tokens else "set" if "set" in tokens else "method"
            key = property_key(reader, reader.part(child, "name"))
            method = reader.expression(child)
            form.properties.append(Property(place, key, method, kind))
        else:
            raise Doubt(f"{child.type} is not known in an object", place)
    return form


def _member(reader: Reader, node: tree_sitter.Node) -> Node:
    inner = reader.part(node, "object")
    name = reader.part(node, "property")
    return Member(name.start_byte, reader.link(inner), reader.word(name))


def _subscript(reader: Reader, node: tree_sitter.Node) -> Node:
    inner = reader.link(reader.part(node, "object"))
    index = reader.expression(reader.part(node, "index"))
    if isinstance(index, Literal) and type(index.value) is str:
        return Member(index.place, inner, index.value)
    if isinstance(index, Literal) and type(index.value) in (int, float):
        return Member(index.place, inner, shown(index.value))  # type: ignore[arg-type]
    return Index(index.place, inner, index)


def _call(reader: Reader, node: tree_sitter.Node) -> Node:
    function = reader.part(node, "function")
    arguments = reader.part(node, "arguments")
    if function.type == "identifier" and reader.text(function) == "await":
        return _await_parenthesis(reader, arguments)
    callee = reader.link(function)
    place = callee.place
    if arguments.type == "template_string":
        template = _template(reader, arguments)
        texts: list[Node | None] = [Literal(place, text) for text in template.texts]
        args: list[Node] = [Array(arguments.start_byte, texts), *template.expressions]
    else:
        args = [reader.expression(child) for child in reader.named(arguments)]
    return Call(place, callee, args)


def _await_parenthesis(reader: Reader, arguments: tree_sitter.Node) -> Node:
    place = arguments.start_byte
    parts = [reader.expression(child) for child in reader.named(arguments)]
    if not reader.is_async:
        raise NotJavaScript("await stands in a function that is not async", place)
    if not parts or arguments.type != "arguments":
        raise NotJavaScript('unexpected "await"', place)
    reader.is_awaited = True
    return parts[0] if len(parts) == 1 else Sequence(place, parts)


def _new(reader: Reader, node: tree_sitter.Node) -> Call:
    callee = reader.expression(reader.part(node, "constructor"))
    arguments = node.child_by_field_name("arguments")
    nodes = [] if arguments is None else reader.named(arguments)
    args = [reader.expression(child) for child in nodes]
    return Call(node.start_byte, callee, args, is_new=True)


def _unary(reader: Reader, node: tree_sitter.Node) -> Node:
    operator = reader.text(reader.part(node, "operator"))
    argument = reader.expression(reader.part(node, "argument"))
    if operator == "delete":
        return Delete(node.start_byte, argument)
    if operator == "-" and isinstance(argument, Literal):
        value = argument.value
        if type(value) is int or type(value) is float:
            return Literal(node.start_byte, -value)
    return Unary(node.start_byte, operator, argument)


def _update(reader: Reader, node: tree_sitter.Node) -> Unary:
    argument = reader.expression(reader.part(node, "argument"))
    if not isinstance(argument, Name | Member | Index):
        raise Doubt("this cannot be counted up or down", argument.place)
    return Unary(node.start_byte, "++", argument)


def _binary(reader: Reader, node: tree_sitter.Node) -> Node:
    """Read a chain of operators without going down once for each of them."""
    is_logical = reader.text(reader.part(node, "operator")) in _LOGICAL
    operators: list[str] = []
    rights: list[tree_sitter.Node] = []
    while node.type == "binary_expression":
        operator = reader.text(reader.part(node, "operator"))
        if (operator in _LOGICAL) != is_logical:
            break
        right, left = reader.part(node, "right"), reader.part(node, "left")
        if operator == "/" and reader.source[left.end_byte - 1] == ord("}"):
            raise Doubt('"/" follows "}"', left.end_byte - 1)
        operators.append(operator)
        rights.append(right)
        node = left
    first = _operand(reader, node)
    operands = [first, *(_operand(reader, right) for right in reversed(rights))]
    if is_logical:
        return Choice(first.place, [], operands)
    return Chain(first.place, operators[::-1], operands)


def _operand(reader: Reader, node: tree_sitter.Node) -> Node:
    if node.type == "private_property_identifier":  # `#x in y`
        return Literal(node.start_byte, PRIMITIVE)
    return reader.expression(node)


def _ternary(reader: Reader, node: tree_sitter.Node) -> Choice:
    test = reader.expression(reader.part(node, "condition"))
    then = reader.expression(reader.part(node, "consequence"))
    other = reader.expression(reader.part(node, "alternative"))
    return Choice(test.place, [test], [then, other])


def _sequence(reader: Reader, node: tree_sitter.Node) -> Sequence:
    parts = [reader.expression(child) for child in reader.named(node)]
    return Sequence(node.start_byte, parts)


def _await(reader: Reader, node: tree_sitter.Node) -> Await:
    if not reader.is_async:
        text = "await stands in a function that is not async"
        raise NotJavaScript(text, node.start_byte)
    inner = reader.named(node)[0]
    if reader.source[inner.start_byte] == ord("/"):
        raise Doubt('"/" follows await', inner.start_byte)
    return Await(node.start_byte, reader.expression(inner))


def _yield(reader: Reader, node: tree_sitter.Node) -> Yield:
    if not reader.is_generator:
        text = "yield stands in a function that is no generator"
        raise NotJavaScript(text, node.start_byte)
    inner = reader.named(node)
    if inner and reader.source[inner[0].start_byte] == ord("/"):
        raise Doubt('"/" follows yield', inner[0].start_byte)
    argument = reader.expression(inner[0]) if inner else None
    is_delegate = any(child.type == "*" for child in node.children)
    return Yield(node.start_byte, argument, reader.function, is_delegate)


def _inner(reader: Reader, node: tree_sitter.Node) -> Node:
    return reader.expression(reader.named(node)[0])


def _jsx(_reader: Reader, node: tree_sitter.Node) -> Node:
    raise NotJavaScript('"<" stands where a value is due', node.start_byte)


EXPRESSIONS.update(
    {
        "identifier": _identifier,
        "string": _string,
        "number": _number,
        "template_string": _template,
        "regex": _regex,
        "array": _array,
        "spread_element": _spread,
        "object": _object,
        "member_expression": _member,
        "subscript_expression": _subscript,
        "call_expression": _call,
        "new_expression": _new,
        "unary_expression": _unary,
        "binary_expression": _binary,
        "ternary_expression": _ternary,
        "sequence_expression": _sequence,
        "await_expression": _await,
        "yield_expression": _yield,
        "parenthesized_expression": _inner,
        "update_expression": _update,
        "this": lambda r, n: This(n.start_byte, r.owner),
        "super": lambda r, n: Super(n.start_byte, r.owner),
        "import": lambda _, n: Import(n.start_byte),
        "true": lambda _, n: Literal(n.start_byte, TRUE),
        "false": lambda _, n: Literal(n.start_byte, FALSE),
        "null": lambda _, n: Literal(n.start_byte, ABSENT),
        "undefined": lambda r, n: Name(n.start_byte, "undefined", r.scope),
        "meta_property": lambda _, n: Opaque(n.start_byte, ""),
        "jsx_element": _jsx,
        "jsx_self_closing_element": _jsx,
    }
)
