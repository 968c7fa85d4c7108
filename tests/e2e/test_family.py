"""A module of the family's 2.0, which knows none of our additions, works with us."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from attrs import define, field
from mcp_caller import McpCaller, ToolFailed, mcp_caller
from raw_socket import Tab, tab

OTTAR = "Actor.OttarReed0000000"


@define(eq=False)
class FamilyTab:
    """A scripted tab of 2.0: no protocol number, no streaming, no check.

    Like the family's own it would stop for ever on any close from 4000 to 4999.
    """

    tab: Tab
    hp: int = 31
    calls: list[dict[str, Any]] = field(factory=list)

    def serve(self) -> None:
        """Answer what the relay asks until the socket ends."""
        for raw in self.tab.socket:
            call = self.tab.read(raw)
            if "id" in call and "method" in call:
                self.calls.append(call)
                self.tab.say({"jsonrpc": "2.0", "id": call["id"]} | self.do(call))

    def do(self, call: dict[str, Any]) -> dict[str, Any]:
        """Do one request, as the family's handlers do."""
        params = call["params"]
        match call["method"]:
            case "eval" if params["code"].startswith("throw"):
                return self.threw(params)
            case "eval":
                return {"result": self.write(params)}
            case "rollback.apply":
                return {"result": self.undo(params)}
        return {"error": {"code": -32601, "message": f"unknown {call['method']}"}}

    def entries(self, before: int) -> list[dict[str, Any]]:
        """Write the record of one update as the family's recorder does."""
        return [
            {
                "op": "update",
                "uuid": OTTAR,
                "documentName": "Actor",
                "name": "Ottar Reed",
                "before": {"_id": OTTAR[6:], "system": {"resource": {"value": before}}},
            }
        ]

    def write(self, params: dict[str, Any]) -> dict[str, Any]:
        """Set the hit points that the code names."""
        before, self.hp = self.hp, int(params["code"])
        done = {"ok": True, "valueType": "undefined", "value": None}
        return done | {"rollback": {"entries": self.entries(before)}}

    def threw(self, params: dict[str, Any]) -> dict[str, Any]:
        """Touch a document, then throw."""
        before, self.hp = self.hp, self.hp - 1
        data = {"stack": "at eval", "rollback": {"entries": self.entries(before)}}
        return {"error": {"code": -33002, "message": "no mead", "data": data}}

    def undo(self, params: dict[str, Any]) -> dict[str, Any]:
        """Put the hit points back."""
        applied = []
        before = self.hp
        for entry in params["entries"]:
            self.hp = entry["before"]["system"]["resource"]["value"]
            applied.append({"uuid": entry["uuid"], "op": "update", "ok": True})
        return {
            "pointId": params["pointId"],
            "applied": applied,
            "rollback": {"entries": self.entries(before)},
        }


@pytest.fixture
def relay(make_relay):
    """Run a relay that asks for no pairing, which the family does not know."""
    return make_relay("--pairing", "off").start()


@pytest.fixture
def family(relay) -> Iterator[FamilyTab]:
    """Connect the scripted tab."""
    with tab(relay.bridge_url) as socket:
        answer = socket.hello()["result"]
        assert answer["capabilitySet"] == "gm"
        assert {"sessionId", "auditLogging"} <= answer.keys()
        scripted = FamilyTab(socket)
        serving = threading.Thread(target=scripted.serve)
        serving.start()
        yield scripted
        assert socket.socket.close_code is None
    serving.join()


@pytest.fixture
def agent(relay) -> Iterator[McpCaller]:
    """Connect an agent."""
    with mcp_caller(relay.mcp_url) as connected:
        yield connected


def test_its_writes_become_points_that_are_undone_and_redone(family, agent):
    """The record that comes with the answer is as good as a stream."""
    wrote = agent.call("foundry_eval", code="12", intent="write", summary="hurt")
    assert wrote["rollbackPoint"]["captured"] == "1 update"
    assert family.hp == 12
    answer = agent.call("foundry_rollback")
    assert family.hp == 31
    assert answer["conflicts"] == "not checked"
    agent.call("foundry_rollback", redo=True)
    assert family.hp == 12


def test_what_a_failed_write_touched_is_named_and_can_be_undone(family, agent):
    """A throw after a change leaves a point all the same."""
    with pytest.raises(ToolFailed) as failed:
        agent.call("foundry_eval", code="throwUp()", intent="write", summary="mead")
    assert failed.value.error["code"] == -33002
    point = failed.value.error["rollbackPoint"]["id"]
    assert point in failed.value.error["message"]
    assert family.hp == 30
    agent.call("foundry_rollback", rollbackId=point)
    assert family.hp == 31


def test_it_is_asked_nothing_that_it_does_not_know(family, agent):
    """Only the family's own methods are sent."""
    agent.call("foundry_eval", code="12", intent="write", summary="hurt")
    agent.call("foundry_rollback")
    assert {call["method"] for call in family.calls} <= {"eval", "rollback.apply"}
    agent.call("foundry_rollback_points")
