"""The demo as one process: the relay, the page, and nothing left behind.

What `aagm.tap` does for twistd, this does for the demo.
"""

from __future__ import annotations

from collections.abc import Callable
from secrets import token_hex
from typing import Any

from attrs import define, field, frozen
from twisted.internet.defer import Deferred, maybeDeferred
from twisted.internet.interfaces import IListeningPort

from aagm.config import Settings
from aagm.daemon.endpoints import loopback_endpoint, require_apart
from aagm.daemon.service import Listener, listen
from aagm.daemon.turns import settle
from aagm.demo.site import Asks, demo_site
from aagm.demo.tasks import TASKS, Player
from aagm.parts import Relay, join
from aagm.wire.jsonrpc import Json

_TEXT = """\

  The Sunken Inn is open at   {page}
  Open it in a browser; the page connects by itself.

  MCP clients connect to      {mcp}
  For example:                claude mcp add --transport http {slug} {mcp}

  Ctrl-C ends the demo and removes all that it wrote.

"""


@frozen
class Place:
    """Where the demo runs."""

    settings: Settings  # of the relay, in a temporary data folder
    page_port: int

    @property
    def page(self) -> str:
        """Name where a browser opens the world."""
        return f"http://127.0.0.1:{self.page_port}/"


@define(eq=False)
class Demo:
    """The relay with a page beside it."""

    _place: Place
    _relay: Relay
    _codes: list[str]  # pairing codes that the relay showed
    _run: str = field(factory=lambda: token_hex(4), init=False)
    _page_at: Listener = field(init=False)
    _page: IListeningPort | None = field(default=None, init=False)

    @classmethod
    def make(cls, reactor: Any, place: Place) -> Demo:
        """Join the parts; nothing listens yet.

        Raises:
            StartFault: A port is busy, or given twice.
        """
        description = f"tcp:{place.page_port}:interface=127.0.0.1"
        page_at = loopback_endpoint(reactor, "page-port", description)
        codes: list[str] = []
        relay = join(reactor, place.settings, show_code=codes.append, page=place.page)
        taken = {name: relay.service.address(name) for name in ("bridge", "mcp")}
        require_apart(page_at, **taken)
        demo = cls(place, relay, codes)
        player = Player(demo.mcp_url)
        demo._page_at = Listener(page_at, demo_site(Asks(demo.invite, player.play)))
        return demo

    @property
    def mcp_url(self) -> str:
        """Name where MCP clients connect."""
        return f"http://{self._relay.service.address('mcp')}/mcp"

    def invite(self) -> Json:
        """Tell the page how to connect, with a pairing code of its own."""
        if self._relay.pairing is not None:
            self._relay.pairing.open_window()
        return {
            "bridge": f"ws://{self._relay.service.address('bridge')}",
            "pairingCode": self._codes.pop() if self._codes else None,
            "mcp": self.mcp_url,
            "member": self._place.settings.member.title,
            "run": self._run,
            "tasks": {name: task.title for name, task in TASKS.items()},
        }

    def start(self) -> None:
        """Listen.

        Raises:
            StartFault: A port was taken meanwhile.
        """
        self._relay.service.startService()
        self._page = listen(self._page_at)

    async def stop(self) -> None:
        """Close everything."""
        if self._page is not None:
            await maybeDeferred(self._page.stopListening)
        await maybeDeferred(self._relay.service.stopService)

    def text(self) -> str:
        """Tell a newcomer what to do now."""
        return _TEXT.format(
            page=self._place.page,
            mcp=self.mcp_url,
            slug=self._place.settings.member.slug,
        )


async def run_demo(reactor: Any, place: Place, say: Callable[[str], object]) -> None:
    """Run until the reactor stops, saying what a newcomer needs to know.

    Raises:
        StartFault: A port is busy.
    """
    demo = Demo.make(reactor, place)
    stopped: Deferred[None] = Deferred()

    async def stop() -> None:
        await demo.stop()
        stopped.callback(None)

    reactor.addSystemEventTrigger(
        "before", "shutdown", lambda: Deferred.fromCoroutine(stop())
    )
    demo.start()
    settle()
    say(demo.text())
    await stopped
