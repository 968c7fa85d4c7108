"""A client of any revision is understood, and told exactly what it did wrong."""

from __future__ import annotations

from base64 import b64encode

import pytest
from mcp_types.version import (
    HANDSHAKE_PROTOCOL_VERSIONS,
    KNOWN_PROTOCOL_VERSIONS,
    MODERN_PROTOCOL_VERSIONS,
)

from aagm.mcp import revisions
from aagm.mcp.revisions import envelope_fault, is_modern, negotiate
from aagm.wire.jsonrpc import Request

META = {revisions.VERSION_KEY: "2026-07-28", revisions.CAPABILITIES_KEY: {}}
HEADERS = {
    "mcp-protocol-version": ["2026-07-28"],
    "mcp-method": ["tools/call"],
    "mcp-name": ["foundry_ping"],
}


def ask(meta=META, name="foundry_ping"):
    """Make a modern request."""
    return Request(1, "tools/call", {"name": name, "_meta": meta})


def fault(request, **changed):
    """Judge a request whose headers are right but for those *changed*."""
    headers = HEADERS | {k.replace("_", "-"): v for k, v in changed.items()}
    return envelope_fault(request, lambda name: headers.get(name, []))


def test_a_new_revision_trips_this_wire():
    """When the SDK learns a revision, somebody must look at what it changes here."""
    assert revisions.REVISIONS == KNOWN_PROTOCOL_VERSIONS
    assert revisions.HANDSHAKE == HANDSHAKE_PROTOCOL_VERSIONS
    assert revisions.MODERN == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize(
    ("method", "params", "version", "modern"),
    [
        ("tools/list", {}, None, False),
        ("tools/list", {}, "2025-06-18", False),
        ("tools/list", {}, "2026-07-28", True),
        ("tools/list", {"_meta": META}, None, True),
        ("tools/list", {"_meta": META}, "2025-11-25", True),
        ("tools/list", {"_meta": {"progressToken": 1}}, None, False),
        ("tools/list", {"_meta": 7}, None, False),
        ("initialize", {"_meta": META}, None, False),
        ("initialize", {}, "2026-07-28", True),
    ],
)
def test_the_era_of_a_request_is_seen(method, params, version, modern):
    """An envelope or a modern header make a request modern; a handshake never is."""
    assert is_modern(method, params, version) is modern


@pytest.mark.parametrize(
    ("asked", "given"),
    [
        ("2024-11-05", "2024-11-05"),
        ("2025-06-18", "2025-06-18"),
        ("2026-07-28", "2025-11-25"),
        ("1999-01-01", "2025-11-25"),
        (None, "2025-11-25"),
        (["2025-06-18"], "2025-11-25"),
    ],
)
def test_a_handshake_settles_on_what_both_know(asked, given):
    """A known revision is echoed; to any other our latest is offered."""
    assert negotiate(asked) == given


def test_a_right_envelope_passes():
    """A request whose headers repeat its body has no fault."""
    assert fault(ask()) is None
    assert fault(ask({**META, "progressToken": 3})) is None


def test_a_name_may_come_in_base64():
    """A name that no header can carry is compared after decoding."""
    coded = "=?base64?" + b64encode("Anführer".encode()).decode() + "?="
    assert fault(ask(name="Anführer"), mcp_name=[coded]) is None
    assert fault(ask(name="Anführer"), mcp_name=["=?base64?%%?="]).code == -32020
    assert fault(ask(name="Anführer"), mcp_name=["=?base64?/w==?="]).code == -32020


@pytest.mark.parametrize(
    "changed",
    [
        {"mcp_protocol_version": []},
        {"mcp_protocol_version": ["2025-11-25"]},
        {"mcp_protocol_version": ["2026-07-28", "2026-07-28"]},
        {"mcp_method": ["tools/list"]},
        {"mcp_method": []},
        {"mcp_name": ["foundry_eval"]},
        {"mcp_name": []},
        {"mcp_name": ["foundry_ping", "foundry_ping"]},
    ],
)
def test_headers_that_say_otherwise_are_refused(changed):
    """A proxy that read the headers must not have been lied to."""
    refusal = fault(ask(), **changed)
    assert (refusal.status, refusal.code) == (400, -32020)


@pytest.mark.parametrize(
    ("meta", "named"),
    [
        ({revisions.VERSION_KEY: "2026-07-28"}, "clientCapabilities"),
        ({revisions.CAPABILITIES_KEY: {}}, "protocolVersion"),
        ({}, "protocolVersion"),
    ],
)
def test_an_envelope_with_a_gap_is_refused_first(meta, named):
    """What is missing in the body is named before the headers are looked at."""
    refusal = fault(ask(meta), mcp_protocol_version=[])
    assert (refusal.status, refusal.code) == (400, -32602)
    assert named in refusal.message


def test_an_unknown_revision_is_refused_with_those_we_know():
    """A client of the future learns what it can fall back to."""
    meta = META | {revisions.VERSION_KEY: "2031-01-01"}
    refusal = fault(ask(meta), mcp_protocol_version=["2031-01-01"])
    assert (refusal.status, refusal.code) == (400, -32022)
    assert refusal.data == {"supported": ["2026-07-28"], "requested": "2031-01-01"}


def test_only_the_modern_era_has_http_statuses_for_errors():
    """An unknown method is 404 there; the handshake era answers 200 as ever."""
    assert revisions.status_of(-32601, "2026-07-28") == 404
    assert revisions.status_of(-32602, "2026-07-28") == 400
    assert revisions.status_of(-33005, "2026-07-28") == 200
    assert revisions.status_of(-32601, "2025-11-25") == 200
