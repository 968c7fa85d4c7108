"""A part begins and ends with the relay."""

from __future__ import annotations

import pytest

from aagm.errors import DiskFault, StartFault
from aagm.parts.service import Part


def test_what_cannot_be_read_stops_the_start_with_its_cure():
    """The person who starts the relay learns what to do, and not only what is wrong."""

    def begin():
        raise DiskFault("state cannot be listed", fix="Let the relay read it.")

    with pytest.raises(StartFault, match="state cannot be listed") as fault:
        Part(begin).startService()
    assert fault.value.fix == "Let the relay read it."
