"""Walk expressions."""

from __future__ import annotations

from aagm.relay.guard import folding
from aagm.relay.guard.assignments import hook
from aagm.relay.guard.invocations import super_member
from aagm.relay.guard.names import HOOKS
from aagm.relay.guard.natives import GLOBALS
from aagm.relay.guard.protected import OWN_MODULE
from aagm.relay.guard.sequences import settled
from aagm.relay.guard.syntax import (
    Arguments,
    Array,
    Assign,
    Await,
    Chain,
    Choice,
    Delete,
    Function,
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
from aagm.relay.guard.things import by_key, exact, measured, spilled
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    FOREIGN,
    NOTHING,
    NUM,
    PRIM,
    UNDEFINED,
    Args,
    Bound,
    Closure,
    Effect,
    Thing,
    Value,
    just,
)
from aagm.relay.guard.walk import FORMS, Walk
from aagm.relay.guard.words import words

_NUMERIC = words("- * / % ** & | ^ << >> >>>")


# Names and literals


def _literal(walk: Walk, node: Literal) -> Value:
    value = node.value
    if type(value) is str and walk.number == 1:
        walk.check_text(value, node.place)
    return frozenset((value,))


def _regex(walk: Walk, node: Regex) -> Value:
    reason = walk.protected.named_in_pattern(node.text)
    if reason is not None:
        walk.find("protected", reason, node.place)
    return walk.data_value()


def _name(walk: Walk, node: Name) -> Value:
    if not node.is_resolved:
        node.binding, node.is_resolved = node.scope.find(node.name), True
    if node.binding is not None:
        return walk.read(node.binding)
    return GLOBALS.get(node.name, FOREIGN)


def _this(walk: Walk, node: This) -> Value:
    return UNDEFINED if node.owner is None else walk.this_of(node.owner)


def _arguments(walk: Walk, node: Arguments) -> Value:
    if node.owner is None:
        return UNDEFINED
    closure = walk.closure(node.owner)
    closure.watchers |= walk.piece
    return walk.array(node.owner, closure.extra.union(*closure.args), "arguments")


def _template(walk: Walk, node: Template) -> Value:
    parts: list[Value] = [just(node.texts[0])]
    walk.check_text(node.texts[0], node.place)
    for expression, text in zip(node.expressions, node.texts[1:], strict=True):
        parts += [walk.evaluate(expression), just(text)]
        walk.check_text(text, node.place)
    return _joined(walk, parts, node)


def _joined(walk: Walk, parts: list[Value], node: Node) -> Value:
    found = folding.joined(parts)
    for text in found:
        if type(text) is str:
            walk.check_text(text, node.place)
    return found


# Objects and functions


def _array(walk: Walk, node: Array) -> Value:
    thing = walk.thing(node, "array")
    known: list[Value] | None = []
    for item in node.items:
        if isinstance(item, Spread):
            value = walk.evaluate(item.argument)
            more = exact(walk, value)
            if more is None:
                walk.store_rest(thing, walk.each(value, node))
        else:
            more = [UNDEFINED if item is None else walk.evaluate(item)]
        if known is None and more is not None:
            walk.store_rest(thing, EMPTY.union(*more))
        elif known is not None and more is not None:
            known += more
        elif known is not None:
            walk.store_rest(thing, EMPTY.union(*known))
            known = None
    measured(walk, thing, None if known is None else len(known))
    for index, element in enumerate(known or []):
        walk.store(thing, str(index), element)
    return just(thing)


def _object(walk: Walk, node: Object) -> Value:
    thing = walk.thing(node, "object")
    after: set[str] = set()  # names that stand after the last spread
    for prop in node.properties:
        if isinstance(prop, Spread):
            spilled(walk, thing, walk.evaluate(prop.argument) - NOTHING, node)
            after.clear()
            continue
        if isinstance(prop.key, str):
            after.add(prop.key)
        names: list[str | None]
        if isinstance(prop.key, str):
            names = [prop.key]
            walk.check_text(prop.key, prop.place)
        else:
            names = [folding.as_text(a) for a in walk.evaluate(prop.key)]
        value = walk.evaluate(prop.value)
        for name in names:
            _define(walk, thing, name, prop, value)
    if not thing.is_made:
        thing.is_made, thing.sealed = True, frozenset(after)
    return just(thing)


def _define(
    walk: Walk, thing: Thing, name: str | None, prop: Property, value: Value
) -> None:
    """Define one member of an object literal."""
    if name == "__proto__" and prop.kind == "init":
        walk.find("unproven", "a prototype is changed", prop.place)
    if name == "flags":
        _check_flags(walk, value, prop.place)
    if prop.kind == "get":
        hook(walk, value, prop)
        value = walk.call(value, just(thing), Args(), prop)
    elif prop.kind == "set":
        walk.set_setter(thing, name or "?", value)
        return
    elif name is None or name in HOOKS:
        hook_values(walk, name, value, prop)
    if name is None:
        walk.store_rest(thing, value)
        walk.make_wild(thing)
    else:
        walk.store(thing, name, value)


def _check_flags(walk: Walk, flags: Value, place: int) -> None:
    for atom in flags:
        if type(atom) is Thing:
            atom.readers |= walk.piece
            for scope in atom.fields:
                reason = walk.protected.flag(scope, None)
                if reason is not None:
                    walk.find("protected", reason, place)


def hook_values(walk: Walk, name: str | None, value: Value, prop: Property) -> None:
    """Note a method that JavaScript may call by itself.

    Under a key that is not known only functions of the code are looked at:
    most such keys are data's.
    """
    if name is not None:
        hook(walk, value, prop)
        return
    mine = frozenset(atom for atom in value if type(atom) in (Closure, Bound, Effect))
    walk.surrender(mine, prop)


def _function(walk: Walk, node: Function) -> Value:
    value = just(walk.closure(node))
    if node.own_name is not None:
        walk.write(node.own_name, value)
    return value


# Members


def _member(walk: Walk, node: Member) -> Value:
    if walk.number == 1:
        check_member(walk, node.name, node.place)
        if node.name == OWN_MODULE and isinstance(node.object, Member):
            _check_own(walk, node.object.name, node.place)
    if isinstance(node.object, Super):
        return super_member(walk, node.object, node.name, node)
    return walk.get(walk.evaluate(node.object), node.name, node)


def check_member(walk: Walk, name: str, place: int) -> None:
    """Note a property that only protected journals have."""
    reason = walk.protected.member(name)
    if reason is not None:
        walk.find("protected", reason, place)


def _check_own(walk: Walk, above: str, place: int) -> None:
    reason = walk.protected.flag(OWN_MODULE, None)
    if above == "flags" and reason is not None:
        walk.find("protected", reason, place)


def _index(walk: Walk, node: Index) -> Value:
    value, key = walk.evaluate(node.object), walk.evaluate(node.index)
    return by_key(walk, value, key, node)


# Operators


def _assign(walk: Walk, node: Assign) -> Value:
    value = walk.evaluate(node.value)
    if node.operator != "=":
        old = walk.evaluate(node.target)
        if node.operator in ("&&=", "||=", "??="):
            value = old | value
        elif node.operator == "+=":
            value = _joined(walk, [old, value], node)
        else:
            value = NUM
    walk.assign(node.target, value)
    return value


def _delete(walk: Walk, node: Delete) -> Value:
    target = node.target
    if isinstance(target, Member | Index):
        owner = walk.evaluate(target.object)
        name = target.name if isinstance(target, Member) else None
        if isinstance(target, Index):
            walk.evaluate(target.index)
        for atom in owner:
            if type(atom) is not Thing:
                walk.put(just(atom), name, UNDEFINED, target)
    else:
        walk.evaluate(target)
    return PRIM


def _unary(walk: Walk, node: Unary) -> Value:
    walk.evaluate(node.argument)
    if node.operator == "++":
        walk.assign(node.argument, NUM)
        return NUM
    if node.operator in ("-", "+", "~"):
        return NUM
    return UNDEFINED if node.operator == "void" else PRIM


def _chain(walk: Walk, node: Chain) -> Value:
    values = [walk.evaluate(operand) for operand in node.operands]
    if all(operator == "+" for operator in node.operators):
        if all(_is_number(value) for value in values):
            return NUM
        return _joined(walk, values, node)
    return NUM if all(o in _NUMERIC for o in node.operators) else PRIM


def _is_number(value: Value) -> bool:
    return all(type(atom) in (int, float) or atom in NUM for atom in value)


def _choice(walk: Walk, node: Choice) -> Value:
    for test in node.tests:
        walk.evaluate(test)
    return EMPTY.union(*[walk.evaluate(value) for value in node.values])


def _sequence(walk: Walk, node: Sequence) -> Value:
    value = EMPTY
    for expression in node.expressions:
        value = walk.evaluate(expression)
    return value


def _await(walk: Walk, node: Await) -> Value:
    return settled(walk, walk.evaluate(node.argument))


def _yield(walk: Walk, node: Yield) -> Value:
    value = UNDEFINED if node.argument is None else walk.evaluate(node.argument)
    if node.is_delegate:
        value = walk.each(value, node)
    if node.owner is not None:
        value |= settled(walk, value)
        closure = walk.closure(node.owner)
        closure.yields = walk.grown(closure.yields, value, closure.readers)
    return ANYTHING


def _opaque(walk: Walk, node: Opaque) -> Value:
    if node.reason:
        walk.find("unproven", node.reason, node.place)
    return ANYTHING


def _bare(walk: Walk, node: Super | Import | Spread) -> Value:
    walk.find("unproven", "stands where it is not known", node.place)
    return ANYTHING


FORMS.update(
    {
        Literal: _literal,
        Regex: _regex,
        Name: _name,
        This: _this,
        Arguments: _arguments,
        Template: _template,
        Array: _array,
        Object: _object,
        Function: _function,
        Member: _member,
        Index: _index,
        Assign: _assign,
        Delete: _delete,
        Unary: _unary,
        Chain: _chain,
        Choice: _choice,
        Sequence: _sequence,
        Await: _await,
        Yield: _yield,
        Opaque: _opaque,
        Super: _bare,
        Import: _bare,
        Spread: _bare,
    }
)
