"""What a method does, told by its name, where the object is not one of ours.

Reading a property is taken to be harmless. Calling a method is harmless only
when its name is on this page as a read.
Source: FOUNDRY_FACTS section 1; PROTOCOL_FACTS section 7; Foundry's API pages.
"""

from __future__ import annotations

import re
from functools import lru_cache

from aagm.relay.guard.values import Effect
from aagm.relay.guard.verdicts import Kind
from aagm.relay.guard.words import words

# Methods that only look, on documents, collections and built-in objects.
READS = words("""
    at charAt charCodeAt codePointAt concat endsWith entries flat has
    hasOwnProperty includes indexOf isPrototypeOf isWellFormed join keys
    lastIndexOf localeCompare match matchAll normalize padEnd padStart
    propertyIsEnumerable repeat replaceAll search slice split startsWith substr
    substring toArray toDateString toExponential toFixed toISOString toJSON
    toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString
    toLocaleUpperCase toLowerCase toPrecision toReversed toSpliced toString
    toTimeString toUTCString toUpperCase toWellFormed trim trimEnd trimStart
    valueOf values with get
    difference intersection isDisjointFrom isSubsetOf isSupersetOf
    symmetricDifference union equals
    toObject toDragData testUserPermission lookup format localize
    evaluate evaluateSync evaluateMaximum evaluateMinimum
    measureDistance measureDistances measurePath distanceTo
    checkCollision testCollision testPoint contains intersects overlaps
    querySelector querySelectorAll closest matches
    allApplicableEffects traverseEmbeddedDocuments testVisibility validate
    capitalize titleCase slugify stripScripts compare ordinalString paddedString
    signedString toNearest between toRangedString isSubset first
    """)

# Reads whose answer is made for the caller, who may sort or change it.
FRESH_ARRAYS = words("""
    concat flat match matchAll slice split toArray toReversed toSpliced with
    getDocuments getActiveTokens search
    """)
FRESH_DATA = frozenset({"toObject", "toDragData"})
FRESH_TEXT = words("""
    charAt charCodeAt codePointAt endsWith has hasOwnProperty includes indexOf
    isPrototypeOf join lastIndexOf localeCompare normalize padEnd padStart
    propertyIsEnumerable repeat replaceAll startsWith substr substring
    toDateString toExponential toFixed toISOString toLocaleDateString
    toLocaleLowerCase toLocaleString toLocaleTimeString toLocaleUpperCase
    toLowerCase toPrecision toString toTimeString toUTCString toUpperCase
    toWellFormed trim trimEnd trimStart testUserPermission localize format
    capitalize titleCase slugify stripScripts ordinalString paddedString
    signedString toRangedString
    """)

# `getName`, `isOwner`, `hasRole`, `canUserModify` … of any system or module.
_LOOKS = re.compile(r"(?:get|is|has|can)(?:[A-Z]|$)")
_ACTS = re.compile(
    r"Create|Insert|Update|Delete|Ensure|Apply|Render|Write|Upload|Fetch|Dialog"
    r"|Prompt|Request|Send|Save|Emit|UserMedia|AndSet|OrSet|AndRemove|AndClear"
)


@lru_cache(maxsize=2048)
def is_read(name: str) -> bool:
    """Tell whether a method called *name* only looks, whatever it belongs to."""
    if name in READS:
        return True
    return bool(_LOOKS.match(name)) and not _ACTS.search(name)


# Methods that change the object in place: harmless on what the code made itself.
MUTATORS = words("""
    add append clear copyWithin fill pop push reverse set shift sort splice
    unshift
    """)

# Names that JavaScript calls by itself. A symbol's name starts with @@ here.
HOOKS = words("""
    toString valueOf toJSON then @@iterator @@asyncIterator @@hasInstance
    @@isConcatSpreadable @@match @@matchAll @@replace @@search @@species @@split
    @@toPrimitive @@toStringTag @@unscopables @@dispose @@asyncDispose
    """)

# Ways out of the object into the page, or to its prototype.
WAYS_OUT = words("""
    __proto__ __defineGetter__ __defineSetter__ __lookupGetter__
    __lookupSetter__ callee caller ownerDocument defaultView contentWindow
    contentDocument
    """)

_WRITES = words("""
    addStatusEffect applyActiveEffect applyDamage applyDelta applyHealing
    assignHotbarMacro configure create createDocuments createEmbeddedDocuments
    createEmbeddedEntity createMany createOwnedItem deal
    import importAll importContent importDocument importDocuments
    importFolder importFromCompendium importFromJSON kill migrate modifyBatch
    modifyTokenAttribute moveMany nextRound nextTurn pasteObjects playAll
    playNext playSound previousRound previousTurn resetAll resetResults
    rollAll rollDamage rollInitiative rollNPC rotateMany setFlag
    setInitiative setPermission sortRelative startCombat stopAll stopSound
    swapPermissions toggleActiveEffect toggleCombat toggleDefeated
    toggleEffect toggleStatusEffect unsetFlag update updateAll
    updateDocuments updateEmbeddedDocuments updateEmbeddedEntity updateMany
    updateOwnedItem updateSource
""")

_DELETES = words("""
    delete deleteAll deleteDocuments deleteEmbeddedDocuments
    deleteEmbeddedEntity deleteMany deleteOwnedItem endCombat flush
""")

_SIDE_EFFECTS = {
    "posts to the chat": "postOne processMessage toChat toMessage toAnchorMessage",
    "reaches other clients": """
        broadcast broadcastActivity dispatch emit emitWithAck executeAsGM executeAsUser
        executeAsUsers executeForAll executeForAllGMs executeForEveryone
        executeForOtherGMs executeForOthers executeForUsers ping pullUsers
        setTarget share shareImage show togglePause updateTokenTargets
        notifyPeers query queryGM
    """,
    "opens, draws or moves a window": """
        activate activateTab bringToFront bringToTop changeTab close
        configureSheet createDialog deleteDialog exportDialog
        importFromJSONDialog maximize minimize render renderDialog renderPopout
        renderPopup rollDialog setPosition showDialog toggleCharacterSheet view
        viewPage
    """,
    "changes what is on the screen": """
        animatePan control panCanvas pan recenter release releaseAll say
        selectObjects controlAll createScrollingText zoom
    """,
    "calls hooks": "callAll",
    "writes files": """
        createDirectory exportToJSON exportToCSV saveDataToFile upload
        uploadPersistent configurePath download
    """,
    "changes a whole compendium": """
        createCompendium deleteCompendium duplicateCompendium
    """,
    "leaves or reloads the page": "debouncedReload logOut reload shutDown",
    "acts on the page": """
        click dispatchEvent insertAdjacentElement insertAdjacentHTML
        replaceChildren replaceWith requestSubmit submit execCommand
        requestFullscreen
    """,
    "changes what the browser stores": "removeItem setItem",
    "uses the clipboard": "copyPlainText readText writeText",
    "reaches the network": """
        fetchJsonWithTimeout fetchWithTimeout fetchResource sendBeacon
    """,
}

# On the page's own elements.
DOM_ACTS = words("""
    add after append appendChild before blur focus insertBefore prepend remove
    removeAttribute removeChild replace scrollIntoView setAttribute toggle
    toggleAttribute
    """)


def _effects() -> dict[str, Effect]:
    found: dict[str, Effect] = {}

    def add(names: frozenset[str], kind: Kind, what: str) -> None:
        for name in names:
            found[name] = Effect(kind, f"{name}() {what}")

    add(_WRITES, "write", "changes documents")
    add(_DELETES, "delete", "deletes documents")
    for what, names in _SIDE_EFFECTS.items():
        add(words(names), "side-effect", what)
    return found


EFFECTS: dict[str, Effect] = _effects()
