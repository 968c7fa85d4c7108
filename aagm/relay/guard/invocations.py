"""Walk calls, constructions and what is said to `super`."""

from __future__ import annotations

from aagm.relay.guard.calls import guard_args
from aagm.relay.guard.members import of_class
from aagm.relay.guard.natives import CONSTRUCTORS, KNOWN_BASES, making
from aagm.relay.guard.sequences import WAITS
from aagm.relay.guard.syntax import Call, Import, Index, Member, Node, Spread, Super
from aagm.relay.guard.things import copied, everything, exact, key_name
from aagm.relay.guard.values import (
    ABSENT,
    ANYTHING,
    EMPTY,
    PLAIN,
    UNDEFINED,
    Args,
    Bound,
    Closure,
    Effect,
    Klass,
    Live,
    Native,
    Thing,
    Value,
    is_plain,
    just,
)
from aagm.relay.guard.walk import FORMS, Walk


def arguments(walk: Walk, nodes: list[Node]) -> Args:
    """Walk the arguments of a call."""
    items: list[Value] = []
    more: Value | None = None
    for node in nodes:
        if isinstance(node, Spread):
            value = walk.evaluate(node.argument)
            known = exact(walk, value)
            if known is not None and more is None:
                items += known
                continue
            held = walk.each(value, node) if known is None else EMPTY.union(*known)
            more = held if more is None else more | held
        elif more is None:
            items.append(walk.evaluate(node))
        else:
            more |= walk.evaluate(node)
    return Args(tuple(items), EMPTY if more is None else more)


def _call(walk: Walk, node: Call) -> Value:
    callee = node.callee
    if node.is_new:
        value = walk.evaluate(callee)
        return construct(walk, value, arguments(walk, node.args), node)
    if isinstance(callee, Super):
        return _super_call(walk, callee, arguments(walk, node.args), node)
    if isinstance(callee, Import):
        arguments(walk, node.args)
        walk.find("unproven", "import() loads code", node.place)
        return ANYTHING
    if isinstance(callee, Member) and not isinstance(callee.object, Super):
        receiver = walk.evaluate(callee.object)
        args = arguments(walk, node.args)
        if receiver <= UNDEFINED and callee.name not in WAITS:
            text = f"calls {callee.name}() of what cannot be followed"
            walk.doubt(text, node.place)
        answer = walk.call_method(receiver, callee.name, args, node)
        if not answer and all(type(atom) is Thing for atom in receiver):
            walk.doubt(f"calls {callee.name}(), which no object has", node.place)
        return answer
    if isinstance(callee, Index):
        return _call_by_key(walk, callee, node)
    value = walk.evaluate(callee)
    this = UNDEFINED
    if isinstance(callee, Member) and isinstance(callee.object, Super):
        owner = callee.object.owner
        this = UNDEFINED if owner is None else walk.this_of(owner)
    if is_plain(value) and ABSENT not in value:
        walk.doubt("calls what cannot be followed", node.place)
    return walk.call(value, this, arguments(walk, node.args), node)


def _call_by_key(walk: Walk, callee: Index, node: Call) -> Value:
    receiver = walk.evaluate(callee.object)
    key = walk.evaluate(callee.index)
    args = arguments(walk, node.args)
    if receiver <= UNDEFINED or not key:
        walk.doubt("calls a method of what cannot be followed", node.place)
    found = EMPTY
    is_unknown = False
    for atom in key:
        name = key_name(walk, atom)
        if name is None:
            is_unknown = True
        else:
            found |= walk.call_method(receiver, name, args, node)
    if is_unknown:
        guard_args(walk, args, node)
        found |= walk.call(walk.peek(receiver, callee), receiver, args, node)
    return found


def construct(walk: Walk, value: Value, args: Args, site: Node) -> Value:
    """Walk `new value(...args)`."""
    if is_plain(value) and ABSENT not in value:
        walk.doubt("makes an object of what cannot be followed", site.place)
    found = EMPTY
    for atom in value:
        kind = type(atom)
        if kind is Klass:
            found |= new_instance(walk, atom, args, site)
        elif kind is Closure:
            made = walk.thing(site, "instance", "new")
            copied(walk, made, walk.get(just(atom), "prototype", site), site)
            found |= just(made) | walk.enter(atom, just(made), args)
        elif kind is Native and atom.path in CONSTRUCTORS:
            guard_args(walk, args, site)
            found |= CONSTRUCTORS[atom.path](walk, UNDEFINED, args, site)
        elif kind is Native and making(atom.path):
            found |= walk.call(making(atom.path), UNDEFINED, args, site)
        elif kind is Effect:
            found |= walk.call(just(atom), UNDEFINED, args, site)
        elif kind is Bound:
            found |= construct(walk, atom.target, atom.given(args), site)
        elif kind not in PLAIN:
            text = "makes an object of a class that is not known"
            walk.find("unproven", text, site.place)
            walk.surrender(args.everything(), site)
            found |= ANYTHING if kind is not Live else just(atom)
    return found


def new_instance(walk: Walk, klass: Klass, args: Args, site: Node) -> Value:
    """Make the instance of a class of the code."""
    answer = initialize(walk, klass, klass.instance, args, site)
    return just(klass.instance) | answer


def initialize(walk: Walk, klass: Klass, this: Thing, args: Args, site: Node) -> Value:
    """Run the field values and the constructor for *this*.

    Returns:
        The objects that the constructor answers instead.
    """
    for key, piece in klass.initializers:
        walk.put(just(this), key, walk.enter(piece, just(this), Args()), site)
    if klass.constructor is not None:
        answer = walk.enter(klass.constructor, just(this), args)
        return answer.difference(filter(_is_no_object, answer))
    if klass.superclass:
        construct_above(walk, klass, this, args, site)
    return EMPTY


def _is_no_object(atom: object) -> bool:
    return type(atom) in PLAIN


def construct_above(
    walk: Walk, klass: Klass, this: Thing, args: Args, site: Node
) -> None:
    """Run the constructor of the class above for *this*."""
    for atom in klass.superclass:
        if type(atom) is Klass:
            _require_this(walk, initialize(walk, atom, this, args, site), site)
        elif type(atom) is Native and atom.path in KNOWN_BASES:
            for made in CONSTRUCTORS[atom.path](walk, UNDEFINED, args, site):
                if type(made) is Thing:
                    this.keys = walk.grown(this.keys, made.keys, this.readers)
                    held = made.keys | everything(walk, made)
                    walk.store_rest(this, held | walk.each(just(made), site))
        elif type(atom) is Closure:
            answer = walk.enter(atom, just(this), args)
            _require_this(walk, answer - just(this), site)
        elif type(atom) not in PLAIN:
            text = "makes an object of a class that is not known"
            walk.find("unproven", text, site.place)


def _require_this(walk: Walk, answer: Value, site: Node) -> None:
    """Note that `this` is what the constructor above answered, whatever it is."""
    if not is_plain(answer):
        walk.find("unproven", "a constructor answers another object", site.place)


def _super_call(walk: Walk, node: Super, args: Args, site: Node) -> Value:
    home = None if node.owner is None else node.owner.home
    if home is None:
        return ANYTHING
    klass = walk.atom(home, lambda: Klass(home))
    construct_above(walk, klass, klass.instance, args, site)
    return UNDEFINED


def super_member(walk: Walk, node: Super, name: str, site: Node) -> Value:
    """Read a member of the class above; one not ours is not known."""
    home = None if node.owner is None else node.owner.home
    if home is None:
        walk.find("unproven", "super outside of a class", site.place)
        return ANYTHING
    klass = walk.atom(home, lambda: Klass(home))
    found = EMPTY
    for atom in klass.superclass:
        if type(atom) is Klass:
            found |= walk.get(just(atom.instance), name, site)
            found |= of_class(walk, atom, klass.instance, name, site)
            found |= walk.get(just(atom), name, site)
        elif type(atom) is not Native:
            found |= ANYTHING
    return found


FORMS[Call] = _call
