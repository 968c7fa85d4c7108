"""A tab in the background is slow, and whoever waits for it reads why."""

from __future__ import annotations

import pytest
from mcp_caller import ToolFailed, mcp_caller
from node_world import NodeWorld, client_settings


def test_a_slow_call_says_whether_the_tab_is_in_the_background(make_relay, tmp_path):
    """The tab tells when it is hidden and when it is seen again; the error has it."""
    config = tmp_path / "limits.toml"
    config.write_text("[limits]\nread_seconds = 1\n")
    relay = make_relay("--pairing", "off", "--config", str(config)).start()
    world = NodeWorld(client_settings(relay.bridge_url))
    try:
        world.until_connected()
        with mcp_caller(relay.mcp_url) as agent:
            for hidden in (True, False):
                world.do("hide", hidden=hidden)
                while agent.call("foundry_ping").get("hidden", False) is not hidden:
                    pass  # the relay has yet to read it
                world.freeze()
                with pytest.raises(ToolFailed) as slow:
                    agent.call("foundry_query_user")
                assert slow.value.error["code"] == -33010
                assert slow.value.error["hidden"] is hidden
                assert ("hidden" in slow.value.error["message"]) is hidden
                world.thaw()
    finally:
        world.close()
