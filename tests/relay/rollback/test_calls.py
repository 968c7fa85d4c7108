"""Tool calls that write: held no longer than a client waits, and never doubled."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred

from aagm.errors import BridgeLost, CallerLeft, HandlerThrew
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Call, Registry
from aagm.mcp.tools.evals import eval_tools, guarded
from aagm.mcp.tools.undo import undo_tools
from aagm.mcp.writing import WriteCalls, allow
from aagm.relay.evals import Block, Record, Refuse, Run, SyntaxFault
from aagm.relay.guard.verdicts import Verdict

HURT = json.dumps([["update", "Actor.mira", {"system.hp": 12}]])
SLAP = json.dumps([["update", "Actor.odo", {"system.hp": 8}]])


class Client:
    """A client that calls tools and may be cut off."""

    def __init__(self, table, allows=allow, judge=None, is_hidden=lambda: False):
        """Make the tools over *table*."""
        self.table = table
        self.answers = Answers(table.clock)
        calls = WriteCalls(
            table.clock,
            self.answers,
            table.desk.lane,
            50,
            allows,
            is_hidden,
            table.desk.survivors.take,
            table.desk.writes.brief,
        )
        road = [] if judge is None else [judge]
        tools = [
            *eval_tools(table.bridge, table.desk.writes, calls, *road),
            *undo_tools(table.desk.undo, table.desk.intake, calls),
        ]
        self.tools = {tool.name: tool for tool in tools}

    def call(self, name, **arguments):
        """Call a tool; gives its caller and what it comes to."""
        caller = Caller("session")
        call = Call(name, arguments, "session", caller)
        came = []
        d = Deferred.fromCoroutine(self.tools[name].run(call))
        d.addCallbacks(came.append, lambda f: came.append(f.value))
        return caller, came

    def eval(self, code=HURT, **more):
        """Call foundry_eval with intent write."""
        return self.call("foundry_eval", code=code, intent="write", **more)

    def more(self, cursor):
        """Ask for what a cursor stands for."""
        came = []
        d = Deferred.fromCoroutine(self.answers.more(cursor, Caller("session")))
        d.addCallbacks(came.append, lambda f: came.append(f.value))
        return came


@pytest.fixture
def client(table):
    """A client of the tools over the table."""
    return Client(table)


def judged(finding):
    """Make a judge, or a guard, that always finds the same."""

    async def judge(_):
        return finding

    return judge


def evals(table):
    """Count the evals that reached the tab."""
    return len(table.tab.tab.asked_of("eval"))


def finish(table):
    """Let the tab answer the eval that is held."""
    [point] = [r.id for r in table.desk.recordings.all() if not r.is_answered]
    table.tab.finish(point)


def test_an_eval_is_answered_with_its_value_and_its_point(client):
    """The point's summary is the one given."""
    _, [answer] = client.eval(summary="hurt Mira", tabId="A")
    assert answer["ok"] is True
    point = answer["rollbackPoint"]
    assert (point["summary"], point["tabId"], point["via"]) == (
        "hurt Mira",
        "A",
        "tool",
    )
    assert "rollback" not in answer


def test_an_eval_without_a_summary_is_labelled_by_its_first_line(client):
    """Cut at 80 characters."""
    code = "\n  " + json.dumps([["update", "Actor.mira", {"name": "M" * 90}]])
    _, [answer] = client.eval(code)
    assert answer["rollbackPoint"]["summary"] == code.strip()[:79] + "…"


def test_a_write_that_takes_long_is_told_to_run_on(client, table):
    """After 50 s the client gets a cursor and the point; later the result."""
    table.tab.hold = True
    _, came = client.eval()
    table.clock.advance(49)
    assert came == []
    table.clock.advance(1)
    [recording] = table.desk.recordings.all()
    assert came[0]["running"] is True
    assert came[0]["rollbackPoint"] == {"id": recording.id}

    later = client.more(came[0]["cursor"])
    assert later == []
    finish(table)
    assert later[0]["rollbackPoint"]["id"] == recording.id


@pytest.mark.parametrize("hidden", [False, True])
def test_a_write_that_takes_long_in_the_background_says_so(table, hidden):
    """Browsers slow a hidden tab down; the agent can tell the game master."""
    client = Client(table, allow, is_hidden=lambda: hidden)
    table.tab.hold = True
    _, first = client.eval()
    _, second = client.eval(SLAP)
    table.clock.advance(50)
    for [answer] in (first, second):
        assert answer["running"] is True
        assert ("in the background" in answer.get("reason", "")) is hidden
    finish(table)


def test_a_write_that_waits_long_is_told_its_place(client, table):
    """There is no point yet; the write begins when its turn comes."""
    table.tab.hold = True
    client.eval()
    _, came = client.eval(SLAP)
    table.clock.advance(50)
    assert came[0] == {"running": True, "queued": 1, "cursor": came[0]["cursor"]}
    finish(table)
    assert evals(table) == 2


def test_a_call_repeated_after_a_cut_joins_the_running_write(client, table):
    """One write, and the second call gets its result."""
    table.tab.hold = True
    first, _ = client.eval()
    first.cut()
    _, came = client.eval()
    finish(table)
    assert came[0]["replayed"] is True
    assert came[0]["rollbackPoint"]["captured"] == "no documents touched"
    assert evals(table) == 1


def test_a_call_repeated_after_a_lost_answer_gets_the_stored_result(client, table):
    """The answer was reset on its way: the write is not done again."""
    first, [answer] = client.eval()
    first.settle(delivered=False)
    _, [again] = client.eval()
    assert again == answer | {"replayed": True}
    assert evals(table) == 1


def test_a_write_is_adopted_once(client, table):
    """The third identical call is meant as one."""
    first, _ = client.eval()
    first.settle(delivered=False)
    second, _ = client.eval()
    second.settle(delivered=True)
    _, [third] = client.eval()
    assert "replayed" not in third
    assert evals(table) == 2


def test_a_write_is_adopted_within_ten_minutes(client, table):
    """Then an identical call is a new one."""
    first, _ = client.eval()
    first.settle(delivered=False)
    table.clock.advance(601)
    _, [again] = client.eval()
    assert "replayed" not in again


def test_two_identical_calls_on_live_connections_both_run(client, table):
    """Two writes were meant."""
    client.eval()
    client.eval()
    assert evals(table) == 2


def test_another_tabs_identical_call_is_another(client, table):
    """The tab is part of what is compared."""
    first, _ = client.eval(tabId="A")
    first.settle(delivered=False)
    client.eval(tabId="B")
    assert evals(table) == 2


def test_a_lost_error_is_replayed_too(client, table):
    """What the failed write touched is not written again."""
    code = json.dumps([["update", "Actor.mira", {"system.hp": 1}], ["throw", "oh"]])
    first, [error] = client.eval(code)
    first.settle(delivered=False)
    _, [again] = client.eval(code)
    assert isinstance(again, HandlerThrew)
    assert str(again) == str(error)
    assert again.data["replayed"] is True
    assert evals(table) == 1


@pytest.mark.parametrize(
    "code", [HURT, json.dumps([*json.loads(HURT), ["throw", "oh"]])]
)
def test_a_replayed_answer_says_what_became_of_its_point(client, table, code):
    """The GM rolled it back before the call was repeated: it is not called live."""
    first, [told] = client.eval(code)
    first.settle(delivered=False)
    point = getattr(told, "data", told)["rollbackPoint"]
    assert point["state"] == "live"
    table.undone(point["id"])
    _, [told] = client.eval(code)
    again = getattr(told, "data", told)["rollbackPoint"]
    assert (again["id"], again["state"]) == (point["id"], "rolled-back")


def test_a_cut_rollback_is_replayed(client, table):
    """It does not undo the next point as well."""
    client.eval()
    client.eval(SLAP)
    first, [answer] = client.call("foundry_rollback")
    first.settle(delivered=False)
    _, [again] = client.call("foundry_rollback")
    assert again == answer | {"replayed": True}
    assert table.hp("Actor.mira") == 12


def killed_in_the_middle(table):
    """Kill the relay while the tab writes for a call; gives the new relay's client."""
    table.tab.hold = True
    Client(table).eval()
    [recording] = table.desk.recordings.all()
    table.tab.go_on(recording.id, ["update", "Actor.mira", {"system.hp": 12}])
    table.restart()
    return Client(table), recording.id


def test_a_call_repeated_after_a_restart_is_not_written_twice(table):
    """Its caller gets the point once it is whole; what it returned is lost."""
    client, point = killed_in_the_middle(table)
    table.tab.connect()
    _, came = client.eval()
    assert came == []
    table.tab.close(point)
    [answer] = came
    assert (answer["replayed"], answer["resultLost"]) == (True, True)
    assert "was not done a second time" in answer["reason"]
    assert answer["rollbackPoint"]["id"] == point
    assert answer["rollbackPoint"]["captured"] == "1 update"
    assert evals(table) == 1

    table.tab.hold = False
    _, [third] = client.eval()
    assert "replayed" not in third
    assert evals(table) == 2


def test_a_write_that_outlived_the_relay_is_told_to_run_on(table):
    """The repeated call is held no longer than any other."""
    client, point = killed_in_the_middle(table)
    table.tab.connect()
    _, came = client.eval()
    table.clock.advance(50)
    assert came[0]["running"] is True
    assert came[0]["rollbackPoint"] == {"id": point}
    table.tab.close(point)
    assert client.more(came[0]["cursor"])[0]["resultLost"] is True


def test_a_write_that_was_over_before_the_call_came_again_is_adopted_too(table):
    """The tab was quicker than the caller."""
    client, point = killed_in_the_middle(table)
    table.tab.connect()
    table.tab.close(point)
    _, [answer] = client.eval()
    assert (answer["replayed"], answer["rollbackPoint"]["id"]) == (True, point)
    assert evals(table) == 1


def test_after_a_restart_another_call_is_another(table):
    """As is one that comes too late, or whose write was answered."""
    client, point = killed_in_the_middle(table)
    table.tab.connect()
    table.tab.close(point)
    table.tab.hold = False
    _, [other] = client.eval(SLAP)
    assert "replayed" not in other
    table.clock.advance(601)
    _, [late] = client.eval()
    assert "replayed" not in late
    table.restart()
    table.tab.connect()
    _, [again] = Client(table).eval()
    assert "replayed" not in again
    assert evals(table) == 4


@pytest.mark.parametrize(("waited", "is_adopted"), [(599, True), (601, False)])
def test_after_a_clock_that_ran_ahead_ten_minutes_are_no_day(table, waited, is_adopted):
    """The point's time lies ahead, to keep the order; the minutes are the relay's."""
    table.clock.advance(86_400)
    table.wrote(["update", "Actor.odo", {"system.hp": 2}])
    table.clock.advance(300)
    table.clock.rightNow -= 86_400
    client, point = killed_in_the_middle(table)
    table.tab.connect()
    table.tab.close(point)
    table.tab.hold = False
    table.clock.advance(waited)
    _, [answer] = client.eval()
    assert ("replayed" in answer) is is_adopted


def test_a_rollback_repeated_after_a_restart_undoes_no_more(table):
    """Without an id it would take the next point back as well."""
    client = Client(table)
    client.eval()
    client.eval(SLAP)
    table.tab.tab.answers["rollback.apply"] = lambda _params: table.silence()
    client.call("foundry_rollback")
    [redo] = [r.id for r in table.desk.recordings.all() if not r.is_answered]
    table.bridge.tabs.clear()  # the relay is killed before it hears of anything
    table.restart()
    table.tab.connect()
    _, [answer] = Client(table).call("foundry_rollback")
    assert (answer["replayed"], answer["resultLost"]) == (True, True)
    assert answer["rollbackPoint"]["id"] == redo
    assert len(table.tab.tab.asked_of("rollback.apply")) == 1


def test_a_caller_that_is_cut_off_in_the_queue_takes_its_write_along(client, table):
    """Nothing was sent, so nothing may be written later."""
    table.tab.hold = True
    client.eval()
    caller, came = client.eval(SLAP)
    caller.cut()
    assert isinstance(came[0], CallerLeft)
    finish(table)
    assert evals(table) == 1


def test_a_cancel_after_the_send_only_detaches(client, table):
    """The write ends with its point; an identical call is a new one."""
    table.tab.hold = True
    caller, _ = client.eval()
    caller.cancel()
    finish(table)
    [point] = table.desk.undo.briefs()
    assert point["state"] == "empty"
    client.eval()
    assert evals(table) == 2


def test_the_gate_is_asked_at_once_and_when_the_turn_comes(table):
    """The mode changed while the write waited: the answer is the gate's."""
    says = []
    client = Client(table, allows=lambda _call, _tab: says[0] if says else None)
    table.tab.hold = True
    client.eval()
    _, came = client.eval(SLAP)
    says.append({"refused": True, "reason": "external-mode"})
    finish(table)
    assert came == [{"refused": True, "reason": "external-mode"}]
    _, [at_once] = client.eval()
    assert at_once["refused"] is True
    assert evals(table) == 1


def test_the_gate_knows_when_nothing_can_ride_on_the_answer(table):
    """After running:true it is asked without a call."""
    asked = []

    def allows(call, tab):
        asked.append((call is None, tab))

    client = Client(table, allows=allows)
    table.tab.hold = True
    client.eval()
    client.eval(SLAP, tabId="A")
    table.clock.advance(50)
    finish(table)
    assert asked[-1] == (True, "A")


RUN = Run(30, await_result=False)
WRITE = Record("eval", "hurt", 300, read_declared=False)
DISGUISE = Record("eval", "hurt", 30, read_declared=True)


@pytest.mark.parametrize(
    ("decision", "has_point", "limit"),
    [(RUN, False, 30), (DISGUISE, True, 35), (WRITE, True, 305)],
)
def test_the_judge_decides_the_road(table, decision, has_point, limit):
    """A proven read has no point; everything else is recorded."""
    if not has_point:
        table.tab.tab.answers["eval"] = lambda _: {"ok": True, "value": 1}
    client = Client(table, judge=judged(decision))
    _, [answer] = client.call("foundry_eval", code=HURT, awaitResult=False)
    assert ("rollbackPoint" in answer) is has_point
    [asked] = [each for each in table.tab.tab.asked if each.method == "eval"]
    assert asked.limit == limit
    assert ("awaitResult" in asked.params) is not has_point


@pytest.mark.parametrize(
    "no", [Block("chat messages", "Leave it.", 1, 0), Refuse("no summary", "Give one.")]
)
def test_what_is_blocked_or_refused_never_reaches_the_tab(table, no):
    """The judge's answer is the tool's."""
    client = Client(table, judge=judged(no))
    assert client.call("foundry_eval", code=HURT)[1] == [no.as_json()]
    assert evals(table) == 0


def test_code_that_is_no_javascript_is_an_error(table):
    """It names the place, and nothing was sent."""
    fault = SyntaxFault("syntax error: an if without a condition", 3, 7)
    client = Client(table, judge=judged(fault))
    [error] = client.call("foundry_eval", code="if {")[1]
    assert str(error).startswith("eval: syntax error: an if without a condition")
    assert "line 3, column 7" in str(error)
    assert error.fix.startswith("Mend the code at line 3, column 7")
    assert evals(table) == 0


def test_the_guard_and_the_agent_decide_together(table):
    """The code is a write, so it needs a summary; with one it is recorded."""
    verdict = Verdict("write", "Actor#update", 1, 0)
    client = Client(table, judge=guarded(judged(verdict)))
    [answer] = client.call("foundry_eval", code=HURT)[1]
    assert answer["refused"] is True
    [answer] = client.call("foundry_eval", code=HURT, summary="hurt Mira")[1]
    assert answer["rollbackPoint"]["summary"] == "hurt Mira"


def test_an_unproven_read_says_why_it_was_recorded_and_waited(table):
    """A read that may be a write waits for the write before it, and says so."""
    verdict = Verdict("unproven", "what calls is not known", 2, 4)
    client = Client(table, judge=guarded(judged(verdict)))
    table.tab.hold = True
    client.eval(summary="takes long")
    _, came = client.call("foundry_eval", code=SLAP)
    table.clock.advance(10)
    assert came == []
    finish(table)
    table.clock.advance(3)
    finish(table)
    [answer] = came
    assert answer["recorded"] == (
        "not proven a read: what calls is not known (line 2, column 4); "
        "it waited 10.0 s for the write before it"
    )


def test_without_a_guard_every_eval_is_recorded(client, table):
    """Declared a read, it wrote; there is a point."""
    _, [answer] = client.call("foundry_eval", code=HURT)
    assert answer["rollbackPoint"]["kind"] == "eval"
    _, [answer] = client.call("foundry_eval", code=SLAP, intent="destructive")
    assert answer["rollbackPoint"]["kind"] == "destructive eval"
    assert table.hp("Actor.mira") == 12


def test_points_are_listed_newest_first(client, table):
    """With what was skipped and what no point holds."""
    _, [first] = client.eval()
    _, [second] = client.eval(SLAP)
    _, [answer] = client.call("foundry_rollback_points")
    ids = [point["id"] for point in answer["points"]]
    assert ids == [second["rollbackPoint"]["id"], first["rollbackPoint"]["id"]]
    table.desk.intake.uncovered(table.tab.tab, {"uncovered": {"op": "update"}})
    _, [answer] = client.call("foundry_rollback_points")
    assert answer["uncovered"] == [{"op": "update"}]


def test_a_dry_run_takes_no_turn(client, table):
    """It is a read: it does not wait for the lane."""
    _, [answer] = client.eval()
    table.tab.hold = True
    client.eval(SLAP)
    point = answer["rollbackPoint"]["id"]
    _, came = client.call("foundry_rollback", rollbackId=point, dryRun=True)
    assert "is still running" in came[0]["reason"]


def test_a_lost_tab_is_an_error_that_names_the_point(client, table):
    """The caller knows at once where to look."""
    table.tab.hold = True
    _, came = client.eval()
    table.tab.cut()
    assert isinstance(came[0], BridgeLost)
    assert came[0].data["rollbackPoint"]["state"] == "open"


def test_a_summary_longer_than_a_card_shows_is_refused(client):
    """A text of many pages would freeze the window that shows it on a card."""
    table = Registry(client.tools.values(), client.answers)
    arguments = {"code": HURT, "intent": "write", "summary": "S" * 201}
    came = []
    work = table.call("foundry_eval", arguments, Caller("session"))
    Deferred.fromCoroutine(work).addCallback(came.append)
    assert came[0]["isError"] is True
    text = came[0]["content"][0]["text"]
    assert "summary has 201 characters; it may have 200" in text
    assert evals(client.table) == 0
