"""Who may come in: the hello, judged without a socket.

Pure. The sentences here are what a GM reads in the tab and an agent in
``foundry_ping``; a `Reason` holds no user's and no world's name, as ``/healthz``
repeats it.
Source: WIRE sections 1 to 3; PROTOCOL_FACTS sections 2.6 and 3.2.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import IntEnum
from http import HTTPStatus

from attrs import frozen

from aagm.errors import (
    AagmError,
    NoModule,
    NotGameMaster,
    PairingRequired,
    VersionMismatch,
)
from aagm.loopback import Denial, parse_origin, shown
from aagm.relay.ports import Reason
from aagm.wire.hello import FAMILY_PROTOCOL, PROTOCOL, Hello

PROTOCOLS = (FAMILY_PROTOCOL, PROTOCOL)


class Close(IntEnum):
    """Why the relay closes a WebSocket; `TOO_LARGE` is sent by autobahn itself."""

    GOING_AWAY = 1001
    TOO_LARGE = 1009
    INTERNAL = 1011
    NOT_HELLO = 4000
    REFUSED = 4001
    DUPLICATE = 4002
    NOT_LOOPBACK = 4003
    NOT_PAIRED = 4005
    VERSION = 4006
    TAKEN_OVER = 4007
    NO_HELLO = 4008


@frozen
class Refusal:
    """A hello turned away: what the tab is told, and what the agent is told.

    ``reason`` is None where another tab is connected, and nobody will ask why not.
    """

    error: AagmError
    close: Close
    reason: Reason | None


def judge_hello(
    hello: Hello, *, users: Collection[str] | None, relay_version: str
) -> Refusal | None:
    """Decide on all but the pairing; None when there is nothing against it.

    Args:
        hello: What the tab says of itself.
        users: The only user ids that may connect; None lets any GM.
        relay_version: For the sentence about versions.
    """
    if hello.protocol not in PROTOCOLS:
        return _other_version(hello, relay_version)
    if not hello.is_gm:
        return _not_gm("the user of this tab is not a GM", "Log in as a GM.")
    if users is not None and hello.user_id not in users:
        reason = Reason(
            "not_gm",
            "A tab was refused: its user is not among those the relay was given.",
            "Add the user's id to [users] in the relay's TOML, or remove that table.",
        )
        error = NoModule(
            "the relay's [users] table does not name this tab's user",
            fix=reason.fix,
            data={"reason": "unknown_user"},
        )
        return Refusal(error, Close.REFUSED, reason)
    return None


def not_a_hello(error: AagmError | None = None) -> Refusal:
    """Refuse a socket whose first frame is no hello; *error* if it is no message."""
    reason = Reason(
        "no_module",
        "Something connected that is not the Foundry module.",
        "Open the world as a GM with the module AAGM enabled.",
    )
    if error is None:
        error = NoModule(
            "the first message must be the request hello",
            data={"reason": "hello_first"},
        )
    return Refusal(error, Close.NOT_HELLO, reason)


def bad_hello(error: AagmError, *, names_user: bool) -> Refusal:
    """Refuse a hello that cannot be read; as in the family, 4001 without a user."""
    reason = Reason(
        "no_module",
        "A tab was refused: its hello could not be read.",
        "Update the module, or the relay.",
    )
    told = NoModule(str(error), fix=reason.fix, data={"reason": "bad_hello"})
    close = Close.NOT_HELLO if names_user else Close.REFUSED
    return Refusal(told, close, reason)


def unpaired(error: PairingRequired) -> Refusal:
    """Refuse a hello without a valid token or code; *error* says which."""
    reason = Reason(
        "not_paired",
        "A Foundry tab is there, but it is not paired with this relay.",
        error.fix,
    )
    told = PairingRequired(str(error), fix=error.fix, data={"reason": "not_paired"})
    return Refusal(told, Close.NOT_PAIRED, reason)


def duplicate() -> Refusal:
    """Refuse a family module's second tab of one user, as the family does."""
    error = NoModule(
        "this user has another tab that is connected",
        fix="Close one of the two tabs.",
        data={"reason": "duplicate_session"},
    )
    return Refusal(error, Close.DUPLICATE, None)


def origin_refused(denial: Denial, origin: str | None) -> Reason:
    """Say that a page, or a program, was turned away before it could speak."""
    page = None if origin is None else parse_origin(origin)
    if denial.status == HTTPStatus.FORBIDDEN and page is not None:
        return Reason(
            "origin_refused",
            f"A page of {shown(page)} was refused.",
            f"If that is your world, start the relay with --allow-origin {shown(page)},"
            " or pair the page with `aagm pair`.",
        )
    return Reason(
        "origin_refused",
        f"A connection was refused: {denial.reason}.",
        "Let the module dial 127.0.0.1, from a page with an address of its own.",
    )


def never_spoke(seconds: float) -> Reason:
    """Say that a socket was opened and nothing came."""
    return Reason(
        "no_module",
        f"Something connected and did not say hello within {seconds:g} s.",
        "Reload the Foundry tab.",
    )


def spoke_too_long(most: int) -> Reason:
    """Say that a first message was too large to be a hello."""
    return Reason(
        "no_module",
        f"Something connected whose first message has more than {most} bytes.",
        "Reload the Foundry tab.",
    )


def nobody_came(dial: str, page: str | None) -> Reason:
    """Say that no tab has tried, and where it should; *page* connects by itself."""
    fix = (
        "Open the world as a GM, with the module AAGM enabled there and its relay"
        f" address set to {dial}."
        if page is None
        else f"Open {page} in a browser: it connects by itself."
    )
    message = f"No Foundry tab is connected; the module should dial {dial}."
    return Reason("no_module", message, fix)


def coming_in() -> Reason:
    """Say that a tab is being let in at this moment."""
    return Reason(
        "resyncing", "A Foundry tab is just connecting.", "Ask again in a moment."
    )


def _not_gm(message: str, fix: str) -> Refusal:
    reason = Reason("not_gm", f"A tab was refused: {message}.", fix)
    error = NotGameMaster(message, fix=fix, data={"reason": "not_gm"})
    return Refusal(error, Close.REFUSED, reason)


def _other_version(hello: Hello, relay_version: str) -> Refusal:
    older = "relay" if hello.protocol > PROTOCOL else "module"
    spoken = " and ".join(map(str, PROTOCOLS))
    version = hello.module_version[:40] or "of unknown version"
    message = (
        f"the module {version} speaks protocol {hello.protocol},"
        f" the relay {relay_version} speaks {spoken}: update the {older}"
    )
    fix = f"Update the {older}."
    error = VersionMismatch(
        message,
        fix=fix,
        data={
            "reason": "version_mismatch",
            "update": older,
            "module": {"version": version, "protocol": hello.protocol},
            "relay": {"version": relay_version, "protocols": list(PROTOCOLS)},
        },
    )
    reason = Reason("version_mismatch", f"A tab was refused: {message}.", fix)
    return Refusal(error, Close.VERSION, reason)
