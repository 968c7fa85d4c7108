"""An agent reads the watchdog's list and gives lost loot back."""

from __future__ import annotations

from pathlib import Path

import pytest
from attrs import define, field
from twisted.internet.defer import Deferred
from twisted.internet.task import Clock

from aagm.errors import HandlerThrew
from aagm.foundry import module_folder
from aagm.mcp.answers import Answers
from aagm.mcp.caller import Caller
from aagm.mcp.registry import Call
from aagm.mcp.tools.loot import loot_tools
from aagm.mcp.writing import WriteCalls
from aagm.members import KIMI
from aagm.relay.inbound import Inbound
from aagm.relay.rollback.desk import set_up
from aagm.testing import GM_HELLO, FakeBridge, FakeTab, MemoryDisk

MISSING = "there is no Rescue Log: the GM runs the macro"
PENDING = {
    "pending": [{"eventId": "lw-1-aaaaaa", "item": "Lake pearl", "shortfall": 2}],
    "phantoms": [],
    "legacyCount": 0,
    "armed": True,
}
GRANTED = {"eventId": "lw-1-aaaaaa", "item": "Lake pearl", "qty": 2}
RESTORED = {
    "restored": [GRANTED | {"recipient": "Ottar Reed", "createdId": "pearl2"}],
    "failed": [],
    "ackedPhantoms": [],
}


class Limits:
    """Limits as the configuration has them."""

    read_seconds = 30.0
    write_seconds = 300.0
    settle_max_ms = 2000.0
    running_seconds = 50.0


@define(eq=False)
class Table:
    """The tools over a tab that restores as the test says."""

    bridge: FakeBridge
    tab: FakeTab
    desk: object
    tools: dict
    answer: object = field(factory=lambda: dict(RESTORED))

    def call(self, name, **arguments):
        """Call a tool; gives its caller, and what it comes to in a list."""
        caller = Caller("session")
        call = Call(name, arguments, "session", caller)
        came = []
        d = Deferred.fromCoroutine(self.tools[name].run(call))
        d.addCallbacks(came.append, lambda failure: came.append(failure.value))
        return caller, came

    def restore(self, params):
        """Answer as the module does, with the item that it made."""
        if isinstance(self.answer, Exception):
            raise self.answer
        point_id = params["rp"]["id"]
        uuid = "Actor.ottar.Item.pearl2"
        head = {"documentName": "Item", "name": "Lake pearl", "pack": None}
        head |= {"parentUuid": "Actor.ottar", "userId": GM_HELLO.user_id}
        entry = {"seq": 1, "op": "create", "uuid": uuid, "hash": "1", "children": []}
        frame = {"pointId": point_id, "entries": [entry | head]}
        self.bridge.tell(self.tab, "rollback.entry", frame)
        closed = {"pointId": point_id, "lastSeq": 1}
        self.bridge.tell(self.tab, "rollback.closed", closed)
        return self.answer | {"rollback": {"streamed": 1}}


@pytest.fixture
def table():
    """The table, with a tab of ours."""
    clock = Clock()
    bridge, inbound = FakeBridge(clock), Inbound()
    bridge.events = inbound
    desk = set_up(
        clock,
        lambda: 1_750_000_000.0,
        MemoryDisk(),
        bridge,
        folder=Path("/data"),
        limits=Limits(),
        member=KIMI,
    )
    desk.join(inbound)
    desk.start()
    calls = WriteCalls(clock, Answers(clock), desk.lane, 50)
    tools = loot_tools(bridge, desk.writes, calls, member="AAGM-K")
    tab = FakeTab()
    table = Table(bridge, tab, desk, {tool.name: tool for tool in tools})
    tab.answers["loot.pending"] = lambda _params: PENDING
    tab.answers["loot.restore"] = table.restore
    bridge.connect(tab)
    yield table
    desk.stop()


def test_the_list_is_given_as_the_tab_has_it(table):
    """A read: no point, half a minute."""
    _, [answer] = table.call("foundry_loot_pending")
    assert answer == PENDING
    assert [(each.params, each.limit) for each in table.tab.asked] == [({}, 30)]
    assert table.desk.undo.briefs() == []


def test_a_world_without_a_rescue_log_is_an_error_with_its_reason(table):
    """The sentence of the module reaches the agent."""

    def missing(_params):
        raise HandlerThrew(MISSING)

    table.tab.answers["loot.pending"] = missing
    _, [error] = table.call("foundry_loot_pending")
    assert str(error) == MISSING
    assert_names_the_macro(error)


def assert_names_the_macro(error):
    """It is what the game master runs."""
    macro = "AAGM-K Loot Watchdog Setup"
    said = f"Ask the game master to run the macro {macro} once; then call again."
    assert error.fix == said


def test_a_caller_that_leaves_is_no_longer_waited_for(table):
    """The question to the tab is dropped."""
    slow = Deferred()
    table.tab.answers["loot.pending"] = lambda _params: slow
    caller, came = table.call("foundry_loot_pending")
    caller.cut()
    assert len(came) == 1


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ({}, {}),
        ({"eventIds": ["lw-1-aaaaaa"]}, {"eventIds": ["lw-1-aaaaaa"]}),
        ({"ackPhantoms": ["lw-2-bbbbbb"]}, {"ackPhantoms": ["lw-2-bbbbbb"]}),
        ({"eventIds": [], "tabId": "tab-1"}, {"eventIds": []}),
    ],
)
def test_nothing_but_ids_reaches_the_tab(table, given, sent):
    """No item, amount or recipient can be given; the tab's id stays here."""
    table.call("foundry_restore_loot", **given)
    [asked] = table.tab.asked_of("loot.restore")
    assert {key: value for key, value in asked.items() if key != "rp"} == sent
    assert list(table.tools["foundry_restore_loot"].schema["properties"]) == [
        "eventIds",
        "ackPhantoms",
        "tabId",
    ]


def test_a_restore_leaves_a_point_called_by_what_was_granted(table):
    """It can be taken back like any write."""
    _, [answer] = table.call("foundry_restore_loot", tabId="tab-1")
    assert answer["restored"] == RESTORED["restored"]
    point = answer["rollbackPoint"]
    assert point["captured"] == "1 create"
    assert point["kind"] == "loot.restore"
    assert point["tabId"] == "tab-1"
    assert point["summary"].startswith("AAGM-K Loot Watchdog: restore 2 ")
    assert point["summary"].endswith("Lake pearl to Ottar Reed")


def test_a_restore_that_fails_in_the_tab_is_an_error(table):
    """There is no Rescue Log, and no point either."""
    table.answer = HandlerThrew(MISSING)
    _, [error] = table.call("foundry_restore_loot")
    assert isinstance(error, HandlerThrew)
    assert "rollbackPoint" not in error.data
    assert_names_the_macro(error)


def test_what_else_fails_in_the_tab_keeps_its_own_cure(table):
    """No macro would help against it."""
    table.answer = HandlerThrew("the pile burns", fix="Put it out.")
    _, [error] = table.call("foundry_restore_loot")
    assert (str(error), error.fix) == ("the pile burns", "Put it out.")


def test_the_module_says_and_calls_it_so():
    """The relay knows the module's sentence and its macro by their words."""
    loot = module_folder() / "scripts" / "loot"
    assert f'"{MISSING}' in (loot / "rescue-log.js").read_text(encoding="utf-8")
    name, setup = "`${memberName} Loot Watchdog`", "`${name} Setup`"
    macros = (loot / "macros.js").read_text(encoding="utf-8")
    assert f"const name = {name};\n  const setup = {setup};" in macros
