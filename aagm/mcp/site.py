"""The MCP port as a whole: who may ask, and what lies at which path.

Source: DESIGN sections 7 and 9; WIRE sections 3, 7 and 8.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from attrs import define, field
from twisted.logger import Logger
from twisted.web.resource import IResource
from twisted.web.server import NOT_DONE_YET, Request
from zope.interface import implementer

from aagm.loopback import Arrival, judge, shown
from aagm.mcp.answers import Answers
from aagm.mcp.bearer import Bearer
from aagm.mcp.calls import Calls
from aagm.mcp.channel import LoopbackSite
from aagm.mcp.control import PREFIX, Control, Verb
from aagm.mcp.endpoint import Endpoint
from aagm.mcp.health import Connection
from aagm.mcp.instructions import instructions
from aagm.mcp.kernel import Kernel, OurKernel
from aagm.mcp.message import header
from aagm.mcp.prompts import Prompt, Prompts
from aagm.mcp.registry import Registry
from aagm.mcp.replies import dismiss, refuse, reply
from aagm.mcp.sessions import Sessions
from aagm.relay.ports import Clock

Admits = Callable[[str], bool]  # whether an origin that is not of this machine may ask
PageRefused = Callable[[str], None]

_STOPPING = "the relay is stopping and begins nothing more; call again once it is back"


def _nowhere(_origin: str) -> bool:
    """Admit no page but this machine's."""
    return False


def _unheard(_origin: str) -> None:
    """Tell nobody that a page was refused."""


@implementer(IResource)
@define(eq=False)
class Port:
    """The root resource: the door first, then the path."""

    _log = Logger()
    isLeaf = True  # noqa: N815 - twisted.web reads it

    endpoint: Endpoint
    connection: Connection
    control: Control | None
    admits: Admits
    page_refused: PageRefused
    _stops: bool = field(default=False, init=False)

    def render(self, request: Request) -> int:
        """Answer one HTTP request; whatever happens, with JSON."""
        try:
            return self._route(request)
        except Exception:  # noqa: BLE001 - last stop: twisted.web would write HTML
            self._log.failure("answering {path}", path=request.path)
            if not (request.finished or request.startedWriting):
                refuse(request, 500, "internal error; the relay's log has it")
            return NOT_DONE_YET

    def stop(self) -> None:
        """Begin nothing more: connections that are kept alive outlive the port."""
        self._stops = True

    def getChildWithDefault(  # noqa: N802
        self,
        name: bytes,  # noqa: ARG002 - there is nothing below
        request: Request,  # noqa: ARG002
    ) -> Port:
        """Give the resource below; there is none but this."""
        return self

    def putChild(  # noqa: N802
        self,
        path: bytes,
        child: IResource,  # noqa: ARG002 - none is taken
    ) -> None:
        """Take no resource below: `IResource` has this method, and nobody calls it.

        Raises:
            TypeError: Always.
        """
        raise TypeError(f"the paths of this port are fixed: {path!r} cannot be added")

    def _route(self, request: Request) -> int:
        origin = header(request, "origin")
        names = frozenset(
            name.decode("latin-1")
            for name, _ in request.requestHeaders.getAllRawHeaders()
        )
        target = request.uri.decode("latin-1")
        arrival = Arrival(header(request, "host"), origin, names, target)
        denial = judge(arrival, self.admits)
        if denial is not None:
            if origin is not None:
                self.page_refused(shown(origin))
            return dismiss(request, denial.status, denial.reason)
        if self._stops:
            return dismiss(request, 503, _STOPPING)
        if request.path == b"/mcp":
            return self.endpoint.render(request)
        if request.path == b"/healthz":
            return self._health(request)
        if self.control is not None and request.path.startswith(PREFIX):
            return self.control.render(request)
        return refuse(request, 404, "there is nothing here")

    def _health(self, request: Request) -> int:
        if request.method not in (b"GET", b"HEAD"):
            return refuse(request, 405, "GET the health", allow="GET, HEAD")
        return reply(request, 200, self.connection.health())


def mcp_port(
    clock: Clock,
    *,
    kernel: Kernel,
    connection: Connection,
    token: str | None = None,
    control: tuple[str, Mapping[str, Verb]] | None = None,
    admits: Admits = _nowhere,
    page_refused: PageRefused = _unheard,
) -> tuple[Port, Calls]:
    """Join the parts below the socket; any kernel will do."""
    sessions = Sessions(clock)
    calls = Calls(clock, kernel, sessions)
    port = Port(
        endpoint=Endpoint(calls, sessions, None if token is None else Bearer(token)),
        connection=connection,
        control=None if control is None else Control(Bearer(control[0]), control[1]),
        admits=admits,
        page_refused=page_refused,
    )
    return port, calls


def mcp_site(
    clock: Clock,
    *,
    registry: Registry,
    answers: Answers,
    connection: Connection,
    prompts: Iterable[Prompt] = (),
    token: str | None = None,
    control: tuple[str, Mapping[str, Verb]] | None = None,
    admits: Admits = _nowhere,
    page_refused: PageRefused = _unheard,
) -> LoopbackSite:
    """Make the factory that listens on the MCP port.

    Args:
        clock: The reactor.
        registry: The tools.
        answers: What the registry keeps its long answers in; emptied at the end.
        connection: The bridge, the member and the version.
        prompts: The prompts that clients may ask for.
        token: What every client must send as bearer; None: nothing.
        control: The bearer of ``/control/`` and its verbs by name.
        admits: Whether a page of that origin, not of this machine, may ask.
        page_refused: Told the origin of each page that was turned away.
    """
    kernel = OurKernel(
        member=connection.member,
        version=connection.version,
        instructions=instructions(connection.member),
        tools=registry,
        prompts=Prompts(prompts),
    )
    port, calls = mcp_port(
        clock,
        kernel=kernel,
        connection=connection,
        token=token,
        control=control,
        admits=admits,
        page_refused=page_refused,
    )

    def stop() -> None:
        port.stop()
        calls.stop()
        answers.stop()

    return LoopbackSite(port, clock, stop)
