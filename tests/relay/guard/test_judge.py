"""The cache and the thread around a verdict."""

from __future__ import annotations

from collections.abc import Callable

from twisted.internet.defer import Deferred, succeed

from aagm.relay.guard import Guard, Protected, Verdict, judge


def _judged(guard: Guard, code: str) -> Verdict:
    found: list[Verdict] = []
    Deferred.fromCoroutine(guard.judge(code)).addCallback(found.append)
    return found[0]


def _at_once(
    seen: list[str],
) -> Callable[[Callable[[str, Protected], Verdict], str, Protected], Deferred[Verdict]]:
    def run(function, code, protected):
        seen.append(code)
        return succeed(function(code, protected))

    return run


def test_long_code_is_judged_in_a_thread():
    """Code above 2 KB leaves the reactor's thread, shorter code does not."""
    seen: list[str] = []
    guard = Guard(_at_once(seen), Protected())
    long = "return 1;" + " " * judge.SHORT
    assert _judged(guard, "return 1;").kind == "read"
    assert _judged(guard, long).kind == "read"
    assert seen == [long]


def test_a_verdict_is_kept():
    """The same code is looked at once, also when it is another string."""
    seen: list[str] = []
    guard = Guard(_at_once(seen), Protected())
    long = "return 2;" + " " * judge.SHORT
    first = _judged(guard, long)
    assert _judged(guard, "".join(list(long))) is first
    assert len(seen) == 1


def test_the_cache_has_a_bound():
    """The oldest verdicts make room, those asked for again stay."""
    guard = Guard(_at_once([]), Protected())
    first = _judged(guard, "return 'first';")
    for number in range(judge.KEPT - 1):
        _judged(guard, f"return {number};")
    assert _judged(guard, "return 'first';") is first
    _judged(guard, "return 'one more';")
    assert _judged(guard, "return 'first';") is first
    assert len(guard._kept) == judge.KEPT


def test_an_unfinished_verdict_is_not_kept():
    """What a slow moment could not finish is looked at again."""
    seen: list[str] = []

    def slow(function, code, protected):
        seen.append(code)
        return succeed(Verdict("unproven", "takes too long", unfinished=True))

    guard = Guard(slow, Protected())
    long = "return 3;" + " " * judge.SHORT
    assert _judged(guard, long).unfinished
    assert _judged(guard, long).unfinished
    assert len(seen) == 2


def test_code_with_broken_text_is_judged():
    """A lone surrogate breaks neither the cache nor the parser."""
    guard = Guard(_at_once([]), Protected())
    assert _judged(guard, "return '\ud800';").kind == "read"
