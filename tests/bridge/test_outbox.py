"""A slow reader: what waits for it, and when enough is enough."""

from __future__ import annotations

import pytest
from attrs import define, field

from aagm.bridge.outbox import Outbox


@define(eq=False)
class Sink:
    """Where frames go; pauses its outbox after so many."""

    written: list[bytes] = field(factory=list)
    events: list[str] = field(factory=list)
    pauses_after: int = 1000
    outbox: Outbox = field(init=False)

    def write(self, frame):
        """Take a frame."""
        self.written.append(frame)
        if len(self.written) >= self.pauses_after:
            self.outbox.pauseProducing()


@pytest.fixture
def sink():
    """An outbox of 10 bytes, and what comes out of it."""
    sink = Sink()
    sink.outbox = Outbox(sink.write, 10, lambda: sink.events.append("overflow"))
    return sink


def test_a_fast_reader_gets_each_frame_at_once(sink):
    """Nothing waits while the transport takes it."""
    sink.outbox.send(b"a" * 100)
    assert sink.written == [b"a" * 100]
    assert sink.outbox.waiting == 0


def test_a_slow_reader_gets_them_later_in_order(sink):
    """While paused frames wait; on resuming they go in order, until paused again."""
    sink.outbox.pauseProducing()
    for frame in (b"one", b"two", b"3"):
        sink.outbox.send(frame)
    assert sink.written == []
    assert sink.outbox.waiting == 7

    sink.pauses_after = 2
    sink.outbox.resumeProducing()
    assert sink.written == [b"one", b"two"]
    assert sink.outbox.waiting == 1
    sink.outbox.resumeProducing()
    assert sink.written == [b"one", b"two", b"3"]


def test_a_reader_that_takes_nothing_is_given_up(sink):
    """Past the limit what waits is dropped, and it is said once."""
    sink.outbox.pauseProducing()
    for frame in (b"a" * 10, b"b", b"c"):
        sink.outbox.send(frame)
    assert sink.events == ["overflow"]
    assert sink.outbox.waiting == 0
    sink.outbox.resumeProducing()
    assert sink.written == []


def test_finishing_waits_for_what_was_sent(sink):
    """A close follows the frames before it, and nothing follows the close."""
    sink.outbox.pauseProducing()
    sink.outbox.send(b"one")
    sink.outbox.finish(lambda: sink.events.append("empty"))
    sink.outbox.send(b"two")
    assert sink.events == []
    sink.outbox.resumeProducing()
    sink.outbox.resumeProducing()
    assert (sink.written, sink.events) == ([b"one"], ["empty"])


def test_finishing_an_empty_box_is_at_once(sink):
    """With nothing to wait for the close goes out; a second one does not."""
    sink.outbox.finish(lambda: sink.events.append("empty"))
    sink.outbox.finish(lambda: sink.events.append("again"))
    assert sink.events == ["empty"]


def test_a_lost_transport_takes_nothing_more(sink):
    """What waits for a reader that is gone is forgotten."""
    sink.outbox.pauseProducing()
    sink.outbox.send(b"one")
    sink.outbox.stopProducing()
    sink.outbox.resumeProducing()
    sink.outbox.send(b"two")
    assert sink.written == []
