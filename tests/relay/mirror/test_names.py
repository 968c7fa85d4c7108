"""File names that hold everywhere."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from aagm.relay.mirror.names import key_of, safe_name, sort_key


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("Heal", "Heal"),
        ('a<b>c:d"e/f\\g|h?i*j', "a_b_c_d_e_f_g_h_i_j"),
        ("tail. . ", "tail"),
        ("", "untitled"),
        (".", "untitled"),
        ("..", "untitled"),
        ("...", "untitled"),
        ("CON", "_CON"),
        ("nul.txt", "_nul.txt"),
        ("Com7", "_Com7"),
        ("COM¹", "_COM¹"),
        ("console", "console"),
        ("\x00\x1f", "__"),
        ("\ud83d", "_"),
        ("Anfu\u0308hrer", "Anf\u00fchrer"),
    ],
)
def test_a_name_becomes_a_file_name(name, safe):
    """Reserved, forbidden, empty and oddly written names are mended."""
    assert safe_name(name) == safe


@given(st.text(max_size=400))
def test_any_name_is_safe_everywhere(name):
    """No name leaves its folder, breaks a rule of Windows or is too long."""
    safe = safe_name(name)
    assert safe not in {"", ".", ".."}
    assert not set(safe) & set('<>:"/\\|?*')
    assert all(ord(c) >= 32 and not 0xD800 <= ord(c) <= 0xDFFF for c in safe)
    assert safe[-1] not in ". "
    assert len(f"{safe} (0123456789abcdef).js.bkp".encode()) <= 255
    assert safe_name(safe) == safe


@given(st.text(max_size=50))
def test_two_spellings_of_one_name_count_as_one(name):
    """Case and the way an accent is written do not make another file."""
    assert key_of(unicodedata.normalize("NFD", name)) == key_of(
        unicodedata.normalize("NFC", name)
    )


def test_leading_marks_do_not_count_when_folders_are_compared():
    """A folder called "1. Combat" on one side is not "Combat", "★ Combat" is."""
    assert sort_key("★ Combat ") == sort_key("combat")
    assert sort_key("1. Combat") != sort_key("combat")
