"""Every tool answers through every official client, once well and once not.

Done when 3 of the issue on mirror, logs and search.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from attrs import define, frozen
from mcp import MCPError
from mcp_caller import ERAS, ToolFailed, mcp_caller
from node_world import NodeWorld, client_settings
from relay_process import RelayProcess
from ts_caller import LINES, ProtocolError, ts_caller

PLUGIN = Path(__file__).parent.parent.parent / "plugins" / "rename-actor.js"
LISTENER = "listener-of-every-client"
PIKE = "Actor.OldPike000000000"
SPOIL = "await game.macros.getName('Count lodgers').update({command: %s})"
SHOUT = (
    "const a = game.actors.getName('Ottar Reed'); await a.update({img: %s}); return 1"
)


@define(eq=False)
class Client:
    """One client, whatever it is written in."""

    name: str
    call: Callable[..., Any]
    number: int = 0  # of the call, so that no two writes are the same

    def fails(self, tool: str, /, **arguments: Any) -> str:
        """Call a tool that must fail; gives the sentence, or ``blocked``'s reason."""
        try:
            answer = self.call(tool, **arguments)
        except ToolFailed as e:
            return str(e.error["message"])
        except (MCPError, ProtocolError) as e:
            return f"error {getattr(e, 'code', None) or e.error.code}"
        refused = answer.get("refused") or answer.get("blocked")
        assert refused or "error" in answer or "dropped" in answer, answer
        return str(answer.get("reason") or answer.get("error"))


@pytest.fixture(scope="module")
def relay(tmp_path_factory) -> Iterator[RelayProcess]:
    """Run one relay for all."""
    folder = tmp_path_factory.mktemp("every-tool")
    folder.chmod(0o700)
    relay = RelayProcess(folder, ("--pairing", "off")).start()
    yield relay
    relay.close()


@pytest.fixture(scope="module")
def world(relay) -> Iterator[NodeWorld]:
    """Open the Sunken Inn, with what the tools need: macros, a mirror, a watchdog."""
    options = ("--system", "sim-pf1", "--modules", '["sim-item-piles"]')
    world = NodeWorld(client_settings(relay.bridge_url), options)
    world.until_connected()
    root = relay.data_dir / "Macro Mirror"
    root.mkdir(exist_ok=True)
    for key, value in {
        "mode": "cogm",
        "mirrorPath": str(root),
        "mirrorEnabled": True,
    }.items():
        world.do("settings", key=f"aagm.{key}", value=value)
    macro = {"name": "Rename Actor", "type": "script", "command": PLUGIN.read_text()}
    world.run(f"await Macro.create({json.dumps(macro)});")
    world.run("await game.macros.getName('AAGM-K Loot Watchdog Setup').execute();")
    yield world
    world.close()


@pytest.fixture(scope="module", params=[*(f"python {era}" for era in ERAS), *LINES])
def client(request, relay, world) -> Iterator[Client]:
    """Connect each official client in turn."""
    name = request.param
    if name in LINES:
        with ts_caller(relay.mcp_url, name) as connected:
            yield Client(name, connected.call)
    else:
        era = name.removeprefix("python ")
        with mcp_caller(relay.mcp_url, era) as connected:
            yield Client(name, connected.call)


@frozen
class Row:
    """What one tool is asked, and what must come."""

    good: Callable[[Client], Any]  # does the call, and checks it
    bad: dict[str, Any]  # arguments that cannot work
    says: str  # part of what is said then


def ask(tool, **arguments):
    """Make a call whose answer has these members."""
    expected = arguments.pop("gives")

    def good(client):
        answer = client.call(tool, **arguments)
        assert {key: answer.get(key) for key in expected} == expected

    return good


def wrote(client, tool, **arguments):
    """Make a write, and hold it to its point."""
    answer = client.call(tool, **arguments)
    assert answer["rollbackPoint"]["id"].startswith("rp-"), answer
    return answer


def changed(client):
    """Change something that no client changed before."""
    client.number += 1
    code = SHOUT % json.dumps(f"icons/{client.name}-{client.number}.svg")
    return wrote(client, "foundry_eval", code=code, intent="write", summary="A picture")


def rolled_back(client):
    """Take a write back."""
    point = changed(client)["rollbackPoint"]["id"]
    answer = client.call("foundry_rollback", rollbackId=point)
    assert answer["rolledBack"][0]["state"] == "rolled-back"


def read_on(client):
    """Read a long answer to its end."""
    head = client.call("foundry_eval", code="return 'x'.repeat(20000)")
    text = head["part"]
    while "cursor" in head:
        head = client.call("foundry_more", cursor=head["cursor"])
        text += head["part"]
    assert json.loads(text)["value"] == "x" * 20000


def restored(client):
    """Change a macro and have it back."""
    client.call("foundry_mirror_backup", name="Count lodgers")
    client.call(
        "foundry_eval",
        code=SPOIL % json.dumps(f"// {client.name}"),
        intent="write",
        summary="Spoil a macro",
    )
    answer = wrote(client, "foundry_mirror_restore", name="Count lodgers")
    assert (answer["restored"], answer["created"]) == (True, False)


def renamed(client):
    """Run a plug-in."""
    args = {"uuid": PIKE, "name": f"Pike of {client.name}"}
    answer = wrote(client, "foundry_plugin", name="Rename Actor", args=args)
    assert (answer["ok"], answer["uuid"]) == (True, PIKE)


def listed(tool, key):
    """Make a call whose answer lists something."""

    def good(client):
        assert client.call(tool)[key]

    return good


def hurt(client):
    """Hurt somebody."""
    client.number += 1
    answer = wrote(
        client,
        "foundry_apply_damage",
        targets=["Brunna Saltcask"],
        amount=client.number,
        summary="A blow",
    )
    assert answer["committed"] is True


def polled(client):
    """Poll without waiting, and stay the one listener."""
    answer = client.call("foundry_get_prompts", listenerId=LISTENER, waitSeconds=0)
    assert (answer["terminate"], answer["mode"]) == (False, "internal")


def found_actor(client):
    """Read two fields, one of them worked out."""
    fields = ["name", "system.attributes.hp.value"]
    answer = client.call("foundry_query_actor", actorId=PIKE, fields=fields)
    assert answer["uuid"] == PIKE
    assert answer["derived"] == ["system.attributes.hp.value"]


UNKNOWN = {"nonsense": 1}
REFUSED = "unknown argument nonsense"
ROWS = {
    "foundry_ping": Row(
        ask("foundry_ping", gives={"pong": True, "worldId": "sunken-inn"}),
        UNKNOWN,
        REFUSED,
    ),
    "foundry_query_actor": Row(found_actor, {"actorId": "none"}, "not found: actor"),
    "foundry_query_scene": Row(
        ask("foundry_query_scene", gives={"name": "Taproom and Cellar"}),
        {"sceneId": "none"},
        "not found: scene",
    ),
    "foundry_query_macro": Row(
        ask("foundry_query_macro", name="Ring the bell", gives={"type": "chat"}),
        {"name": "Bell"},
        "is ambiguous",
    ),
    "foundry_query_journal": Row(
        ask("foundry_query_journal", name="How it sank", gives={"pageCount": 1}),
        {"name": "ItemPile Rescue Log"},
        "protected",
    ),
    "foundry_query_user": Row(
        listed("foundry_query_user", "users"), {"userId": "none"}, "not found: user"
    ),
    "foundry_search": Row(
        ask("foundry_search", query="eel spear", gives={"total": 1}),
        {"query": "eel", "type": "Actr"},
        "no document is of type",
    ),
    "foundry_tail_logs": Row(
        ask("foundry_tail_logs", durationSeconds=1, gives={"durationSeconds": 1}),
        {"filter": "("},
        "no regular expression",
    ),
    "foundry_eval": Row(
        changed, {"code": "ui.notifications.clear(; return 1"}, "syntax"
    ),
    "foundry_apply_damage": Row(
        hurt,
        {"targets": ["Nobody"], "amount": 1, "summary": "A blow"},
        "no actor is called",
    ),
    "foundry_rollback_points": Row(
        listed("foundry_rollback_points", "points"), UNKNOWN, REFUSED
    ),
    "foundry_rollback": Row(
        rolled_back, {"rollbackId": "rp-000000"}, "unknown point rp-000000"
    ),
    "foundry_mirror_backup": Row(
        ask("foundry_mirror_backup", gives={"failed": []}),
        {"name": "Nothing"},
        "no macro called Nothing",
    ),
    "foundry_mirror_backups": Row(
        listed("foundry_mirror_backups", "backups"), UNKNOWN, REFUSED
    ),
    "foundry_mirror_restore": Row(restored, {"name": "Bell"}, "several backups"),
    "foundry_plugins": Row(listed("foundry_plugins", "plugins"), UNKNOWN, REFUSED),
    "foundry_plugin": Row(renamed, {"name": "None", "args": {}}, "no macro"),
    "foundry_loot_pending": Row(
        ask("foundry_loot_pending", gives={"pending": []}), UNKNOWN, REFUSED
    ),
    "foundry_restore_loot": Row(
        ask("foundry_restore_loot", gives={"restored": []}),
        {"eventIds": "all"},
        "eventIds must be array",
    ),
    "foundry_session_logs": Row(
        listed("foundry_session_logs", "logs"), UNKNOWN, REFUSED
    ),
    "foundry_read_session_log": Row(
        listed("foundry_read_session_log", "text"),
        {"name": "../x.md"},
        "no session log",
    ),
    "foundry_more": Row(read_on, {"cursor": "none"}, "no answer is kept"),
    "foundry_get_prompts": Row(
        polled, {"listenerId": "another-listener", "waitSeconds": 0}, "error -33005"
    ),
    "foundry_get_interrupts": Row(
        ask(
            "foundry_get_interrupts",
            listenerId=LISTENER,
            tabId="t-main",
            gives={"prompts": [], "mode": "internal"},
        ),
        {"listenerId": LISTENER},
        "missing tabId",
    ),
    "foundry_send_reply": Row(
        ask("foundry_send_reply", text="Done.", gives={"delivered": True}),
        {"text": "Done.", "tabId": "t-nowhere"},
        "is open",
    ),
    "foundry_set_status": Row(
        ask("foundry_set_status", text="Busy", gives={"delivered": True, "count": 1}),
        {"count": -1},
        "count must",
    ),
    "foundry_set_interaction_mode": Row(
        ask(
            "foundry_set_interaction_mode", mode="internal", gives={"mode": "internal"}
        ),
        {"mode": "sideways"},
        "mode must",
    ),
}


@pytest.mark.parametrize("tool", ROWS)
def test_a_tool_answers_well_and_badly(client, tool):
    """A success has what the tool promises, a failure says what is wrong."""
    polled(client)
    ROWS[tool].good(client)
    said = client.fails(tool, **ROWS[tool].bad)
    assert ROWS[tool].says in said, said


def test_every_tool_of_the_running_relay_is_tried(relay):
    """No tool is left out of the table above."""
    with ts_caller(relay.mcp_url, "client") as newest:
        assert sorted(newest.tools) == sorted(ROWS)
        assert newest.revision == "2026-07-28"
    with ts_caller(relay.mcp_url, "sdk") as first:
        assert sorted(first.tools) == sorted(ROWS)
        assert first.revision == "2025-11-25"
