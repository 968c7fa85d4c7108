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


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--bogus"], "--bogus not recognized"),
        (["--data-dir"], "--data-dir requires argument"),
        (["extra"], "Wrong number of arguments"),
        (["--config", "aagm.toml"], "--config must be a whole path, not aagm.toml"),
        (["--data-dir", "inn"], "--data-dir must be a whole path, not inn"),
        (["--mcp-token-file", "t"], "--mcp-token-file must be a whole path, not t"),
        (["--mirror-root", "/a", "--mirror-root", "b"], "whole path, not b"),
    ],
)
def test_a_unit_that_could_not_start_is_not_printed(capsys, options, said):
    """It would be started again and again by systemd, from its own folder."""
    assert main(["unit", "--", *options]) == 1
    told = capsys.readouterr()
    assert said in told.err.replace("option ", "")
    assert told.out == ""


def test_what_lies_at_home_may_be_said_so(capsys):
    """The relay knows ~ where it takes a folder."""
    service = unit(capsys, "--", "--data-dir", "~/inn")["Service"]
    assert service["ExecStart"].endswith('--data-dir "~/inn"')


def test_a_relays_option_before_the_dashes_is_told_where_it_belongs(capsys):
    """With the whole line, to be copied."""
    with pytest.raises(SystemExit) as end:
        main(["unit", "--allow-origin", "https://inn.example"])
    assert end.value.code == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.endswith(" aagm unit -- --allow-origin https://inn.example")


def test_an_unknown_member_is_refused(capsys):
    """There is no unit for a member that does not exist."""
    with pytest.raises(SystemExit):
        main(["unit", "--member", "claude"])
    assert "claude" in capsys.readouterr().err
