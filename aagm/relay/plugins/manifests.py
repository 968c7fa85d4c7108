"""Read manifests: one bare run each, recorded, kept until something is another.

Source: Plug-in API 1.0 sections 2 and 3, step 1.
"""

from __future__ import annotations

from attrs import define, field, frozen

from aagm.errors import HandlerThrew, NoModule
from aagm.relay.plugins import page
from aagm.relay.plugins.manifest import STEP, Manifest, Refused, read
from aagm.relay.plugins.runs import RecordedRuns
from aagm.relay.ports import Bridge
from aagm.relay.rollback.lane import Ticket
from aagm.relay.rollback.writes import Write

KIND = "plugin"
KEPT = 500  # manifests that are remembered, of all worlds and sessions

Key = tuple[str, str, str]  # world, session, name; or world, macro, hash


@frozen
class Known:
    """A manifest, and the macro that it is of."""

    manifest: Manifest
    macro: page.Macro


@define(eq=False)
class Manifests:
    """Know the plug-ins that were looked at."""

    _bridge: Bridge
    _runs: RecordedRuns
    _read_seconds: float
    _kept: dict[Key, Known | Refused] = field(factory=dict, init=False)

    def world(self) -> str:
        """Name the world that is open.

        Raises:
            NoModule: No tab is connected.
        """
        if (owner := self._bridge.owner) is None:
            reason = self._bridge.why_not()
            data = {"reason": reason.code}
            raise NoModule(reason.message, fix=reason.fix, data=data)
        return owner.hello.world.id

    def kept(self, key: Key) -> Known | Refused | None:
        """Give what is remembered."""
        return self._kept.get(key)

    def keep(self, key: Key, what: Known | Refused) -> None:
        """Remember it, and forget what is oldest."""
        self._kept.pop(key, None)
        self._kept[key] = what
        for oldest in list(self._kept)[: max(0, len(self._kept) - KEPT)]:
            del self._kept[oldest]

    async def is_current(self, known: Known | Refused, name: str) -> bool:
        """Say whether the macro still is the one that was looked at.

        Raises:
            NoModule: No tab is connected.
        """
        if isinstance(known, Refused):
            return False
        asked = page.look(name)
        now = await self._bridge.call("eval", asked, limit=self._read_seconds)
        return page.read_look(now) == known.macro

    async def read(
        self, ticket: Ticket, name: str, *, tab_id: str | None = None
    ) -> Known | Refused:
        """Run the macro bare, in a turn that is held already.

        Raises:
            AagmError: The run did not end.
        """
        write = Write(
            method="eval",
            params=page.bare_run(name),
            kind=KIND,
            summary=f"{name}: run without arguments, for its manifest",
            tab_id=tab_id,
            via=KIND,
            is_read=True,
            waits_for_close=True,
        )
        try:
            ran = await self._runs.run(ticket, write, ())
        except HandlerThrew as e:
            return Refused(f"{name} is not a plug-in: {e}", _BARE)
        match page.read_bare(ran.result):
            case page.Found(macros=macros):
                return refused_macros(name, macros)
            case page.Bare() as bare:
                pass
        if ran.breach is not None:
            types = ", ".join(ran.breach.types)
            undone = (
                "it was undone at once" if ran.breach.is_undone else ran.breach.why_not
            )
            return Refused(
                f"{name} wrote on a run without arguments: {types}; {undone}",
                _BARE,
                {"rollbackPoint": ran.point},
            )
        # Nothing was written: a caller who leaves now has begun nothing.
        ticket.is_sent, ticket.point_id = False, None
        return self._judged(name, bare)

    @staticmethod
    def _judged(name: str, bare: page.Bare) -> Known | Refused:
        match bare.ended:
            case page.Threw(message=message):
                return Refused(
                    f"{name} is not a plug-in: run without arguments it threw "
                    f"{message}",
                    _BARE,
                )
            case page.Unreadable(why=why):
                return Refused(f"{name} is not a plug-in: {why}", _BARE)
            case page.Returned(characters=None, value=value):
                found = read(value, name)
            case page.Returned(characters=characters):
                return Refused(
                    f"the manifest of {name} has {characters} characters, more than "
                    f"{page.LARGEST_MANIFEST}",
                    "Say less in args, or split the plug-in.",
                )
        if isinstance(found, Refused):
            return found
        return Known(found, bare.macro)


_BARE = (
    "Run without arguments a plug-in returns its manifest and changes nothing: see "
    f"{STEP}"
)


def refused_macros(name: str, macros: tuple[dict[str, str], ...]) -> Refused:
    """Say why a name is not that of just one script macro."""
    if not macros:
        return Refused(
            f"no macro of this world is called {name}",
            "foundry_plugins lists the plug-ins; names are exact.",
        )
    if len(macros) > 1:
        ids = [each["id"] for each in macros]
        return Refused(
            f"ambiguous: {len(macros)} macros are called {name}: {', '.join(ids)}",
            "Rename or delete all but one of them.",
            {"ids": ids},
        )
    return Refused(
        f"{name} is a {macros[0].get('type')} macro", "A plug-in is a script macro."
    )
