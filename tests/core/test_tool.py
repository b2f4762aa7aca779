"""A tool alone."""

import asyncio
import copy
import gc
import pickle
import weakref
from typing import Annotated

import pytest
from pydantic import BaseModel

from toolreg import Injected, Tool, ToolDefinitionError, formats


def add(a: int, b: int = 1) -> int:
    """Add two integers.

    More text.

    Args:
        a: The first.
        b: The second.
        c: A slip.

    Returns:
        The sum.
    """
    return a + b


@pytest.fixture
def tool():
    return Tool.from_function(add)


def test_a_tool_says_all_that_a_model_must_know(tool):
    """Name, description and parameters come from the function."""
    assert ("add", None, (), {}, add) == (tool.name, tool.title, tool.tags, tool.hints, tool.func)
    assert "Add two integers.\n\nMore text." == tool.description
    assert {
        "type": "function",
        "name": "add",
        "description": "Add two integers.\n\nMore text.",
        "parameters": {
            "type": "object",
            "properties": {
                "a": {"type": "integer", "description": "The first."},
                "b": {"type": "integer", "description": "The second.", "default": 1},
            },
            "required": ["a"],
            "additionalProperties": False,
        },
        "strict": False,
    } == tool.spec()


def test_options_say_what_the_function_does_not():
    """Each is read back as it was given."""
    tool = Tool.from_function(
        add,
        name="plus",
        description="",
        title="Sum",
        tags="math",
        hints={"read_only": True},
        strict=True,
        examples=[{"a": 1}],
    )
    assert ("plus", "", "Sum", ("math",)) == (tool.name, tool.description, tool.title, tool.tags)
    assert {"read_only": True} == tool.hints
    assert tool.spec()["strict"]


def test_names_that_are_documented_and_not_there_are_told(tool):
    """A slip in the docstring can be found."""
    assert ("c",) == tool.undeclared


def test_a_tool_is_made_by_its_class_as_well():
    """``Tool(func=…)`` and ``Tool.from_function`` are the same."""
    made = Tool(func=lambda a, b: a + b, name="add", description="Add.")
    assert "<Tool add(a, b)>" == repr(made)
    assert "42" == made.execute('{"a": 19, "b": 23}').output


def test_a_tool_is_executed_in_both_colours(tool):
    """The caller's id is echoed; where there is none, one is made and marked."""
    for call_id in ("c", 0, ("t", 1)):
        result = tool.execute({"a": 1}, call_id=call_id)
        assert (call_id, "2", False) == (result.call_id, result.output, result.call.made_id)
    for call_id in (None, ""):
        result = asyncio.run(tool.aexecute({"a": 1}, call_id=call_id))
        assert ("2", True, True) == (result.output, bool(result.call_id), result.call.made_id)


def test_what_is_handed_out_changes_nothing_inside(tool):
    """Parameters, hints and specs are copies."""
    options = {"openai": {"x": {"y": [1]}}, "mcp": {"x": {"y": [1]}}}
    tool = tool.replace(provider_options=options, examples=[{"a": [1]}], hints={"read_only": True})
    for name in (None, *formats.FORMATS):
        expected = repr(tool.spec(name))
        spoil(tool.spec(name))
        assert expected == repr(tool.spec(name))
    expected = repr((tool.parameters, tool.hints))
    spoil(tool.parameters)
    spoil(tool.hints)
    assert expected == repr((tool.parameters, tool.hints))


def spoil(value):
    """Change every object and array inside a JSON value."""
    if isinstance(value, dict):
        for item in list(value.values()):
            spoil(item)
        value["spoilt"] = True
    elif isinstance(value, list):
        for item in value:
            spoil(item)
        value.append("spoilt")


def test_a_strict_export_or_the_reasons_against_it(tool):
    """The reasons come from the format, by name or itself."""
    assert tool.spec("openai", strict=True)["function"]["strict"]
    assert () == tool.strict_faults("openai") == tool.strict_faults(formats.openai)
    assert tool.strict_faults("ollama")


def test_an_unknown_format_raises(tool):
    """The formats there are stand in the message."""
    with pytest.raises(ValueError, match="openai"):
        tool.spec("opnai")


def test_replacing_options_makes_another_tool(tool):
    """The rest is kept, and the first tool stays what it was."""
    other = tool.replace(name="plus", tags=["x"]).replace(description="Sum.")
    assert ("plus", ("x",), "Sum.") == (other.name, other.tags, other.description)
    assert ("add", ()) == (tool.name, tool.tags)
    with pytest.raises(ToolDefinitionError):
        tool.replace(name="a b")


def local_tool():
    class Local(BaseModel):
        x: int

    def f(p: "Local", q: "list[Local] | None" = None) -> "Local":
        return p

    return Tool.from_function(f)


def test_replacing_needs_no_names_of_the_place_of_definition():
    """A tool with local types can be changed, and copied, anywhere."""
    for tool in (local_tool().replace(name="g"), copy.deepcopy(local_tool())):
        assert '{"x":1}' == tool.execute({"p": {"x": 1}}).output
        assert {"p", "q"} == set(tool.parameters["properties"])


def test_a_tool_pickles_by_the_name_of_its_function(tool):
    """The copy is a tool of the very same function, with its options."""
    made = tool.replace(title="Sum", timeout=5, tags=["x"])
    copied = pickle.loads(pickle.dumps(made))
    assert (add, "Sum", ("x",)) == (copied.func, copied.title, copied.tags)
    assert made.spec() == copied.spec()
    assert "2" == copied.execute({"a": 1}).output


class Box:
    def __init__(self):
        self.items = []

    def put(self, item: str) -> int:
        self.items.append(item)
        return len(self.items)


def test_a_deep_copy_of_a_method_belongs_to_a_copy_of_its_object():
    """What the copy does, the first object does not see."""
    box = Box()
    copied = copy.deepcopy({"box": box, "tool": Tool.from_function(box.put)})
    copied["tool"].execute({"item": "x"})
    assert ([], ["x"]) == (box.items, copied["box"].items)


def test_a_deep_copy_of_a_function_is_of_that_function(tool):
    """Functions are not copied."""
    assert add is copy.deepcopy(tool).func


def test_options_are_shared_by_copies():
    """Handles that cannot be copied may stand in the options."""
    import threading

    lock = threading.Lock()

    def f(lock):
        return lock.locked()

    copied = copy.deepcopy(Tool.from_function(f, inject={"lock": lock}))
    assert "false" == copied.execute().output


def test_models_of_dropped_tools_are_collected():
    """Nothing global holds a tool, its model or its function."""

    def make():
        def f(a: int, user: Annotated[str, Injected] = "") -> int:
            return a

        tool = Tool.from_function(f)
        tool.execute({"a": 1})
        tool.spec("openai")
        return weakref.ref(tool), weakref.ref(tool.model), weakref.ref(f)

    gone = make()
    gc.collect()
    assert [None, None, None] == [reference() for reference in gone]


def test_the_model_is_made_once(tool):
    """Asking again gives the same class."""
    assert tool.model is tool.model
    assert tool.model(a="1").b == 1
    assert "Sums" == Tool.from_function(lambda: 1, name="Sums").model.__name__


def test_a_call_makes_no_model(monkeypatch):
    """Executing and exporting need no pydantic class, so they make none."""

    def broken(*args, **kwargs):
        raise AssertionError

    monkeypatch.setattr("toolreg._arguments._class.create_model", broken)
    tool = Tool.from_function(add)
    tool.spec()
    assert "2" == tool.execute({"a": 1}).output
