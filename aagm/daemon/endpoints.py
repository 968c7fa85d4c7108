"""Listen on loopback only, whatever the endpoint string says.

Source: DESIGN section 7; MCP_FACTS section 10.
"""

from __future__ import annotations

import errno
import os
import socket
from typing import Any

from attrs import frozen
from twisted.internet.address import IPv4Address, IPv6Address, UNIXAddress
from twisted.internet.endpoints import (
    AdoptedStreamServerEndpoint,
    TCP4ServerEndpoint,
    TCP6ServerEndpoint,
    UNIXServerEndpoint,
    serverFromString,
)
from twisted.internet.interfaces import IListeningPort, IStreamServerEndpoint

from aagm.daemon.run_file import find, run_folders
from aagm.errors import StartFault
from aagm.loopback import is_loopback

FOUNDRY_PORT = 30000
LAST_PORT = 65535
ANY_PORT = ":0"  # how an address ends whose port the system chooses


@frozen
class LoopbackEndpoint:
    """An endpoint of which we know that only this machine reaches it."""

    name: str  # the option it was given with
    description: str
    address: str  # as ``host:port`` or a path
    endpoint: IStreamServerEndpoint


def loopback_endpoint(reactor: Any, name: str, description: str) -> LoopbackEndpoint:
    """Parse *description*, given as option *name*, and try its address.

    Raises:
        StartFault: It is no endpoint, not loopback, Foundry's port, or busy.
    """
    try:
        endpoint = serverFromString(reactor, description)
    except Exception as e:  # parsers raise what they like: KeyError, TypeError, …
        raise StartFault(
            f"{name}: {description!r} is no endpoint; one looks like"
            " tcp:7898:interface=127.0.0.1"
        ) from e
    match endpoint:
        case TCP4ServerEndpoint() | TCP6ServerEndpoint():
            # Twisted has no public name for either.
            host, port = endpoint._interface, endpoint._port  # noqa: SLF001
            address = _check_tcp(name, description, host, port)
        case AdoptedStreamServerEndpoint():
            address = _check_inherited(name, description, endpoint.fileno)
        case UNIXServerEndpoint():
            address = os.fsdecode(endpoint._address)  # noqa: SLF001
        case _:
            raise StartFault(f"{name}: {description} is not a loopback endpoint")
    return LoopbackEndpoint(name, description, address, endpoint)


def busy(name: str, description: str, address: str, error: OSError) -> StartFault:
    """Say why *address* cannot be listened on, and who has it if it is one of us."""
    another = f"give another with --{name}"
    if error.errno != errno.EADDRINUSE:
        why = error.strerror or str(error)
        return StartFault(
            f"{name}: {description} cannot be listened on: {why}; {another}"
        )
    for each in find(run_folders()):
        if address in (each.bridge, each.mcp):
            return StartFault(
                f"{name}: {description} is busy: the relay {each.version} of"
                f" {each.member} has it, pid {each.pid}; stop that one, or {another}"
            )
    return StartFault(
        f"{name}: {description} is busy; stop the program that listens there,"
        f" or {another}"
    )


def require_apart(at: LoopbackEndpoint, **others: str) -> None:
    """Look whether *at* is one of the addresses of *others*, by their names.

    Raises:
        StartFault: It is; each alone was free.
    """
    for name, address in others.items():
        if at.address == address and not address.endswith(ANY_PORT):
            raise StartFault(
                f"{at.name}: {at.description} is the same address as {name}; give"
                f" another with --{at.name}"
            )


def address_of(port: IListeningPort) -> str:
    """Write where *port* listens as ``host:port`` or a path."""
    match port.getHost():
        case IPv4Address(host=host, port=number) | IPv6Address(host=host, port=number):
            return _written(host, number)
        case UNIXAddress(name=name):
            return os.fsdecode(name or b"")
        case other:
            return str(other)


def require_loopback(at: LoopbackEndpoint, port: IListeningPort) -> None:
    """Look once more, at what is really listening.

    Raises:
        StartFault: It is not loopback.
    """
    host = port.getHost()
    if isinstance(host, IPv4Address | IPv6Address) and not is_loopback(host.host):
        raise StartFault(f"{at.name}: {at.description} listens on {host.host}")


def _written(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def _check_tcp(name: str, description: str, interface: str, port: int) -> str:
    if not is_loopback(interface):
        where = f"on {interface}" if interface else "on every interface"
        raise StartFault(
            f"{name}: {description} listens {where}, not on loopback only;"
            " add :interface=127.0.0.1"
        )
    if not 0 <= port <= LAST_PORT:
        raise StartFault(f"{name}: {port} is no port; ports go up to {LAST_PORT}")
    if port == FOUNDRY_PORT:
        raise StartFault(
            f"{name}: port {port} is Foundry VTT's own port {FOUNDRY_PORT};"
            " give the relay another"
        )
    address = _written(interface, port)
    family = socket.AF_INET6 if ":" in interface else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as trial:
        if os.name == "posix":  # as Twisted does; elsewhere it would share the port
            trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((interface, port))
        except OSError as e:
            raise busy(name, description, address, e) from e
    return address


def _check_inherited(name: str, description: str, fileno: int) -> str:
    """Look at a socket that systemd passed: it may be bound anywhere."""
    with socket.socket(fileno=os.dup(fileno)) as inherited:
        address = inherited.getsockname()
        if inherited.family == socket.AF_UNIX:
            return os.fsdecode(address)
        if is_loopback(address[0]):
            return _written(address[0], address[1])
    raise StartFault(
        f"{name}: {description} listens on {address[0]}, not on loopback only"
    )
