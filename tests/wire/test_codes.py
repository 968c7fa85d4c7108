"""The one table of codes."""

from __future__ import annotations

import inspect

import pytest

from aagm import errors
from aagm.errors import AagmError
from aagm.wire.codes import code_of, from_error, internal, to_error

EVERY = [
    kind
    for _, kind in inspect.getmembers(errors, inspect.isclass)
    if issubclass(kind, AagmError) and kind is not AagmError
]


@pytest.mark.parametrize("kind", EVERY)
def test_every_error_has_a_code(kind):
    """Whatever goes wrong, the client is told a number and a name."""
    error = to_error(kind("it went wrong", fix="do this"))
    assert error["code"] == code_of(kind("")).number
    assert error["data"]["fix"] == "do this"
    assert error["message"] == "it went wrong"


def test_what_the_module_throws_keeps_its_stack_and_entries():
    """A handler's error still carries what it had written."""
    error = from_error(
        {
            "code": -33002,
            "message": "eval: execution threw: no such actor",
            "data": {"stack": "at line 1", "rollback": {"streamed": 3}},
        }
    )
    assert isinstance(error, errors.HandlerThrew)
    assert error.data["rollback"] == {"streamed": 3}
    assert "no such actor" in str(error)


@pytest.mark.parametrize("error", [{}, {"code": "x", "message": None, "data": 3}])
def test_a_shapeless_error_is_still_one(error):
    """A module that sends half an error does not break the relay."""
    assert isinstance(from_error(error), errors.HandlerThrew)


def test_a_stranger_s_exception_is_not_repeated_to_the_client():
    """An internal error says where to look, and nothing else."""
    assert internal()["code"] == -32603
    assert "log" in internal()["message"]


def test_what_the_module_says_to_do_is_passed_on():
    """A handler knows better than the relay what helps; its word comes first."""
    data = {"fix": "Give sceneId.", "stack": "at line 1"}
    error = from_error({"code": -33002, "message": "not found", "data": data})
    assert (error.fix, error.data) == ("Give sceneId.", {"stack": "at line 1"})
    for shapeless in ({}, {"fix": 3}, {"fix": ""}):
        error = from_error({"code": -33002, "message": "no", "data": shapeless})
        assert error.fix == errors.HandlerThrew.usual_fix
