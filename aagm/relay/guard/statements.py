"""Walk statements, classes, and everything that is assigned to."""

from __future__ import annotations

from aagm.relay.guard import folding
from aagm.relay.guard.assignments import hook
from aagm.relay.guard.expressions import check_member
from aagm.relay.guard.names import HOOKS
from aagm.relay.guard.natives import GUARDED, is_page
from aagm.relay.guard.sequences import settled
from aagm.relay.guard.syntax import (
    ArrayPattern,
    Block,
    Branch,
    Catch,
    Class,
    Declare,
    Default,
    ForEach,
    Index,
    Member,
    Name,
    Node,
    ObjectPattern,
    Property,
    Rest,
    Return,
    Throw,
)
from aagm.relay.guard.things import by_key, copied, put_by_key
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    LEFT_OUT,
    NOTHING,
    PRIM,
    UNDEFINED,
    Args,
    Closure,
    Klass,
    Native,
    Thing,
    Value,
    just,
)
from aagm.relay.guard.walk import FORMS, REST_PARAMS, STATEMENT_BODIES, TARGETS, Walk


def _block(walk: Walk, node: Block) -> Value:
    for binding, function in node.functions:
        walk.write(binding, just(walk.closure(function)))
    for statement in node.statements:
        walk.evaluate(statement)
    return UNDEFINED


def _declare(walk: Walk, node: Declare) -> Value:
    value = LEFT_OUT if node.value is None else walk.evaluate(node.value)
    walk.assign(node.target, value)
    return UNDEFINED


def _branch(walk: Walk, node: Branch) -> Value:
    for part in node.parts:
        walk.evaluate(part)
    return UNDEFINED


def _for_each(walk: Walk, node: ForEach) -> Value:
    value = walk.evaluate(node.iterable)
    element = walk.each(value, node) if node.is_of else PRIM
    element |= settled(walk, element)  # `for await` does
    walk.assign(node.target, element)
    walk.evaluate(node.body)
    return UNDEFINED


def _return(walk: Walk, node: Return) -> Value:
    value = UNDEFINED if node.argument is None else walk.evaluate(node.argument)
    if node.owner is not None:
        walk.answer(walk.closure(node.owner), value)
        return UNDEFINED
    for atom in value:
        if type(atom) is Native and atom.path in GUARDED:
            walk.find("unproven", f"{atom.path} is given away", node.place)
    return UNDEFINED


def _throw(walk: Walk, node: Throw) -> Value:
    walk.lose(walk.evaluate(node.argument))
    return UNDEFINED


def _catch(walk: Walk, node: Catch) -> Value:
    if node.target is not None:
        walk.assign(node.target, ANYTHING)
    walk.evaluate(node.body)
    return UNDEFINED


# Classes


def _class(walk: Walk, node: Class) -> Value:
    klass: Klass = walk.atom(node, lambda: Klass(node))
    value = just(klass)
    if node.own_name is not None:
        walk.write(node.own_name, value)
    if node.superclass is not None:
        klass.superclass = walk.grown(
            klass.superclass, walk.evaluate(node.superclass), 0
        )
    before = None if klass.instance.of is None else _shape(klass)
    klass.instance.of = klass
    klass.initializers = []
    for prop in node.members:
        for name in _names(walk, prop):
            _class_member(walk, klass, name, prop)
    if before is not None and before != _shape(klass):
        walk.start_again()
    for block in node.blocks:
        walk.enter(walk.closure(block), value, Args())
    return value


def _shape(klass: Klass) -> tuple[object, ...]:
    """List what may be news to who looked at *klass* before."""
    return (
        klass.superclass,
        klass.constructor,
        dict(klass.methods),
        dict(klass.getters),
        dict(klass.static_getters),
        list(klass.initializers),
        dict(klass.instance.setters),
        dict(klass.statics.setters),
    )


def _names(walk: Walk, prop: Property) -> list[str | None]:
    if isinstance(prop.key, str):
        return [prop.key]
    return [folding.as_text(atom) for atom in walk.evaluate(prop.key)]


def _class_member(walk: Walk, klass: Klass, name: str | None, prop: Property) -> None:
    value = walk.evaluate(prop.value)
    if prop.kind == "field":
        _field(walk, klass, name, prop, value)
    elif name == "constructor" and not prop.is_static:
        (klass.constructor,) = value
    elif name is None:
        hook(walk, value, prop)
        walk.make_wild(klass.instance)
        walk.store_rest(klass.statics if prop.is_static else klass.instance, value)
    elif prop.is_static:
        _static(walk, klass, name, prop, value)
    elif prop.kind == "get":
        klass.getters[name] = value
    elif prop.kind == "set":
        klass.instance.setters[name] = value
    else:
        if name in HOOKS:
            hook(walk, value, prop)
        klass.methods[name] = value


def _static(walk: Walk, klass: Klass, name: str, prop: Property, value: Value) -> None:
    if prop.kind == "get":
        klass.static_getters[name] = value
        value = walk.call(value, just(klass), Args(), prop)
    elif prop.kind == "set":
        klass.statics.setters[name] = value
        return
    if name in HOOKS:
        hook(walk, value, prop)
    walk.store(klass.statics, name, value)


def _field(
    walk: Walk, klass: Klass, name: str | None, prop: Property, value: Value
) -> None:
    (piece,) = value
    if type(piece) is not Closure:
        walk.put(just(klass.instance), name, UNDEFINED, prop)
    elif prop.is_static:
        held = walk.enter(piece, just(klass), Args())
        walk.put(just(klass.statics), name, held, prop)
    else:
        klass.initializers.append((name, piece))


# What is assigned to


def _to_name(walk: Walk, node: Name, value: Value) -> None:
    if not node.is_resolved:
        node.binding, node.is_resolved = node.scope.find(node.name), True
    if node.binding is not None:
        walk.write(node.binding, value)
    elif is_page("window", node.name):
        text = f"{node.name} leaves or reloads the page"
        walk.find("side-effect", text, node.place)
    else:
        walk.find("unproven", f"assigns the global {node.name}", node.place)


def _to_member(walk: Walk, node: Member, value: Value) -> None:
    walk.put(walk.evaluate(node.object), node.name, value, node)


def _to_index(walk: Walk, node: Index, value: Value) -> None:
    owner = walk.evaluate(node.object)
    put_by_key(walk, owner, walk.evaluate(node.index), value, node)


def _to_object(walk: Walk, node: ObjectPattern, value: Value) -> None:
    for prop in node.properties:
        if isinstance(prop.key, str):
            check_member(walk, prop.key, prop.place)
        key = just(prop.key) if isinstance(prop.key, str) else walk.evaluate(prop.key)
        walk.assign(prop.value, by_key(walk, value, key, prop.value))
    if node.rest is not None:
        thing = walk.thing(node, "object", "rest")
        copied(walk, thing, value - NOTHING, node)
        walk.assign(node.rest, just(thing))


def _to_array(walk: Walk, node: ArrayPattern, value: Value) -> None:
    for index, item in enumerate(node.items):
        if item is not None:
            walk.assign(item, _item(walk, value, index, node))
    if node.rest is not None:
        rest = EMPTY.union(walk.each(value, node))
        walk.assign(node.rest, walk.array(node, rest, "rest"))


def _item(walk: Walk, value: Value, index: int, site: Node) -> Value:
    found = EMPTY
    for atom in value:
        is_list = type(atom) is Thing and atom.kind == "array"
        if is_list and "@@iterator" not in atom.fields:
            found |= walk.get(just(atom), str(index), site)
        else:
            found |= walk.each(just(atom), site)
    return found


def _to_default(walk: Walk, node: Default, value: Value) -> None:
    walk.assign(node.target, value | walk.evaluate(node.value))


def _to_rest(walk: Walk, node: Rest, value: Value) -> None:
    walk.assign(node.target, value)


FORMS.update(
    {
        Block: _block,
        Declare: _declare,
        Branch: _branch,
        ForEach: _for_each,
        Return: _return,
        Throw: _throw,
        Catch: _catch,
        Class: _class,
    }
)
TARGETS.update(
    {
        Name: _to_name,
        Member: _to_member,
        Index: _to_index,
        ObjectPattern: _to_object,
        ArrayPattern: _to_array,
        Default: _to_default,
        Rest: _to_rest,
    }
)
STATEMENT_BODIES.add(Block)
REST_PARAMS.add(Rest)
