"""The session log of a real relay: whole, in order, without secrets, and no burden."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager

from mcp_caller import mcp_caller
from node_world import API, NodeWorld, client_settings

EVENT = re.compile(
    r"^## [^\n]* (\S+)\n\n```json\n(.*?)\n```$", re.DOTALL | re.MULTILINE
)
SAID = f"""
const api = {API};
return new Promise((resolve) => {{
  api.onReply((reply) => reply.system && resolve(reply.text));
  {{act}}
}});
"""


TRANSCRIPT = f"""
const api = {API};
return new Promise((resolve) => {{
  api.onTabs(({{ tabs }}) =>
    resolve(tabs.flatMap((tab) => tab.transcript.map(({{ text }}) => text))));
  api.requestStatus();
}});
"""


@contextmanager
def opened(relay) -> Iterator[NodeWorld]:
    """Open the Sunken Inn."""
    world = NodeWorld(client_settings(relay.bridge_url))
    try:
        world.until_connected()
        yield world
    finally:
        world.close()


def events(text):
    """Read a log as a program would: the names and fields of its events."""
    found = EVENT.findall(text)
    return [(name, json.loads(body)) for name, body in found]


def test_the_log_tells_the_whole_session_in_order(make_relay):
    """From the start to the end: prompts, calls, writes, points; the code whole."""
    relay = make_relay("--pairing", "off").start()
    code = "const a = game.actors.getName('Old Pike'); await a.update({name: 'Pike'});"
    with opened(relay) as world, mcp_caller(relay.mcp_url) as agent:
        path = agent.call("foundry_ping")["logFile"]
        world.run(f"{API}.sendPrompt('Rename the old one');")
        polled = agent.call("foundry_get_prompts", listenerId="listener")
        assert polled["prompts"][0]["text"] == "Rename the old one"
        agent.call("foundry_eval", code=code, intent="write", summary="Rename")
        agent.call("foundry_send_reply", text="Done.", tabId="t-main")
        answer = agent.call("foundry_read_session_log", tail=20)
        assert answer["name"].endswith(".md")
    relay.stop()

    (log,) = (relay.data_dir / "Logs").glob("*.md")
    assert str(log) == path
    told = events(log.read_text())
    names = [name for name, _ in told]
    assert names[0] == "relay.ready"
    wanted = [
        *("bridge.connected", "chat.in", "chat.handed", "eval.in", "write.queue.start"),
        *("rollback.point", "write.queue.end", "write.result", "chat.reply"),
        "bridge.disconnected",
    ]
    assert [name for name in names if name in wanted] == wanted
    calls = [fields for name, fields in told if name == "mcp.call"]
    assert code in [call["arguments"].get("code") for call in calls]


def test_no_secret_is_in_the_log(make_relay, tmp_path):
    """Neither the clients' token nor the control token, wherever it travels."""
    secret = tmp_path / "token"
    secret.write_text("0123456789abcdef0123456789abcdef")
    secret.chmod(0o600)
    relay = make_relay("--mcp-token-file", str(secret), has_terminal=True).start()
    settings = client_settings(relay.bridge_url, pairingCode=relay.pairing_code())
    world = NodeWorld(settings)
    try:
        world.until_connected()
        token = world.run("return game.settings.get('aagm', 'token-sunken-inn');")
    finally:
        world.close()
    (run_file,) = relay.folder.glob("aagm/*.run.json")
    control = json.loads(run_file.read_text())["token"]
    relay.stop()
    (log,) = (relay.data_dir / "Logs").glob("*.md")
    text = log.read_text()
    assert "bridge.connected" in text
    for each in (secret.read_text(), token, control):
        assert len(each) > 20
        assert each not in text
        assert each not in relay.log


def test_groks_box_shows_the_end_of_the_log(make_relay):
    """/log is answered by the relay, with no agent there."""
    relay = make_relay("--pairing", "off", "--member", "grok").start()
    with opened(relay) as world:
        said = world.run(SAID.replace("{act}", "api.sendPrompt('/log');"))
    assert "```json" in said
    assert len(said.splitlines()) <= 30


def test_a_log_that_cannot_be_written_costs_no_call(make_relay):
    """The GM is told once, and the work goes on."""
    relay = make_relay("--pairing", "off")
    relay.data_dir.mkdir(mode=0o700)
    (relay.data_dir / "Logs").write_text("in the way")
    relay.start()
    with opened(relay) as world, mcp_caller(relay.mcp_url) as agent:
        wrote = agent.call(
            "foundry_eval",
            code="await game.actors.getName('Old Pike').update({name: 'Pike'})",
            intent="write",
            summary="Rename",
        )
        assert wrote["rollbackPoint"]["captured"] == "1 update"
        lines = world.run(TRANSCRIPT)
        assert len([each for each in lines if "log lines are lost" in each]) == 1
        assert agent.call("foundry_session_logs") == {"logs": []}
    assert relay.log.count("log lines are lost") == 1
