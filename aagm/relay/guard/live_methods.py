"""Methods of the running world, told by their names."""

from __future__ import annotations

from typing import Any

from aagm.relay.guard.calls import call_effect, call_unknown, guard_args
from aagm.relay.guard.members import own
from aagm.relay.guard.names import (
    DOM_ACTS,
    EFFECTS,
    FRESH_ARRAYS,
    FRESH_DATA,
    FRESH_TEXT,
    MUTATORS,
    READS,
    is_read,
)
from aagm.relay.guard.sequences import CALLBACKS, Over, sequence
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.values import (
    ANYTHING,
    EMPTY,
    FALSE,
    LIVE,
    NOTHING,
    PRIM,
    TAGS_THAT_STAY,
    UNDEFINED,
    Anything,
    Args,
    Live,
    Native,
    Thing,
    Value,
    just,
    one_text,
    texts,
)
from aagm.relay.guard.walk import METHODS, Walk
from aagm.relay.guard.words import words

_CALLERS = frozenset({"call", "apply", "bind"})


def _of_live(  # noqa: PLR0911 - one return a sort of method
    walk: Walk, atom: Live, name: str, args: Args, site: Node
) -> Value:
    guard_args(walk, args, site)
    if name in CALLBACKS and atom.tag != "foreign":
        return _callback(walk, atom, name, args, site)
    if name in EFFECTS:
        _check_flag(walk, name, args, site)
        return call_effect(walk, EFFECTS[name], EMPTY, args, site)
    if atom.tag == "foreign" or name in _CALLERS:
        return call_unknown(walk, atom, EMPTY, args, site)
    if atom.tag == "dom" and name in DOM_ACTS:
        walk.find("side-effect", f"{name} changes the page", site.place)
        return LIVE
    _check_flag(walk, name, args, site)
    _check_setting(walk, name, args, site)
    if name == "clone":
        return _clone(walk, args, site)
    if name == "replace" and len(args.items) < 2:  # noqa: PLR2004 - location.replace(url)
        return _unproven(walk, name, args, site)
    if name == "normalize" and not _is_form(args.at(0)):
        return _unproven(walk, name, args, site)  # a RollTable's writes
    if name == "replace":
        _replacement(walk, args, site)
        return PRIM
    if name in READS or is_read(name):
        answer = _answer(walk, name, args, site)
        return just(atom) if atom.tag in TAGS_THAT_STAY else answer
    return _unproven(walk, name, args, site)


def _callback(walk: Walk, atom: Live, name: str, args: Args, site: Node) -> Value:
    if name == "sort":
        walk.find(
            "unproven", "sort() may change a live array: copy it first", site.place
        )
    return sequence(walk, name, Over(LIVE, just(atom)), args, site)


def _unproven(walk: Walk, name: str, args: Args, site: Node) -> Value:
    if name in MUTATORS:
        text = f"{name}() may change a live object: copy it first"
    elif name in ("execute", "callScript"):
        text = f"{name}() runs a macro, which may do anything"
    else:
        text = f"what {name}() does is not known"
    walk.find("unproven", text, site.place)
    walk.surrender(args.everything(), site)
    return LIVE


def _answer(walk: Walk, name: str, args: Args, site: Node) -> Value:
    if not args.is_empty:
        walk.surrender(args.everything(), site)
    if name in FRESH_DATA:
        return walk.data_value()
    if name in FRESH_TEXT:
        return PRIM
    found = LIVE
    for atom in args.everything():
        if type(atom) is Thing and atom.kind != "data":  # it may be handed back
            found |= just(atom) | (
                walk.each(just(atom), site) if name in _JOIN else EMPTY
            )
    return walk.array(site, found) if name in FRESH_ARRAYS else found


_JOIN = words("concat union symmetricDifference")


def _is_form(value: Value) -> bool:
    """Whether *value* is what a text's `normalize` takes, as ``"NFD"``."""
    text = one_text(value)
    return text is not None and text.startswith("NF")


def _replacement(walk: Walk, args: Args, site: Node) -> None:
    """Walk the second argument of `replace`, which may be a function."""
    for atom in args.at(1):
        if type(atom) is not Live:
            walk.call(just(atom), UNDEFINED, Args((), PRIM), site)


def _clone(walk: Walk, args: Args, site: Node) -> Value:
    """Let `clone(data)` be, which saves nothing unless it is told to."""
    for atom in args.at(1):
        if atom in NOTHING:
            continue
        if type(atom) is Thing:
            atom.readers |= walk.piece
        save = atom.fields.get("save") if type(atom) is Thing else None
        known = type(atom) is Thing and not atom.rest
        if not known or (save is not None and save != _NO):
            walk.find("write", "clone saves a copy", site.place)
    return LIVE


_NO = just(FALSE)
_FLAGGED = frozenset({"getFlag", "setFlag", "unsetFlag"})


def _check_flag(walk: Walk, name: str, args: Args, site: Node) -> None:
    if name not in _FLAGGED:
        return
    key = one_text(args.at(1))
    for scope in texts(args.at(0)):
        reason = walk.protected.flag(scope, key)
        if reason is not None:
            walk.find("protected", reason, site.place)


def _check_setting(walk: Walk, name: str, args: Args, site: Node) -> None:
    """Note `settings.get("aagm", …)` where the settings are not known as such."""
    if name != "get" or len(args.items) < 2:  # noqa: PLR2004 - maps are asked with one
        return
    for namespace in texts(args.at(0)):
        reason = walk.protected.setting(namespace)
        if reason is not None:
            walk.find("protected", reason, site.place)


def _of_anything(walk: Walk, atom: Any, name: str, args: Args, site: Node) -> Value:
    found = EMPTY
    for lost in walk.lost_atoms():
        if type(lost) is Thing:
            found |= walk.call(own(walk, lost, name, site), just(lost), args, site)
        elif type(lost) is Native:
            found |= walk.call_method(just(lost), name, args, site)
    if name == "delete" and not args.is_empty and not _is_options(args.at(0)):
        text = "delete on an object that is not known"
        walk.find("unproven", text, site.place)
        return PRIM
    if name in CALLBACKS and name != "sort":
        return found | sequence(walk, name, Over(ANYTHING, just(atom)), args, site)
    answer = _of_live(walk, Live(), name, args, site)
    return found | (ANYTHING if answer is LIVE else answer)


def _is_options(value: Value) -> bool:
    return all(type(atom) is Thing and atom.kind == "object" for atom in value)


METHODS[Live] = _of_live
METHODS[Anything] = _of_anything
