"""Print a systemd user unit for the relay."""

from __future__ import annotations

import argparse
import re
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from aagm.errors import StartFault
from aagm.members import MEMBERS

_HELP = "See the options with: twistd -n aagm --help"
_UNIT = """\
# {path}
[Unit]
Description={title}, a bridge between an AI agent and a Foundry VTT world

[Service]
Type=notify
NotifyAccess=main
ExecStart={start}
Restart=on-failure
RestartSec=2
UMask=0077

[Install]
WantedBy=default.target
"""


def main(argv: Sequence[str]) -> int:
    """Print the unit for one member; what follows ``--`` goes to the relay."""
    parser = argparse.ArgumentParser(
        prog="aagm unit",
        description="Print a systemd user unit. Save it as its first line says, then:"
        " systemctl --user enable --now aagm-kimi",
        epilog="The relay's own options come last: aagm unit -- --pairing off",
    )
    parser.add_argument("--member", choices=MEMBERS, default="kimi")
    parser.add_argument("options", nargs="*", help="options for the relay, after --")
    given, others = parser.parse_known_args(argv)
    if others:
        options = shlex.join([*others, *given.options])
        parser.error(
            f"{others[0]} is not an option of aagm unit; the relay's come after --,"
            f" as in: aagm unit -- {options}"
        )
    if given.options:
        _check(given.options)
    member = MEMBERS[given.member]
    start = [_twistd(), "--pidfile=", "-n", "aagm", "--member", member.key]
    sys.stdout.write(
        _UNIT.format(
            path=f"~/.config/systemd/user/aagm-{member.key}.service",
            title=member.title,
            start=" ".join(_quote(word) for word in [*start, *given.options]),
        )
    )
    return 0


def _check(options: Sequence[str]) -> None:
    """Read *options* as the relay will; Twisted is loaded for that alone.

    Raises:
        StartFault: The relay would not start with them, or looks for a file elsewhere.
    """
    from twisted.python import usage  # noqa: PLC0415

    from aagm.tap import Options  # noqa: PLC0415

    read = Options()
    try:
        usage.Options.parseOptions(read, options)
    except usage.UsageError as e:
        raise StartFault(str(e).rstrip("."), fix=_HELP) from e
    for name in ("config", "data-dir", "mcp-token-file", "mirror-root"):
        given = read[name] or []
        for each in [given] if isinstance(given, str) else given:
            path = Path(each) if name == "config" else Path(each).expanduser()
            if not path.is_absolute():
                whole = Path(each).expanduser().absolute()
                raise StartFault(
                    f"--{name} must be a whole path, not {each}, as systemd starts the"
                    " relay in another folder",
                    fix=f"Write --{name} {shlex.quote(str(whole))}",
                )


def _twistd() -> str:
    """Name the twistd of this environment.

    Raises:
        StartFault: There is none.
    """
    path = Path(sysconfig.get_path("scripts")) / "twistd"
    found = str(path) if path.is_file() else shutil.which("twistd")
    if found is None:
        raise StartFault(
            "no twistd was found in this Python environment or on PATH",
            fix="Install aagm into the environment that runs this command.",
        )
    return found


def _quote(word: str) -> str:
    """Write *word* as systemd reads it (systemd.syntax(7), systemd.service(5))."""
    word = word.replace("%", "%%").replace("$", "$$")
    if re.fullmatch(r"[\w@%+=:,./$-]+", word):
        return word
    return '"' + word.replace("\\", "\\\\").replace('"', '\\"') + '"'
