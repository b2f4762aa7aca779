"""What formats share."""

import enum
import json
from dataclasses import dataclass
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from toolreg import ToolCall, ToolResult
from toolreg._types import Spec
from toolreg.formats import FORMATS, _wire, get, openai


class Inner(BaseModel):
    text: str = "default"
    async_: bool | None = Field(None, alias="async")


class Outer(BaseModel):
    inner: Inner
    items: list[dict[str, object]] = []
    raw: bytes = b""


@dataclass
class Point:
    x: int
    y: object = None


class Colour(str, enum.Enum):
    RED = "red"


def nested(levels):
    value = inner = {}
    for _ in range(levels):
        inner["a"] = inner = {}
    return value


def test_models_become_what_was_received():
    """Fields by their aliases, those that were not set left out, nulls kept."""
    model = Outer(inner=Inner(**{"async": None}), items=[{"a": None}])
    assert {"inner": {"async": None}, "items": [{"a": None}]} == _wire.plain(model)


def test_nulls_of_models_can_be_left_out():
    """Defaults are in then; nulls inside free values stay."""
    model = Outer(inner=Inner(), items=[{"a": None}])
    expected = {"inner": {"text": "default"}, "items": [{"a": None}], "raw": ""}
    assert expected == _wire.plain(model, nulls=False)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Point(1, Point(2)), {"x": 1, "y": {"x": 2, "y": None}}),
        ((1, [2.5, True]), [1, [2.5, True]]),
        ({1: Colour.RED}, {"1": "red"}),
        (float("nan"), None),
        (float("-inf"), None),
        (b"\xff", "/w=="),
        ("x\ud800", "x\ufffd"),
        ({"x\ud800": None}, {"x\ufffd": None}),
        (Point, str(Point)),
        (SimpleNamespace(a=1), "namespace(a=1)"),
    ],
    ids=repr,
)
def test_anything_becomes_plain(value, expected):
    """Dataclasses, tuples, enumerations, bytes and objects of no known kind have a plain form."""
    made = _wire.plain(value)
    assert expected == made
    json.dumps(made, allow_nan=False).encode("utf-8")


def test_plain_values_are_copies():
    """What is inside is new as well."""
    value = {"a": [{"b": 1}]}
    made = _wire.plain(value)
    made["a"][0]["b"] = 2
    assert {"a": [{"b": 1}]} == value


@pytest.mark.parametrize("levels", [10, 400, 5000])
def test_depth_does_no_harm(levels):
    """However deep a value is, it is returned."""
    assert nested(0) == _wire.dig(_wire.plain(nested(levels)), *["a"] * 5, *["a"] * (levels - 5))


def test_deep_values_in_models_do_no_harm():
    """The JSON mode of pydantic gives up on them; the other does not."""
    model = Outer(inner=Inner(), items=[nested(400)])
    assert {} == _wire.dig(_wire.plain(model), "items", 0, *["a"] * 400)


@pytest.mark.parametrize(
    ("path", "found"),
    [
        (("a", 1, "b"), 2),
        (("a", 2), None),
        (("a", "b"), None),
        ((0,), None),
        (("x", "y"), None),
        ((), {"a": [1, {"b": 2}]}),
    ],
)
def test_digging_never_raises(path, found):
    """What is not there is None."""
    assert found == _wire.dig({"a": [1, {"b": 2}]}, *path)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": [1]}', {"a": [1]}),
        ("[1]", None),
        ("{", None),
        ("", None),
        ('{"a": NaN}', None),
        ('{"a": 1e999}', {"a": None}),
        ('{"a": ' * 3000, None),
    ],
)
def test_only_objects_are_json_objects(text, value):
    """Everything else, broken or not, is none."""
    assert value == _wire.json_object(text)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (None, {}),
        ("", {}),
        (" null ", {}),
        ({"a": (1,)}, {"a": [1]}),
        (b'{"a": 1}', {"a": 1}),
        ("{", {"INVALID_JSON": "{"}),
        (bytearray(b"\xff"), {"INVALID_JSON": "\ufffd"}),
    ],
)
def test_arguments_have_a_form_as_an_object(arguments, expected):
    """Providers that demand an object get one, whatever the model wrote."""
    assert expected == _wire.mapping_of(arguments)


@pytest.mark.parametrize(
    ("value", "expected"),
    [("c", "c"), (0, 0), ("", None), ("null", None), (True, None), ([], None), (None, None)],
)
def test_what_is_an_id(value, expected):
    """Texts and integers are, the SDKs' stand-ins for a missing one are not."""
    assert expected == _wire.call_id(value)


def test_made_ids_are_fixed_and_differ():
    """The same call of the same response always has the same one."""
    made = [_wire.made_id("r", position) for position in range(200)]
    assert made == [_wire.made_id("r", position) for position in range(200)]
    assert 200 == len(set(made))
    assert _wire.made_id("r", 0) != _wire.made_id("s", 0)


@pytest.mark.parametrize("value", [[], (), ["x"], [ToolCall("a"), 1], "ab", None, {}])
def test_what_holds_no_calls_is_none(value):
    """Only calls, and nothing but calls, are calls."""
    assert _wire.given(value) is None


@pytest.mark.parametrize(
    ("name", "spelled"),
    [
        ("fine_1", "fine_1"),
        ("größe", "gro_u00dfe"),
        ("1st", "_1st"),
        ("a.b c", "a_b_c"),
        ("", "_"),
        ("数", "_u6570"),
        ("-x", "_-x"),
    ],
)
def test_names_are_spelled_under_a_rule(name, spelled):
    """Accents fall, other letters are written by number."""
    assert spelled == _wire.safe(name)


@given(st.text(max_size=90), st.sampled_from([64, 128]))
def test_safe_names_always_fit(name, length):
    """Any text has a fixed spelling that fits, and a fitting name is left alone."""
    spelled = _wire.safe(name, length=length)
    assert 1 <= len(spelled) <= length
    assert _wire.safe(spelled, length=length) is spelled
    assert spelled == _wire.safe(name, length=length)


def test_long_names_that_differ_late_stay_apart():
    """A cut name ends in a mark of what it was."""
    assert _wire.safe("a" * 70 + "x") != _wire.safe("a" * 70 + "y")


def test_properties_are_renamed_with_the_list_of_required_ones():
    """Top-level names are spelled another way, everything else stays."""
    schema = {"type": "object", "properties": {"a": {}, "b": {}}, "required": ["b"]}
    expected = {"type": "object", "properties": {"A": {}, "B": {}}, "required": ["B"]}
    assert expected == _wire.rename(schema, str.upper)
    assert {"properties": {"A": {}}} == _wire.rename({"properties": {"a": {}}}, str.upper)
    assert {"type": "object"} == _wire.rename({"type": "object"}, str.upper)
    assert {"a", "b"} == set(schema["properties"])


def test_merging_goes_one_level_deep():
    """Objects under the same key are joined, everything else is replaced."""
    base = {"a": {"x": 1, "y": {"p": 1}}, "b": 1}
    merged = _wire.merge(base, {"a": {"y": {"q": 2}}, "b": {"z": 1}, "c": [1]})
    assert {"a": {"x": 1, "y": {"q": 2}}, "b": {"z": 1}, "c": [1]} == merged
    assert {"a": {"x": 1, "y": {"p": 1}}, "b": 1} == base


def test_options_are_those_of_one_format():
    """A tool's keys for other formats are not seen."""
    spec = Spec(name="a", provider_options={"openai": {"x": 1}})
    assert ({"x": 1}, {}) == (_wire.options(spec, "openai"), _wire.options(spec, "groq"))


def test_a_format_is_found_by_name_or_is_itself():
    """Modules, and any object with their functions, are formats."""
    assert get("openai") is openai
    assert get(openai) is openai
    assert "openai-responses" in FORMATS


def test_an_unknown_name_is_refused_with_the_known_ones():
    """The message lists what there is."""
    with pytest.raises(ValueError, match=r"there is no format 'opnai'.*openai, openai-responses"):
        get("opnai")


class Loud:
    """A format of somebody's own, with the functions that every format must have."""

    def spec(self, spec, strict=False):
        return {"NAME": spec.name.upper(), "strict": strict or spec.strict}

    def tools(self, specs):
        return [self.spec(each) for each in specs]

    def calls(self, response):
        return [ToolCall(response)]

    def stream(self):
        return openai.stream()

    def assistant(self, response):
        return [response]

    def messages(self, results):
        return [{"SAID": result.output.upper()} for result in results]


def test_a_format_of_somebodys_own_is_completed():
    """It need not say how names are spelled or why a tool is not strict."""
    made = get(Loud())
    expected = {"NAME": "A", "strict": True}
    assert [expected] == made.tools([Spec(name="a")], True)
    assert expected == made.spec(Spec(name="a"), True)
    assert ["x"] == [call.name for call in made.calls("x")]
    assert ["x"] == made.assistant("x")
    assert [] == made.stream().calls()
    assert [{"SAID": "Y"}] == made.messages([ToolResult("1", "a", "y")])
    assert ("größe", "a b") == (made.safe_parameter("größe"), made.safe_name("a b"))
    assert made.strict_faults(Spec(name="a"))


@pytest.mark.parametrize("value", [None, 1, object()])
def test_what_is_no_format_is_refused(value):
    """An object without a format's functions is none."""
    with pytest.raises(TypeError, match="is no format"):
        get(value)
