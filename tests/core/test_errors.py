"""What a programmer can catch."""

import pickle

import pytest

import toolreg
from toolreg import (
    DuplicateToolError,
    ToolDefinitionError,
    ToolError,
    ToolregError,
    UnknownToolError,
)
from toolreg.errors import Fault

FAULTS = (
    Fault(function="f", problem="is a lambda", cure="pass `name=`"),
    Fault(function="f", parameter="x", problem="has no type", cure="give it one"),
)


@pytest.mark.parametrize("kind", [ToolDefinitionError, DuplicateToolError])
def test_faults_stand_in_the_message_line_by_line(kind):
    """Function, parameter, problem and cure are in the text, one line a fault."""
    expected = "f(): is a lambda; pass `name=`\nf(): parameter 'x' has no type; give it one"
    assert expected == str(kind(FAULTS))


@pytest.mark.parametrize("kind", [ToolDefinitionError, DuplicateToolError])
def test_faults_are_records(kind):
    """The same faults can be read one by one, from any iterable."""
    assert kind(iter(FAULTS)).faults == FAULTS


@pytest.mark.parametrize("kind", [ToolDefinitionError, DuplicateToolError])
def test_definition_errors_pickle(kind):
    """A definition error travels between processes with its kind and its faults."""
    copy = pickle.loads(pickle.dumps(kind(FAULTS)))
    assert (kind, FAULTS, str(kind(FAULTS))) == (type(copy), copy.faults, str(copy))


def test_definition_errors_are_type_errors():
    """A bad definition is a TypeError, a duplicate is a bad definition."""
    assert issubclass(ToolDefinitionError, TypeError)
    assert issubclass(ToolDefinitionError, ToolregError)
    assert issubclass(DuplicateToolError, ToolDefinitionError)


def test_an_unknown_tool_is_a_key_error_that_can_be_read():
    """Unlike KeyError's, the text has no quotes around it."""
    assert issubclass(UnknownToolError, KeyError)
    assert issubclass(UnknownToolError, ToolregError)
    assert str(UnknownToolError("there is no tool 'x'")) == "there is no tool 'x'"


def test_what_tools_raise_is_no_error_of_the_library():
    """``except ToolregError`` does not catch what a tool says to the model."""
    assert not issubclass(ToolError, ToolregError)


def test_a_tool_error_keeps_its_pieces():
    """The pieces of a tool's message can be read one by one, also after pickling."""
    error = pickle.loads(pickle.dumps(ToolError("no such order", 7)))
    assert error.content == ("no such order", 7)


def test_public_names_are_pydantic_s_own_nowhere():
    """No public name is one that pydantic has, so both can be imported with a star."""
    pydantic = pytest.importorskip("pydantic")
    assert set() == set(toolreg.__all__) & set(pydantic.__all__)
