"""The memory twins do what the ports of policy promise."""

from __future__ import annotations

from pathlib import Path

import pytest
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import (
    BridgeLost,
    DiskFault,
    MethodUnknown,
    NoModule,
    ProtectedDocument,
    TimeLimit,
)
from aagm.testing import Asked, FakeBridge, FakeTab, MemoryDisk, RecordedEvents, Told

JOURNAL = Path("state/journal/rp-000001.jsonl")


@pytest.fixture
def clock():
    """Time that only the test moves."""
    return Clock()


@pytest.fixture
def events():
    """What the bridge told policy."""
    return RecordedEvents()


@pytest.fixture
def bridge(clock, events):
    """A bridge without sockets."""
    return FakeBridge(clock, events)


def start(coroutine):
    """Start a coroutine and hand out what it comes to."""
    d = Deferred.fromCoroutine(coroutine)
    outcomes = []
    d.addBoth(lambda result: outcomes.append(getattr(result, "value", result)))
    return outcomes


def failing(error):
    """Make a script that raises *error*."""

    def script(_params):
        raise error

    return script


def test_a_scripted_tab_answers(bridge, clock):
    """What the script says is what the caller gets, and the question is kept."""
    tab = FakeTab(answers={"query.actor": lambda p: {"actorId": p["actorId"]}})
    bridge.connect(tab)

    outcomes = start(bridge.call("query.actor", {"actorId": "a1"}, limit=30))

    assert outcomes == [{"actorId": "a1"}]
    assert tab.asked == [Asked("query.actor", {"actorId": "a1"}, 30)]
    assert tab.asked_of("query.actor") == [{"actorId": "a1"}]
    assert clock.getDelayedCalls() == []


def test_a_scripted_error_reaches_the_caller(bridge):
    """What the script raises is raised where it was asked."""
    error = ProtectedDocument("that journal is protected")
    bridge.connect(FakeTab(answers={"eval": failing(error)}))
    assert start(bridge.call("eval", {}, limit=30)) == [error]

    (unknown,) = start(bridge.call("ping", {}, limit=30))
    assert isinstance(unknown, MethodUnknown)


def test_what_is_no_json_does_not_pass(bridge):
    """A test that sends a set or gets a set back is told at once."""
    bridge.connect(FakeTab(answers={"eval": lambda _: {1, 2}}))
    (outcome,) = start(bridge.call("eval", {}, limit=30))
    assert isinstance(outcome, TypeError)
    (outcome,) = start(bridge.call("eval", {"code": {1}}, limit=30))
    assert isinstance(outcome, TypeError)


def test_a_hanging_answer_meets_its_limit_and_comes_late(bridge, clock):
    """The caller gets the limit's error; the answer, once there, goes to *late*."""
    answer, late = Deferred(), []
    bridge.connect(FakeTab(answers={"eval": lambda _: answer}))
    outcomes = start(bridge.call("eval", {}, limit=30, late=late.append))

    clock.advance(29.9)
    assert outcomes == []
    clock.advance(0.1)
    assert [type(each) for each in outcomes] == [TimeLimit]
    assert late == []

    answer.callback({"ok": True})
    assert late == [{"ok": True}]


def test_a_leaving_tab_fails_what_it_was_asked(bridge, clock, events):
    """Everything pending fails at once, and nothing of it comes late."""
    answer, late = Deferred(), []
    tab = FakeTab(answers={"eval": lambda _: answer})
    bridge.connect(tab)
    outcomes = start(bridge.call("eval", {}, limit=30, late=late.append))

    bridge.disconnect(tab, "socket cut")

    assert [type(each) for each in outcomes] == [BridgeLost]
    assert events.left == [(tab, "socket cut")]
    assert clock.getDelayedCalls() == []
    answer.callback({})
    assert late == []


def test_without_a_tab_the_reason_is_given(bridge):
    """A call with nobody connected says why nobody is."""
    (error,) = start(bridge.call("ping", {}, limit=30))
    assert isinstance(error, NoModule)
    assert error.data == {"reason": bridge.why_not().code}
    bridge.notify("aagm.status", {"state": "ready"})


def test_the_first_tab_owns_and_the_next_follows(bridge, events):
    """Requests and notifications go to the first tab; when it leaves, to the next."""
    events.extra = {"resend": []}
    first, second = FakeTab(), FakeTab(session_id="sess-2")
    assert bridge.connect(first) == {"resend": []}
    bridge.connect(second)
    assert (first.is_owner, second.is_owner) == (True, False)

    bridge.notify("aagm.status", {"state": "ready"})
    bridge.disconnect(first)
    bridge.notify("aagm.status", {"state": "no-listener"})
    first.notify("aagm.status", {"state": "lost"})

    assert first.told == [Told("aagm.status", {"state": "ready"})]
    assert second.told_of("aagm.status") == [{"state": "no-listener"}]
    assert (first.is_owner, second.is_owner) == (False, True)
    assert events.came == [first, second]


def test_a_tab_tells_and_asks(bridge, events):
    """What a tab sends reaches policy, and policy's answer reaches the tab."""
    tab = FakeTab()
    bridge.connect(tab)
    events.answers["aagm.rollback.request"] = lambda p: {"target": p["pointId"]}

    bridge.tell(tab, "aagm.prompt", {"text": "light the hearth"})
    asked = start(bridge.ask(tab, "aagm.rollback.request", {"pointId": "rp-000001"}))
    unknown = start(bridge.ask(tab, "nonsense", {}))

    assert events.notifications == [(tab, "aagm.prompt", {"text": "light the hearth"})]
    assert asked == [{"target": "rp-000001"}]
    assert isinstance(unknown[0], MethodUnknown)


@pytest.fixture
def disk():
    """A disk without a platter."""
    return MemoryDisk()


def test_the_disk_keeps_what_was_written(disk):
    """Appending adds, replacing replaces, removing removes, and folders list names."""
    disk.append(JOURNAL, b"one\n")
    disk.append(JOURNAL, b"two\n")
    assert start(disk.replace(Path("state/tabs.json"), b"{}")) == [None]
    assert disk.read(JOURNAL) == b"one\ntwo\n"
    assert disk.names(Path("state")) == ["journal", "tabs.json"]
    assert disk.names(Path("Logs")) == []

    disk.remove(JOURNAL)
    disk.remove(JOURNAL)
    with pytest.raises(FileNotFoundError):
        disk.read(JOURNAL)
    assert disk.written == [
        ("append", JOURNAL),
        ("append", JOURNAL),
        ("replace", Path("state/tabs.json")),
        ("remove", JOURNAL),
    ]


@pytest.mark.parametrize("fault", ["is_full", "is_read_only"])
def test_a_refused_write_leaves_the_file(disk, fault):
    """On a full or read-only disk a write fails and the file is as before."""
    disk.append(JOURNAL, b"one\n")
    setattr(disk, fault, True)

    with pytest.raises(DiskFault):
        disk.append(JOURNAL, b"two\n")
    (error,) = start(disk.replace(JOURNAL, b"other"))

    assert isinstance(error, DiskFault)
    assert disk.read(JOURNAL) == b"one\n"


def test_a_disk_fills_up(disk):
    """What still fits is written, what does not is refused."""
    disk.room = 5
    disk.append(JOURNAL, b"one\n")
    with pytest.raises(DiskFault):
        disk.append(JOURNAL, b"two\n")
    assert disk.read(JOURNAL) == b"one\n"


def test_a_killed_append_tears_the_last_line(disk):
    """Only the last line suffers when the relay is killed while it appends."""
    disk.append(JOURNAL, b"first line\n")
    disk.append(JOURNAL, b"second line\n")
    disk.tear(JOURNAL)
    assert disk.read(JOURNAL) == b"first line\nsecond"


def test_a_held_disk_writes_when_it_is_released(disk):
    """A slow disk keeps every writer waiting, and then writes in order."""
    disk.hold()
    first = start(disk.replace(JOURNAL, b"one"))
    second = start(disk.replace(JOURNAL, b"two"))
    assert (first, second, disk.files) == ([], [], {})
    disk.release()
    assert (first, second) == ([None], [None])
    assert disk.read(JOURNAL) == b"two"
