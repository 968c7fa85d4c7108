"""An agent deals damage: planned, recorded, labelled by what came of it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from attrs import define, evolve, field, frozen
from twisted.internet.defer import CancelledError, Deferred
from twisted.internet.task import Clock

from aagm.errors import HandlerThrew
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.holding import CallHold
from aagm.mcp.registry import Call, Registry
from aagm.mcp.tools.damage import damage_tools
from aagm.mcp.writing import WriteCalls
from aagm.members import KIMI
from aagm.relay.inbound import Inbound
from aagm.relay.rollback.desk import set_up
from aagm.testing import FAMILY_HELLO, GM_HELLO, FakeBridge, FakeTab, MemoryDisk

RAT = {"name": "Cellar Rat", "uuid": "Actor.rat", "before": 4, "temp": 0}
HIT = {"targets": ["Cellar Rat"], "amount": 3, "summary": "Ottar hits the rat"}
CHANGE = {"path": "system.attributes.hp.offset", "before": 0, "after": -3}


@frozen
class Limits:
    """Limits as the configuration has them."""

    read_seconds: float = 30
    write_seconds: float = 300
    settle_max_ms: float = 2000
    running_seconds: float = 50


@define(eq=False)
class Table:
    """The tool over a tab that plans and commits as the test says."""

    clock: Clock
    bridge: FakeBridge
    disk: MemoryDisk
    desk: object
    tools: dict
    tab: FakeTab
    planned: object = field(factory=dict)
    committed: object = field(factory=dict)
    held: list = field(factory=list)

    def call(self, **arguments):
        """Call the tool; gives its caller, and what it comes to in a list."""
        caller = Caller("session")
        call = Call("foundry_apply_damage", arguments, "session", caller)
        came = []
        d = Deferred.fromCoroutine(self.tools["foundry_apply_damage"].run(call))
        d.addCallbacks(came.append, lambda failure: came.append(failure.value))
        return caller, came

    def damage(self, params):
        """Answer as the module does."""
        if not params["commit"]:
            return self.planned
        if isinstance(self.committed, Exception):
            raise self.committed
        if not self.tab.hello.features:
            entry = {"op": "update", "uuid": "Actor.rat", "documentName": "Actor"}
            entries = [entry | {"name": "Cellar Rat", "before": {"system": {}}}]
            return self.committed | {"rollback": {"entries": entries}}
        self.stream(params["rp"]["id"])
        return self.committed | {"rollback": {"streamed": 1}}

    def stream(self, point_id):
        """Send what was recorded, and close."""
        entry = {"seq": 1, "op": "update", "uuid": "Actor.rat", "changes": [CHANGE]}
        head = {"documentName": "Actor", "name": "Cellar Rat", "parentUuid": None}
        entry |= head | {"pack": None, "userId": GM_HELLO.user_id}
        frame = {"pointId": point_id, "entries": [entry]}
        self.bridge.tell(self.tab, "rollback.entry", frame)
        closed = {"pointId": point_id, "lastSeq": 1}
        self.bridge.tell(self.tab, "rollback.closed", closed)

    def commits(self):
        """List the commits that reached the tab."""
        return [each for each in self.tab.asked_of("damage") if each["commit"]]

    def file(self, point_id):
        """Read a point's file."""
        [path] = [p for p in self.disk.files if p.name == f"{point_id}.json"]
        return json.loads(self.disk.files[path])


@pytest.fixture(params=[GM_HELLO, FAMILY_HELLO], ids=["ours", "family"])
def hello(request):
    """A tab of ours, and one of the family."""
    return request.param


@pytest.fixture
def table(hello):
    """The table, with a tab that says *hello*."""
    clock = Clock()
    bridge, disk, inbound = FakeBridge(clock), MemoryDisk(), Inbound()
    bridge.events = inbound
    desk = set_up(
        clock,
        lambda: 1_750_000_000.0,
        disk,
        bridge,
        folder=Path("/data"),
        limits=Limits(),
        member=KIMI,
    )
    desk.join(inbound)
    desk.start()
    answers = Answers(clock)
    calls = WriteCalls(clock, answers, desk.lane, 50)
    hold = CallHold(clock, answers, 50)
    tools = damage_tools(bridge, desk.lane, desk.writes, calls, hold=hold)
    tab = FakeTab(evolve(hello))
    table = Table(clock, bridge, disk, desk, {t.name: t for t in tools}, tab)
    table.planned = plan(lethal=False)
    table.committed = commit(lethal=False)
    tab.answers["damage"] = table.damage
    bridge.connect(tab)
    yield table
    desk.stop()


def plan(*, lethal):
    """Plan as the module does."""
    row = RAT | {"after": 1, "lethal": lethal}
    return {"committed": False, "lethal": lethal, "amount": 3, "preview": [row]}


def commit(**more):
    """Commit as the module does; the family's says nothing of lethal."""
    return {"committed": True, "amount": 3, "applied": [RAT | {"hp": 1}], **more}


def test_a_blow_is_planned_committed_and_leaves_a_point(table):
    """Both requests name the same; the commit alone is recorded."""
    _, [answer] = table.call(**HIT)

    assert answer["committed"] is True
    assert answer["applied"] == [RAT | {"hp": 1}]
    assert answer["lethal"] is False
    point = answer["rollbackPoint"]
    assert point["captured"] == "1 update"
    asked = table.tab.asked_of("damage")
    assert [each.get("rp") for each in asked] == [None, {"id": point["id"]}]
    assert [each.limit for each in table.tab.asked] == [120, 305]
    file = table.file(point["id"])
    assert (file["summary"], file["kind"]) == ("Ottar hits the rat", "damage")


def test_a_dry_run_shows_the_plan_and_writes_nothing(table):
    """There is no commit and no point."""
    _, [answer] = table.call(**HIT, dryRun=True)
    assert answer == plan(lethal=False)
    assert table.commits() == []
    assert table.disk.files == {}


def test_a_target_that_may_be_two_writes_nothing_and_lists_them(table):
    """The candidates reach the agent as the module gave them."""
    candidates = [{"name": "Rat", "uuid": "Actor.a", "id": "a"}]
    table.planned = {"error": '"Rat" may be 2 actors', "candidates": candidates}
    _, [answer] = table.call(**HIT)
    assert answer == table.planned
    assert table.commits() == []
    assert table.desk.undo.briefs() == []


def test_a_plan_that_takes_long_is_had_with_a_cursor(table):
    """No call is held longer than a client waits."""
    table.tab.answers["damage"] = lambda _params: Deferred()
    _, came = table.call(**HIT, dryRun=True)
    table.clock.advance(49)
    assert came == []
    table.clock.advance(1)
    assert came[0]["running"] is True


def test_a_plan_that_nobody_waits_for_is_given_up(table):
    """As any other read."""
    table.tab.answers["damage"] = lambda _params: Deferred()
    caller, came = table.call(**HIT, dryRun=True)
    caller.cut()
    assert [type(each) for each in came] == [CancelledError]
    assert table.commits() == []


@pytest.mark.parametrize("amount", [0, -4])
def test_healing_is_refused_before_anything_is_asked(table, amount):
    """The answer says how to heal."""
    _, [answer] = table.call(**HIT | {"amount": amount})
    assert answer["refused"] is True
    assert "To heal" in answer["fix"]
    assert table.tab.asked == []


def registered(table, **arguments):
    """Call the tool as a client does; gives whether it failed, and the answer."""
    answers = Answers(table.clock)
    registry = Registry(table.tools.values(), answers)
    name = "foundry_apply_damage"
    came = []
    d = Deferred.fromCoroutine(registry.call(name, arguments, Caller("session")))
    d.addCallback(came.append)
    answers.stop()
    [result] = came
    return result["isError"], json.loads(result["content"][0]["text"])


@pytest.mark.parametrize("amount", [1e308, 1_000_001, 2**64])
def test_more_than_anything_has_is_refused_with_the_limit(table, amount):
    """A slip of the model; a number of 309 digits would stand in the sheet."""
    is_error, answer = registered(table, **HIT | {"amount": amount})
    said = "foundry_apply_damage: amount must be at most 1000000"
    assert (is_error, answer["error"]["message"]) == (True, said)
    assert table.tab.asked == []


@pytest.mark.parametrize("amount", [5.0, 1_000_000])
def test_a_whole_number_of_damage_is_dealt(table, amount):
    """However it is written."""
    is_error, _ = registered(table, **HIT | {"amount": amount})
    assert not is_error
    [commit] = table.commits()
    assert (commit["amount"], type(commit["amount"])) == (int(amount), int)


def test_a_lethal_blow_is_called_so(table):
    """In the answer, on the card and in the file."""
    table.planned, table.committed = plan(lethal=True), commit(lethal=True)
    _, [answer] = table.call(**HIT)
    assert answer["lethal"] is True
    point = answer["rollbackPoint"]
    assert point["summary"] == "Ottar hits the rat (lethal)"
    assert table.file(point["id"])["summary"] == "Ottar hits the rat (lethal)"


@pytest.mark.parametrize(("planned", "came"), [(False, True), (True, False)])
def test_the_commit_has_the_last_word_on_lethal(table, planned, came):
    """Hit points may have moved between the plan and the blow."""
    table.planned, table.committed = plan(lethal=planned), commit(lethal=came)
    _, [answer] = table.call(**HIT)
    suffix = " (lethal)" if came else ""
    assert answer["lethal"] is came
    assert answer["rollbackPoint"]["summary"] == f"Ottar hits the rat{suffix}"
    point = answer["rollbackPoint"]["id"]
    assert table.file(point)["summary"] == f"Ottar hits the rat{suffix}"


@pytest.mark.parametrize("hello", [FAMILY_HELLO], indirect=True)
def test_a_family_modules_commit_is_as_lethal_as_its_plan(table):
    """It says nothing of it in the commit."""
    table.planned, table.committed = plan(lethal=True), commit()
    _, [answer] = table.call(**HIT)
    assert answer["lethal"] is True
    assert answer["rollbackPoint"]["summary"] == "Ottar hits the rat (lethal)"


def test_a_commit_that_fails_names_the_point_of_what_it_wrote(table):
    """What was hurt before the fault can be taken back."""
    head = {"op": "update", "uuid": "Actor.rat", "documentName": "Actor"}
    entries = [head | {"name": "Cellar Rat", "before": {"system": {}}}]
    data = {"rollback": {"entries": entries}}
    table.committed = HandlerThrew("the lake is closed", data=data)
    _, [error] = table.call(**HIT)
    assert isinstance(error, HandlerThrew)
    assert error.data["rollbackPoint"]["captured"] == "1 update"


def test_an_answer_after_the_limit_still_gives_the_point_its_label(table):
    """The caller had its error; the card is put right."""
    late = Deferred()
    table.tab.answers["damage"] = lambda p: late if p["commit"] else table.planned
    _caller, came = table.call(**HIT)
    [rp] = [each["rp"]["id"] for each in table.commits()]
    table.clock.advance(306)
    assert came[0]["running"] is True
    answer = commit(lethal=True)
    if table.tab.hello.features:
        table.stream(rp)
        late.callback(answer | {"rollback": {"streamed": 1}})
        assert table.file(rp)["summary"] == "Ottar hits the rat (lethal)"
    else:
        head = {"op": "update", "uuid": "Actor.rat", "documentName": "Actor"}
        entries = [head | {"name": "Cellar Rat", "before": {"system": {}}}]
        late.callback(answer | {"rollback": {"entries": entries}})
        assert table.file(rp)["summary"] == "Ottar hits the rat (lethal)"


def test_who_leaves_during_the_plan_has_nothing_written(table):
    """The plan is a read; the blow is not dealt for nobody."""
    slow = Deferred()
    table.tab.answers["damage"] = lambda p: table.damage(p) if p["commit"] else slow
    caller, _ = table.call(**HIT)
    caller.cut()
    slow.callback(table.planned)
    assert table.commits() == []
