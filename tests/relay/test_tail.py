"""Listening to the console: one subscription, never left behind."""

from __future__ import annotations

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import NoModule, TimeLimit
from aagm.relay.console import Filter
from aagm.relay.inbound import Inbound
from aagm.relay.tail import ConsoleTail
from aagm.testing import FakeBridge, FakeTab


@define
class Bench:
    """A console with a scripted tab."""

    clock: Clock = field(factory=Clock)
    inbound: Inbound = field(factory=Inbound)
    bridge: FakeBridge = field(init=False)
    console: ConsoleTail = field(init=False)
    tab: FakeTab = field(init=False)

    def __attrs_post_init__(self):
        """Connect the tab."""
        self.bridge = FakeBridge(self.clock, self.inbound)
        self.console = ConsoleTail(self.clock, self.bridge, read_seconds=30)
        self.console.listen_to(self.inbound)
        self.tab = self.make_tab()
        self.bridge.connect(self.tab)

    @staticmethod
    def make_tab():
        """Make a tab that is asked."""
        ok = {"logs.subscribe": lambda _: {"ok": True}}
        return FakeTab(answers=ok | {"logs.unsubscribe": lambda _: {"ok": True}})

    def opening(self, seconds=30, levels=None, pattern=None, heard=None):
        """Begin to listen."""
        wants = Filter.of(levels, pattern)
        heard = heard or (lambda _line: None)
        return Deferred.fromCoroutine(self.console.open(seconds, wants, heard))

    def open(self, *args, **options):
        """Listen."""
        got = []
        self.opening(*args, **options).addCallback(got.append)
        [tail] = got
        return tail

    def log(self, message, level="log", tab=None):
        """Let the page log."""
        params = {"level": level, "timestamp": 1, "source": "console"}
        tab = tab or self.tab
        self.bridge.tell(tab, "logs.entry", params | {"message": message})

    @property
    def asked(self):
        """What the tab was asked."""
        return [(each.method, each.params) for each in self.tab.asked]


@pytest.fixture
def bench():
    """A console; at the end no timer is left."""
    bench = Bench()
    yield bench
    bench.console.stop()
    bench.clock.advance(0)
    assert bench.clock.getDelayedCalls() == []


def messages(tail):
    """What a listener has got since."""
    return [entry["message"] for entry in tail.take()["entries"]]


ALL = ("logs.subscribe", {})
NONE = ("logs.unsubscribe", {})


def test_each_listener_has_its_own_filter_on_one_subscription(bench):
    """Several listen at once; the tab is asked once, and let go when all are done."""
    everything = bench.open(30)
    tides = bench.open(10, ["warn"], "tide")
    bench.log("the tide", "warn")
    bench.log("the bell", "warn")
    bench.log("the tide", "log")
    assert messages(tides) == ["the tide"]
    assert messages(everything) == ["the tide", "the bell", "the tide"]
    bench.clock.advance(10)
    assert (tides.is_over, everything.is_over) == (True, False)
    bench.log("later", "warn")
    assert bench.asked == [ALL]
    bench.clock.advance(20)
    assert bench.asked == [ALL, NONE]
    assert messages(everything) == ["later"]


def test_the_tab_sends_no_more_levels_than_are_wanted(bench):
    """A wider listener widens the subscription; a narrower one does not."""
    bench.open(30, ["error"])
    bench.open(30, ["warn", "error"])
    bench.open(30, ["warn"])
    assert bench.asked == [
        ("logs.subscribe", {"levels": ["error"]}),
        ("logs.subscribe", {"levels": ["error", "warn"]}),
    ]


def test_a_listener_is_told_each_line_as_it_comes(bench):
    """What is wanted is heard at once."""
    heard = []
    bench.open(30, None, "tide", heard=heard.append)
    bench.log("the tide")
    bench.log("the bell")
    assert [line.message for line in heard] == ["the tide"]


def test_many_lines_are_counted_not_kept(bench):
    """A page that floods its console does not fill the relay."""
    tail = bench.open(30)
    for n in range(2100):
        bench.log(str(n))
    answer = tail.take()
    assert (answer["count"], answer["leftOut"]) == (2000, 100)
    assert "leftOut" not in tail.take()


def test_a_wild_pattern_ends_its_listener_alone(bench):
    """One bad pattern does not take the lines from the others."""
    wild = bench.open(30, None, r"^(\w|\w\w|[a-z]+)+\d$")
    tame = bench.open(30)
    bench.log("a" * 200 + "!")
    bench.log("after")
    assert wild.is_over
    with pytest.raises(TimeLimit):
        wild.take()
    assert len(messages(tame)) == 2


def test_a_tab_that_comes_back_is_subscribed_again(bench):
    """A reload in the middle costs the lines of that moment, no more."""
    tail = bench.open(30)
    bench.log("before")
    bench.bridge.disconnect(bench.tab)
    bench.clock.advance(0)
    bench.tab = bench.make_tab()
    bench.bridge.connect(bench.tab)
    assert bench.asked == []  # its hello is to be answered first
    bench.clock.advance(0)
    assert bench.asked == [ALL]
    bench.log("after")
    assert messages(tail) == ["before", "after"]


def test_after_a_take_over_the_new_tab_is_listened_to(bench):
    """What the old tab still sends is not mixed in."""
    tail = bench.open(30)
    old, bench.tab = bench.tab, bench.make_tab()
    bench.bridge.tabs.insert(0, bench.tab)
    bench.bridge._choose_owner()
    bench.inbound.accepted(bench.tab)
    bench.clock.advance(0)
    assert bench.asked == [ALL]
    bench.log("old", tab=old)
    bench.log("new")
    assert messages(tail) == ["new"]


def test_a_tab_that_left_is_not_asked_to_stop(bench):
    """The module drops the subscription with its socket; the next tab has none."""
    tail = bench.open(30)
    bench.bridge.disconnect(bench.tab)
    bench.clock.advance(0)
    tail.end()
    bench.tab = bench.make_tab()
    bench.bridge.connect(bench.tab)
    bench.clock.advance(0)
    assert bench.asked == []


def test_without_a_tab_the_caller_gets_the_reason(bench):
    """Nobody waits thirty seconds for nothing."""
    bench.bridge.disconnect(bench.tab)
    failed = []
    bench.opening().addErrback(failed.append)
    assert failed[0].check(NoModule)


def test_a_caller_that_leaves_early_leaves_no_subscription(bench):
    """A cancel while the tab is asked ends it again."""
    bench.tab.answers["logs.subscribe"] = lambda _: Deferred()
    opening = bench.opening()
    opening.addErrback(lambda _: None)
    opening.cancel()
    assert bench.asked == [ALL, NONE]


def test_a_subscription_that_came_too_late_is_ended(bench):
    """A frozen page that wakes up does not send for ever."""
    answer: Deferred[object] = Deferred()
    bench.tab.answers["logs.subscribe"] = lambda _: answer
    failed = []
    bench.opening().addErrback(failed.append)
    bench.clock.advance(31)
    assert failed[0].check(TimeLimit)
    bench.log("nobody listens")
    bench.log("nobody listens")
    assert bench.asked == [ALL, NONE, NONE]


def test_a_refusal_keeps_what_was_there(bench):
    """A listener that cannot be had does not take another's lines."""
    first = bench.open(30, ["error"])
    bench.tab.answers["logs.subscribe"] = lambda _: Deferred()
    failed = []
    bench.opening(30).addErrback(failed.append)
    bench.clock.advance(30)
    assert failed
    assert first.is_over
    bench.tab.answers["logs.subscribe"] = lambda _: {"ok": True}
    bench.open(30)
    assert bench.asked[-1] == ALL


def test_no_more_than_so_many_listen_at_once(bench):
    """A client that forgets its calls does not fill the relay."""
    for _ in range(16):
        assert not bench.console.is_full
        bench.open(300)
    assert bench.console.is_full
