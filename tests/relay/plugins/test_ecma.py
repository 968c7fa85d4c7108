"""Patterns mean here what they mean in the browser."""

from __future__ import annotations

import json
import subprocess

import pytest

from aagm.relay.plugins.ecma import NotEcma, compile_pattern

PATTERNS = [
    *(r"^[a-z]+$", r"\d+", r"^\w$", r"^\s$", r"[\w-.]", r"[\d-z]", r"[^]", r"[]"),
    *(r"a{2,3}", r"a{,3}", r"a{2", r"^.$", r"\u{1F600}", r"\u0041", r"\x41", r"\cA"),
    *(r"[[a]", r"[a&&b]+", r"(?<n>a)\k<n>", r"(a)\1", r"a\/b", r"^(?!x).*$"),
    *(r"(?<=a+)b", r"\bfoo\b", r"[\b]", r"^$", r"\p{L}", r"a|b", r"x*?y", r"\D"),
    *(r"^\W$", r"[\W]", r"(?:ab)+?c", r"\.", r"[^\]]", r" #", r"a-b", r"\0"),
    *(r"[\u0041-\u0043]", r"\$", r"[$]", r"^a?$", r"[a-]", r"[^a-z]$", r"(a|b)*c"),
]
TEXTS = [
    *("a", "abc", "abc\n", "5", "é", "٣", "_", "-", ".", "A", "aa", "aaa", "a{,3}"),
    *("a{2", "\n", "\r", "\u2028", "😀", "\x01", "[", "&", "a/b", "x1", "aab", "B"),
    *("foo bar", "\b", "", "xxy", "ababc", "]", " #", "a-b", "\x00", "y", "Z", "$"),
]
IN_NODE = """
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
const reads = (pattern) => {
  try { return new RegExp(pattern, "u"); } catch { return new RegExp(pattern); }
};
const found = cases.map(([pattern, text]) => reads(pattern).test(text));
console.log(JSON.stringify(found));
"""


def test_every_pattern_finds_what_node_finds():
    """Two engines, one answer, for all patterns on all texts."""
    cases = [(pattern, text) for pattern in PATTERNS for text in TEXTS]
    done = subprocess.run(
        ["node", "-e", IN_NODE],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    wrong = [
        (pattern, text, in_node)
        for (pattern, text), in_node in zip(cases, json.loads(done.stdout), strict=True)
        if (compile_pattern(pattern).search(text) is not None) is not in_node
    ]
    assert wrong == []


@pytest.mark.parametrize(
    "pattern",
    [
        *(r"(?i)a", r"a++", r"(?>a)", r"(?R)", r"(?P<n>a)", r"(?#c)"),
        *(r"\K", r"\h", r"\Z", r"\G", r"\L<x>"),
        *(r"[a", r"(a", r"a)", r"*", r"a**", r"[z-a]", "\\"),
    ],
)
def test_what_only_one_dialect_knows_is_refused(pattern):
    """It would mean something else here than in the browser, or nothing."""
    with pytest.raises(NotEcma):
        compile_pattern(pattern)


@pytest.mark.parametrize(
    "pattern",
    ["((((a{100}){100}){100}){100})", "(a{1000}){1000}", "(" * 1500, "a" * 9000],
)
def test_a_pattern_that_would_take_long_to_compile_is_refused(pattern):
    """Repeats multiply: some patterns cost more than what they judge."""
    with pytest.raises(NotEcma):
        compile_pattern(pattern)
