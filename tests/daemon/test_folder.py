"""The data folder is the owner's alone."""

from __future__ import annotations

import stat

import pytest

from aagm.config import load
from aagm.daemon.folder import open_data_folder, read_token
from aagm.errors import StartFault


def settings_in(folder):
    """Make settings whose data lies in *folder*."""
    return load({"data-dir": str(folder)}, env={})


def test_it_is_made_for_its_owner_alone(tmp_path):
    """Other users of the machine cannot read prompts and points."""
    open_data_folder(settings_in(tmp_path / "a" / "b"))
    for folder in (tmp_path / "a" / "b", tmp_path / "a" / "b" / "state"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_others_could_read_is_closed(tmp_path):
    """A folder made beforehand is narrowed too."""
    tmp_path.chmod(0o755)
    open_data_folder(settings_in(tmp_path))
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_made_is_named(tmp_path):
    """A file in the way ends the start with its name."""
    (tmp_path / "file").write_text("")
    with pytest.raises(StartFault, match=r"data-dir: .*file.* cannot be used"):
        open_data_folder(settings_in(tmp_path / "file"))


@pytest.mark.parametrize("content", [None, "", " \n"])
def test_a_token_file_must_hold_a_token(tmp_path, content):
    """An empty token would let everybody in."""
    path = tmp_path / "token"
    if content is not None:
        path.write_text(content)
    with pytest.raises(StartFault, match="mcp-token-file: "):
        read_token(path)


def test_a_token_file_that_cannot_be_read_is_named_once(tmp_path):
    """In a sentence, without the words of the system's own error."""
    (tmp_path / "raw").write_bytes(b"\xe9")
    with pytest.raises(StartFault) as fault:
        read_token(tmp_path / "none")
    said = f"mcp-token-file: {tmp_path / 'none'} cannot be read: No such file"
    assert str(fault.value).startswith(said)
    with pytest.raises(StartFault, match=r"raw is no text in UTF-8$"):
        read_token(tmp_path / "raw")


@pytest.mark.parametrize("content", ["two words", "one\ntwo", "schlüssel", "a\x00b"])
def test_a_token_that_no_client_can_send_stops_the_start(tmp_path, content):
    """It would turn everybody away, and nobody would know why."""
    path = tmp_path / "token"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(StartFault, match="one word of ASCII") as fault:
        read_token(path)
    assert content not in str(fault.value)


def test_the_token_is_read_without_its_newline(tmp_path):
    """An editor's last newline does not belong to the token."""
    (tmp_path / "token").write_text("abc\n")
    assert read_token(tmp_path / "token") == "abc"
