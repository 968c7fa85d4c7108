"""What breaks at a random moment loses nothing and doubles nothing."""

from __future__ import annotations

import faults


def test_relay_tab_and_socket_break_and_nothing_is_lost_or_doubled(capsys):
    """Three rounds of `python -m tests.faults`; whoever has time plays fifty."""
    assert faults.play(3, first_seed=1) == (0, 0), capsys.readouterr().out
