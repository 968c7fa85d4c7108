"""``foundry_plugin`` and ``foundry_plugins``: a game master's own tools.

Source: Plug-in API 1.0 section 3.
"""

from __future__ import annotations

from aagm.mcp.registry import Call, Tool
from aagm.mcp.writing import WriteCalls
from aagm.relay.plugins.desk import PluginDesk
from aagm.relay.plugins.run import Asked
from aagm.relay.rollback.lane import Recheck, Ticket
from aagm.wire.jsonrpc import Json

CONFORMS = "aagm-plugin/1.0"  # what README.md names


def plugin_tools(desk: PluginDesk, calls: WriteCalls) -> list[Tool]:
    """Make the two tools."""
    return [_plugin(desk, calls), _plugins(desk, calls)]


def _plugin(desk: PluginDesk, calls: WriteCalls) -> Tool:
    async def run(call: Call) -> Json:
        given = call.arguments
        asked = Asked(
            given["name"],
            given["args"],
            session=call.session,
            tab_id=given.get("tabId"),
            via="tool",
            refresh=given.get("refresh", False),
        )

        def queue(recheck: Recheck) -> Ticket:
            return desk.plugins.queue(asked, recheck=recheck)

        return await calls.run(call, queue)

    return Tool(
        name="foundry_plugin",
        description=(
            "Run a plug-in: a macro of this world with a manifest, which says what "
            "arguments it takes and what it may write. foundry_plugins lists them. "
            "The arguments are checked before anything runs, and what it writes "
            "outside its declared types is undone at once. ok says whether it worked, "
            "error why not; rollbackPoint takes it back. Where modes has read, "
            "mode:'read' in args only looks."
        ),
        schema={
            "type": "object",
            "properties": {
                "name": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The macro's exact name.",
                },
                "args": {
                    "type": "object",
                    "description": "What the plug-in's own schema asks for.",
                },
                "tabId": {
                    "type": "string",
                    "minLength": 1,
                    "description": "The prompt's tabId.",
                },
                "refresh": {
                    "type": "boolean",
                    "description": "True: read its manifest anew.",
                },
            },
            "required": ["name", "args"],
            "additionalProperties": False,
        },
        run=run,
        read_only=False,
        destructive=True,
    )


def _plugins(desk: PluginDesk, calls: WriteCalls) -> Tool:
    async def run(call: Call) -> Json:
        refresh = call.arguments.get("refresh", False)
        if not refresh:
            known = desk.catalog.told(await desk.catalog.look())
            if known is not None:
                return known

        def queue(recheck: Recheck) -> Ticket:
            return desk.catalog.queue(recheck=recheck, refresh=refresh)

        return await calls.run(call, queue)

    return Tool(
        name="foundry_plugins",
        description=(
            "List the plug-ins of this world: name, description, the JSON Schema of "
            "their arguments, the document types they may write, their modes, and what "
            "is wrong with those that cannot be used. A macro is run without arguments "
            "to read its manifest, once until its text changes."
        ),
        schema={
            "type": "object",
            "properties": {
                "refresh": {
                    "type": "boolean",
                    "description": "True: read every manifest anew.",
                }
            },
            "additionalProperties": False,
        },
        run=run,
        read_only=False,
        idempotent=True,
    )
