"""A macro as a file and back."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aagm.errors import BadParams
from aagm.relay.mirror.record import MacroRecord, from_file, from_wire, to_file

HEAL = MacroRecord(
    uuid="Macro.heal000000000001",
    name="Heal",
    command="// Type: a comment of the macro's own\r\nconsole.log('hi');",
    folder=("Combat", "Healing"),
    img="icons/svg/heal.svg",
    type="chat",
    scope="actors",
    author="gmUser0000000001",
)
FAMILY = (
    '// Macro UUID: Macro.a | Name: "Old \\"One\\""\n'
    "// Foundry folder: x/y\n// Image: i.png\nreturn 1;\n"
)


def test_a_macro_survives_its_file():
    """Type, scope, author and the command to the letter come back."""
    assert from_file(to_file(HEAL), "Heal") == HEAL


@given(st.text(), st.text())
def test_any_name_and_command_survive(name, command):
    """No name and no command breaks the file."""
    macro = MacroRecord(uuid="Macro.a", name=name, command=command)
    assert from_file(to_file(macro), "other") == macro


def test_a_family_file_is_read():
    """Files of the family, with three lines of head, are macros too."""
    macro = from_file(FAMILY.encode(), "stem")
    assert macro is not None
    assert (macro.name, macro.folder, macro.img) == ('Old "One"', ("x", "y"), "i.png")
    assert macro.command == "return 1;\n"


def test_a_family_file_leaves_the_macro_its_type():
    """What the file does not say is not made up, nor written into the world."""
    macro = from_file(FAMILY.encode(), "stem")
    assert macro is not None
    assert "type" not in macro.to_wire()
    assert from_file(to_file(macro), "stem") == macro


@pytest.mark.parametrize(
    "key", ["uuid", "type", "scope", "author", "img", "folderPath"]
)
def test_no_member_breaks_the_head(key):
    """What a page sends in one line of the head never reaches the next."""
    wire = HEAL.to_wire() | {key: "a\n// Macro UUID: Macro.evil\u2028\x85 | Scope: x"}
    macro = from_wire(wire)
    read = from_file(to_file(macro), "Heal")
    assert read is not None
    assert (read.uuid, read.command) == (macro.uuid, HEAL.command)


def test_an_older_file_is_called_by_its_file_name():
    """A head without a name takes the file's."""
    macro = from_file(
        b"// Macro UUID: Macro.a\n// Foundry folder: \n// Image: \nx", "S"
    )
    assert macro is not None
    assert macro.name == "S"


def test_a_file_edited_on_windows_is_read():
    """Line ends that an editor changed, and its mark at the start, do not matter."""
    macro = from_file(b"\xef\xbb\xbf" + FAMILY.replace("\n", "\r\n").encode(), "stem")
    assert macro is not None
    assert macro.command == "return 1;\n"


@pytest.mark.parametrize(
    "data", [b"", b"console.log(1)", b"\xff", b"// Macro UUID: a\n"]
)
def test_another_s_file_is_no_macro(data):
    """A file without our head is left alone."""
    assert from_file(data, "x") is None


def test_a_macro_without_its_parts_is_refused():
    """A module that lists half a macro is told so."""
    with pytest.raises(BadParams, match="without uuid"):
        from_wire({"uuid": "Macro.a", "name": "x"})


def test_the_wire_carries_everything():
    """What is restored is what was listed."""
    assert from_wire(HEAL.to_wire()) == HEAL
