"""Which file each macro goes to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from aagm.relay.mirror.places import File, NoPlace, Place, place_all
from aagm.relay.mirror.record import MacroRecord


def macro(id_, name, *folder):
    """Make a macro."""
    return MacroRecord(f"Macro.{id_}", name, "", folder=folder)


def paths(placed):
    """Read where the macros went."""
    return [p.file.path if isinstance(p, Place) else p.reason for p in placed]


def place(macros, files=(), folders=((),), *, sorts=False):
    """Place with defaults."""
    return place_all(macros, files, folders, sorts=sorts)


def test_macros_of_one_name_carry_their_ids():
    """Two macros called Heal are two files, whatever the case."""
    placed = place([macro("a", "Heal"), macro("b", "heal"), macro("c", "Hurt")])
    assert paths(placed) == ["Heal (a).js", "heal (b).js", "Hurt.js"]


def test_a_renamed_macro_leaves_its_old_file():
    """The old file steps aside when a macro has another name."""
    old = File((), "Heal.js", "Macro.a")
    [placed] = place([macro("a", "Cure")], [old])
    assert placed.file.path == "Cure.js"
    assert placed.leaves == old


def test_a_file_that_is_nobody_s_is_not_overwritten():
    """A file that a person put there keeps its name."""
    placed = place([macro("a", "Notes")], [File((), "notes.js", None)])
    assert paths(placed) == ["Notes (a).js"]


def test_a_macro_keeps_the_file_it_has():
    """An accent written in another way is no new file."""
    own = File((), "Anfu\u0308hrer.js", "Macro.a")
    [placed] = place([macro("a", "Anf\u00fchrer")], [own])
    assert placed == Place(macro("a", "Anf\u00fchrer"), own, None)


def test_contextual_sort_finds_the_one_folder_of_that_name():
    """A folder that exists once below the root is used, wherever it is."""
    folders = [(), ("Mine",), ("Mine", "★ Combat")]
    placed = place([macro("a", "Hit", "World", "combat")], folders=folders, sorts=True)
    assert paths(placed) == ["Mine/★ Combat/Hit.js"]


def test_contextual_sort_spells_the_path_out_otherwise():
    """None or several of that name: the macro's own path, made safe."""
    folders = [(), ("A", "Combat"), ("B", "Combat")]
    placed = place(
        [macro("a", "Hit", "W?", "Combat"), macro("b", "Top")],
        folders=folders,
        sorts=True,
    )
    assert paths(placed) == ["W_/Combat/Hit.js", "Top.js"]


def test_a_name_taken_twice_over_is_said_to_be():
    """Where even the id does not help, the macro fails and says why."""
    files = [File((), "Heal.js", None), File((), "Heal (a).js", None)]
    [placed] = place([macro("a", "Heal")], files)
    assert isinstance(placed, NoPlace)
    assert "Heal (a).js" in placed.reason


NAMES = st.sampled_from(
    ["Heal", "heal", "HEAL ", "CON", "_CON", "a/b", "a:b", "", "untitled"]
)


@given(st.lists(NAMES, max_size=12), st.booleans())
def test_every_macro_has_a_file_of_its_own_and_keeps_it(names, sorts):
    """No two macros share a file, and a second run finds every file where it was."""
    macros = [macro(f"id{n}", name, name or "x") for n, name in enumerate(names)]
    first = place(macros, sorts=sorts)
    files = [p.file for p in first]
    assert len({f.key for f in files}) == len(files)
    folders = {(), *(f.parts for f in files)}
    second = place(macros, files, folders, sorts=sorts)
    assert [p.file for p in second] == files
    assert all(p.leaves is None for p in second)
