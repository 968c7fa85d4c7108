"""Write one call in many ways that do the same.

An act is a receiver, a method and its arguments. Every spelling runs it once
when the eval runs, though not always with the right `this`.
"""

from __future__ import annotations

from collections.abc import Callable

Spelling = Callable[[str, str, str], str]

_D = "game.actors.contents[0]"
_SCENE = "canvas.scene"

# (receiver, method, arguments): all of them write or delete documents.
WRITES: list[tuple[str, str, str]] = [
    (_D, "update", "{name: 'x'}"),
    (_D, "delete", ""),
    (_D, "setFlag", "'world', 'k', 1"),
    (_D, "unsetFlag", "'world', 'k'"),
    (_D, "updateSource", "{name: 'x'}"),
    (_D, "createEmbeddedDocuments", "'Item', [{name: 'x', type: 'loot'}]"),
    (_D, "updateEmbeddedDocuments", "'Item', [{_id: 'a', name: 'x'}]"),
    (_D, "deleteEmbeddedDocuments", "'Item', ['a']"),
    (_D, "applyDamage", "5"),
    (_D, "modifyTokenAttribute", "'attributes.hp', -5, true"),
    (_D, "toggleStatusEffect", "'prone'"),
    (_D, "rollInitiative", ""),
    (_D, "importFromJSON", "'{}'"),
    (f"{_D}.items.contents[0]", "update", "{'system.quantity': 2}"),
    (f"{_D}.items.contents[0]", "delete", ""),
    (f"{_D}.items.contents[0]", "use", ""),
    (f"{_D}.effects.contents[0]", "update", "{disabled: true}"),
    (f"{_D}.effects.contents[0]", "delete", ""),
    ("Actor", "create", "{name: 'x', type: 'npc'}"),
    ("Actor", "createDocuments", "[{name: 'x', type: 'npc'}]"),
    ("Actor", "updateDocuments", "[{_id: 'a', name: 'x'}]"),
    ("Actor", "deleteDocuments", "['a']"),
    ("Item", "create", "{name: 'x', type: 'loot'}"),
    ("JournalEntry", "create", "{name: 'x'}"),
    ("Folder", "create", "{name: 'x', type: 'Actor'}"),
    ("Macro", "create", "{name: 'x', type: 'script'}"),
    ("RollTable", "create", "{name: 'x'}"),
    ("Scene", "create", "{name: 'x'}"),
    ("Playlist", "create", "{name: 'x'}"),
    ("User", "create", "{name: 'x'}"),
    ("getDocumentClass('Actor')", "create", "{name: 'x', type: 'npc'}"),
    ("CONFIG.Item.documentClass", "create", "{name: 'x', type: 'loot'}"),
    (_SCENE, "update", "{name: 'x'}"),
    (_SCENE, "delete", ""),
    (_SCENE, "createEmbeddedDocuments", "'Token', [{name: 'x'}]"),
    (f"{_SCENE}.tokens.contents[0]", "update", "{x: 100}"),
    (f"{_SCENE}.tokens.contents[0].actor", "update", "{name: 'x'}"),
    ("canvas.tokens", "updateAll", "{hidden: true}"),
    ("canvas.tokens", "deleteAll", ""),
    ("canvas.tokens.controlled[0].document", "update", "{hidden: true}"),
    ("game.settings", "set", "'core', 'noCanvas', true"),
    ("game.time", "advance", "60"),
    ("game.combat", "nextTurn", ""),
    ("game.combat", "startCombat", ""),
    ("game.combat", "endCombat", ""),
    ("game.combat", "rollAll", ""),
    ("game.combat.combatants.contents[0]", "update", "{initiative: 3}"),
    ("game.user", "assignHotbarMacro", "null, 1"),
    ("game.user", "setFlag", "'world', 'k', 1"),
    ("game.journal.getName('Rumours')", "update", "{name: 'x'}"),
    ("game.journal.getName('Rumours').pages.contents[0]", "delete", ""),
    ("game.macros.getName('Rest')", "execute", ""),
    ("game.tables.getName('Talk')", "resetResults", ""),
    ("game.playlists.contents[0]", "playAll", ""),
    ("game.folders.contents[0]", "delete", "{deleteContents: true}"),
    ("game.packs.get('world.loot')", "importDocument", _D),
    ("game.packs.get('world.loot')", "configure", "{locked: false}"),
    ("game.actors", "importFromCompendium", "game.packs.get('world.x'), 'a'"),
    ("game.messages.contents[0]", "delete", ""),
    ("(await fromUuid('Actor.a'))", "update", "{name: 'x'}"),
]

# All of them reach what no rollback point can take back.
SIDE_EFFECTS: list[tuple[str, str, str]] = [
    ("ChatMessage", "create", "{content: 'x'}"),
    ("ChatMessage", "createDocuments", "[{content: 'x'}]"),
    ("ChatMessage.implementation", "create", "{content: 'x'}"),
    ("getDocumentClass('ChatMessage')", "create", "{content: 'x'}"),
    ("CONFIG.ChatMessage.documentClass", "create", "{content: 'x'}"),
    ("game.messages.documentClass", "create", "{content: 'x'}"),
    ("(await new Roll('1d20').evaluate())", "toMessage", ""),
    ("new Roll('1d20')", "toMessage", "{flavor: 'x'}"),
    ("ui.chat", "processMessage", "'/roll 1d20'"),
    ("ui.chat", "postOne", "game.messages.contents[0]"),
    ("game.socket", "emit", "'module.x', {}"),
    ("game.socket", "on", "'module.x', () => 1"),
    ("Hooks", "call", "'x'"),
    ("Hooks", "callAll", "'x'"),
    ("Hooks", "on", "'updateActor', () => 1"),
    ("Hooks", "once", "'updateActor', () => 1"),
    (f"{_D}.sheet", "render", "true"),
    (f"{_D}.sheet", "close", ""),
    (f"{_D}.sheet", "maximize", ""),
    ("ui.actors", "render", "true"),
    ("ui.sidebar", "activateTab", "'chat'"),
    ("game.scenes.contents[0]", "activate", ""),
    ("game.scenes.contents[0]", "view", ""),
    ("game.scenes.contents[0]", "pullUsers", ""),
    ("game.journal.contents[0]", "show", ""),
    ("Dialog", "confirm", "{title: 'x'}"),
    ("Dialog", "prompt", "{title: 'x'}"),
    ("foundry.applications.api.DialogV2", "confirm", "{}"),
    ("foundry.applications.api.DialogV2", "wait", "{}"),
    ("Actor", "createDialog", "{}"),
    (_D, "deleteDialog", ""),
    ("FilePicker", "upload", "'data', 'x', null"),
    ("FilePicker", "createDirectory", "'data', 'x'"),
    ("FilePicker.implementation", "upload", "'data', 'x', null"),
    ("foundry.applications.apps.FilePicker", "upload", "'data', 'x', null"),
    (_D, "exportToJSON", ""),
    ("globalThis", "fetch", "'/x'"),
    ("window", "open", "'https://example.org'"),
    ("window", "alert", "'x'"),
    ("window", "postMessage", "'x'"),
    ("navigator", "sendBeacon", "'/x'"),
    ("navigator.clipboard", "writeText", "'x'"),
    ("game.clipboard", "copyPlainText", "'x'"),
    ("location", "reload", ""),
    ("location", "assign", "'/x'"),
    ("location", "replace", "'/x'"),
    ("window.location", "reload", ""),
    ("history", "back", ""),
    ("history", "pushState", "null, '', '/x'"),
    ("localStorage", "setItem", "'x', 'y'"),
    ("localStorage", "removeItem", "'x'"),
    ("game", "togglePause", "true"),
    ("game", "logOut", ""),
    ("game", "shutDown", ""),
    ("game.user", "broadcastActivity", "{}"),
    ("game.user", "updateTokenTargets", "[]"),
    ("canvas", "animatePan", "{x: 1, y: 1}"),
    ("canvas", "ping", "{x: 1, y: 1}"),
    ("canvas.tokens.placeables[0]", "setTarget", "true"),
    ("foundry.audio.AudioHelper", "play", "{src: 'x'}, true"),
]


def _args(args: str) -> str:
    return f", {args}" if args else ""


def _code(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _escaped(name: str) -> str:
    return f"\\u{ord(name[0]):04x}{name[1:]}"


SPELLINGS: dict[str, Spelling] = {
    "plainly": lambda r, m, a: f"await {r}.{m}({a});",
    "in brackets": lambda r, m, a: f"await {r}['{m}']({a});",
    "put together": lambda r, m, a: f"await {r}['{m[:2]}' + '{m[2:]}']({a});",
    "by a constant": lambda r, m, a: f"const m = '{m}'; await {r}[m]({a});",
    "in a template": lambda r, m, a: f"await {r}[`{m[:2]}${{'{m[2:]}'}}`]({a});",
    "by a joined array": lambda r, m, a: (
        f"const p = ['{m[:1]}', '{m[1:]}']; await {r}[p.join('')]({a});"
    ),
    "backwards": lambda r, m, a: (
        f"await {r}['{m[::-1]}'.split('').reverse().join('')]({a});"
    ),
    "with an escape": lambda r, m, a: f"await {r}.{_escaped(m)}({a});",
    "optionally": lambda r, m, a: f"await {r}?.{m}?.({a});",
    "by an alias": lambda r, m, a: f"const x = {r}; const y = x; await y.{m}({a});",
    "by call": lambda r, m, a: f"const x = {r}; await x.{m}.call(x{_args(a)});",
    "by apply": lambda r, m, a: f"const x = {r}; await x.{m}.apply(x, [{a}]);",
    "bound": lambda r, m, a: f"const x = {r}; const f = x.{m}.bind(x); await f({a});",
    "destructured": lambda r, m, a: (
        f"const x = {r}; const {{{m}: f}} = x; await f.call(x{_args(a)});"
    ),
    "by Reflect": lambda r, m, a: f"const x = {r}; Reflect.apply(x.{m}, x, [{a}]);",
    "from an object": lambda r, m, a: (
        f"const x = {r}; const o = {{go: x.{m}}}; o.go({a});"
    ),
    "in a callback": lambda r, m, a: f"[{r}].forEach(x => x.{m}({a}));",
    "as a callback": lambda r, m, a: f"const x = {r}; [{a or 1}].forEach(x.{m}, x);",
    "in a local function": lambda r, m, a: (
        f"async function go(x, ...rest) {{ return x.{m}(...rest); }}"
        f" await go({r}{_args(a)});"
    ),
    "in a getter": lambda r, m, a: (
        f"const x = {r}; const o = {{get v() {{ return x.{m}({a}); }}}}; return o.v;"
    ),
    "in a class": lambda r, m, a: (
        f"const x = {r}; class K {{ #x = x; go() {{ return this.#x.{m}({a}); }} }}"
        " await new K().go();"
    ),
    "in a generator": lambda r, m, a: (
        f"const r = {r}; function* all() {{ yield r; }}"
        f" for (const x of all()) await x.{m}({a});"
    ),
    "by default": lambda r, m, a: (
        f"const x = {r}; const go = (y = x.{m}({a})) => y; go();"
    ),
    "after a promise": lambda r, m, a: (
        f"await Promise.resolve({r}).then(x => x.{m}({a}));"
    ),
    "in two branches": lambda r, m, a: (
        f"const x = Math.random() > 2 ? null : {r}; if (x) await x.{m}({a});"
    ),
    "by a comma": lambda r, m, a: f"const x = {r}; await (0, x.{m})({a});",
    "to a string": lambda r, m, a: (
        f"const x = {r}; return `${{{{toString() {{ x.{m}({a}); return ''; }}}}}}`;"
    ),
    "as text": lambda r, m, a: (
        f'eval("{_code(r)}.{m}({_code(a)})");'
        if "await" not in r
        else f"await {r}.{m}({a});"
    ),
    "from a map": lambda r, m, a: (
        f"const all = new Map([['x', {r}]]); await all.get('x').{m}({a});"
    ),
    "from a thrown error": lambda r, m, a: (
        f"try {{ throw {r}; }} catch (x) {{ await x.{m}({a}); }}"
    ),
}
