"""What the session log says of the Foundry side."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.config import Limits
from aagm.errors import HandlerThrew, NoModule, TimeLimit
from aagm.members import KIMI
from aagm.relay.audited import AuditedBridge, AuditedEvents, audit_writes
from aagm.relay.rollback.desk import RollbackDesk, set_up
from aagm.relay.rollback.undo import UndoRequest
from aagm.relay.rollback.writes import Write
from aagm.testing import (
    FAMILY_HELLO,
    GM_HELLO,
    FakeBridge,
    FakeTab,
    MemoryDisk,
    RecordedEvents,
)


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
    [(_, method, params)] = bench.inner.notifications
    assert (method, params["entries"]) == ("rollback.entry", [{}, {}])


def test_long_tables_are_counted_not_copied(bench):
    """Tabs, cards and macros stand elsewhere; the log says how many there were."""
    bench.fake.connect(FakeTab(GM_HELLO, answers={"mirror.list": lambda _: MACROS}))
    bench.bridge.notify("aagm.tabs", {"tabs": [{"transcript": ["x" * 900] * 40}]})
    bench.call("mirror.list", {})
    assert bench.log[-3][1]["params"] == {"tabs": "1 tabs"}
    assert bench.log[-1][1]["result"] == {"macros": "2 macros"}


@pytest.mark.parametrize(
    ("method", "params", "event"),
    [
        (
            "damage",
            {"targets": ["a"], "amount": 3, "commit": False},
            ("damage.plan", {"targets": ["a"], "amount": 3}),
        ),
        (
            "loot.restore",
            {"eventIds": ["e1"]},
            ("loot.restore", {"events": ["e1"]}),
        ),
    ],
)
def test_what_the_family_names_has_its_name(bench, method, params, event):
    """A reader who knows the family's logs finds plans and restores."""
    bench.fake.connect(FakeTab(GM_HELLO, answers={method: lambda _: {}}))
    bench.call(method, params)
    assert bench.log[-1] == event


def test_settings_are_logged_as_they_change(bench):
    """Who turned the mirror on, and when, can be read."""
    tab = FakeTab(GM_HELLO)
    bench.fake.connect(tab)
    bench.fake.tell(tab, "settings.sync", {"mirrorEnabled": True})
    assert bench.log[-1] == ("settings.update", {"mirrorEnabled": True})


MACROS = {"macros": [{"name": "Heal"}, {"name": "Hurt"}]}
ENTRY = {
    "op": "update",
    "uuid": "Actor.a1",
    "documentName": "Actor",
    "name": "Old Pike",
    "before": {"name": "Pike"},
}


@define
class Desk:
    """Writes with a log in between, and a family's tab that answers at once."""

    clock: Clock = field(factory=Clock)
    disk: MemoryDisk = field(factory=MemoryDisk)
    log: list[tuple[str, dict]] = field(factory=list)
    desk: RollbackDesk = field(init=False)
    tab: FakeTab = field(init=False)

    def __attrs_post_init__(self):
        """Join them."""

        def audit(event, /, **fields):
            self.log.append((event, fields))

        bridge = FakeBridge(self.clock)
        self.tab = FakeTab(FAMILY_HELLO)
        bridge.connect(self.tab)
        self.desk = set_up(
            self.clock,
            lambda: 1_790_000_000.0,
            self.disk,
            bridge,
            folder=Path("/data"),
            limits=Limits(),
            member=KIMI,
        )
        audit_writes(self.desk, audit)

    def write(self, answer):
        """Do a write that the tab answers so."""
        self.tab.answers["eval"] = answer
        write = Write("eval", {"code": "x"}, kind="eval", summary="Rename Pike")
        self.desk.writes.queue(write).copy().addErrback(lambda _: None)

    @property
    def events(self):
        """The names of the events."""
        return [event for event, _ in self.log]

    def last(self, event):
        """The fields of the newest event of that name."""
        return [fields for name, fields in self.log if name == event][-1]


def test_a_write_its_turn_its_point_and_its_undo_are_logged():
    """The log tells when a write ran, what it left, and that it was taken back."""
    desk = Desk()
    desk.write(lambda _: {"ok": True, "rollback": {"entries": [ENTRY]}})
    assert desk.events == [
        "write.queue.start",
        "rollback.point",
        "write.queue.end",
        "write.result",
    ]
    point = desk.last("rollback.point")
    assert point["docs"] == ["update Actor Old Pike"]
    assert desk.last("write.result") == {
        "label": "Rename Pike",
        "point": point["id"],
        "ok": True,
    }
    row = {"uuid": "Actor.a1", "op": "update", "ok": True}
    desk.tab.answers["rollback.apply"] = lambda _: {"applied": [row]}
    desk.desk.undo.queue(UndoRequest(via="box"), by="gm")
    assert desk.last("rollback.applied") == {
        "id": point["id"],
        "what": "rolled-back",
        "state": "rolled-back",
        "via": "box",
    }


def test_a_write_that_failed_is_logged_with_its_reason():
    """Why nothing happened stands in the log."""
    desk = Desk()

    def threw(_params):
        raise HandlerThrew("Pike is gone")

    desk.write(threw)
    assert desk.last("write.result")["ok"] is False
    assert "Pike is gone" in desk.last("write.result")["message"]


def test_a_point_that_no_disk_takes_is_logged():
    """A point that lives in memory only is known as such."""
    desk = Desk()

    def fill(_params):
        desk.disk.is_full = True
        return {"ok": True, "rollback": {"entries": [ENTRY]}}

    desk.write(fill)
    assert "rollback.persist_error" in desk.events
    assert "rollback.point" not in desk.events
