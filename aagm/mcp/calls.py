"""Serve the requests of both eras: build what the kernel is asked, send what it says.

Source: MCP_FACTS section 5 and section 12, pitfalls 4, 8 and 9.
"""

from __future__ import annotations

from attrs import define, field
from twisted.internet.defer import CancelledError
from twisted.logger import Logger
from twisted.web.server import NOT_DONE_YET, Request

from aagm.errors import AagmError
from aagm.mcp import revisions
from aagm.mcp.caller import LEVELS
from aagm.mcp.exchange import Exchange
from aagm.mcp.kernel import Asked, Kernel
from aagm.mcp.sessions import Session, Sessions, made_up_id
from aagm.mcp.start import start
from aagm.relay.ports import Clock
from aagm.wire import jsonrpc
from aagm.wire.codes import internal, to_error
from aagm.wire.jsonrpc import Params

_DEFAULT_LEVEL = "info"  # of a handshake client that never set one


@define(eq=False)
class Calls:
    """The requests that are being answered."""

    _log = Logger()

    _clock: Clock
    _kernel: Kernel
    _sessions: Sessions
    _open: set[Exchange] = field(factory=set, init=False)

    def __len__(self) -> int:
        """Count the requests that are not settled yet."""
        return len(self._open)

    def modern(self, request: Request, message: jsonrpc.Request) -> int:
        """Answer a request that carries its envelope."""
        meta = revisions.meta_of(message.params)
        level = meta.get(revisions.LOG_LEVEL_KEY)
        exchange = Exchange(
            clock=self._clock,
            request=request,
            id=message.id,
            session=made_up_id(),
            done=self._open.discard,
            progress_token=_token(meta),
            level=level if level in LEVELS else None,
        )
        asked = Asked(
            method=message.method,
            params=message.params,
            revision=meta[revisions.VERSION_KEY],
            caller=exchange.caller,
        )
        return self._begin(exchange, asked)

    def handshake(
        self,
        request: Request,
        message: jsonrpc.Request,
        revision: str,
        session: Session | None,
    ) -> int:
        """Answer a request of a client that shook hands, or does now."""

        def done(exchange: Exchange) -> None:
            self._open.discard(exchange)
            if session is not None:
                session.ended(message.id, cancel)

        exchange = Exchange(
            clock=self._clock,
            request=request,
            id=message.id,
            session=made_up_id() if session is None else session.id,
            done=done,
            progress_token=_token(revisions.meta_of(message.params)),
            level=_DEFAULT_LEVEL if session is None else session.level,
        )
        cancel = exchange.cancel  # one object, so that it is found again
        asked = Asked(
            method=message.method,
            params=message.params,
            revision=revision,
            caller=exchange.caller,
            session=session,
        )
        if session is not None:
            session.began(message.id, cancel)
        return self._begin(exchange, asked)

    def stop(self) -> None:
        """Leave no call waiting and no timer behind."""
        for exchange in list(self._open):
            exchange.stop()

    def _begin(self, exchange: Exchange, asked: Asked) -> int:
        self._open.add(exchange)
        start(self._serve(exchange, asked), self._log, "answering a request")
        if not exchange.is_over:
            exchange.wait()
        return NOT_DONE_YET

    async def _serve(self, exchange: Exchange, asked: Asked) -> None:
        try:
            result = await self._kernel.answer(asked)
        except CancelledError:
            exchange.fail(internal())  # nobody reads it: who cancels has left
        except AagmError as e:
            error = to_error(e)
            exchange.fail(error, revisions.status_of(error["code"], asked.revision))
        except Exception:  # noqa: BLE001 - last stop: a bug must not leave a POST open
            self._log.failure("answering {method}", method=asked.method)
            exchange.fail(internal())
        else:
            if asked.method == "initialize":
                session = self._sessions.open(asked.revision)
                exchange.succeed(result, mcp_session_id=session.id)
            else:
                exchange.succeed(result)


def _token(meta: Params) -> str | int | None:
    token = meta.get("progressToken")
    is_one = isinstance(token, str | int) and not isinstance(token, bool)
    return token if is_one else None
