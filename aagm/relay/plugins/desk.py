"""The plug-in parts, joined: what the composition root makes and hooks in."""

from __future__ import annotations

from attrs import frozen

from aagm.relay.plugins.box import PluginBox
from aagm.relay.plugins.catalog import Catalog
from aagm.relay.plugins.manifests import Manifests
from aagm.relay.plugins.run import Plugins
from aagm.relay.plugins.runs import RecordedRuns
from aagm.relay.ports import Bridge
from aagm.relay.rollback.desk import RollbackDesk


@frozen
class PluginDesk:
    """Everything that plug-ins need; ``box.join`` hooks in the window's requests."""

    plugins: Plugins
    catalog: Catalog
    box: PluginBox


def set_up(
    bridge: Bridge, rollback: RollbackDesk, *, read_seconds: float
) -> PluginDesk:
    """Join the parts over the rollback core."""
    runs = RecordedRuns(rollback.writes, rollback.undo, rollback.index)
    manifests = Manifests(bridge, runs, read_seconds)
    plugins = Plugins(rollback.lane, manifests, runs)
    catalog = Catalog(bridge, rollback.lane, manifests, read_seconds)
    return PluginDesk(plugins, catalog, PluginBox(catalog, plugins))
