"""The three ``foundry_mirror_`` tools: macros as files of the relay's machine.

Source: PROTOCOL_FACTS 1.4 and section 11; DESIGN sections 4 and 7.
"""

from __future__ import annotations

from attrs import frozen
from twisted.internet.defer import Deferred

from aagm.mcp.holding import Hold
from aagm.mcp.registry import Call, Tool
from aagm.mcp.writing import WriteCalls
from aagm.relay.mirror.mirror import Mirror, MirrorRefused
from aagm.relay.ports import Audit, Bridge
from aagm.relay.refusals import refused
from aagm.relay.rollback.lane import Recheck, Ticket
from aagm.relay.rollback.writes import RecordedWrites, Write
from aagm.wire.jsonrpc import Json

LABEL = "Macro Mirror"


def mirror_tools(
    mirror: Mirror,
    bridge: Bridge,
    writes: RecordedWrites,
    calls: WriteCalls,
    *,
    hold: Hold,
    audit: Audit,
) -> list[Tool]:
    """Make the tools.

    Args:
        mirror: Reads and writes the files.
        bridge: Whose box is told how far a backup is.
        writes: The road of a restore.
        calls: Holds the calls that write.
        hold: Holds a call as long as a call may be held.
        audit: Keeps the session log.
    """
    tools = _Mirroring(mirror, bridge, writes, calls, hold, audit)
    return [
        Tool(
            name="foundry_mirror_backup",
            description=(
                "Back all macros up into files, or those of one name. What a file held "
                "before stays beside it as .bkp."
            ),
            schema=_schema(name=_text("All macros when absent.")),
            run=tools.backup,
            read_only=False,
            idempotent=True,
        ),
        Tool(
            name="foundry_mirror_backups",
            description="List the macro files that foundry_mirror_backup wrote.",
            schema=_schema(),
            run=tools.backups,
            read_only=True,
        ),
        Tool(
            name="foundry_mirror_restore",
            description=(
                "Write a macro back from its file: recorded, with a rollback point. A "
                "macro that is gone is made again."
            ),
            schema=_schema(
                "name",
                name=_text("Its name, uuid, or path in the list."),
                tabId=_text("The prompt's tabId."),
            ),
            run=tools.restore,
            read_only=False,
            destructive=True,
        ),
    ]


@frozen
class _Mirroring:
    """What the tools need."""

    _mirror: Mirror
    _bridge: Bridge
    _writes: RecordedWrites
    _calls: WriteCalls
    _hold: Hold
    _audit: Audit

    async def backup(self, call: Call) -> Json:
        name = call.arguments.get("name")

        def progress(done: int, total: int) -> None:
            call.progress(done, total, f"{done} of {total} macros")
            shown = {"label": LABEL, "done": done, "total": total}
            self._bridge.notify("aagm.progress", shown)

        async def work() -> Json:
            try:
                answer = await self._mirror.backup(name, progress)
            except MirrorRefused as e:
                return _refused(e)
            counts = {key: len(answer[key]) for key in ("written", "failed")}
            self._audit("mirror.backup", root=answer["root"], **counts)
            return answer

        return await self._hold(Deferred.fromCoroutine(work()))

    async def backups(self, _call: Call) -> Json:
        try:
            return await self._mirror.backups()
        except MirrorRefused as e:
            return _refused(e)

    async def restore(self, call: Call) -> Json:
        try:
            record = await self._mirror.find(call.arguments["name"])
        except MirrorRefused as e:
            return _refused(e)
        self._audit("mirror.read", file=record["file"], uuid=record["uuid"])
        write = Write(
            method="mirror.restore",
            params={"record": record},
            kind="mirror.restore",
            summary=f"Restore macro {record['name']}",
            tab_id=call.arguments.get("tabId"),
            via="tool",
        )

        def queue(recheck: Recheck) -> Ticket:
            return self._writes.queue(write, recheck=recheck)

        answer = await self._calls.run(call, queue)
        point = answer.get("rollbackPoint")
        self._audit("mirror.restore", file=record["file"], point=point and point["id"])
        return answer


def _refused(reason: MirrorRefused) -> Json:
    return refused(str(reason), fix=reason.fix)


def _text(description: str) -> Json:
    return {"type": "string", "minLength": 1, "description": description}


def _schema(*required: str, **properties: Json) -> dict[str, Json]:
    return {
        "type": "object",
        "properties": properties,
        **({"required": list(required)} if required else {}),
        "additionalProperties": False,
    }
