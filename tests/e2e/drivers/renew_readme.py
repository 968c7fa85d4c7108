"""Write the README's table of tools anew, from a relay that is joined, not started."""

from __future__ import annotations

import tempfile

from readme import README, tool_table, with_tools
from twisted.internet import reactor

from aagm.config import load
from aagm.parts import join

ANYWHERE = "tcp:0:interface=127.0.0.1"

if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        given = {"data-dir": f"{folder}/data", "bridge": ANYWHERE, "mcp": ANYWHERE}
        relay = join(reactor, load(given), show_code=lambda _code: None)
    README.write_text(with_tools(tool_table(relay.tools)), encoding="utf-8")
