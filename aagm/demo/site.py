"""The demo's own page: static files, a code to pair with, and tasks to try.

Only this machine's own pages may ask: an invitation holds a pairing code.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from importlib.resources import files
from pathlib import Path

from attrs import define, frozen
from twisted.internet.defer import Deferred
from twisted.logger import Logger
from twisted.web.pages import errorPage, notFound
from twisted.web.resource import IResource, Resource
from twisted.web.server import NOT_DONE_YET, Request, Site
from twisted.web.static import File
from typing_extensions import override

from aagm.errors import AagmError
from aagm.foundry import module_folder, simulator_folder
from aagm.loopback import Arrival, judge
from aagm.wire.jsonrpc import Json, dumps

_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
}


@frozen
class Asks:
    """What the page may ask of the demo beyond files."""

    invite: Callable[[], Json]  # how to connect, with a fresh pairing code
    play: Callable[[str], Awaitable[Json]]  # do one of the tasks, by name


def demo_site(asks: Asks) -> Site:
    """Make what answers on the page's port."""
    page = _Folder(str(Path(str(files("aagm.demo"))) / "page"))
    page.putChild(b"module", _Folder(str(module_folder())))
    page.putChild(b"simulator", _Folder(str(simulator_folder())))
    page.putChild(b"invitation", _Ask(lambda _request: _now(asks.invite())))
    page.putChild(b"play", _Ask(lambda request: asks.play(_task(request))))
    return Site(_Gate(page))


async def _now(value: Json) -> Json:
    return value


def _task(request: Request) -> str:
    return b"".join(request.args.get(b"task", [])).decode("ascii", "replace")


class _Folder(File):
    """Files without a listing of folders, typed by us: a system's table may lack js."""

    contentTypes = _TYPES  # noqa: N815 - twisted.web reads this name

    @override
    def directoryListing(self) -> IResource:
        return notFound()


@define(eq=False, slots=False)
class _Ask(Resource):
    """Answer a POST with JSON."""

    _log = Logger()

    _answer: Callable[[Request], Awaitable[Json]]

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    def render_POST(self, request: Request) -> int:  # noqa: N802 - twisted.web's name
        """Answer once the answer is there."""
        Deferred.fromCoroutine(self._render(request)).addErrback(
            lambda failure: self._log.failure("while answering the page", failure)
        )
        return NOT_DONE_YET

    async def _render(self, request: Request) -> None:
        gone = request.notifyFinish()
        gone.addErrback(lambda _reason: None)
        try:
            answer = await self._answer(request)
        except AagmError as e:
            request.setResponseCode(502)
            answer = {"error": {"message": str(e)}}
        if not gone.called:
            request.setHeader(b"content-type", b"application/json")
            request.write(dumps(answer))
            request.finish()


@define(eq=False, slots=False)
class _Gate(Resource):
    """Let in what comes from a page of this machine, addressed to this machine."""

    isLeaf = False  # noqa: N815 - twisted.web reads this name

    _inside: Resource

    def __attrs_pre_init__(self) -> None:
        super().__init__()

    @override
    def getChildWithDefault(self, path: bytes, request: Request) -> IResource:
        headers = request.requestHeaders
        denial = judge(
            Arrival(
                host=_joined(headers.getRawHeaders("host")),
                origin=_joined(headers.getRawHeaders("origin")),
                header_names=frozenset(
                    name.decode("latin-1").lower()
                    for name, _ in headers.getAllRawHeaders()
                ),
                target=request.uri.decode("latin-1"),
            ),
            admits=lambda _origin: False,
        )
        if denial is not None:
            return errorPage(denial.status, "Refused", denial.reason)
        request.setHeader(b"cache-control", b"no-cache")
        child: IResource = self._inside.getChildWithDefault(path, request)
        return child


def _joined(values: Sequence[str] | None) -> str | None:
    return None if values is None else ",".join(values)
