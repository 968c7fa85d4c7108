"""The globals we know: JavaScript's, the browser's and Foundry's.

A path such as ``Object.keys`` names a function; `builtins` and `foundry` say
what calling it does. What a namespace holds besides is told here.
Source: ECMA-262; FOUNDRY_FACTS sections 1 and 6; Foundry's API pages.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from aagm.relay.guard.names import EFFECTS
from aagm.relay.guard.values import (
    ANYTHING,
    DOM,
    EMPTY,
    FOREIGN,
    LEFT_OUT,
    LIVE,
    NUM,
    PRIM,
    Args,
    Effect,
    Live,
    Method,
    Value,
    just,
    native,
)
from aagm.relay.guard.words import words

if TYPE_CHECKING:
    from aagm.relay.guard.syntax import Node
    from aagm.relay.guard.walk import Walk

Function = Callable[["Walk", Value, Args, "Node"], Value]  # walk, this, args, site
FUNCTIONS: dict[str, Function] = {}
CONSTRUCTORS: dict[str, Function] = {}

# Of these a class of the code may inherit, and still be followed.
KNOWN_BASES = words("""
    AggregateError Array Error Map Object RangeError Set SyntaxError TypeError
    """)

DOCUMENTS = words("""
    ActiveEffect Actor ActorDelta Adventure AmbientLight AmbientSound Card Cards
    ChatMessage Combat Combatant CombatantGroup Drawing FogExploration Folder
    Item JournalEntry JournalEntryCategory JournalEntryPage Level Macro
    MeasuredTemplate Note Playlist PlaylistSound Region RegionBehavior RollTable
    Scene Setting TableResult Tile Token User Wall
    """)

_SCRIPT = words("""
    AggregateError Array ArrayBuffer BigInt Boolean DOMParser DataView Date Error
    EvalError Float32Array Float64Array Int16Array Int32Array Int8Array Intl
    Iterator JSON Map Math Number Object Promise Proxy RangeError ReferenceError
    Reflect RegExp Set String Symbol SyntaxError TextDecoder TextEncoder
    TypeError URIError URL URLSearchParams Uint16Array Uint32Array Uint8Array
    Uint8ClampedArray WeakMap WeakRef WeakSet atob btoa cancelAnimationFrame
    clearInterval clearTimeout console crypto decodeURI decodeURIComponent
    encodeURI encodeURIComponent escape eval Function isFinite isNaN parseFloat
    parseInt performance queueMicrotask requestAnimationFrame
    requestIdleCallback setInterval setTimeout structuredClone unescape
""")
_PAGE = words("document history localStorage location navigator sessionStorage")
_FOUNDRY = words("CONFIG Hooks Roll FilePicker TextEditor game foundry")
_FUNCTIONS = words("fromUuid fromUuidSync getDocumentClass")
_UTILS = words("""
    deepClone diffObject duplicate encodeURL expandObject filterObject
    flattenObject getProperty getType hasProperty invertObject isEmpty
    isNewerVersion isSubclass mergeObject objectsEqual randomID setProperty
""")
_WINDOWS = words("""
    Application ApplicationV2 Dialog DialogV2 DocumentSheet FormApplication
    FrameViewer ImagePopout Journal SidebarTab Tour
""")
_WORLDS = words("""
    CONST canvas ui pf1 pf2e dnd5e sfrpg swade wfrp4e _token
""")
_ACTORS = {  # classes whose every use acts
    "Dialog": "opens a window",
    "AudioHelper": "makes a sound",
    "SocketInterface": "reaches other clients",
    "Notification": "speaks to the GM's system",
}
_SELVES = words("window globalThis self top parent frames")

_NETWORK = "reaches the network"
_BARE_EFFECTS = {
    _NETWORK: """
        EventSource SharedWorker WebSocket WebTransport Worker XMLHttpRequest
        fetch importScripts RTCPeerConnection
    """,
    "waits for the GM or leaves the page": "alert confirm print prompt",
    "opens another page": "open",
    "closes the page": "close",
    "reaches other pages": "BroadcastChannel dispatchEvent postMessage",
    "writes files": "saveDataToFile exportToJSON",
    "makes a sound": "Audio SpeechSynthesisUtterance",
}


def _globals() -> dict[str, Value]:
    found: dict[str, Value] = {}
    for name in (*_SCRIPT, *_PAGE, *_FOUNDRY, *_FUNCTIONS):
        found[name] = native(name)
    for name in _UTILS:
        found[name] = native(f"foundry.utils.{name}")
    for name in _WINDOWS:
        found[name] = native("Dialog")
    for name in _ACTORS:
        found[name] = native(name)
    for name in _WORLDS:
        found[name] = LIVE
    for name in _SELVES:
        found[name] = native("window")
    for name in DOCUMENTS:
        found[name] = native(f"class:{name}")
        found[f"Base{name}"] = native(f"class:{name}")
        found[f"{name}Document"] = native(f"class:{name}")
    for what, names in _BARE_EFFECTS.items():
        for name in names.split():
            found[name] = just(Effect("side-effect", f"{name} {what}"))
    found.update(Ray=native("Ray"), PIXI=native("PIXI"))
    found.update(undefined=LEFT_OUT, NaN=NUM, Infinity=NUM, name=PRIM, origin=PRIM)
    return found


GLOBALS = _globals()

_SOCKET = just(Effect("side-effect", "game.socket reaches other clients"))
_HOOKS = just(Effect("side-effect", "Hooks calls or keeps what outlives the eval"))
_CHAT = just(Effect("side-effect", "ChatMessage.create posts to the chat"))
_NAVIGATE = just(Effect("side-effect", "location leaves or reloads the page"))
_FILES = just(Effect("side-effect", "FilePicker writes files"))
_HISTORY = just(Effect("side-effect", "history leaves the page"))
_WRITER = just(Effect("side-effect", "document.write changes the page"))
_SET = just(Effect("write", "game.settings.set changes a setting"))
_TIME = just(Effect("write", "game.time.advance changes the world's time"))

MEMBERS: dict[str, dict[str, Value]] = {
    "game": {
        "socket": native("game.socket"),
        "settings": native("game.settings"),
        "time": native("game.time"),
        "messages": just(Live("config:ChatMessage")),
        "modules": native("game.modules"),
        "system": just(Live("system")),
    },
    "game.time": {"advance": _TIME, "set": _TIME},
    "game.modules": {"get": native("game.modules.get")},
    "game.settings": {
        "get": native("game.settings.get"),
        "set": native("game.settings.set"),
        "register": native("game.settings.register"),
        "registerMenu": native("game.settings.register"),
    },
    "game.socket": dict.fromkeys(
        words("""
        emit emitWithAck on once off send volatile compress timeout connect
        disconnect close open onAny io nsp
        """),
        _SOCKET,
    ),
    "Hooks": dict.fromkeys(words("call callAll on once off onError"), _HOOKS),
    "class:ChatMessage": {"create": _CHAT, "createDocuments": _CHAT},
    "location": dict.fromkeys(
        words("href host hostname origin pathname protocol port search hash"), PRIM
    )
    | dict.fromkeys(words("assign replace reload"), _NAVIGATE),
    "history": dict.fromkeys(words("back forward go pushState replaceState"), _HISTORY)
    | {"length": NUM},
    "document": {
        "createElement": native("document.createElement"),
        "location": native("location"),
        "cookie": native("document.cookie"),
        **dict.fromkeys(words("write writeln open close"), _WRITER),
        **dict.fromkeys(words("title URL readyState visibilityState"), PRIM),
    },
    "FilePicker": {
        "browse": native("FilePicker.browse"),
        "implementation": native("FilePicker"),
        **dict.fromkeys(
            words("upload uploadPersistent createDirectory configurePath"), _FILES
        ),
    },
    "TextEditor": {
        "enrichHTML": native("TextEditor.enrichHTML"),
        "decodeHTML": native("TextEditor.enrichHTML"),
        "implementation": native("TextEditor"),
    },
    "Roll": {
        "create": native("Roll.create"),
        **dict.fromkeys(
            words("""
            collapseInlineResult fromData fromJSON fromTerms getFormula parse
            replaceFormulaData simulate
            """),
            native("Roll.parse"),
        ),
    },
    "foundry": {
        "utils": native("foundry.utils"),
        "documents": native("foundry.documents"),
        "applications": native("foundry.applications"),
        "audio": native("foundry.audio"),
        "canvas": native("foundry.canvas"),
        "dice": native("foundry.dice"),
        "helpers": native("foundry.helpers"),
    },
    "foundry.canvas": {"geometry": native("foundry.canvas.geometry")},
    "foundry.canvas.geometry": {"Ray": native("Ray")},
    "foundry.dice": {"Roll": native("Roll")},
    "foundry.audio": {"AudioHelper": native("AudioHelper")},
    "foundry.helpers": {
        "Hooks": native("Hooks"),
        "SocketInterface": native("SocketInterface"),
    },
    "foundry.documents": {
        "modifyBatch": just(Effect("write", "modifyBatch changes documents")),
    },
    "foundry.applications": dict.fromkeys(
        words("api apps ux sheets ui sidebar hud"), native("foundry.applications")
    )
    | {"FilePicker": native("FilePicker"), "TextEditor": native("TextEditor")},
    "Reflect": {},
}

# What a namespace gives for a name that is on no list, and for one unknown.
_REST: dict[str, Value] = {
    "game": LIVE,
    "game.time": LIVE,
    "game.modules": LIVE,
    "game.settings": LIVE,
    "game.socket": LIVE,
    "Hooks": LIVE,
    "Roll": LIVE,
    "document": DOM,
    "navigator": LIVE,
    "foundry": LIVE,
    "foundry.audio": LIVE,
    "foundry.canvas": LIVE,
    "foundry.canvas.geometry": LIVE,
    "foundry.dice": LIVE,
    "foundry.helpers": LIVE,
    "foundry.documents": LIVE,
    "FilePicker": LIVE,
    "TextEditor": LIVE,
    "location": ANYTHING,
    "history": ANYTHING,
    "localStorage": LIVE,
    "sessionStorage": LIVE,
    "performance": LIVE,
    "PIXI": FOREIGN,
}
for _path, _what in _ACTORS.items():
    _REST[_path] = just(Effect("side-effect", f"{_path} {_what}"))

# Given away, these may be used where we do not look.
GUARDED = words("""
    window document location history localStorage sessionStorage navigator Hooks
    game.socket Function eval document.cookie
    """)


@lru_cache(maxsize=2048)  # the tables are whole before the first code is looked at
def child(path: str, name: str) -> Value:  # noqa: PLR0911 - one return a sort
    """Give what the namespace *path* holds under *name*."""
    known = MEMBERS.get(path, {}).get(name)
    if known is not None:
        return known
    full = f"{path}.{name}"
    if path in ("Math", "Number") and name.isupper():
        return NUM
    if full in FUNCTIONS or full in CONSTRUCTORS or path == "Math":
        return native(full)
    if path in _SPECIAL:
        return _SPECIAL[path](name)
    if path.startswith("class:"):
        return _of_class(path, name)
    if name == "prototype" and path not in _REST:
        return native(full)
    if path.endswith(".prototype"):
        return just(Method(name))
    return _acting(name, _REST.get(path, FOREIGN))


def making(path: str) -> Value:
    """Give the effect that making an object of the class *path* has; or nothing."""
    return _REST[path] if path in _ACTORS else EMPTY


def _acting(name: str, rest: Value) -> Value:
    """Give *rest*, where a live method of that *name* is not known to act."""
    effect = EFFECTS.get(name) if rest is LIVE else None
    return rest if effect is None else just(effect)


def _of_documents(name: str) -> Value:
    return LIVE if name == "collections" else GLOBALS.get(name, LIVE)


_SPECIAL: dict[str, Callable[[str], Value]] = {
    "window": lambda name: GLOBALS.get(name, FOREIGN),
    "CONFIG": lambda name: just(Live(f"config:{name}")),
    "Symbol": lambda name: just(f"@@{name}"),
    "foundry.documents": _of_documents,
    "foundry.applications": _of_documents,
}


def _of_class(path: str, name: str) -> Value:
    if name == "implementation":
        return native(path)
    if name == "prototype" or name not in EFFECTS:
        return LIVE
    return just(EFFECTS[name])


def children(path: str) -> Value | None:
    """Give what *path* holds under a name that is not known; None when nobody knows."""
    if path in ("game", "CONFIG", "foundry", "foundry.documents"):
        return LIVE
    if path.startswith("class:"):
        return LIVE
    return NUM if path == "Math" else None


def is_page(path: str, name: str | None) -> bool:
    """Tell whether setting *name* there changes or leaves the page."""
    if path == "window":
        return name == "location"
    return path in ("location", "history", "document", "localStorage", "sessionStorage")
