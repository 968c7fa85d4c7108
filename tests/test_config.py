"""What an owner may write on the command line and in the TOML file."""

from __future__ import annotations

from pathlib import Path

import pytest

from aagm.config import Limits, Protected, load
from aagm.errors import StartFault
from aagm.members import GROK, KIMI


def from_toml(tmp_path: Path, text: str, given: dict | None = None):
    """Load settings from *text* with *given* on the command line."""
    file = tmp_path / "aagm.toml"
    file.write_text(text, encoding="utf-8")
    return load({"data-dir": str(tmp_path), **(given or {})}, config=file, env={})


def test_nothing_given_is_kimi_on_loopback(tmp_path):
    """Without any option the relay is AAGM-K on its own two ports."""
    settings = load({}, env={"STATE_DIRECTORY": str(tmp_path)})
    assert settings.member == KIMI
    assert settings.bridge == "tcp:7898:interface=127.0.0.1"
    assert settings.mcp == "tcp:7899:interface=127.0.0.1"
    assert settings.pairing is True
    assert settings.users is None
    assert settings.limits == Limits()


def test_grok_has_its_own_ports(tmp_path):
    """The other member's relay can run beside the first."""
    settings = load({"member": "grok", "data-dir": str(tmp_path)}, env={})
    assert settings.member == GROK
    assert settings.bridge == "tcp:7890:interface=127.0.0.1"
    assert settings.mcp == "tcp:7891:interface=127.0.0.1"


def test_state_directory_counts_by_its_first_path(tmp_path):
    """Under systemd the data lies in the first folder that systemd made."""
    env = {"STATE_DIRECTORY": f"{tmp_path / 'one'}:{tmp_path / 'two'}"}
    assert load({}, env=env).data_dir == tmp_path / "one" / "kimi"


def test_user_data_folder_is_the_default(tmp_path, monkeypatch):
    """Without systemd the data lies in the user's data folder, one a member."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load({"member": "grok"}, env={}).data_dir.parts[-2:] == ("aagm", "grok")


def test_given_data_dir_is_taken_as_it_is(tmp_path):
    """A folder named by the owner gets no sub-folder of ours."""
    settings = load({"data-dir": str(tmp_path)}, env={"STATE_DIRECTORY": "/nowhere"})
    assert settings.data_dir == tmp_path
    assert settings.mirror_roots == (tmp_path / "Macro Mirror",)


def test_every_key_of_the_file_is_read(tmp_path):
    """The TOML has the options' own names, and three tables."""
    settings = from_toml(
        tmp_path,
        """
        member = "grok"
        bridge = "tcp:9001:interface=127.0.0.1"
        mcp = "tcp:9002:interface=127.0.0.1"
        allow-origin = ["https://Game.example:30000"]
        pairing = "off"
        mcp-token-file = "/tmp/token"
        mirror-root = ["/tmp/mirror"]
        [limits]
        write_seconds = 2.5
        settle_ms = 10
        [users.AbCdEf0123456789]
        capabilitySet = "gm"
        userName = "Ann"
        [protected]
        ids = ["yB5klzKycb6bTbcy"]
        names = ["NPC Register"]
        flags = [{ scope = "world", key = "runManaged" }]
        """,
    )
    assert settings.member == GROK
    assert settings.bridge == "tcp:9001:interface=127.0.0.1"
    assert settings.mcp == "tcp:9002:interface=127.0.0.1"
    assert settings.allow_origins == ("https://game.example:30000",)
    assert settings.pairing is False
    assert settings.mcp_token_file == Path("/tmp/token")  # noqa: S108
    assert settings.mirror_roots == (Path("/tmp/mirror"),)  # noqa: S108
    assert settings.limits == Limits(write_seconds=2.5, settle_ms=10)
    assert settings.users == {"AbCdEf0123456789"}
    always = Protected()
    assert settings.protected == Protected(
        ids=("yB5klzKycb6bTbcy",),
        names=(*always.names, "NPC Register"),
        flags=(*always.flags, ("world", "runManaged")),
    )


def test_the_rescue_log_is_protected_whatever_is_configured(tmp_path):
    """An owner adds to the list; our own log never leaves it."""
    settings = from_toml(tmp_path, '[protected]\nnames = ["NPC Register"]')
    assert "ItemPile Rescue Log" in settings.protected.names
    assert ("world", "aagm-k-loot-rescue") in settings.protected.flags


def test_command_line_wins_over_the_file(tmp_path):
    """What was typed counts, not what the file says."""
    settings = from_toml(tmp_path, 'member = "grok"', {"member": "kimi"})
    assert settings.member == KIMI


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("colour = 1", "colour"),
        ('member = "claude"', "member"),
        ("bridge = 7898", "bridge"),
        ('mcp = ""', "mcp"),
        ("data-dir = 3", "data-dir"),
        ('pairing = "maybe"', "pairing"),
        ("pairing = false", "pairing"),
        ('allow-origin = "https://game.example"', "allow-origin"),
        ('allow-origin = ["game.example"]', "allow-origin"),
        ('allow-origin = ["https://game.example/path"]', "allow-origin"),
        ("mirror-root = [1]", "mirror-root"),
        ("limits = 1", "limits"),
        ("[limits]\nread = 1", "limits.read"),
        ("[limits]\nread_seconds = 0", "limits.read_seconds"),
        ("[limits]\nread_seconds = true", "limits.read_seconds"),
        ("[limits]\nread_seconds = nan", "limits.read_seconds"),
        ("[limits]\nread_seconds = inf", "limits.read_seconds"),
        ("[limits]\nread_seconds = 50.5", "limits.read_seconds may be 50 at most"),
        ("[limits]\nrunning_seconds = 51", "limits.running_seconds may be 50 at most"),
        ("[limits]\nmessage = 1.5", "limits.message"),
        ('[users]\nAnn = "gm"', "users.Ann"),
        ('[users.Ann]\ncapabilitySet = "debug"', "users.Ann"),
        ("[protected]\npages = []", "protected.pages"),
        ("[protected]\nids = [1]", "protected.ids"),
        ('[protected]\nids = "abc"', "protected.ids must be a list"),
        ('[protected]\nflags = ["world"]', "protected.flags"),
        ("member = ", "aagm.toml"),
    ],
)
def test_a_bad_key_is_named_in_one_sentence(tmp_path, text, named):
    """A typing error in the file ends the start with a sentence that names it."""
    given = {} if "data-dir" in text else {"data-dir": str(tmp_path)}
    file = tmp_path / "aagm.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(StartFault) as caught:
        load(given, config=file, env={})
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    """A config file that is not there is a fault, not an empty file."""
    with pytest.raises(StartFault, match=r"nowhere\.toml cannot be read"):
        load({}, config=tmp_path / "nowhere.toml", env={})
