"""Six digits on a terminal become a token that outlives both sides."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from aagm.bridge.pairing import KEPT
from aagm.errors import StartFault

WORLD = "https://game.example"
FILE = Path("state/pairing.json")


@pytest.fixture
def bench(make_bench):
    """A bridge that asks for pairing."""
    return make_bench(pairing=True)


def pair(bench, **where):
    """Pair a page, and give its token."""
    bench.pairing.open_window()
    return bench.dial(**where).hello(pairingCode=bench.codes[-1]).answer["token"]


def refusal(page):
    """Give what an unpaired page was told."""
    return page.error["code"], page.error["data"]["reason"], page.close_code


NOT_PAIRED = (-33006, "not_paired", 4005)


def test_an_unpaired_tab_is_refused_with_4005(bench):
    """Without a token the tab is told to pair, and so is the agent."""
    page = bench.dial().hello()
    assert refusal(page) == NOT_PAIRED
    assert bench.service.why_not().code == "not_paired"
    assert "aagm pair" in bench.service.why_not().fix
    assert refusal(bench.dial().hello(token="made-up")) == NOT_PAIRED


def test_a_family_tab_is_refused_with_4005(bench):
    """A family module cannot pair; it needs pairing off."""
    assert refusal(bench.dial().family_hello()) == NOT_PAIRED


def test_a_code_is_shown_once_and_gives_a_token(bench):
    """The six digits work once; the token works from then on."""
    bench.pairing.open_window()
    (code,) = bench.codes
    assert len(code) == 6
    assert code.isdigit()

    page = bench.dial().hello(pairingCode=code)
    token = page.answer["token"]
    assert len(token) == 43
    page.sendClose(1000)
    bench.flush()

    again = bench.dial().hello(token=token)
    assert again.answer["owner"] is True
    assert "token" not in again.answer
    assert refusal(bench.dial().hello(pairingCode=code)) == NOT_PAIRED


def test_a_token_outlives_the_relay_as_a_hash(bench, make_bench):
    """The next relay knows the token and the page; the disk knows neither token."""
    token = pair(bench, origin=WORLD)
    kept = bench.disk.read(FILE)
    assert token.encode() not in kept
    assert bench.codes[0].encode() not in kept
    assert json.loads(kept)["version"] == 1

    later = make_bench(pairing=True)
    later.disk.files = dict(bench.disk.files)
    later.pairing._paired = later.load_pairing()._paired
    assert later.dial(origin=WORLD).hello(token=token).answer["owner"] is True
    assert "[403]" in later.dial(origin="https://other.example").refusal


def test_an_open_window_lets_any_page_knock(bench):
    """A world of another address pairs while the window is open, ``null`` never."""
    assert "[403]" in bench.dial(origin=WORLD).refusal
    bench.pairing.open_window()
    assert "[403]" in bench.dial(origin="null").refusal
    page = bench.dial(origin=WORLD).hello()
    assert refusal(page) == NOT_PAIRED
    assert bench.dial(origin=WORLD).hello(pairingCode=bench.codes[0]).answer["owner"]
    assert not bench.pairing.is_open
    assert "[403]" not in bench.dial(origin=WORLD).refusal


def test_a_window_closes_by_itself(bench):
    """After five minutes the code counts no more."""
    bench.pairing.open_window()
    bench.advance(299)
    assert bench.pairing.is_open
    bench.advance(1)
    assert not bench.pairing.is_open
    page = bench.dial().hello(pairingCode=bench.codes[0])
    assert refusal(page) == NOT_PAIRED
    assert "no pairing window" in page.error["message"]


def test_a_window_without_an_end_stays(bench):
    """The window of a relay that was started by hand waits for its GM."""
    bench.pairing.open_window(None)
    bench.advance(86_400)
    assert bench.dial().hello(pairingCode=bench.codes[0]).answer["owner"] is True


def test_five_wrong_codes_close_the_window(bench):
    """Nobody guesses a code, and the right one is worth nothing afterwards."""
    bench.pairing.open_window()
    right = bench.codes[0]
    wrong = "000000" if right != "000000" else "111111"
    pages = [bench.dial().hello(pairingCode=wrong) for _ in range(5)]
    assert [refusal(page) for page in pages] == [NOT_PAIRED] * 5
    assert "4 more" in pages[0].error["message"]
    assert not bench.pairing.is_open
    assert refusal(bench.dial().hello(pairingCode=right)) == NOT_PAIRED


def test_a_player_does_not_use_up_the_code(bench):
    """A hello that is refused for another reason costs no try."""
    bench.pairing.open_window()
    bench.dial().hello(isGM=False, pairingCode=bench.codes[0])
    assert bench.dial().hello(pairingCode=bench.codes[0]).answer["owner"] is True


def test_a_new_window_makes_the_old_code_worthless(bench, monkeypatch):
    """Only the code shown last counts, on the terminal that asked for it."""
    codes = iter([7, 123456])
    monkeypatch.setattr("secrets.randbelow", lambda _: next(codes))
    bench.pairing.open_window()
    shown = []
    bench.pairing.open_window(show=shown.append)
    assert (bench.codes, shown) == (["000007"], ["123456"])
    assert refusal(bench.dial().hello(pairingCode="000007")) == NOT_PAIRED
    assert bench.dial().hello(pairingCode="123456").answer["owner"] is True


def test_a_valid_token_leaves_the_code_alone(bench):
    """A tab that sends both is let in by its token."""
    token = pair(bench)
    bench.pairing.open_window()
    bench.dial().hello(token=token, pairingCode=bench.codes[-1])
    assert bench.pairing.is_open


def test_a_program_without_an_origin_needs_a_token(bench):
    """What is no page cannot pair, but may use a token that a person gave it."""
    token = pair(bench)
    bench.pairing.open_window()
    program = bench.dial(origin=None).hello(pairingCode=bench.codes[-1])
    assert refusal(program) == NOT_PAIRED
    assert bench.pairing.is_open
    program = bench.dial(origin=None).hello(token=token, userId="gm2")
    assert program.answer["capabilitySet"] == "gm"


def test_a_pairing_that_cannot_be_kept_is_refused(bench):
    """On a full disk no token is told that the next relay would not know."""
    bench.pairing.open_window()
    bench.disk.is_full = True
    page = bench.dial().hello(pairingCode=bench.codes[0])
    assert refusal(page) == NOT_PAIRED
    assert "no space" in page.error["message"]
    assert bench.pairing.is_empty
    assert not bench.pairing.remembers("http://localhost:30000")


def test_the_token_is_told_when_it_is_kept(bench):
    """First the disk, then the page."""
    bench.pairing.open_window()
    bench.disk.hold()
    page = bench.dial().hello(pairingCode=bench.codes[0])
    assert page.heard == []
    bench.disk.release()
    bench.flush()
    assert "token" in page.answer


def test_only_so_many_pairings_are_kept(bench):
    """The oldest goes when there are too many."""
    first = pair(bench, origin=WORLD)
    for _ in range(KEPT):
        pair(bench)
    assert not bench.pairing.knows(first)
    assert "[403]" in bench.dial(origin=WORLD).refusal


@pytest.mark.parametrize(
    "content",
    [
        b"not json",
        b"[]",
        b'{"version": 2, "paired": []}',
        b'{"version": 1, "paired": [{"hash": 1}]}',
    ],
)
def test_a_file_that_is_not_ours_stops_the_start(bench, content):
    """A file of another version or shape is never guessed at."""
    bench.disk.files[FILE] = content
    with pytest.raises(StartFault):
        bench.load_pairing()


def test_a_lone_surrogate_is_just_a_wrong_code(bench):
    """Text that is no text harms nobody."""
    bench.pairing.open_window()
    assert refusal(bench.dial().hello(pairingCode="\ud800")) == NOT_PAIRED
    assert refusal(bench.dial().hello(token="\ud800")) == NOT_PAIRED
