"""The tools that an agent is offered, each with the parts that it asks."""

from __future__ import annotations

from aagm.mcp.answers import Answers
from aagm.mcp.health import Connection
from aagm.mcp.holding import CallHold
from aagm.mcp.logged import logged_evals
from aagm.mcp.registry import Tool
from aagm.mcp.tools.chat import chat_tools, gated
from aagm.mcp.tools.damage import damage_tools
from aagm.mcp.tools.evals import Judge, eval_tools, guarded
from aagm.mcp.tools.logs import log_tools
from aagm.mcp.tools.loot import loot_tools
from aagm.mcp.tools.mirror import mirror_tools
from aagm.mcp.tools.more import more_tools
from aagm.mcp.tools.ping import ping_tools
from aagm.mcp.tools.plugins import plugin_tools
from aagm.mcp.tools.queries import query_tools
from aagm.mcp.tools.search import search_tools
from aagm.mcp.tools.tail import tail_tools
from aagm.mcp.tools.undo import undo_tools
from aagm.mcp.writing import WriteCalls
from aagm.parts.ground import Ground
from aagm.parts.policy import Policy
from aagm.relay.ports import Bridge


def all_tools(
    ground: Ground,
    bridge: Bridge,
    policy: Policy,
    *,
    answers: Answers,
    connection: Connection,
    dial: str,
) -> list[Tool]:
    """Make them; all that work on the world pass the chat's gate."""
    limits, chat = ground.settings.limits, policy.chat
    seconds, hold = limits.read_seconds, limits.running_seconds
    states = [chat.facts, ground.log.facts]
    working = [
        *ping_tools(connection, dial=dial, limit=seconds, states=states),
        *query_tools(bridge, limit=seconds),
        *search_tools(bridge, limit=seconds),
        *_writing(ground, bridge, policy, answers),
        *tail_tools(ground.reactor, policy.console, answers, chat.gate, hold=hold),
        *log_tools(ground.log_files),
    ]
    return [
        *gated(working, chat.gate),
        *more_tools(answers),
        *chat_tools(chat.dispatch),
    ]


def _writing(
    ground: Ground, bridge: Bridge, policy: Policy, answers: Answers
) -> list[Tool]:
    """Make the tools that take the write road."""
    limits, rollback = ground.settings.limits, policy.rollback
    writes = rollback.writes
    calls = WriteCalls(
        ground.reactor,
        answers,
        rollback.lane,
        limits.running_seconds,
        policy.chat.gate.before_write,
        lambda: bridge.owner is not None and bridge.owner.is_hidden,
        rollback.survivors.take,
        writes.brief,
    )
    hold = CallHold(ground.reactor, answers, limits.running_seconds)
    evals = eval_tools(bridge, writes, calls, _judge(ground, policy))
    return [
        *logged_evals(evals, ground.log),
        *damage_tools(bridge, rollback.lane, writes, calls, hold=hold),
        *undo_tools(rollback.undo, rollback.intake, calls),
        *plugin_tools(policy.plugins, calls),
        *loot_tools(
            bridge,
            writes,
            calls,
            member=ground.settings.member.title,
            limit=limits.read_seconds,
        ),
        *mirror_tools(
            policy.mirror,
            bridge,
            writes,
            calls,
            hold=hold,
            audit=ground.log,
        ),
    ]


def _judge(ground: Ground, policy: Policy) -> Judge:
    """Make what decides the road of an eval."""
    limits = ground.settings.limits
    return guarded(
        policy.guard.judge,
        read_seconds=limits.read_seconds,
        write_seconds=limits.write_seconds,
    )
