"""Journals out of bounds, and what is ours."""

from __future__ import annotations

import pytest

from aagm.relay.guard import Protected, classify

LIST = Protected(
    ids=("yB5klzKycb6bTbcy",),
    names=("Guest Book", "Cellar Log:*"),
    flags=(("world", "keptClosed"), ("world", "note")),
)


@pytest.mark.parametrize(
    "code",
    [
        "game.journal.get('yB5klzKycb6bTbcy')",
        "await fromUuid('JournalEntry.yB5klzKycb6bTbcy.JournalEntryPage.x')",
        "await fromUuid('JournalEntry.' + 'yB5klz' + 'Kycb6bTbcy')",
        "game.journal.getName('guest book')",
        "game.journal.filter(j => j.name === 'Guest Book')",
        "game.journal.find(j => /guest book/i.test(j.name))",
        "new RegExp('Guest Book')",
        "game.journal.getName(`${'Guest'} ${'Book'}`)",
        "game.journal.getName('Cellar Log: May')",
        "game.journal.getName(`Cellar Log: ${month}`)",
        "game.journal.filter(j => j.name.startsWith('Cellar Log'))",
        "page.getFlag('world', 'keptClosed')",
        "page.flags.world.keptClosed",
        "page.flags?.['world']?.['keptClosed']",
        "const { flags: { world: { keptClosed } } } = page; return keptClosed;",
        "foundry.utils.getProperty(page, 'flags.world.keptClosed')",
        "page.update({ 'flags.world.keptClosed': false })",
        "page.setFlag('world', 'note', 1)",
        "page.flags.world.note",
        "page.toObject().flags.world.keptClosed",
    ],
)
def test_what_is_listed_is_protected(code):
    """By id, by name and by flag, however it is put together."""
    before = "const page = game.journal.contents[0].pages.contents[0]; const month = 1;"
    assert classify(before + code, LIST).kind == "protected"


@pytest.mark.parametrize(
    "code",
    [
        "return game.journal.getName('The Guest Book of Odo')?.name;",
        "return 'see the guest book and more';",
        "// Guest Book, yB5klzKycb6bTbcy, keptClosed\nreturn 1;",
        "return game.notes?.note ?? { note: 1 };",
        "return game.actors.map(a => a.system.note);",
        "return game.actors.get('a').getFlag('world', 'other');",
    ],
)
def test_what_is_not_listed_is_not(code):
    """Part of a name, a comment, or the key of a flag elsewhere protects nothing."""
    assert classify(code, LIST).kind == "read"


def test_without_configuration_only_our_rescue_log_is_protected():
    """The names of one author's world are nobody else's."""
    other = "return game.journal.getName('Guest Book')?.name;"
    assert classify(other, Protected()).kind == "read"
    ours = "return game.journal.getName('ItemPile Rescue Log')?.name;"
    assert classify(ours, Protected()).kind == "protected"


@pytest.mark.parametrize(
    "code",
    [
        "game.settings.set('aagm', 'mirrorPath', '/')",
        "game.settings.get('aagm', 'token-x')",
        "const [a, b] = ['aagm', 'x']; game.settings.get(a, b)",
        "game.settings['set']('aa' + 'gm', 'x', 1)",
        "game.settings.set.call(game.settings, 'aagm', 'x', 1)",
        "game.user.setFlag('aagm', 'x', 1)",
        "game.user.unsetFlag('aagm', 'x')",
        "game.user.update({ flags: { aagm: { x: 1 } } })",
        "game.user.update({ 'flags.-=aagm': null })",
        "const flags = { aagm: 1 }; game.user.update({ flags })",
        "Setting.create({ key: 'aagm.mirrorPath', value: '1' })",
        "return game.user.flags.aagm",
        "return Object.keys(localStorage['aagm.token-x'])",
    ],
)
def test_our_own_settings_and_flags_are_always_protected(code):
    """An agent can neither redirect the relay nor read its token."""
    assert classify(code, Protected(names=(), flags=())).kind == "protected"


def test_the_list_travels_in_the_hello():
    """The answer to hello carries ids, names and flags."""
    assert LIST.as_json() == {
        "ids": ["yB5klzKycb6bTbcy"],
        "names": ["Guest Book", "Cellar Log:*"],
        "flags": [
            {"scope": "world", "key": "keptClosed"},
            {"scope": "world", "key": "note"},
        ],
    }


@pytest.mark.parametrize(
    "code",
    [
        "return game.settings.get('aagm', name);",
        "const s = game.settings; return [name].map(k => s.get('aa' + 'gm', k));",
        "const [s] = Object.values(game); return s.get('aagm', name);",
        "return localStorage.getItem(`aagm.${'token'}`);",
        "return localStorage.getItem('aagm.' + name);",
    ],
)
def test_our_settings_are_protected_whatever_the_key(code):
    """The key need not be known."""
    before = "const name = game.user.name; "
    assert classify(before + code, Protected()).kind == "protected"


@pytest.mark.parametrize(
    "code",
    [
        "return game.settings.get(name, 'token');",
        "return game.settings.get(['aa' + 'gm'], 'token');",
        "return game.settings.get(...name.split('.'));",
        "for (const [, s] of game.settings.settings) game.settings.get(s.ns, s.key);",
        "return game.settings.storage.get('client');",
        "return [...game.settings.storage.get('world')].map(s => s.value);",
        "const { storage } = game.settings; return [...storage.values()];",
        "const [s] = Object.values(game); return s.storage;",
        "return localStorage.getItem(name);",
        "const read = localStorage.getItem; return read.call(localStorage, name);",
        "return localStorage[name];",
        "return { ...localStorage };",
    ],
)
def test_a_dump_of_settings_is_no_proven_read(code):
    """What may hold our token is recorded: nothing says that it does not."""
    before = "const name = game.user.name; "
    assert classify(before + code, Protected()).kind == "unproven"


@pytest.mark.parametrize(
    "code",
    [
        "return game.settings.get('pf1', name);",
        "return ['pf1', 'core'].map(m => game.settings.get(m, 'units'));",
        "return [...game.settings.settings.keys()];",
        "return localStorage.getItem('pf1.units');",
        "return game.items.get('a', { strict: true });",
    ],
)
def test_settings_of_others_are_read(code):
    """A module that is named is read at once."""
    before = "const name = game.user.name; "
    assert classify(before + code, Protected()).kind == "read"
