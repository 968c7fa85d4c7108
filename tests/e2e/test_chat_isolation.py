"""Five tabs, five workers, one GM who types a lot: no worker gets another's orders.

The workers are official clients of AAGM-G, whose interrupts ride on tool calls. Done
when 6 of the fourth issue.
"""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import pytest
from attrs import define, field
from chat_room import ChatRoom, chat_room
from mcp_caller import ERAS, McpCaller, mcp_caller

TABS = [f"t-{number}" for number in range(5)]
STEPS = 120
OUTSIDE = "nobody's tab"  # where the calls of the one without a tab are noted


@pytest.fixture(scope="module")
def room(tmp_path_factory) -> Iterator[ChatRoom]:
    """Run AAGM-G."""
    with chat_room("grok", tmp_path_factory.mktemp("room")) as room:
        yield room


@define(eq=False)
class Crowd:
    """What was typed, and who got it."""

    tab_of: dict[str, str] = field(factory=dict)  # prompt id -> its tab
    outside: set[str] = field(factory=set)  # ids typed while external
    seen: list[tuple[str, str]] = field(factory=list)  # prompt id, who
    is_over: threading.Event = field(factory=threading.Event)

    def work(self, client: McpCaller, who: str) -> None:
        """Call a tool again and again, for a tab or for none."""
        named = {} if who == OUTSIDE else {"tabId": who}
        while not self.is_over.is_set():
            answer = client.call("foundry_eval", code="return 1", **named)
            self.take(answer.get("prompts", []), who)

    def take(self, prompts: list[dict[str, Any]], who: str) -> None:
        """Note what somebody got."""
        self.seen += [(prompt["promptId"], who) for prompt in prompts]

    def wrong(self) -> list[tuple[str, str]]:
        """List what reached whom it was not for."""
        return [
            (prompt_id, who)
            for prompt_id, who in self.seen
            if who not in ("listener", self.tab_of[prompt_id])
            and not (who == OUTSIDE and prompt_id in self.outside)
        ]


@pytest.mark.parametrize("seed", range(2))
def test_no_worker_gets_another_s_orders(room, seed):
    """Each prompt arrives once: at its tab's worker, the listener, or outside."""
    room.clear()
    rng, crowd = random.Random(seed), Crowd()
    with ExitStack() as open_ones, ThreadPoolExecutor(len(TABS) + 1) as pool:
        callers = [OUTSIDE, *TABS]
        clients = {
            who: open_ones.enter_context(
                mcp_caller(room.relay.mcp_url, ERAS[number % 2])
            )
            for number, who in enumerate(callers)
        }
        working = [pool.submit(crowd.work, clients[who], who) for who in callers]
        try:
            go_on(room, crowd, rng)
        finally:
            crowd.is_over.set()
        for each in working:
            each.result()
    room.type("/int")
    crowd.take(room.take(), "listener")
    assert crowd.wrong() == []
    assert sorted(prompt_id for prompt_id, _ in crowd.seen) == sorted(crowd.tab_of)
    by_calls = {who for _, who in crowd.seen}
    assert by_calls & set(TABS)
    assert OUTSIDE in by_calls


def go_on(room: ChatRoom, crowd: Crowd, rng: random.Random) -> None:
    """Type, switch the mode, and let the listener poll, at random."""
    is_external = False
    for number in range(STEPS):
        tab = rng.choice(TABS)
        match rng.randrange(10):
            case 0:
                is_external = not is_external
                room.type("/ext" if is_external else "/int", tab)
            case 1:
                crowd.take(room.take(), "listener")
            case _:
                prompt_id = room.type(f"order {number}", tab)
                crowd.tab_of[prompt_id] = tab
                if is_external:
                    crowd.outside.add(prompt_id)
