"""Every error of ours has a code, and every code a sentence."""

from __future__ import annotations

import inspect

import pytest

from aagm import errors
from aagm.errors import AagmError
from aagm.wire.codes import code_of, to_error

ERRORS = [
    each
    for _, each in inspect.getmembers(errors, inspect.isclass)
    if issubclass(each, AagmError) and each is not AagmError
]


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_is_in_the_table(kind):
    """No error can reach a wire without a code of WIRE section 3."""
    code = code_of(kind("a sentence"))
    assert -33099 < code.number < -32599
    assert code.name == code.name.lower()


@pytest.mark.parametrize("kind", ERRORS)
def test_the_sentence_and_its_cure_travel(kind):
    """The caller reads what went wrong and what to do."""
    error = to_error(kind("a sentence", fix="a cure", data={"stack": "s"}))
    assert error["message"] == "a sentence"
    assert error["data"]["fix"] == "a cure"
    assert error["data"]["stack"] == "s"


def test_every_error_says_what_it_is():
    """A class without a docstring would be a riddle in a log."""
    assert [each for each in ERRORS if not each.__doc__] == []


@pytest.mark.parametrize("kind", ERRORS)
def test_every_error_says_what_to_do(kind):
    """Whoever raises it may say nothing more; the reader is still told a cure."""
    assert kind("a sentence").fix.endswith(".")
    assert kind("a sentence", fix="A better cure.").fix == "A better cure."
