"""Throw random and mutated sources at the guard.

    python -m tests.relay.guard.fuzz 100000 [seed]

prints one line of JSON, and ends with 0 when no source raised an exception or
took longer than a verdict may. ``test_fuzz.py`` runs 2,000 of them.
"""

from __future__ import annotations

import gc
import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from aagm.relay.guard import Protected, classify
from aagm.relay.guard.verdicts import SEVERITY

LONGEST_VERDICT = 0.1  # seconds
CORPUS = Path(__file__).parent / "corpus"

_WORDS = """
    ( ) [ ] { } ${ ` ' " / // /* */ <!-- --> \\ \\u0064 \\n ; , . ?. ... => = == ===
    += ??= && || ?? ! ~ + - ++ -- * ** % < > << >>> & | ^ ? : @ # #x _ $ 0 1 1n 0x1f
    1e9 .5 a b x game actors update delete create ChatMessage async await yield
    function function* class extends super static get set constructor new this
    return throw try catch finally if else for of in while do switch case default
    break continue label: const let var typeof void instanceof true false null
    undefined NaN arguments eval import export with debugger /re/g 'text' `t`
    [Symbol.iterator] __proto__ prototype forEach map filter then toString
    \ufeff \U0001f409 é \ud800 \0
"""
_TOKENS = [*_WORDS.split(), "\u2028", "\u00a0", "\n"]


def snippets() -> list[str]:
    """List the corpus's snippets."""
    return [
        part.partition("\n")[2]
        for path in sorted(CORPUS.glob("*.js"))
        for part in path.read_text(encoding="utf-8").split("//# ")[1:]
    ]


def sources(count: int, seed: int) -> Iterator[str]:
    """Make *count* sources: soups of tokens, mutated snippets, deep nests."""
    chance = random.Random(seed)
    known = snippets()
    makers = [_soup, _nest, _mutant, _mutant, _mutant, _crossing, _crossing, _bytes]
    for _ in range(count):
        yield chance.choice(makers)(chance, known)


def _soup(chance: random.Random, _known: list[str]) -> str:
    count = chance.choice((3, 10, 40, 200, 2000))
    glue = chance.choice(("", " ", "\n"))
    return glue.join(chance.choices(_TOKENS, k=chance.randint(1, count)))


def _nest(chance: random.Random, _known: list[str]) -> str:
    opening = "".join(chance.choices(_TOKENS, k=chance.randint(1, 3)))
    closing = "".join(chance.choices(_TOKENS, k=chance.randint(0, 2)))
    depth = chance.choice((5, 50, 200, 1000, 10000))
    return (opening * depth + "a" + closing * depth)[: 64 * 1024]


def _mutant(chance: random.Random, known: list[str]) -> str:
    code = chance.choice(known)
    for _ in range(chance.randint(1, 6)):
        at = chance.randint(0, len(code))
        length = chance.choice((0, 0, 1, 3, 20))
        piece = chance.choice(_TOKENS) if chance.random() < 0.7 else ""
        code = code[:at] + piece + code[at + length :]
    return code


def _crossing(chance: random.Random, known: list[str]) -> str:
    one, other = chance.sample(known, 2)
    cut, paste = chance.randint(0, len(one)), chance.randint(0, len(other))
    code = one[:cut] + other[paste:]
    if chance.random() < 0.2:
        code = "\n;\n".join([code] * chance.randint(2, 30))
    return code


def _bytes(chance: random.Random, _known: list[str]) -> str:
    return "".join(
        chr(chance.randint(0, 0x2FFF)) for _ in range(chance.randint(0, 300))
    )


def run(count: int, seed: int) -> dict[str, object]:
    """Judge *count* sources; what was seen.

    Times are the thread's own: a busy machine is no fault of the guard's. Nor is what
    this process holds: the collector leaves it alone, as in a relay.
    """
    with only_ours():
        return _run(count, seed)


@contextmanager
def only_ours() -> Iterator[None]:
    """Let the collector look at nothing that is there already."""
    gc.collect()
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


def _run(count: int, seed: int) -> dict[str, object]:
    times: list[float] = []
    kinds = dict.fromkeys(SEVERITY, 0)
    faults: list[str] = []
    for source in sources(count, seed):
        start = time.thread_time()
        try:
            verdict = classify(source, Protected())
        except Exception as e:  # noqa: BLE001 - that is what we look for
            faults.append(f"{type(e).__name__}: {source[:200]!r}")
            continue
        took = time.thread_time() - start
        times.append(took)
        kinds[verdict.kind] += 1
        if took > LONGEST_VERDICT:
            faults.append(f"{took * 1000:.0f} ms: {source[:200]!r}")
    return {
        "sources": count,
        "seed": seed,
        "p99_ms": round(sorted(times)[len(times) * 99 // 100] * 1000, 1),
        "slowest_ms": round(max(times) * 1000, 1),
        "kinds": kinds,
        "faults": faults[:20],
    }


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    report = run(number, int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    sys.stdout.write(json.dumps(report) + "\n")
    sys.exit(1 if report["faults"] else 0)
