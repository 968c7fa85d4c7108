"""What the window in Foundry asks of plug-ins: the same checks, the same road.

Source: WIRE section 5 (requests of the module's); Plug-in API 1.0 section 3.
"""

from __future__ import annotations

from attrs import define

from aagm.errors import BadParams
from aagm.relay.inbound import Inbound
from aagm.relay.plugins.catalog import Catalog
from aagm.relay.plugins.run import Asked, Plugins
from aagm.relay.ports import TabLink
from aagm.relay.rollback.lane import By
from aagm.wire.jsonrpc import NAME_LONGEST, Json, Params

SESSION = "box"
BY: By = "relay"  # a GM's form must not refuse what agents have queued


@define(eq=False)
class PluginBox:
    """Answer the window; a GM's run waits for its turn like any write."""

    _catalog: Catalog
    _plugins: Plugins

    def join(self, inbound: Inbound) -> None:
        """Take the window's requests."""
        inbound.requests["aagm.plugins"] = self.listed
        inbound.requests["aagm.plugin.run"] = self.run

    async def listed(self, link: TabLink, params: Params) -> Json:  # noqa: ARG002
        """Answer ``aagm.plugins {refresh?}``: ``{plugins: [...]}``."""
        if params.get("refresh") is not True:
            known = self._catalog.told(await self._catalog.look())
            if known is not None:
                return known
        refresh = params.get("refresh") is True
        return await self._catalog.queue(by=BY, refresh=refresh).copy()

    async def run(self, link: TabLink, params: Params) -> Json:  # noqa: ARG002
        """Answer ``aagm.plugin.run {name, args}`` as the tool does.

        Raises:
            BadParams: No name, or arguments that are no object.
        """
        match params:
            case {"name": str(name), "args": dict(args)} if len(name) <= NAME_LONGEST:
                asked = Asked(name, args, session=SESSION, via="box")
                return await self._plugins.queue(asked, by=BY).copy()
        raise BadParams(
            f"aagm.plugin.run takes a name of at most {NAME_LONGEST} characters and "
            "args, an object"
        )
