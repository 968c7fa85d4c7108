"""Sixty writes and sixty side effects, each in thirty spellings."""

from __future__ import annotations

import random
import re
import runpy
from pathlib import Path

from aagm.relay.guard import Protected, classify

HERE = Path(__file__).parent
SPELLED = runpy.run_path(str(HERE / "spellings.py"))
DISGUISED = runpy.run_path(str(HERE / "disguises.py"))


def test_no_spelling_of_a_write_is_a_read():
    """However a write is spelled, it is recorded."""
    reads = [
        (name, code)
        for receiver, method, args in SPELLED["WRITES"]
        for name, spell in SPELLED["SPELLINGS"].items()
        if classify(code := spell(receiver, method, args), Protected()).kind == "read"
    ]
    assert len(SPELLED["WRITES"]) >= 60
    assert len(SPELLED["SPELLINGS"]) >= 20
    assert reads == []


def test_side_effects_are_refused_in_nearly_every_spelling():
    """No spelling of a side effect is a read, and nine in ten are refused."""
    kinds = [
        classify(spell(receiver, method, args), Protected()).kind
        for receiver, method, args in SPELLED["SIDE_EFFECTS"]
        for spell in SPELLED["SPELLINGS"].values()
    ]
    assert len(SPELLED["SIDE_EFFECTS"]) >= 60
    assert "read" not in kinds
    assert kinds.count("side-effect") >= 0.9 * len(kinds)


def test_no_single_detour_hides_an_act():
    """A value that comes back through any one detour is still what it was."""
    put_in = DISGUISED["put_in"]
    missed = []
    for wrapper in DISGUISED["WRAPPERS"]:
        for member, acts in (("", "ACTS"), (".frobnicate", "METHODS")):
            start = f"const subject = game.actors.contents[0]{member}; "
            for act in DISGUISED[acts]:
                code = start + put_in(act, put_in(wrapper, "subject"))
                verdict = classify(code, Protected())
                if verdict.kind == "read" or verdict.syntax_error:
                    missed.append((code, verdict.reason))
    assert missed == []


KEPT = (HERE / "detours.txt").read_text(encoding="utf-8").splitlines()


def test_what_goes_into_a_builtin_comes_out_as_what_it_was():
    """Whatever JavaScript or Foundry keeps for us, it gives back: no act is a read."""
    acts = [("", act) for act in DISGUISED["ACTS"][::4]]
    acts += [(".frobnicate", act) for act in DISGUISED["METHODS"][::4]]
    missed = []
    for detour in KEPT:
        for member, act in acts:
            start = f"const subject = game.actors.contents[0]{member}; "
            code = start + DISGUISED["put_in"](
                act, DISGUISED["put_in"](detour, "subject")
            )
            verdict = classify(code, Protected())
            if verdict.kind == "read" or verdict.syntax_error:
                missed.append((code, verdict.reason))
    assert len(KEPT) >= 600
    assert missed == []


def test_a_harmless_namesake_hides_no_act():
    """Where an object with such a method stood before, the act is found, too."""
    subject = "const subject = game.actors.contents[0]; "
    missed = []
    for detour in KEPT:
        namesake = re.sub(r"(?<=[\[(])\{\}|(?<=: )\{\}", "{update() {}}", detour)
        act = DISGUISED["put_in"](namesake, "subject") + ".update({name: 'x'})"
        if classify(subject + act, Protected()).kind == "read":
            missed.append(act)
    assert missed == []


def test_no_chain_of_detours_hides_an_act():
    """Up to four detours inside one another change nothing."""
    chance = random.Random(7)
    codes = [DISGUISED["disguised"](chance) for _ in range(1500)]
    assert [c for c in codes if classify(c, Protected()).kind == "read"] == []
