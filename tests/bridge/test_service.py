"""What policy may rely on, over real frames and over the memory twin alike."""

from __future__ import annotations

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import BridgeLost, HandlerThrew, NoModule, TimeLimit
from aagm.testing import FakeBridge, FakeTab, RecordedEvents


def outcome(coroutine):
    """Start a coroutine and give the list that its outcome will be put into."""
    outcomes = []
    d = Deferred.fromCoroutine(coroutine)
    d.addBoth(lambda result: outcomes.append(getattr(result, "value", result)))
    return outcomes


@define(eq=False)
class Real:
    """The bridge over memory sockets, driven as the contract needs it."""

    bench: object
    pages: list = field(factory=list)

    @property
    def port(self):
        """What policy holds."""
        return self.bench.service

    @property
    def events(self):
        """What policy hears."""
        return self.bench.events

    def connect(self):
        """Let a tab in."""
        number = len(self.pages)
        page = self.bench.dial().hello(
            userId=f"gm{number}", tabInstance=f"{number:016}"
        )
        self.pages.append(page)
        return page

    def disconnect(self, page):
        """Cut its socket."""
        page.dropConnection(abort=True)
        self.bench.flush()

    def call(self, method, *, limit=30, late=None):
        """Ask."""
        outcomes = outcome(self.port.call(method, {"n": 1}, limit=limit, late=late))
        self.bench.flush()
        return outcomes

    def answer(self, page, method, result=None, error=None):
        """Answer the oldest request."""
        id_ = page.requests(method)[0]["id"]
        page.say({"id": id_, **({"error": error} if error else {"result": result})})

    def told(self, page, method):
        """List what a tab was told."""
        self.bench.flush()
        return page.told(method)

    def tell(self, page, method, params):
        """Let a tab tell."""
        page.tell(method, **params)

    def advance(self, seconds):
        """Let time pass."""
        self.bench.advance(seconds)


@define(eq=False)
class Twin:
    """The memory twin, driven the same way."""

    clock: Clock = field(factory=Clock)
    events: RecordedEvents = field(factory=RecordedEvents)
    port: FakeBridge = field(init=False)
    answers: dict = field(factory=dict)

    def __attrs_post_init__(self):
        """Make the twin."""
        self.port = FakeBridge(self.clock, self.events)

    def connect(self):
        """Let a tab in."""
        tab = FakeTab()
        tab.answers["eval"] = lambda _: self.answers.setdefault(id(tab), Deferred())
        self.port.connect(tab)
        return tab

    def disconnect(self, tab):
        """Take it away."""
        self.port.disconnect(tab)

    def call(self, method, *, limit=30, late=None):
        """Ask."""
        return outcome(self.port.call(method, {"n": 1}, limit=limit, late=late))

    def answer(self, tab, _method, result=None, error=None):
        """Answer the request."""
        if error is None:
            self.answers[id(tab)].callback(result)
        else:
            self.answers[id(tab)].errback(HandlerThrew(error["message"]))

    def told(self, tab, method):
        """List what a tab was told."""
        return tab.told_of(method)

    def tell(self, tab, method, params):
        """Let a tab tell."""
        self.port.tell(tab, method, params)

    def advance(self, seconds):
        """Let time pass."""
        self.clock.advance(seconds)


@pytest.fixture(params=["real", "twin"])
def side(request, make_bench):
    """The Foundry side, real and played."""
    return Real(make_bench()) if request.param == "real" else Twin()


def test_an_answer_comes_back(side):
    """What the tab answers is what policy gets."""
    tab = side.connect()
    outcomes = side.call("eval")
    side.answer(tab, "eval", {"ok": True})
    assert outcomes == [{"ok": True}]


def test_an_error_comes_back(side):
    """What the module throws is raised."""
    tab = side.connect()
    outcomes = side.call("eval")
    side.answer(tab, "eval", error={"code": -33002, "message": "boom"})
    assert isinstance(outcomes[0], HandlerThrew)
    assert str(outcomes[0]) == "boom"


def test_a_limit_passes_and_the_answer_comes_late(side):
    """At the limit the caller is told; the answer goes to whoever waits for it."""
    late = []
    tab = side.connect()
    outcomes = side.call("eval", limit=30, late=late.append)
    side.advance(29)
    assert outcomes == []
    side.advance(1)
    assert isinstance(outcomes[0], TimeLimit)
    side.answer(tab, "eval", {"ok": True})
    assert late == [{"ok": True}]


def test_a_tab_that_goes_fails_its_calls(side):
    """Policy hears of it once, and whatever waited fails at once."""
    tab = side.connect()
    outcomes = side.call("eval")
    side.disconnect(tab)
    assert isinstance(outcomes[0], BridgeLost)
    assert len(side.events.left) == 1
    assert side.events.left[0][0] is side.events.came[0]
    assert side.port.owner is None


def test_the_first_owns_and_the_next_follows(side):
    """Requests and notifications go to one tab at a time."""
    first, second = side.connect(), side.connect()
    assert [link.is_owner for link in side.events.came] == [True, False]
    side.port.notify("aagm.status", {"state": "ready"})
    assert side.told(first, "aagm.status") == [{"state": "ready"}]
    side.disconnect(first)
    assert side.port.owner is side.events.came[1]
    side.port.notify("aagm.status", {"state": "no-listener"})
    assert side.told(second, "aagm.status") == [{"state": "no-listener"}]


def test_a_notification_names_its_tab(side):
    """Policy hears from an idle tab too, and can tell which it was."""
    side.connect()
    second = side.connect()
    side.tell(second, "aagm.prompt", {"text": "light the hearth"})
    ((link, method, params),) = side.events.notifications
    assert link is side.events.came[1]
    assert (method, params) == ("aagm.prompt", {"text": "light the hearth"})


def test_with_nobody_there_the_reason_is_given(side):
    """No tab is an error with a reason, and a notification to nobody is dropped."""
    (error,) = side.call("ping")
    assert isinstance(error, NoModule)
    assert error.data == {"reason": side.port.why_not().code}
    side.port.notify("aagm.status", {"state": "ready"})


def test_a_tab_that_was_let_in_ends_the_reason(make_bench):
    """An old refusal is not told once somebody was in."""
    bench = make_bench()
    bench.dial(origin="https://evil.example")
    assert bench.service.why_not().code == "origin_refused"
    page = bench.dial().hello()
    page.sendClose(1000)
    bench.flush()
    reason = bench.service.why_not()
    assert reason.code == "no_module"
    assert "ws://127.0.0.1:7898" in reason.message + reason.fix


def test_a_service_that_does_not_run_takes_nobody(bench):
    """Before the start and after the stop no socket is taken."""
    assert [tab.session_id for tab in bench.service.tabs] == []
    bench.service.stopService()
    assert bench.service.factory.buildProtocol(None) is None
