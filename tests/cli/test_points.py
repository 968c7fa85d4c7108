"""``aagm points`` prints what a person wants to know of a point."""

from __future__ import annotations

import json
import os
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from aagm.cli.points import diff, listed, main, told
from aagm.daemon.run_file import Running, run_folders, write
from aagm.errors import AagmError, StartFault

POINT = {
    "version": 1,
    "id": "rp-3fa2c1",
    "ts": "2026-03-01T10:00:00.000Z",
    "summary": "hurt Mira",
    "state": "live",
    "entries": [
        {
            "seq": 1,
            "op": "update",
            "uuid": "Actor.mira",
            "documentName": "Actor",
            "name": "Mira",
            "changes": [
                {"path": "system.hp", "before": 20, "after": 12},
                {"path": "flags.inn", "after": {"room": "x" * 80}},
            ],
        },
        {
            "seq": 2,
            "op": "create",
            "uuid": "Actor.gob",
            "documentName": "Actor",
            "name": "Goblin",
            "tail": True,
        },
        {
            "seq": 3,
            "op": "delete",
            "uuid": "Item.sword",
            "documentName": "Item",
            "name": "Sword",
            "confirmed": False,
            "data": {},
        },
    ],
    "uncovered": [{"op": "update", "uuid": "Scene.a", "why": "noHook"}],
}


def test_diff_prints_before_and_after_of_each_path():
    """What was absent says so; long values are cut."""
    lines = list(diff(POINT))
    assert lines[:3] == [
        "rp-3fa2c1  hurt Mira  (live)",
        "~ Actor Mira (Actor.mira)",
        "    system.hp: 20 → 12",
    ]
    assert lines[3].startswith('    flags.inn: (absent) → {"room": "xxx')
    assert len(lines[3]) < 90
    assert lines[4:] == [
        "+ Actor Goblin (Actor.gob)  [tail]",
        "- Item Sword (Item.sword)  [unconfirmed]",
        "! update Scene.a is not covered: noHook",
    ]


def test_list_prints_one_point_a_line():
    """With its state, its counts and its summary."""
    brief = {key: POINT[key] for key in ("id", "ts", "summary", "state")}
    lines = listed(
        {"points": [brief | {"captured": "1 update"}], "skipped": ["notes.txt"]}
    )
    assert lines[0].startswith("rp-3fa2c1  2026-03-01 ")
    assert lines[0].endswith("live         1 update  hurt Mira")
    assert lines[1] == "skipped: notes.txt"
    assert listed({"points": []}) == ["there are no rollback points"]


def test_a_refused_rollback_says_what_is_in_the_way():
    """Each conflict in words, once: the reason names the first of them."""
    answer = {
        "refused": True,
        "reason": "conflict: Mira is gone",
        "fix": "Look first.",
        "conflicts": [{"says": "Mira is gone"}, {"says": "Odo is gone"}],
    }
    assert list(told(answer)) == [
        "refused: conflict: Mira is gone",
        "    Look first.",
        "conflict: Odo is gone",
    ]


def test_a_dry_run_says_what_else_would_happen():
    """What would be undone, and what would come back."""
    named = {"id": "rp-000001", "summary": "a", "captured": "1 update"}
    answer = {
        "dryRun": True,
        "undoes": named,
        "alsoUndoes": [named],
        "bringsBack": [named],
        "conflicts": "not checked",
    }
    assert list(told(answer)) == [
        "would undo rp-000001 (a: 1 update)",
        "would also undo rp-000001 (a: 1 update)",
        "would bring back rp-000001 (a: 1 update)",
        "conflicts: not checked",
    ]


class Relay(BaseHTTPRequestHandler):
    """A relay that answers as the test says, on one loopback port."""

    answers: dict
    asked: list

    def do_POST(self):
        """Answer a verb."""
        length = int(self.headers["Content-Length"])
        body = json.loads(self.rfile.read(length))
        self.asked.append((self.path, self.headers["Authorization"], body))
        status, answer = self.answers[self.path]
        data = json.dumps(answer).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        """Say nothing."""


@pytest.fixture
def relay(tmp_path, monkeypatch):
    """Let a relay run whose run file can be found."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    handler = type("Here", (Relay,), {"answers": {}, "asked": []})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    running = Running(
        pid=os.getpid(),
        member="kimi",
        version="1.0.0",
        data_dir=str(tmp_path),
        bridge="127.0.0.1:1",
        mcp=f"127.0.0.1:{server.server_port}",
        token="secret",
    )
    write(running, run_folders())
    yield handler
    server.shutdown()
    thread.join()
    server.server_close()


def test_the_command_reaches_the_running_relay(relay, capsys):
    """By its run file, with its token, past any proxy."""
    relay.answers["/control/point"] = (200, POINT)
    assert main(["diff", "rp-3fa2c1"]) == 0
    assert "system.hp: 20 → 12" in capsys.readouterr().out
    assert relay.asked == [("/control/point", "Bearer secret", {"id": "rp-3fa2c1"})]


def test_a_refused_rollback_has_status_1(relay, capsys):
    """The flags reach the relay."""
    refused = {"refused": True, "reason": "no", "fix": "Look first."}
    relay.answers["/control/rollback"] = (200, refused)
    assert main(["rollback", "rp-3fa2c1", "--only", "--force"]) == 1
    assert capsys.readouterr().out == "refused: no\n    Look first.\n"
    [(_, _, sent)] = relay.asked
    assert sent == {"id": "rp-3fa2c1", "dryRun": False, "force": True, "only": True}


def test_the_relays_error_is_the_commands(relay):
    """In the relay's words."""
    error = {"code": -32602, "message": "unknown point rp-000000"}
    relay.answers["/control/point"] = (400, {"error": error})
    with pytest.raises(AagmError, match="unknown point rp-000000"):
        main(["show", "rp-000000"])


def test_without_a_relay_it_says_how_to_start_one(tmp_path, monkeypatch):
    """One sentence."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path))
    with pytest.raises(StartFault, match=r"no relay is running$"):
        main(["list"])


@pytest.mark.parametrize(
    "command", [["list"], ["show", "rp-1"], ["diff", "rp-1"], ["rollback", "rp-1"]]
)
def test_which_relay_may_be_said_before_and_after_the_command(relay, tmp_path, command):
    """As a person types it; what stood before the command counts, too."""
    relay.answers = {
        "/control/points": (200, {"points": []}),
        "/control/point": (200, POINT),
        "/control/rollback": (200, {}),
    }
    verb, *rest = command
    member, here = ["--member", "kimi"], ["--data-dir", str(tmp_path)]
    for argv in (
        [*member, *here, verb, *rest],
        [verb, *member, *here, *rest],
        [verb, *rest, *member, *here],
        [*member, verb, *rest, *here],
    ):
        assert main(argv) == 0
    assert len(relay.asked) == 4
    for other in (["--member", "grok"], ["--data-dir", str(tmp_path / "other")]):
        for argv in ([*other, *command], [*command, *other]):
            with pytest.raises(StartFault, match=rf"no relay .*{other[-1]}"):
                main(argv)
    assert len(relay.asked) == 4
