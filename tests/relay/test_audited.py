"""What the session log says of the Foundry side."""

from __future__ import annotations

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import NoModule, TimeLimit
from aagm.relay.audited import AuditedBridge, AuditedEvents
from aagm.testing import GM_HELLO, FakeBridge, FakeTab, RecordedEvents


@define
class Bench:
    """A memory bridge with a log in between."""

    clock: Clock = field(factory=Clock)
    log: list[tuple[str, dict]] = field(factory=list)
    late: list[object] = field(factory=list)
    inner: RecordedEvents = field(factory=RecordedEvents)
    fake: FakeBridge = field(init=False)
    bridge: AuditedBridge = field(init=False)

    def __attrs_post_init__(self):
        """Join them."""

        def audit(event, /, **fields):
            self.log.append((event, fields))

        self.fake = FakeBridge(self.clock, AuditedEvents(self.inner, audit))
        self.bridge = AuditedBridge(self.fake, audit)

    def call(self, method, params):
        """Ask the tab; gives what came, or the failure."""
        got = []
        work = self.bridge.call(method, params, limit=30, late=self.late.append)
        Deferred.fromCoroutine(work).addBoth(got.append)
        return got


@pytest.fixture
def bench():
    """A bridge without a tab."""
    return Bench()


def test_a_question_and_its_answer_are_logged(bench):
    """The log tells what was asked of Foundry and what came back."""
    bench.fake.connect(FakeTab(GM_HELLO, answers={"ping": lambda _: {"pong": True}}))
    bench.log.clear()
    assert bench.call("ping", {"x": 1}) == [{"pong": True}]
    assert bench.log == [
        ("cmd.out", {"method": "ping", "params": {"x": 1}}),
        ("cmd.ok", {"method": "ping", "result": {"pong": True}}),
    ]


def test_a_failure_is_logged_with_its_code(bench):
    """The log tells why a question failed."""
    [failure] = bench.call("ping", {})
    assert failure.check(NoModule)
    event, fields = bench.log[-1]
    assert (event, fields["code"]) == ("cmd.err", -33003)


def test_a_late_answer_is_logged_as_one(bench):
    """What came after its limit is in the log, and reaches whoever wants it."""
    answer: Deferred[object] = Deferred()
    bench.fake.connect(FakeTab(GM_HELLO, answers={"eval": lambda _: answer}))
    got = bench.call("eval", {"code": "1"})
    bench.clock.advance(31)
    assert got[0].check(TimeLimit)
    answer.callback({"ok": True})
    assert bench.log[-1] == (
        "cmd.ok",
        {"method": "eval", "result": {"ok": True}, "late": True},
    )
    assert bench.late == [{"ok": True}]


def test_tabs_come_and_go_in_the_log_without_their_token(bench):
    """Who was connected when, and no secret."""
    tab = FakeTab(GM_HELLO)
    bench.fake.connect(tab)
    bench.fake.disconnect(tab)
    assert [event for event, _ in bench.log] == [
        "bridge.connected",
        "bridge.disconnected",
    ]
    assert bench.log[0][1]["userName"] == GM_HELLO.user_name


def test_documents_of_a_recording_are_counted_not_copied(bench):
    """The log stays small while thousands of walls change."""
    tab = FakeTab(GM_HELLO)
    bench.fake.connect(tab)
    bench.fake.tell(tab, "rollback.entry", {"pointId": "rp-1", "entries": [{}, {}]})
    assert bench.log[-1] == (
        "notify",
        {
            "method": "rollback.entry",
            "params": {"pointId": "rp-1", "entries": "2 entries"},
        },
    )
    assert (
        bench.inner.told_of("rollback.entry")
        if hasattr(bench.inner, "told_of")
        else True
    )
