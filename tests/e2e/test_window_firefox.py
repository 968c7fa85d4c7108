"""The window in Debian's Firefox: connect, prompt, card, rollback."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest
from firefox import ENTER, firefox
from mcp_caller import mcp_caller

pytestmark = pytest.mark.browser

WRITE = 'await game.actors.getName("Ottar Reed").update({"system.resource.value": 12});'
HP = "game.actors.getName('Ottar Reed').system.resource.value"
PANEL = ".aagm-panel:not([hidden])"


def shows(text: str, within: str = ".aagm-chat") -> str:
    """Write the condition that the window shows a text."""
    place = f"document.querySelector({json.dumps(within)})"
    return f"{place}?.textContent.includes({json.dumps(text)})"


def test_connect_prompt_card_and_rollback(make_relay, site, tmp_path):
    """With true keys and clicks, on a real relay, with the official client."""
    relay = make_relay("--pairing", "off").start()
    boot = {
        "module": "/foundry/module/",
        "until": "aagm.ready",
        "storage": {
            "aagm.enabled-sunken-inn": True,
            "aagm.relayUrl-sunken-inn": relay.bridge_url,
        },
        "world": {"version": 14},
    }
    with firefox(tmp_path) as browser, mcp_caller(relay.mcp_url) as agent:
        page = f"{site}/tests/e2e/pages/window.html"
        browser.open(f"{page}#{quote(json.dumps(boot))}")
        browser.until(shows("No agent listens"))
        poll = {"listenerId": "listener-of-the-test", "waitSeconds": 0}
        agent.call("foundry_get_prompts", **poll)
        browser.until(shows("Ready"))

        browser.click(".aagm-chat textarea")
        browser.press(*"Hurt Ottar", ENTER)
        browser.until(shows("Hurt Ottar", f'{PANEL} [data-role="user"]'))
        browser.until("game.modules.get('aagm').api.waiting().length === 0")
        [prompt] = agent.call("foundry_get_prompts", **poll)["prompts"]
        assert prompt["text"] == "Hurt Ottar"
        agent.call("foundry_eval", code=WRITE, intent="write", summary="A blow")
        agent.call(
            "foundry_send_reply", text="It **hurts**.", promptId=prompt["promptId"]
        )
        browser.until(shows("hurts", f"{PANEL} strong"))

        card = f"{PANEL} .aagm-card"
        browser.until(shows("A blow", card))
        browser.click(f'{card} [data-part="details"]')
        browser.until(shows("system.resource.value", f"{card} .aagm-change"))
        assert browser.run(HP) == 12
        browser.click(f'{card} [data-part="act"]')
        browser.until(shows("Rolled back: 1 document.", card))
        assert browser.run(HP) == 31
        assert browser.run("[...booted.client.game.i18n.missing]") == []
