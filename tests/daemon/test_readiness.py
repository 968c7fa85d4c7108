"""systemd learns when the relay can be reached."""

from __future__ import annotations

import socket

import pytest

from aagm.daemon.readiness import notify


@pytest.mark.parametrize("is_abstract", [False, True])
def test_systemd_hears_of_it(tmp_path, is_abstract):
    """One datagram reaches the socket that systemd named."""
    path = str(tmp_path / "notify")
    name = f"@aagm-test{path}" if is_abstract else path
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.bind(name.replace("@", "\0", 1))
        notify("READY=1", {"NOTIFY_SOCKET": name})
        assert systemd.recv(100) == b"READY=1"


def test_without_systemd_nothing_is_sent():
    """Started by hand, there is nobody to tell."""
    notify("READY=1", {})
