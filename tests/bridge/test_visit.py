"""The hello: who is let in, and what the others are told before they are closed."""

from __future__ import annotations

import json

import pytest
from twisted.internet.defer import Deferred

from aagm.testing import RecordedEvents


def refused(page):
    """Give what a page was told: error code, reason and close code."""
    return page.error["code"], page.error["data"]["reason"], page.close_code


def test_a_gm_is_let_in(bench):
    """The answer holds what the module needs to know of the relay."""
    bench.events.extra = {"resend": [{"pointId": "rp-00000a", "fromSeq": 4}]}
    page = bench.dial().hello()

    answer = page.answer
    assert answer.pop("sessionId").startswith("sess-")
    assert answer == {
        "capabilitySet": "gm",
        "auditLogging": True,
        "protocol": 3,
        "features": ["stream", "prompt-ack", "pairing", "take-over"],
        "member": "kimi",
        "memberName": "AAGM-K",
        "relayVersion": "1.0.0",
        "owner": True,
        "protected": {"ids": [], "names": ["GM Secrets"], "flags": []},
        "limits": {"message": 33554432, "readSeconds": 30, "writeSeconds": 300},
        "resend": [{"pointId": "rp-00000a", "fromSeq": 4}],
    }
    (tab,) = bench.events.came
    assert tab is bench.service.owner
    assert tab.hello.world.title == "The Sunken Inn"
    assert page.close_code is None


def test_a_family_module_is_let_in(bench):
    """A hello of 2.0, with none of our members, is answered with the family's."""
    page = bench.dial().family_hello()
    assert page.answer["capabilitySet"] == "gm"
    assert page.answer["auditLogging"] is True
    assert bench.service.owner.hello.protocol == 2


def test_silence_is_closed_with_4008(bench):
    """A socket on which nothing comes is closed when its time is over."""
    page = bench.dial()
    bench.advance(4.9)
    assert page.close_code is None
    bench.advance(0.1)
    assert page.close_code == 4008
    assert bench.service.why_not().code == "no_module"
    assert "hello" in bench.service.why_not().message


@pytest.mark.parametrize(
    ("first", "code", "id_"),
    [
        ({"id": "7", "method": "ping", "params": {}}, -33003, "7"),
        ({"method": "settings.sync", "params": {}}, -33003, None),
        ({"method": "hello", "params": {}}, -33003, None),
        ({"id": "7", "result": {}}, -33003, None),
        (b"not json", -32700, None),
        (b"[]", -32600, None),
        (b'{"id": 1, "method": "hello"}', -32600, None),
    ],
)
def test_a_first_frame_that_is_no_hello_is_closed_with_4000(bench, first, code, id_):
    """Whoever begins otherwise is told, closed, and leaves no trace."""
    page = bench.dial()
    page.say(first)
    assert [m.get("id") for m in page.heard] == [id_]
    assert page.error["code"] == code
    assert page.close_code == 4000
    assert bench.events.came == []


@pytest.mark.parametrize(
    ("change", "close"),
    [
        ({"userId": ""}, 4001),
        ({"userId": None}, 4001),
        ({"worldId": 7}, 4000),
        ({"recordings": [{"pointId": 1}]}, 4000),
        ({"protocol": "3"}, 4000),
    ],
)
def test_a_hello_that_cannot_be_read_is_refused(bench, change, close):
    """The family's code, and the member that is wrong, are told."""
    page = bench.dial().hello(**change)
    assert refused(page) == (-33003, "bad_hello", close)
    assert "hello: " in page.error["message"]


def test_a_player_is_refused_with_4001(bench):
    """Only a GM's tab may connect."""
    page = bench.dial().hello(isGM=False)
    assert refused(page) == (-33008, "not_gm", 4001)
    assert bench.service.why_not().code == "not_gm"


def test_a_user_who_is_not_listed_is_refused_with_4001(make_bench):
    """With a table of users only those may connect; the agent reads no name."""
    bench = make_bench(users=frozenset({"gm2"}))
    page = bench.dial().hello()
    assert refused(page) == (-33003, "unknown_user", 4001)
    assert bench.service.why_not().code == "not_gm"
    assert "Marit" not in bench.service.why_not().message
    assert bench.dial().hello(userId="gm2").answer["owner"] is True


@pytest.mark.parametrize(("protocol", "older"), [(4, "relay"), (1, "module")])
def test_another_protocol_is_refused_with_4006(bench, protocol, older):
    """Both versions are named, and which side to update."""
    page = bench.dial().hello(protocol=protocol, moduleVersion="4.1.0")
    assert refused(page) == (-33007, "version_mismatch", 4006)
    for words in ("4.1.0", f"protocol {protocol}", "1.0.0", f"update the {older}"):
        assert words in page.error["message"]
    assert page.error["data"]["update"] == older
    assert bench.service.why_not().code == "version_mismatch"


def test_what_comes_while_the_hello_is_judged_waits(make_bench):
    """A frame sent right behind the hello is taken after it, in order."""
    bench = make_bench(pairing=True)
    bench.pairing.open_window()
    bench.disk.hold()
    page = bench.dial().hello(pairingCode=bench.codes[0])
    page.tell("settings.sync", mode="cogm")
    page.tell("aagm.prompt", text="light the hearth")
    assert bench.events.notifications == []
    assert bench.service.why_not().code == "resyncing"

    bench.disk.release()
    bench.flush()

    assert [method for _, method, _ in bench.events.notifications] == [
        "settings.sync",
        "aagm.prompt",
    ]


def test_a_flood_behind_the_hello_is_cut(make_bench):
    """Whoever pours out frames before the answer is dropped."""
    bench = make_bench(pairing=True, message=3000)
    bench.pairing.open_window()
    bench.disk.hold()
    page = bench.dial().hello(pairingCode=bench.codes[0])
    for _ in range(2):
        page.tell("settings.sync", text="a" * 1500)
    assert page.close_code == 1006
    bench.disk.release()
    assert bench.events.came == []


def test_a_page_that_leaves_while_it_is_judged_is_not_seated(make_bench):
    """A hello whose socket is gone when the answer is ready seats nobody."""
    bench = make_bench(pairing=True)
    bench.pairing.open_window()
    bench.disk.hold()
    page = bench.dial().hello(pairingCode=bench.codes[0])
    page.dropConnection(abort=True)
    bench.flush()

    bench.disk.release()

    assert bench.events.came == []
    assert bench.service.why_not().code == "no_module"


def test_policy_that_fails_refuses_the_tab(bench, logs, monkeypatch):
    """A bug in what takes the tab in closes it with 1011 and seats nobody."""

    def broken(_events, _link):
        raise RuntimeError("a secret path")

    monkeypatch.setattr(RecordedEvents, "accepted", broken)
    page = bench.dial().hello()

    assert page.error["code"] == -32603
    assert page.close_code == 1011
    assert bench.service.owner is None
    assert len(bench.events.left) == 1
    assert "secret" not in json.dumps(page.heard)
    logs[:] = [e for e in logs if "log_failure" not in e]


def test_a_bad_frame_is_answered_and_counted(bench):
    """A frame that is no message harms neither its tab nor another."""
    page = bench.dial().hello()
    page.say(b"{")
    page.say(b'{"jsonrpc": "1.0"}')
    page.sendMessage(b"{}", isBinary=True)
    page.flush()
    page.tell("settings.sync", mode="cogm")

    codes = [m["error"]["code"] for m in page.heard if "error" in m]
    assert codes == [-32700, -32600, -32600]
    assert len(bench.events.notifications) == 1
    assert page.close_code is None
    (visit,) = bench.service._visits
    assert visit.bad_frames == 3


def test_what_a_refused_tab_still_says_is_dropped(bench):
    """After its refusal a socket is not heard, though it is not closed yet."""
    page = bench.dial()
    page.flush = lambda: None
    page.say({"method": "settings.sync", "params": {}})
    page.hello()
    bench.flush()
    assert page.close_code == 4000
    assert bench.events.came == []


def test_a_tab_that_leaves_before_its_refusal_harms_nobody(make_bench):
    """A pairing that fails after its page has gone is only remembered."""
    bench = make_bench(pairing=True)
    bench.pairing.open_window()
    bench.disk.hold()
    page = bench.dial().hello(pairingCode=bench.codes[0])
    page.dropConnection(abort=True)
    bench.flush()
    bench.disk.is_full = True
    bench.disk.release()
    assert page.heard == []
    assert bench.service.why_not().code == "not_paired"


def test_a_second_hello_is_refused(bench):
    """One socket is one session."""
    page = bench.dial().hello()
    page.ask("hello", userId="gm2")
    assert page.error["code"] == -32600
    assert bench.service.owner.hello.user_id == "gmUser0000000001"


def test_stdout_holds_no_secret_and_no_word_of_the_gm(make_bench, logs):
    """What is logged names neither token, code, user, world, prompt nor origin text."""
    bench = make_bench(pairing=True)
    bench.pairing.open_window()
    page = bench.dial().hello(pairingCode=bench.codes[0])
    page.tell("aagm.prompt", text="light the hearth")
    page.say(b'{"light the hearth"')
    bench.dial().hello(token="hearth", userId="gm2")
    secrets = (bench.codes[0], page.answer["token"], "hearth", "Marit", "Sunken")

    ours = [e for e in logs if str(e.get("log_namespace", "")).startswith("aagm")]
    assert len(ours) > 3
    for event in ours:
        values = [str(v) for k, v in event.items() if not k.startswith("log_")]
        assert not [s for s in secrets if s in " ".join(values)]


def test_the_relay_stops_with_1001(bench):
    """When the relay stops, tabs are told to come back, and waiting calls fail."""
    page = bench.dial().hello()
    silent = bench.dial()
    outcomes = bench.call("eval")
    stopped = bench.service.stopService()
    assert isinstance(stopped, Deferred)
    bench.flush()
    assert (page.close_code, silent.close_code) == (1001, 1001)
    assert stopped.called
    assert "the relay stops" in str(outcomes[0])
    assert bench.service.factory.buildProtocol(None) is None
