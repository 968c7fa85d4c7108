"""The parts that decide: rollback, chat, guard, plug-ins, mirror, console."""

from __future__ import annotations

from attrs import frozen

from aagm.parts.box import BoxLogs, BoxRollbacks
from aagm.parts.ground import Ground, now
from aagm.relay.audited import audit_writes
from aagm.relay.chat.notices import Notices
from aagm.relay.chat.parts import Chat, open_chat
from aagm.relay.guard import Guard, Protected
from aagm.relay.mirror.mirror import Mirror, MirrorSettings
from aagm.relay.plugins import desk as plugin_desk
from aagm.relay.plugins.desk import PluginDesk
from aagm.relay.ports import Bridge, TabLink
from aagm.relay.rollback.desk import RollbackDesk, set_up
from aagm.relay.tail import ConsoleTail


@frozen
class Policy:
    """The parts that tools ask."""

    rollback: RollbackDesk
    chat: Chat
    guard: Guard
    plugins: PluginDesk
    mirror: Mirror
    console: ConsoleTail
    notices: Notices

    async def when_written(self, link: TabLink) -> None:
        """Wait until no write of a tab's is recorded any more."""
        recordings = self.rollback.recordings
        for recording in recordings.all():
            if recording.link is link:
                await recordings.when_ended(recording)


def open_policy(ground: Ground, bridge: Bridge) -> Policy:
    """Join the parts, and let the tabs tell them.

    Raises:
        StartFault: What an earlier relay left cannot be read.
    """
    seconds = ground.settings.limits.read_seconds
    rollback = _rollback(ground, bridge)
    chat = _chat(ground, bridge, rollback)
    notices = Notices(ground.reactor, chat.box)
    ground.on_trouble.append(notices.say)
    ground.inbound.on_accepted.append(notices.accepted)
    plugins = plugin_desk.set_up(bridge, rollback, read_seconds=seconds)
    plugins.box.join(ground.inbound)
    console = ConsoleTail(ground.reactor, bridge, seconds)
    console.listen_to(ground.inbound)
    return Policy(
        rollback=rollback,
        chat=chat,
        guard=_guard(ground),
        plugins=plugins,
        mirror=_mirror(ground, bridge, chat),
        console=console,
        notices=notices,
    )


def _rollback(ground: Ground, bridge: Bridge) -> RollbackDesk:
    rollback = set_up(
        ground.reactor,
        now,
        ground.disk,
        bridge,
        folder=ground.settings.data_dir,
        limits=ground.settings.limits,
        member=ground.settings.member,
    )
    rollback.join(ground.inbound)
    audit_writes(rollback, ground.log)
    return rollback


def _chat(ground: Ground, bridge: Bridge, rollback: RollbackDesk) -> Chat:
    def cards() -> None:
        if bridge.owner is not None:
            rollback.cards.sync(bridge.owner, {})

    chat = open_chat(
        ground.reactor,
        now,
        member=ground.settings.member,
        bridge=bridge,
        disk=ground.disk,
        folder=ground.settings.state_dir,
        rollbacks=BoxRollbacks(rollback.undo),
        logs=BoxLogs(ground.log_files),
        cards=cards,
        audit=ground.log,
    )
    chat.listen_to(ground.inbound)
    return chat


def _guard(ground: Ground) -> Guard:
    named = ground.settings.protected
    return Guard(
        ground.in_thread,
        Protected(ids=named.ids, names=named.names, flags=named.flags),
    )


def _mirror(ground: Ground, bridge: Bridge, chat: Chat) -> Mirror:
    def posture() -> MirrorSettings:
        set_by_gm = chat.settings.now
        return MirrorSettings(
            is_enabled=set_by_gm.mirror_enabled,
            path=set_by_gm.mirror_path,
            sorts=set_by_gm.mirror_contextual_sort,
        )

    return Mirror(
        bridge,
        posture,
        ground.settings.mirror_roots,
        ground.in_thread,
        ground.settings.limits.read_seconds,
    )
