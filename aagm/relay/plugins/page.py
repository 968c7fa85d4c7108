"""What the page is asked to run for a plug-in, and how its answer is read: pure.

No wire method of its own: the code goes through ``eval``. Arguments travel as a string
that the page parses, so that nothing in them is code.
Source: Plug-in API 1.0 section 3; PROTOCOL_FACTS section 7.5.
"""

from __future__ import annotations

import json
from typing import Any

from attrs import frozen

from aagm.errors import Unparseable
from aagm.relay.plugins.arguments import DEEPEST
from aagm.relay.plugins.manifest import MARKER
from aagm.relay.plugins.schema import is_deeper
from aagm.wire.jsonrpc import Json, Params, loads

LARGEST_MANIFEST = 32_000  # characters of its JSON
LARGEST_RESULT = 50_000  # characters of its JSON

# The page's serializer cuts long texts and deep objects: JSON travels in pieces.
_TOLD = r"""
const ascii = (text) => text.replace(/[\u007f-\uffff]/g,
  (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
const short = (text) => (text.length > 2000 ? `${text.slice(0, 2000)}…` : text);
const first = (value) => (Array.isArray(value) ? value.slice(0, 100) : value);
const told = (value, limit) => {
  let text;
  try {
    text = JSON.stringify(value);
  } catch (thrown) {
    return { unclear: short(String(thrown?.message ?? thrown)) };
  }
  if (text === undefined) return { nothing: typeof value };
  const pieces = (whole) => ascii(whole).match(/.{1,20000}/g);
  if (text.length > limit) {
    const { ok, error, uuid, uuids, api } = value;
    const said = typeof error === "string" ? short(error) : undefined;
    const some = { ok, error: said, uuid, uuids: first(uuids), api };
    const kept = JSON.stringify(some);
    const cut = kept.length > limit ? "{}" : kept;
    return { characters: text.length, pieces: pieces(cut) };
  }
  return { pieces: pieces(text) };
};
const tried = async (run, limit) => {
  try {
    return told(await run(), limit);
  } catch (thrown) {
    return { threw: short(String(thrown?.message ?? thrown)) };
  }
};
"""
_HASH = r"""
const hashOf = (text) => {
  let one = 0x811c9dc5;
  let two = 0x01000193;
  for (let i = 0; i < text.length; i += 1) {
    const unit = text.charCodeAt(i);
    one = Math.imul(one ^ unit, 0x01000193);
    two = Math.imul(two ^ unit, 0x85ebca6b) + i | 0;
  }
  return [one, two].map((half) => (half >>> 0).toString(16).padStart(8, "0")).join("");
};
"""
_FIND = r"""
const found = game.macros.filter((macro) => macro.name === given.name);
const [macro] = found;
if (found.length !== 1 || macro.type !== "script") {
  return { found: found.map(({ id, type }) => ({ id, type })) };
}
const hash = hashOf(macro.command ?? "");
const { id } = macro;
"""


@frozen
class Found:
    """The macros of a name, when they are not just one script."""

    macros: tuple[dict[str, Any], ...]


@frozen
class Macro:
    """The one script macro of a name, as it is now."""

    id: str
    hash: str  # of its source


@frozen
class Changed:
    """The macro is another than the one whose manifest was read; nothing was run."""


@frozen
class Returned:
    """What a run returned, as JSON."""

    value: Json
    characters: int | None = None  # of the whole, when it was cut


@frozen
class Unreadable:
    """A run ended without anything that is JSON."""

    why: str


@frozen
class Threw:
    """A run ended with an error."""

    message: str


Ended = Returned | Unreadable | Threw


@frozen
class Bare:
    """A macro's bare run."""

    macro: Macro
    ended: Ended


@frozen
class Listed:
    """A macro that means to be a plug-in."""

    macro: Macro
    name: str
    ids: tuple[str, ...]  # of the macros of that name


def look(name: str) -> Params:
    """Look at the macro called *name*; it is not run."""
    return _eval(_HASH + _FIND + "return { id, hash };", {"name": name})


def bare_run(name: str) -> Params:
    """Run the macro called *name* without arguments."""
    return _eval(
        _TOLD + _HASH + _FIND + "const run = () => macro.execute();\n"
        f"return {{ id, hash, ended: await tried(run, {LARGEST_MANIFEST}) }};",
        {"name": name},
    )


def full_run(name: str, args: dict[str, Any], macro: Macro) -> Params:
    """Run the macro with arguments, if it still is the one that was looked at.

    A speaker is given so that the run does not depend on which token is selected.
    """
    return _eval(
        _TOLD + _HASH + _FIND + "if (id !== given.id || hash !== given.hash) "
        "return { changed: true };\n"
        "const speaker = { scene: null, actor: null, token: null, "
        "alias: game.user.name };\n"
        "const run = () => macro.execute({ ...given.args, speaker });\n"
        f"return {{ ended: await tried(run, {LARGEST_RESULT}) }};",
        {"name": name, "args": args, "id": macro.id, "hash": macro.hash},
    )


def list_all() -> Params:
    """List the scripts whose source carries the marker; none is run."""
    return _eval(
        _HASH + "const named = (name) => game.macros.filter("
        "(macro) => macro.name === name).map(({ id }) => id);\n"
        'const marked = game.macros.filter(({ type, command }) => type === "script" '
        "&& (command ?? '').includes(given.marker));\n"
        "return marked.map(({ id, name, command }) => "
        "({ id, name, hash: hashOf(command), ids: named(name) }));",
        {"marker": MARKER},
    )


def _eval(code: str, given: dict[str, Any]) -> Params:
    # JSON in ASCII is a JavaScript string, once it is written as JSON again.
    text = json.dumps(json.dumps(given, allow_nan=False))
    return {"code": f"const given = JSON.parse({text});\n{code}"}


def read_look(result: Json) -> Found | Macro:
    """Read the answer of `look`."""
    match value_of(result):
        case {"found": list(macros)}:
            return Found(tuple(macros))
        case {"id": str(id_), "hash": str(hash_)}:
            return Macro(id_, hash_)
    return Found(())


def read_bare(result: Json) -> Found | Bare:
    """Read the answer of `bare_run`."""
    match value_of(result):
        case {"found": list(macros)}:
            return Found(tuple(macros))
        case {"id": str(id_), "hash": str(hash_), "ended": ended}:
            return Bare(Macro(id_, hash_), _ended(ended))
        case other:
            return Bare(Macro("", ""), _strange(other))


def read_full(result: Json) -> Found | Changed | Ended:
    """Read the answer of `full_run`."""
    match value_of(result):
        case {"found": list(macros)}:
            return Found(tuple(macros))
        case {"changed": True}:
            return Changed()
        case {"ended": ended}:
            return _ended(ended)
        case other:
            return _strange(other)


def read_list(result: Json) -> list[Listed]:
    """Read the answer of `list_all`."""
    rows = value_of(result)
    return [
        Listed(Macro(row["id"], row["hash"]), row["name"], tuple(row["ids"]))
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict)
    ]


def value_of(result: Json) -> Any:
    """Take the value out of an eval's result."""
    return result.get("value") if isinstance(result, dict) else result


def _ended(ended: Any) -> Ended:
    match ended:
        case {"threw": str(message)}:
            return Threw(message)
        case {"pieces": list(pieces)}:
            return _returned("".join(pieces), ended.get("characters"))
        case {"nothing": str(kind)}:
            return Unreadable(f"it returned {kind}")
        case {"unclear": str(why)}:
            return Unreadable(f"what it returned is no JSON: {why}")
    return _strange(ended)


def _returned(text: str, characters: int | None) -> Ended:
    try:
        value = loads(text)
    except Unparseable:
        return Unreadable("what it returned is no JSON that can be read")
    if is_deeper(value, DEEPEST):
        return Unreadable(f"what it returned lies more than {DEEPEST} levels deep")
    return Returned(value, characters)


def _strange(answer: Any) -> Unreadable:
    return Unreadable(f"the tab answered {str(answer)[:80]}")
