"""What the relay has to say reaches the GM, once."""

from __future__ import annotations

from aagm.relay.chat.notices import Notices
from aagm.testing import FakeTab


def said(world, tab):
    """What the relay said itself."""
    return [each["text"] for each in tab.told_of("aagm.reply") if each.get("system")]


def test_a_sentence_waits_for_a_tab(kimi):
    """What went wrong before Foundry was open is shown when it is, once."""
    world = kimi
    notices = Notices(world.clock, world.chat.box)
    world.bridge.disconnect(world.tab)
    notices.say("The log is full.")
    notices.say("The log is full.")
    tab = FakeTab()
    world.bridge.connect(tab)
    notices.accepted(tab)
    notices.accepted(tab)
    assert said(world, tab) == []  # its hello comes first
    world.clock.advance(0)
    assert said(world, tab) == ["The log is full."]
    notices.accepted(tab)
    world.clock.advance(0)
    assert said(world, tab) == ["The log is full."]


def test_with_a_tab_it_is_said_at_once(kimi):
    """Nothing waits while somebody is there."""
    world = kimi
    notices = Notices(world.clock, world.chat.box)
    notices.say("The log is full.")
    assert said(world, world.tab) == ["The log is full."]


def test_stopping_leaves_no_timer(kimi):
    """A relay that ends in between leaves nothing behind."""
    world = kimi
    world.clock.advance(1)
    notices = Notices(world.clock, world.chat.box)
    world.bridge.disconnect(world.tab)
    before = len(world.clock.getDelayedCalls())
    notices.say("The log is full.")
    notices.accepted(world.tab)
    assert len(world.clock.getDelayedCalls()) == before + 1  # it would be said
    notices.stop()
    assert len(world.clock.getDelayedCalls()) == before
