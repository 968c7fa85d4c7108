"""Several tabs: who owns the bridge, who replaces whom, who takes over."""

from __future__ import annotations

import pytest
from twisted.internet.defer import Deferred

from aagm.testing import RecordedEvents

SECOND = {"tabInstance": "00000000000000b2"}
OTHER = SECOND | {"userId": "gm2", "userName": "Ilse"}


def test_the_first_tab_owns_and_the_second_hears_who(bench):
    """A second GM's tab stays connected, idle, and is told who owns the bridge."""
    first = bench.dial().hello()
    second = bench.dial().hello(**OTHER)

    assert first.answer["owner"] is True
    assert "ownedBy" not in first.answer
    assert second.answer["owner"] is False
    assert second.answer["ownedBy"] == {
        "userName": "Marit",
        "since": "2027-01-15T08:00:00Z",
    }
    bench.service.notify("aagm.status", {"state": "ready"})
    bench.flush()
    assert len(first.told("aagm.status")) == 1
    assert second.told("aagm.status") == []
    assert [tab.is_owner for tab in bench.events.came] == [True, False]


def test_the_next_tab_owns_when_the_owner_leaves(bench):
    """The tab that came next takes the bridge, and everybody hears of it."""
    first = bench.dial().hello()
    second = bench.dial().hello(**OTHER)
    third = bench.dial().hello(tabInstance="00000000000000c3", userId="gm3")

    first.sendClose(1000)
    bench.flush()

    assert second.told("aagm.owner") == [{"owner": True, "userName": "Ilse"}]
    assert third.told("aagm.owner") == [{"owner": False, "userName": "Ilse"}]
    assert bench.service.owner is bench.events.came[1]
    ((gone, reason),) = bench.events.left
    assert gone is bench.events.came[0]
    assert "1000" in reason


def test_a_page_replaces_its_own_socket_at_once(bench):
    """A half-open socket does not lock its own page out, nor cost it the bridge."""
    first = bench.dial().hello()
    other = bench.dial().hello(**OTHER)
    first.is_mute = True
    outcomes = bench.call("eval")

    again = bench.dial().hello()

    assert again.answer["owner"] is True
    assert first.close_code == 1006
    assert other.told("aagm.owner") == []
    assert bench.service.owner is bench.events.came[2]
    assert bench.events.left[0][0] is bench.events.came[0]
    assert "connected anew" in str(outcomes[0])


def test_another_users_page_id_replaces_nobody(bench):
    """The page id alone gives no right over somebody else's tab."""
    first = bench.dial().hello()
    second = bench.dial().hello(userId="gm2")
    assert second.answer["owner"] is False
    assert first.close_code is None


def test_policy_that_fails_as_a_tab_leaves_harms_nobody(bench, logs, monkeypatch):
    """The next tab owns the bridge all the same."""
    first = bench.dial().hello()
    bench.dial().hello(**OTHER)
    monkeypatch.setattr(RecordedEvents, "gone", lambda *_: 1 / 0)
    first.sendClose(1000)
    bench.flush()
    monkeypatch.undo()
    assert bench.service.owner is bench.events.came[1]
    logs[:] = [e for e in logs if "log_failure" not in e]


def test_a_second_tab_of_one_user_waits_idle(bench):
    """A duplicated tab is another page: the first goes on, the second looks on."""
    first = bench.dial().hello()
    second = bench.dial().hello(**SECOND)
    assert second.answer["owner"] is False
    assert (first.close_code, second.close_code) == (None, None)


def test_a_dead_tab_of_the_same_user_is_replaced(bench):
    """When the old socket answers no ping for 2 s, the new tab takes its place."""
    first = bench.dial().hello()
    bench.dial().hello(**OTHER)
    first.is_mute = True
    second = bench.dial().hello(**SECOND)
    assert second.heard == []

    bench.advance(2)

    assert second.answer["owner"] is True
    assert first.close_code == 1006
    assert bench.events.left[0] == (bench.events.came[0], "the page connected anew")


def test_a_tab_that_dies_while_it_is_asked_is_not_waited_for(bench):
    """An old socket that closes meanwhile lets the new tab in at once."""
    first = bench.dial().hello()
    first.is_mute = True
    second = bench.dial().hello(**SECOND)
    first.dropConnection(abort=True)
    bench.flush()
    assert second.answer["owner"] is True


def test_a_family_modules_second_tab_is_closed_with_4002(bench):
    """A family module knows no idle tab: its duplicate is refused as in the family."""
    bench.dial().family_hello()
    second = bench.dial().family_hello()
    assert second.error["code"] == -33003
    assert second.error["data"]["reason"] == "duplicate_session"
    assert second.close_code == 4002
    assert bench.service.owner is bench.events.came[0]


def test_a_family_module_replaces_its_dead_socket(bench):
    """A family tab that was reloaded over a half-open socket is let in."""
    first = bench.dial().family_hello()
    first.is_mute = True
    second = bench.dial().family_hello()
    bench.advance(2)
    assert second.answer["owner"] is True


def test_another_users_family_module_is_let_in(bench):
    """Two GMs with family modules: the second sits idle until the first leaves."""
    bench.dial().family_hello()
    assert bench.dial().family_hello(userId="gm2").answer["owner"] is False


@pytest.fixture
def writing():
    """What the policy waits for before a tab is closed."""
    return Deferred()


@pytest.fixture
def shared(make_bench, writing):
    """A bridge that two GMs share, and the first one's tab has a write running."""

    async def when_written(_link):
        await writing

    return make_bench(when_written=when_written)


def test_a_take_over_lets_the_running_write_end(shared, writing):
    """New requests go to the new owner; the old tab answers its last, then 4007."""
    first = shared.dial().hello()
    running = shared.call("eval", {"code": "1"})
    second = shared.dial().hello(**OTHER, takeOver=True)

    assert second.answer["owner"] is True
    assert first.told("aagm.owner") == [{"owner": False, "userName": "Ilse"}]
    shared.call("ping")
    assert len(second.requests("ping")) == 1
    assert first.requests("ping") == []
    assert first.close_code is None

    (request,) = first.requests("eval")
    first.say({"id": request["id"], "result": {"ok": True}})
    assert running == [{"ok": True}]
    assert first.close_code is None  # its recording is not closed yet

    writing.callback(None)
    shared.flush()
    assert first.close_code == 4007
    assert second.close_code is None


def test_a_take_over_from_an_idle_tab_is_at_once(bench):
    """A tab that runs nothing is closed right away."""
    first = bench.dial().hello()
    second = bench.dial().hello(**OTHER, takeOver=True)
    assert first.close_code == 4007
    assert second.answer["owner"] is True
    assert bench.service.tabs == (bench.events.came[1],)


def test_a_take_over_waits_until_the_caller_has_its_answer(bench):
    """The write's caller goes on before its tab is closed."""
    first = bench.dial().hello()
    seen = []
    caller = Deferred.fromCoroutine(bench.service.call("eval", {}, limit=30))
    caller.addCallback(lambda _: seen.append(first.close_code))
    bench.flush()
    bench.dial().hello(**OTHER, takeOver=True)
    (request,) = first.requests("eval")
    first.say({"id": request["id"], "result": {}})
    assert seen == [None]
    assert first.close_code == 4007


def test_a_tab_that_takes_the_bridge_back_stays(shared, writing):
    """Who is the owner again when its write ends is not closed."""
    first = shared.dial().hello()
    shared.call("eval")
    shared.dial().hello(**OTHER, takeOver=True)
    again = shared.dial().hello(takeOver=True)

    writing.callback(None)
    shared.flush()

    assert first.close_code == 1006  # its page has another socket
    assert again.close_code is None
    assert shared.service.owner.hello.user_name == "Marit"


def test_taking_over_from_nobody_is_just_connecting(bench):
    """The first tab may say so too."""
    assert bench.dial().hello(takeOver=True).answer["owner"] is True


def test_a_refused_page_is_reported_to_the_gm_once(bench):
    """The GM reads of a foreign page one time, whatever it goes on trying."""
    for _ in range(3):
        bench.dial(origin="https://evil.example")
    page = bench.dial().hello()
    assert page.told("aagm.page.refused") == [
        {"origin": "https://evil.example", "count": 3}
    ]
    bench.dial(origin="https://evil.example")
    bench.dial(origin="https://worse.example")
    assert page.told("aagm.page.refused")[1:] == [
        {"origin": "https://worse.example", "count": 1}
    ]
    bench.service.page_refused("https://evil.example")  # as the MCP port does
    bench.service.page_refused("https://third.example")
    bench.flush()
    assert page.told("aagm.page.refused")[2:] == [
        {"origin": "https://third.example", "count": 1}
    ]
