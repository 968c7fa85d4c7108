"""What Foundry's own functions do.

Source: Foundry's API pages; FOUNDRY_FACTS sections 1.6 and 1.8.
"""

from __future__ import annotations

from aagm.relay.guard.natives import CONSTRUCTORS, DOCUMENTS, FUNCTIONS, Function
from aagm.relay.guard.syntax import Node
from aagm.relay.guard.things import copied
from aagm.relay.guard.values import (
    EMPTY,
    FALSE,
    LIVE,
    NOTHING,
    PLAIN,
    PRIM,
    SYSTEM,
    UNDEFINED,
    Anything,
    Args,
    Live,
    Thing,
    Value,
    just,
    native,
    one_text,
    texts,
)
from aagm.relay.guard.walk import Walk
from aagm.relay.guard.words import words


def _answering(value: Value) -> Function:
    def look(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
        walk.surrender(args.everything(), site)
        return value

    return look


FUNCTIONS.update(
    {
        "fromUuid": _answering(LIVE | UNDEFINED),
        "fromUuidSync": _answering(LIVE | UNDEFINED),
        "FilePicker.browse": _answering(LIVE),
        "TextEditor.enrichHTML": _answering(PRIM),
        "document.createElement": _answering(just(Live("detached"))),
        "Roll.parse": _answering(LIVE),
        "foundry.utils.fromUuid": _answering(LIVE | UNDEFINED),
        "foundry.utils.fromUuidSync": _answering(LIVE | UNDEFINED),
    }
)
for _name in words("""
    arrayEquals buildUuid cleanHTML encodeURL equals escapeHTML formatFileSize
    getRoute getType hasProperty isDeletionKey isEmpty isNewerVersion isSubclass
    lineSegmentIntersects objectsEqual orient2dFast randomID stripHTML timeSince
    toNearest toRadians toDegrees typeOf unescapeHTML
"""):
    FUNCTIONS[f"foundry.utils.{_name}"] = _answering(PRIM)


# Plain objects


def _plain_copy(walk: Walk, _this: Value, _args: Args, _site: Node) -> Value:
    return walk.data_value()


def _new_object(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    """Make a new object whose values are the argument's own."""
    made = walk.thing(site, "object", "made")
    for value in args.items:
        copied(walk, made, value - NOTHING, site)
    walk.store_rest(made, _reached(walk, args.everything()) | just(made))
    walk.surrender(args.after(1).everything(), site)
    return just(made)


def _reached(walk: Walk, value: Value) -> Value:
    """Give all that is held below *value*, at any depth, in the code's objects."""
    found: Value = EMPTY
    seen: Value = EMPTY
    while things := frozenset(a for a in value - seen if type(a) is Thing):
        seen |= things
        for thing in things:
            thing.readers |= walk.piece
        value = EMPTY.union(*[a.rest.union(*a.fields.values()) for a in things])
        found |= value
    return found


def _deep_clone(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    """Copy the code's own objects; a live document is handed back as it is."""
    found = frozenset(atom for atom in args.at(0) if type(atom) is not Thing)
    things = args.at(0) - found
    if things <= walk.data_value():
        return found | things
    made = walk.thing(site, "object", "clone")
    copied(walk, made, things, site)
    if any(atom.kind != "object" for atom in things):
        return found | things
    return found | just(made)


def _get_property(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    path = one_text(args.at(1))
    if path is None:
        found = args.at(0) | _reached(walk, args.at(0))
        return found | walk.peek(found, site)
    found = args.at(0)
    for name in path.split("."):
        found = walk.get(found, name, site)
    return found


def _set_property(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    target, path = args.at(0), one_text(args.at(1))
    if path is None:
        _require_own(walk, target, "setProperty", site)
        walk.put(target | _reached(walk, target), None, args.at(2), site)
        return PRIM
    *above, name = path.split(".")
    for step in above:
        below = walk.get(target, step, site) - NOTHING
        if not below:  # setProperty makes what is missing
            made = just(walk.thing(site, "object", step))
            walk.put(target, step, made, site)
            below = made
        target = below
    walk.put(target, name, args.at(2), site)
    return PRIM


def _merge_object(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    """Merge in place, unless told otherwise: then nothing live may lie below."""
    target, source = args.at(0), args.at(1)
    for atom in args.everything():
        if type(atom) is Thing:
            atom.readers |= walk.piece
    if not _is_copying(args.at(2)):
        for atom in target:
            if type(atom) not in PLAIN:
                _require_mergeable(walk, atom, source, site)
    made = walk.thing(site, "object", "merged")
    copied(walk, made, target, site)
    copied(walk, made, source, site)
    own = frozenset(atom for atom in target if type(atom) is Thing)
    for atom in own:
        copied(walk, atom, source, site)
    if _is_nested(source):
        held = _reached(walk, source)
        for atom in own | just(made) | _reached(walk, own):
            if type(atom) is Thing:
                _hold(walk, atom, held)
    return own | just(made)


def _hold(walk: Walk, thing: Thing, held: Value) -> None:
    """Note that *thing* may hold *held* in any place."""
    if thing.sealed:
        thing.sealed = frozenset()
        walk.stale |= thing.readers
    walk.blur(thing)
    walk.store_rest(thing, held)


def _is_copying(options: Value) -> bool:
    for atom in options:
        if type(atom) is not Thing or atom.rest or atom.kind != "object":
            return False
        if atom.fields.get("inplace") != just(FALSE):
            return False
    return bool(options)


def _require_mergeable(walk: Walk, atom: object, source: Value, site: Node) -> None:
    if type(atom) is not Thing:
        text = "mergeObject changes a live object in place: pass {inplace: false}"
        walk.find("unproven", text, site.place)
        return
    below = EMPTY.union(atom.rest, *atom.fields.values())
    if any(type(held) in (Live, Anything) for held in below) and _is_nested(source):
        text = "mergeObject may change live objects below: pass {inplace: false}"
        walk.find("unproven", text, site.place)


def _is_nested(source: Value) -> bool:
    """Whether *source* may hold objects, into which a merge goes down."""
    for atom in source:
        if type(atom) in PLAIN:
            continue
        if type(atom) is not Thing:
            return True
        held = EMPTY.union(atom.rest, *atom.fields.values())
        if any(type(value) not in PLAIN for value in held):
            return True
    return False


def _require_own(walk: Walk, value: Value, what: str, site: Node) -> None:
    """Note a change at an unknown path, where something live lies below."""
    seen: set[object] = set()
    open_atoms = list(value)
    while open_atoms:
        atom = open_atoms.pop()
        if atom in seen or type(atom) in PLAIN:
            continue
        seen.add(atom)
        if type(atom) is Thing:
            atom.readers |= walk.piece
            open_atoms.extend(EMPTY.union(atom.rest, *atom.fields.values()))
        else:
            walk.find("unproven", f"{what} may change a live object", site.place)


for _name in words("""
    closestPointToSegment duplicate lineCircleIntersection lineLineIntersection
    lineSegmentIntersection parseUuid quadraticIntersection
"""):
    FUNCTIONS[f"foundry.utils.{_name}"] = _plain_copy
FUNCTIONS.update(
    {
        "foundry.utils.deepClone": _deep_clone,
        "foundry.utils.diffObject": _new_object,
        "foundry.utils.expandObject": _new_object,
        "foundry.utils.filterObject": _new_object,
        "foundry.utils.flattenObject": _new_object,
        "foundry.utils.invertObject": _new_object,
        "foundry.utils.getProperty": _get_property,
        "foundry.utils.setProperty": _set_property,
        "foundry.utils.mergeObject": _merge_object,
    }
)


# Settings, modules, classes


def _get_setting(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    _check_setting(walk, args, site)
    if not _is_spelled_out(args.at(0)):
        walk.find("unproven", "reads a setting of any module, AAGM too", site.place)
    return LIVE


def _get_item(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    """Read the browser's store, where the settings of this browser are, too."""
    if not _is_spelled_out(args.at(0)):
        text = "reads anything that the browser stores, AAGM's settings too"
        walk.find("unproven", text, site.place)
    return LIVE


_NAMED = NOTHING | just(SYSTEM)


def _is_spelled_out(value: Value) -> bool:
    """Whether all that *value* may be is known; objects may be turned into any text."""
    return all(type(atom) is str or atom in _NAMED for atom in value)


def _set_setting(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    _check_setting(walk, args, site)
    walk.find("write", "game.settings.set changes a setting", site.place)
    return LIVE


def _register_setting(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    _check_setting(walk, args, site)
    walk.find("unproven", "a setting is registered", site.place)
    walk.surrender(args.everything(), site)
    return UNDEFINED


def _check_setting(walk: Walk, args: Args, site: Node) -> None:
    for namespace in texts(args.at(0)):
        reason = walk.protected.setting(namespace)
        if reason is not None:
            walk.find("protected", reason, site.place)


def _get_module(_walk: Walk, _this: Value, args: Args, _site: Node) -> Value:
    tag = "ours" if "aagm" in texts(args.at(0)) else ""
    return just(Live(tag)) | UNDEFINED


def _document_class(_walk: Walk, _this: Value, args: Args, _site: Node) -> Value:
    found = EMPTY
    for atom in args.at(0):
        known = type(atom) is str and atom in DOCUMENTS
        found |= native(f"class:{atom}") if known else LIVE
    return found


def _new_roll(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    walk.surrender(args.everything(), site)
    return just(walk.thing(site, "roll"))


def _new_document(walk: Walk, _this: Value, args: Args, site: Node) -> Value:
    walk.surrender(args.everything(), site)
    return LIVE


FUNCTIONS.update(
    {
        "game.settings.get": _get_setting,
        "localStorage.getItem": _get_item,
        "sessionStorage.getItem": _get_item,
        "game.settings.set": _set_setting,
        "game.settings.register": _register_setting,
        "game.modules.get": _get_module,
        "getDocumentClass": _document_class,
        "foundry.utils.getDocumentClass": _document_class,
        "Roll.create": _new_roll,
    }
)
CONSTRUCTORS["Roll"] = _new_roll
for _name in DOCUMENTS:
    CONSTRUCTORS[f"class:{_name}"] = _new_document
