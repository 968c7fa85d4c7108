"""The systemd unit that `aagm unit` prints."""

from __future__ import annotations

import shlex
from configparser import ConfigParser
from pathlib import Path

import pytest

from aagm.cli.main import main


def unit(capsys, *argv: str) -> ConfigParser:
    """Parse what the command prints."""
    assert main(["unit", *argv]) == 0
    parser = ConfigParser(interpolation=None)
    parser.optionxform = str  # systemd's keys have capitals
    parser.read_string(capsys.readouterr().out)
    return parser


def test_it_starts_the_twistd_that_is_there(capsys):
    """The unit can be started as printed: it names a program that exists."""
    service = unit(capsys)["Service"]
    program, *arguments = shlex.split(service["ExecStart"])
    assert Path(program).is_file()
    assert Path(program).name == "twistd"
    assert arguments == ["--pidfile=", "-n", "aagm", "--member", "kimi"]
    assert service["Type"] == "notify"


def test_options_are_handed_on(capsys):
    """What follows -- goes to the relay, safe from systemd's own signs."""
    service = unit(capsys, "--member", "grok", "--", "--data-dir", "/a b/100%")[
        "Service"
    ]
    assert service["ExecStart"].endswith('--member grok --data-dir "/a b/100%%"')


def test_options_alone_are_handed_on(capsys):
    """Nothing need stand before the --."""
    service = unit(capsys, "--", "--allow-origin", "https://inn.example")["Service"]
    assert service["ExecStart"].endswith(
        "--member kimi --allow-origin https://inn.example"
    )


def test_an_unknown_member_is_refused(capsys):
    """There is no unit for a member that does not exist."""
    with pytest.raises(SystemExit):
        main(["unit", "--member", "claude"])
    assert "claude" in capsys.readouterr().err
