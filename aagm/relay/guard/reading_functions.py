"""Read functions, classes and patterns."""

from __future__ import annotations

from collections.abc import Callable

import tree_sitter

from aagm.relay.guard.parsing import Doubt, NotJavaScript
from aagm.relay.guard.reading import EXPRESSIONS, STATEMENTS, Reader
from aagm.relay.guard.reading_expressions import property_key
from aagm.relay.guard.scopes import Binding, Scope
from aagm.relay.guard.syntax import (
    ArrayPattern,
    Assign,
    Block,
    Class,
    Declare,
    Default,
    Function,
    Index,
    Literal,
    Member,
    Name,
    Node,
    ObjectPattern,
    Property,
    Rest,
)
from aagm.relay.guard.values import ABSENT

Declared = Callable[[str], Binding] | None  # None: an assignment, nothing declared


def target(  # noqa: PLR0911 - one return a sort of target
    reader: Reader, node: tree_sitter.Node, declare: Declared
) -> Node:
    """Read what is assigned to: a name, a member or a pattern."""
    kind = node.type
    if kind in ("identifier", "shorthand_property_identifier_pattern", "undefined"):
        name = Name(node.start_byte, reader.word(node), reader.scope)
        if declare is not None:
            name.binding, name.is_resolved = declare(name.name), True
        return name
    if kind == "object_pattern":
        return _object_pattern(reader, node, declare)
    if kind == "array_pattern":
        return _array_pattern(reader, node, declare)
    if kind in ("assignment_pattern", "object_assignment_pattern"):
        left = target(reader, reader.part(node, "left"), declare)
        value = reader.expression(reader.part(node, "right"))
        return Default(node.start_byte, left, value)
    if kind == "parenthesized_expression":
        return target(reader, reader.named(node)[0], declare)
    if kind == "rest_pattern":
        inner = target(reader, reader.named(node)[0], declare)
        return Rest(node.start_byte, inner)
    form = reader.expression(node)
    if not isinstance(form, Member | Index):
        raise Doubt("this cannot be assigned to", node.start_byte)
    return form


def _object_pattern(
    reader: Reader, node: tree_sitter.Node, declare: Declared
) -> ObjectPattern:
    pattern = ObjectPattern(node.start_byte, [], None)
    for child in reader.named(node):
        place = child.start_byte
        if child.type == "rest_pattern":
            pattern.rest = target(reader, reader.named(child)[0], declare)
        elif child.type == "pair_pattern":
            key = property_key(reader, reader.part(child, "key"))
            value = target(reader, reader.part(child, "value"), declare)
            pattern.properties.append(Property(place, key, value))
        else:
            value = target(reader, child, declare)
            inner = value.target if isinstance(value, Default) else value
            if not isinstance(inner, Name):
                raise Doubt("a pattern is not known", place)
            pattern.properties.append(Property(place, inner.name, value))
    return pattern


def _array_pattern(
    reader: Reader, node: tree_sitter.Node, declare: Declared
) -> ArrayPattern:
    pattern = ArrayPattern(node.start_byte, [], None)
    is_hole = True
    for child in node.children:
        if child.type == ",":
            if is_hole:
                pattern.items.append(None)
            is_hole = True
        elif child.type == "rest_pattern":
            pattern.rest = target(reader, reader.named(child)[0], declare)
        elif child.is_named and child.type != "comment":
            pattern.items.append(target(reader, child, declare))
            is_hole = False
    return pattern


def _assignment(reader: Reader, node: tree_sitter.Node) -> Assign:
    token = node.child_by_field_name("operator")
    operator = "=" if token is None else reader.text(token)
    to = target(reader, reader.part(node, "left"), None)
    value = reader.expression(reader.part(node, "right"))
    return Assign(node.start_byte, operator, to, value)


def function(
    reader: Reader, node: tree_sitter.Node, *, home: Class | None = None
) -> Function:
    """Read a function, an arrow or a method."""
    kind = node.type
    is_arrow = kind == "arrow_function"
    if is_arrow:
        tokens = {node.children[0].type}
    else:
        tokens = {child.type for child in node.children if not child.is_named}
    form = Function(
        node.start_byte,
        is_arrow=is_arrow,
        is_async="async" in tokens,
        is_generator="*" in tokens or kind.startswith("generator"),
        home=home,
    )
    outside = reader.scope, reader.function, reader.owner
    modes = reader.is_async, reader.is_generator
    named = kind in ("function_expression", "generator_function")
    name = node.child_by_field_name("name") if named else None
    if name is not None:
        reader.scope = Scope(reader.scope)
        form.name = reader.word(name)
        form.own_name = reader.scope.declare(form.name)
    reader.scope = params = Scope(reader.scope)
    reader.function = form
    if not is_arrow:
        reader.owner = form
    reader.is_async, reader.is_generator = form.is_async, form.is_generator
    single = node.child_by_field_name("parameter") if is_arrow else None
    if single is not None:
        form.params.append(target(reader, single, params.declare))
    else:
        for child in reader.named(reader.part(node, "parameters")):
            form.params.append(target(reader, child, params.declare))
    form.body = _body(reader, reader.part(node, "body"), params)
    reader.scope, reader.function, reader.owner = outside
    reader.is_async, reader.is_generator = modes
    return form


def _body(reader: Reader, node: tree_sitter.Node, params: Scope) -> Node:
    scope = Scope(params, is_function=True, params=params)
    if node.type == "statement_block":
        return reader.block(node.named_children, node.start_byte, scope)
    outer, reader.scope = reader.scope, scope
    form = reader.expression(node)
    reader.scope = outer
    return form


def _piece(reader: Reader, place: int, home: Class, node: tree_sitter.Node) -> Function:
    """Read a field's value or a static block as a function of the class."""
    form = Function(place, home=home)
    outside = reader.scope, reader.function, reader.owner
    modes = reader.is_async, reader.is_generator
    reader.scope = params = Scope(reader.scope)
    reader.function = reader.owner = form
    reader.is_async = reader.is_generator = False
    form.body = _body(reader, node, params)
    reader.scope, reader.function, reader.owner = outside
    reader.is_async, reader.is_generator = modes
    return form


def class_form(reader: Reader, node: tree_sitter.Node) -> Class:
    """Read a class."""
    form = Class(node.start_byte)
    outer = reader.scope
    reader.scope = Scope(outer)
    name = node.child_by_field_name("name")
    if name is not None:
        form.name = reader.word(name)
        form.own_name = reader.scope.declare(form.name)
    for child in node.named_children:
        if child.type == "decorator":
            raise NotJavaScript("a decorator stands in the code", child.start_byte)
        if child.type == "class_heritage":
            form.superclass = reader.expression(reader.named(child)[0])
    for child in reader.named(reader.part(node, "body")):
        _class_member(reader, child, form)
    reader.scope = outer
    return form


def _class_member(reader: Reader, node: tree_sitter.Node, form: Class) -> None:
    place = node.start_byte
    tokens = [child.type for child in node.children if not child.is_named]
    if any(child.type == "decorator" for child in node.named_children):
        raise NotJavaScript("a decorator stands in the code", place)
    if node.type == "class_static_block":
        body = reader.part(node, "body")
        form.blocks.append(_piece(reader, place, form, body))
    elif node.type == "method_definition":
        key = property_key(reader, reader.part(node, "name"))
        kind = "get" if "get" in tokens else "set" if "set" in tokens else "method"
        value = function(reader, node, home=form)
        is_static = any(token.startswith("static") for token in tokens)
        form.members.append(Property(place, key, value, kind, is_static))
    elif node.type == "field_definition":
        key = property_key(reader, reader.part(node, "property"))
        node_value = node.child_by_field_name("value")
        piece: Node = Literal(place, ABSENT)
        if node_value is not None:
            piece = _piece(reader, place, form, node_value)
        is_static = any(token.startswith("static") for token in tokens)
        form.members.append(Property(place, key, piece, "field", is_static))
    else:
        raise NotJavaScript("a decorator stands in the code", place)


def _declaration(reader: Reader, node: tree_sitter.Node) -> None:
    binding = reader.scope.declare(reader.word(reader.part(node, "name")))
    reader.hoisted.append((binding, function(reader, node)))


def _class_declaration(reader: Reader, node: tree_sitter.Node) -> Declare:
    name = reader.part(node, "name")
    to = target(reader, name, reader.scope.declare)
    return Declare(node.start_byte, to, class_form(reader, node))


def empty_block(place: int) -> Block:
    """Make a block that does nothing."""
    return Block(place, [], [])


for _kind in (
    "function_expression",
    "generator_function",
    "arrow_function",
    "method_definition",
):
    EXPRESSIONS[_kind] = function
EXPRESSIONS["assignment_expression"] = _assignment
EXPRESSIONS["augmented_assignment_expression"] = _assignment
EXPRESSIONS["class"] = class_form
STATEMENTS["function_declaration"] = _declaration
STATEMENTS["generator_function_declaration"] = _declaration
STATEMENTS["class_declaration"] = _class_declaration
