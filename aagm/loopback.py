"""Which addresses, hosts and origins are ours; both ports ask here.

Pure: what a browser page can forge and what it cannot is decided on text alone.
Source: DESIGN section 7; WIRE sections 3 and 8; MCP_FACTS section 10.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from ipaddress import ip_address

from attrs import frozen

from aagm.errors import StartFault

_DEFAULT_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(
    r"(?P<host>\[[0-9a-f:.]+\]|[^\s:/?#@\[\]\\%,]+)(:(?P<port>[0-9]{1,5}))?"
)
_LAST_PORT = 0xFFFF
_BLANKS = " \t"  # what may stand around a header's value
_FORWARDED = ("forwarded", "via")
_LONGEST = 300  # characters of a header that anybody may have made up


@frozen
class Denial:
    """Why a request is turned away before it is read: HTTP status and sentence."""

    status: int
    reason: str


@frozen
class Authority:
    """A host and a port, as a Host header or an origin names them."""

    host: str  # lower case, IPv6 without its brackets
    port: int | None = None


@frozen
class Arrival:
    """What is known of an HTTP request before its body: all that `judge` reads.

    A header that was sent twice arrives joined with a comma, and is then nobody's;
    one that was sent empty is an empty text, and None only what was not sent.
    """

    host: str | None
    origin: str | None
    header_names: frozenset[str]
    target: str = "/"  # what the request line asks for


def is_loopback(address: str) -> bool:
    """Whether *address* is an IP address of this machine alone; a name is none."""
    try:
        ip = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    # Python 3.11 says of ::ffff:127.0.0.1 that it is not loopback.
    return (getattr(ip, "ipv4_mapped", None) or ip).is_loopback


def is_our_host(host: str) -> bool:
    """Whether the host of a URL is this machine: loopback addresses and localhost."""
    return host == "localhost" or is_loopback(host)


def parse_authority(text: str) -> Authority | None:
    """Parse ``host[:port]``, the value of a Host header; None when it is none."""
    found = _AUTHORITY.fullmatch(text.strip(_BLANKS).lower())
    if found is None:
        return None
    port = None if found["port"] is None else int(found["port"])
    if port is not None and port > _LAST_PORT:
        return None
    return Authority(found["host"].strip("[]"), port)


def parse_origin(text: str) -> str | None:
    """Write an Origin header in its one form, ``scheme://host[:port]``.

    Returns:
        Lower case, without the scheme's own port; None for ``null`` and for what
        is no http origin.
    """
    scheme, _, rest = text.strip(_BLANKS).lower().partition("://")
    if scheme not in _DEFAULT_PORTS or (authority := parse_authority(rest)) is None:
        return None
    host = f"[{authority.host}]" if ":" in authority.host else authority.host
    if authority.port in (None, _DEFAULT_PORTS[scheme]):
        return f"{scheme}://{host}"
    return f"{scheme}://{host}:{authority.port}"


def require_origin(option: str, text: str) -> str:
    """Parse the value of *option* as an origin; one slash at its end is forgiven.

    Raises:
        StartFault: It is none; names the option and the value.
    """
    origin = parse_origin(text.removesuffix("/"))
    if origin is None:
        raise StartFault(
            f"{option} must be an origin such as https://game.example:30000, not {text}"
        )
    return origin


def is_our_origin(origin: str) -> bool:
    """Whether *origin*, in its one form, is a page of this machine, at any port."""
    authority = parse_authority(origin.partition("://")[2])
    return authority is not None and authority.host in ("localhost", "127.0.0.1", "::1")


def forwarded_by(header_names: Iterable[str]) -> str | None:
    """Name the first header that only a proxy sends; None when there is none."""
    for name in header_names:
        lowered = name.lower()
        if lowered in _FORWARDED or lowered.startswith("x-forwarded-"):
            return lowered
    return None


def judge(arrival: Arrival, admits: Callable[[str], bool]) -> Denial | None:
    """Decide whether a request may be read.

    Args:
        arrival: The request's headers.
        admits: Whether an origin in its one form, not of this machine, is allowed.

    Returns:
        Why not; None when it may. A request without Origin may: it comes from no
        browser page, and is asked for a token later.
    """
    if (name := forwarded_by(sorted(arrival.header_names))) is not None:
        return Denial(403, f"the header {name} is a proxy's; only this machine may ask")
    if not (arrival.target.startswith("/") or arrival.target == "*"):
        # It stands above Host (RFC 9112 section 3.2.2), and only a proxy is asked so.
        return Denial(421, "the request line names a host; ask for the path alone")
    host = None if arrival.host is None else parse_authority(arrival.host)
    if host is None or not is_our_host(host.host):
        return Denial(421, "the Host header does not name this machine's loopback")
    if arrival.origin is None:
        return None
    origin = parse_origin(arrival.origin)
    if origin is None or not (is_our_origin(origin) or admits(origin)):
        return Denial(403, f"pages of {shown(arrival.origin)} may not connect")
    return None


def shown(origin: str) -> str:
    """Write an Origin header so that a person or a model may read it.

    Anybody may send any text there; only a true origin is repeated.
    """
    parsed = parse_origin(origin)
    if parsed is not None and parsed.isascii() and len(parsed) <= _LONGEST:
        return parsed
    return "null" if origin.strip(_BLANKS) == "null" else "an unreadable origin"
