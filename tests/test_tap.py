"""`twistd -n aagm`: what it takes, and how it refuses."""

from __future__ import annotations

import gc
import socket
import sys

import pytest
from twisted.application.service import Service
from typing_extensions import override

from aagm.errors import StartFault
from aagm.parts import Relay
from aagm.tap import Daemon, Options, end, makeService

FREE = "tcp:0:interface=127.0.0.1"


def options(*words: str) -> Options:
    """Parse a command line."""
    parsed = Options()
    parsed.parseOptions(list(words))
    return parsed


def test_repeated_options_add_up():
    """Several origins and several mirror roots can be given."""
    parsed = options(
        *("--allow-origin", "https://a.example", "--allow-origin", "https://b.example"),
        *("--mirror-root", "/one", "--mirror-root", "/two"),
    )
    assert parsed["allow-origin"] == ["https://a.example", "https://b.example"]
    assert parsed["mirror-root"] == ["/one", "/two"]


@pytest.mark.parametrize(
    "words",
    [
        ["--colour", "red"],
        ["--member"],
        ["something"],
    ],
)
def test_a_wrong_command_line_is_one_sentence(words, capfd):
    """Neither help text nor traceback: one sentence, status 1."""
    with pytest.raises(SystemExit) as ended:
        options(*words)
    assert ended.value.code == 1
    said = capfd.readouterr()
    assert said.out == ""
    assert said.err.startswith("aagm: ")
    assert said.err.count("\n") == 1
    assert said.err.endswith(".\n")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--member", "claude"], "member"),
        (["--pairing", "maybe"], "pairing"),
        (["--bridge", "tcp:7898"], "bridge"),
        (["--bridge", FREE, "--mcp", "tcp:7899:interface=0.0.0.0"], "mcp"),
        (["--config", "nowhere.toml"], "nowhere.toml"),
        (["--allow-origin", "game.example"], "allow-origin"),
    ],
)
def test_a_bad_value_is_named(words, named, capfd, tmp_path):
    """The sentence says which option is wrong."""
    with pytest.raises(SystemExit) as ended:
        makeService(options("--data-dir", str(tmp_path), *words))
    assert ended.value.code == 1
    said = capfd.readouterr().err
    assert named in said
    assert said.count("\n") == 1


def test_one_port_for_both_is_told(capfd, tmp_path):
    """It is not busy, and there is no program to stop."""
    with socket.socket() as held:  # so that no third can take it
        held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        held.bind(("127.0.0.1", 0))
        at = f"tcp:{held.getsockname()[1]}:interface=127.0.0.1"
        words = ["--data-dir", str(tmp_path), "--bridge", at, "--mcp", at]
        with pytest.raises(SystemExit):
            makeService(options(*words))
    said = f"aagm: mcp: {at} is the same address as bridge; give another with --mcp.\n"
    assert capfd.readouterr().err == said


def test_a_fault_while_starting_ends_the_process_too(capfd):
    """A port that was taken at the last moment brings no traceback either."""

    class Late(Service):
        @override
        def startService(self):
            raise StartFault("mcp: too late")

    daemon = Daemon(Relay(Late(), pairing=None, tools=()))
    with pytest.raises(SystemExit) as ended:
        daemon.startService()
    assert ended.value.code == 1
    assert capfd.readouterr().err == "aagm: mcp: too late.\n"


def test_a_fault_with_a_cure_of_its_own_says_it(capfd):
    """On the same line; what helps against any fault is left out."""
    with pytest.raises(SystemExit):
        end(StartFault("chat.json is damaged", fix="Move it away."))
    assert capfd.readouterr().err == "aagm: chat.json is damaged. Move it away.\n"


def test_a_running_relay_keeps_its_pauses_short():
    """Once it runs, the collector looks at nothing of what was loaded."""
    turn = sys.getswitchinterval()
    daemon = Daemon(Relay(Service(), pairing=None, tools=()))
    try:
        daemon.startService()
        assert gc.get_freeze_count() > 10_000
        assert sys.getswitchinterval() < turn
    finally:
        gc.unfreeze()
        sys.setswitchinterval(turn)
