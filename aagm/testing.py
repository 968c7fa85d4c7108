"""Memory twins of what policy meets outside: Foundry tabs, the bridge, the disk.

Each is a real implementation of its port in `aagm.relay.ports` with fewer wires; the
tests of the bridge hold `FakeBridge` to what the real one does.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

from attrs import define, evolve, field, frozen
from twisted.internet.defer import Deferred

from aagm.errors import (
    BridgeLost,
    DiskFault,
    MethodUnknown,
    NoModule,
    TimeLimit,
)
from aagm.relay.ports import BridgeEvents, Clock, Late, Reason, TabLink
from aagm.wire.hello import PROTOCOL, Hello, World
from aagm.wire.jsonrpc import Json, Params, dumps, loads

__all__ = [
    "FAMILY_HELLO",
    "GM_HELLO",
    "Asked",
    "FakeBridge",
    "FakeTab",
    "MemoryDisk",
    "RecordedEvents",
    "Told",
]

Answer = Callable[[Params], Json | Awaitable[Json]]

GM_HELLO = Hello(
    user_id="gmUser0000000001",
    user_name="Marit",
    is_gm=True,
    world=World("sunken-inn", "The Sunken Inn"),
    foundry_version="12.343",
    module_version="1.0.0",
    settings={"mode": "assistant", "multitasking": True},
    protocol=PROTOCOL,
    features=frozenset({"stream", "check", "prompt-ack", "take-over"}),
    tab_instance="00000000000000a1",
    system_id="pf1",
    system_version="11.11",
)
FAMILY_HELLO = evolve(
    GM_HELLO,
    protocol=2,
    features=frozenset(),
    module_version="2.0.0",
    tab_instance=None,
    system_id=None,
    system_version=None,
)
NOBODY = Reason("no_module", "No Foundry tab is connected.", "Open the world.")


@frozen
class Told:
    """A notification that a tab got."""

    method: str
    params: Params


@frozen
class Asked:
    """A request that a tab got, and the seconds its caller waits."""

    method: str
    params: Params
    limit: float


@define(eq=False)
class FakeTab:
    """A scripted Foundry tab (`TabLink`).

    Args:
        hello: What it says of itself.
        answers: By method, a function of the params. It returns JSON, or a Deferred
            for an answer that the test gives later, or raises what the module answers.
    """

    hello: Hello = GM_HELLO
    answers: dict[str, Answer] = field(factory=dict)
    session_id: str = "sess-fake"
    is_owner: bool = field(default=False, init=False)
    is_hidden: bool = field(init=False)
    told: list[Told] = field(factory=list, init=False)
    asked: list[Asked] = field(factory=list, init=False)
    is_gone: bool = field(default=False, init=False)

    @is_hidden.default
    def _as_it_said(self) -> bool:
        return self.hello.is_hidden

    def notify(self, method: str, params: Params) -> None:
        """Keep a notification; dropped when the tab is gone."""
        if not self.is_gone:
            self.told.append(Told(method, _through_wire(params)))

    def told_of(self, method: str) -> list[Params]:
        """List the params of every notification *method* so far."""
        return [each.params for each in self.told if each.method == method]

    def asked_of(self, method: str) -> list[Params]:
        """List the params of every request *method* so far."""
        return [each.params for each in self.asked if each.method == method]

    async def answer(self, method: str, params: Params) -> Json:
        """Answer as the script says; an unscripted method is unknown to the module."""
        if (script := self.answers.get(method)) is None:
            raise MethodUnknown(f"the module has no method {method}")
        given = script(params)
        if isinstance(given, Awaitable):
            given = await given
        return _through_wire(given)


@define(eq=False)
class _Call:
    """One call that waits for its tab."""

    tab: FakeTab
    outcome: Deferred[Json]
    late: Late | None


@define(eq=False)
class FakeBridge:
    """The Foundry side in memory (`Bridge`): tabs come and go as the test says.

    Args:
        clock: What limits run on.
        events: Who hears of tabs; may be set later.
    """

    _clock: Clock
    events: BridgeEvents | None = None
    reason: Reason = NOBODY
    tabs: list[FakeTab] = field(factory=list, init=False)
    _calls: list[_Call] = field(factory=list, init=False)

    @property
    def owner(self) -> FakeTab | None:
        """The tab that requests go to: the first that is connected."""
        return self.tabs[0] if self.tabs else None

    def why_not(self) -> Reason:
        """Say what the test set as the reason."""
        return self.reason

    def connect(self, tab: FakeTab) -> Params:
        """Let *tab* in.

        Returns:
            What policy adds to the hello's answer.
        """
        tab.is_gone = False
        self.tabs.append(tab)
        self._choose_owner()
        return {} if self.events is None else self.events.accepted(tab)

    def disconnect(self, tab: FakeTab, reason: str = "the tab was closed") -> None:
        """Take *tab* away; what it was asked fails at once."""
        tab.is_gone, tab.is_owner = True, False
        self.tabs.remove(tab)
        self._choose_owner()
        for call in [each for each in self._calls if each.tab is tab]:
            self._settle(call, BridgeLost(f"the Foundry tab left: {reason}"))
        if self.events is not None:
            self.events.gone(tab, reason)

    def tell(self, tab: FakeTab, method: str, params: Params) -> None:
        """Let *tab* send a notification."""
        if self.events is not None:
            self.events.notified(tab, method, _through_wire(params))

    async def ask(self, tab: FakeTab, method: str, params: Params) -> Json:
        """Let *tab* send a request.

        Raises:
            MethodUnknown: Nobody in the relay answers it.
        """
        if self.events is None:
            raise MethodUnknown(f"the relay has no method {method}")
        return _through_wire(
            await self.events.asked(tab, method, _through_wire(params))
        )

    async def call(
        self, method: str, params: Params, *, limit: float, late: Late | None = None
    ) -> Json:
        """Ask the owner's tab; see `aagm.relay.ports.Bridge`."""
        if (tab := self.owner) is None:
            data = {"reason": self.reason.code}
            raise NoModule(self.reason.message, fix=self.reason.fix, data=data)
        params = _through_wire(params)
        tab.asked.append(Asked(method, params, limit))
        call = _Call(tab, Deferred(), late)
        self._calls.append(call)
        error = TimeLimit(f"{method} was not answered within {limit:g} s")
        timer = self._clock.callLater(limit, self._settle, call, error)
        answer = Deferred.fromCoroutine(tab.answer(method, params))
        answer.addCallback(lambda value: self._answered(call, value))
        answer.addErrback(lambda failure: self._answered(call, failure.value))
        try:
            return await call.outcome
        finally:
            if timer.active():
                timer.cancel()
            if call in self._calls:
                self._calls.remove(call)

    def notify(self, method: str, params: Params) -> None:
        """Tell the owner's tab; dropped when there is none."""
        if self.owner is not None:
            self.owner.notify(method, params)

    def _choose_owner(self) -> None:
        for index, tab in enumerate(self.tabs):
            tab.is_owner = index == 0

    def _answered(self, call: _Call, value: Json | Exception) -> None:
        if call in self._calls:
            self._settle(call, value)
        elif call.late is not None and not call.tab.is_gone:
            call.late(value)

    def _settle(self, call: _Call, value: Json | Exception) -> None:
        self._calls.remove(call)
        if isinstance(value, Exception):
            call.outcome.errback(value)
        else:
            call.outcome.callback(value)


@define(eq=False)
class RecordedEvents:
    """Keep what the bridge tells policy (`BridgeEvents`).

    Args:
        extra: What `accepted` adds to the hello's answer.
        answers: By method, a function of the params, as in `FakeTab`.
    """

    extra: Params = field(factory=dict)
    answers: dict[str, Answer] = field(factory=dict)
    came: list[TabLink] = field(factory=list, init=False)
    left: list[tuple[TabLink, str]] = field(factory=list, init=False)
    notifications: list[tuple[TabLink, str, Params]] = field(factory=list, init=False)

    def accepted(self, link: TabLink) -> Params:
        """Keep a tab that was accepted."""
        self.came.append(link)
        return self.extra

    def gone(self, link: TabLink, reason: str) -> None:
        """Keep a tab that left."""
        self.left.append((link, reason))

    def notified(self, link: TabLink, method: str, params: Params) -> None:
        """Keep a notification."""
        self.notifications.append((link, method, params))

    async def asked(self, link: TabLink, method: str, params: Params) -> Json:  # noqa: ARG002
        """Answer as the script says."""
        if (script := self.answers.get(method)) is None:
            raise MethodUnknown(f"the relay has no method {method}")
        given = script(params)
        return await given if isinstance(given, Awaitable) else given


@define(eq=False)
class MemoryDisk:
    """Files in a dictionary (`Disk`), and the faults of a real disk.

    ``is_full`` and ``is_read_only`` refuse every write, ``room`` counts down the
    bytes that still fit; a refused write leaves the file as it was.
    """

    files: dict[Path, bytes] = field(factory=dict)
    is_full: bool = field(default=False, init=False)
    is_read_only: bool = field(default=False, init=False)
    room: int | None = field(default=None, init=False)  # bytes
    written: list[tuple[str, Path]] = field(factory=list, init=False)
    _held: Deferred[None] | None = field(default=None, init=False)

    def append(self, path: Path, data: bytes) -> None:
        """Append *data*, as the port says."""
        self._admit(path, len(data))
        self.files[path] = self.files.get(path, b"") + data
        self.written.append(("append", path))

    async def replace(self, path: Path, data: bytes) -> None:
        """Replace the file whole, as the port says; waits while the disk is held."""
        if self._held is not None:
            await _copy(self._held)
        self._admit(path, len(data))
        self.files[path] = data
        self.written.append(("replace", path))

    def read(self, path: Path) -> bytes:
        """Read the file, as the port says."""
        if path not in self.files:
            raise FileNotFoundError(path)
        return self.files[path]

    def remove(self, path: Path) -> None:
        """Remove the file, as the port says."""
        self._admit(path, 0)
        if self.files.pop(path, None) is not None:
            self.written.append(("remove", path))

    def names(self, folder: Path) -> list[str]:
        """List files and folders in *folder*."""
        depth = len(folder.parts)
        return sorted(
            {
                path.parts[depth]
                for path in self.files
                if len(path.parts) > depth and path.parts[:depth] == folder.parts
            }
        )

    def tear(self, path: Path) -> None:
        """Cut the last line in half, as a kill in the middle of an append would."""
        whole = self.files[path]
        start = whole.rstrip(b"\n").rfind(b"\n") + 1
        self.files[path] = whole[: start + (len(whole) - start) // 2]

    def hold(self) -> None:
        """Let every `replace` wait from now on."""
        self._held = Deferred()

    def release(self) -> None:
        """Let waiting and further replaces go on."""
        held, self._held = self._held, None
        if held is not None:
            held.callback(None)

    def _admit(self, path: Path, size: int) -> None:
        if self.is_read_only:
            raise DiskFault(f"{path.name} cannot be written: the disk is read-only")
        if self.is_full or (self.room is not None and size > self.room):
            raise DiskFault(f"{path.name} cannot be written: no space is left")
        if self.room is not None:
            self.room -= size


def _through_wire(value: Json) -> Json:
    """Copy *value* as a socket would, and fail on what is no JSON."""
    return loads(dumps(value))


def _copy(source: Deferred[None]) -> Deferred[None]:
    """Give one more waiter of *source* a Deferred of its own."""
    own: Deferred[None] = Deferred()

    def fired(value: None) -> None:
        own.callback(None)
        return value

    source.addCallback(fired)
    return own
