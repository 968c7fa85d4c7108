"""``POST /control/<verb>``: how the ``aagm`` command reaches a running relay.

Source: WIRE section 7.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

from attrs import define
from twisted.logger import Logger
from twisted.web.server import NOT_DONE_YET, Request

from aagm.errors import AagmError, BadParams, Unparseable
from aagm.mcp.bearer import Bearer
from aagm.mcp.message import body_of
from aagm.mcp.replies import refuse, reply
from aagm.mcp.start import start
from aagm.wire.codes import internal, to_error
from aagm.wire.jsonrpc import Json, Params, loads

PREFIX = b"/control/"

Verb = Callable[[Params], Awaitable[Json]]


@define(eq=False)
class Control:
    """The verbs by name. Without the token there is nothing to see here."""

    _log = Logger()

    _token: Bearer
    _verbs: Mapping[str, Verb]

    def render(self, request: Request) -> int:
        """Run the verb that the path names and answer with what it gives."""
        name = request.path.removeprefix(PREFIX).decode("latin-1")
        if not self._token.admits(request):
            return refuse(request, 404, "there is nothing here")
        if (verb := self._verbs.get(name)) is None:
            return refuse(request, 404, f"there is no verb {name}")
        if request.method != b"POST":
            return refuse(request, 405, "POST a verb", allow="POST")
        start(self._run(request, verb), self._log, "running a verb")
        return NOT_DONE_YET

    async def _run(self, request: Request, verb: Verb) -> None:
        gone: list[object] = []
        request.notifyFinish().addErrback(gone.append)
        status, body = await self._outcome(verb, body_of(request))
        if not gone:
            reply(request, status, body)

    async def _outcome(self, verb: Verb, body: bytes) -> tuple[int, Json]:
        """Give the HTTP status and the JSON to answer with."""
        try:
            params = loads(body) if body else {}
            if not isinstance(params, dict):
                raise BadParams("the body must be a JSON object")  # noqa: TRY301
            return 200, await verb(params)
        except (BadParams, Unparseable) as e:
            return 400, {"error": to_error(e)}
        except AagmError as e:
            return 409, {"error": to_error(e)}
        except Exception:  # noqa: BLE001 - last stop: its text is not for the wire
            self._log.failure("running a verb")
            return 500, {"error": internal()}
