import copy
import enum
import json
from typing import Annotated, Literal

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from toolreg._repair import Mended, mend


class Point(BaseModel):
    x: int
    n: int = 3
    tags: list[str] = []


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Circle(BaseModel):
    kind: Literal["circle"]
    radius: int
    width: int = 1


class Line(BaseModel):
    kind: Literal["line"]
    end: Point | None = None


Shape = Annotated[Circle | Line, Field(discriminator="kind")]


def arguments_of(**parameters):
    fields = {
        name: given if isinstance(given, tuple) else (given, ...)
        for name, given in parameters.items()
    }
    return create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)


def mended(model, raw, *, wrappers=True):
    with pytest.raises(ValidationError) as caught:
        model.model_validate_json(json.dumps(raw))
    paths = [error["loc"] for error in caught.value.errors(include_url=False)]
    before = copy.deepcopy(raw)
    result = mend(raw, schema=model.model_json_schema(), paths=paths, wrappers=wrappers)
    assert before == raw
    return result


@pytest.mark.parametrize(
    ("parameters", "raw", "arguments", "repairs"),
    [
        pytest.param(
            {"xs": list[int], "m": dict[str, int], "p": Point, "o": (list[str] | None, None)},
            {"xs": "[1, 2]", "m": '{"a": 1}', "p": '{"x": 3}', "o": '["z"]'},
            {"xs": [1, 2], "m": {"a": 1}, "p": {"x": 3}, "o": ["z"]},
            ("json-text: xs", "json-text: m", "json-text: p", "json-text: o"),
            id="JSON text where no text is allowed",
        ),
        pytest.param(
            {"url": str, "n": (int, 7), "tags": (list[str], [])},
            {"url": "u", "n": None, "tags": None},
            {"url": "u"},
            ("null-dropped: n", "null-dropped: tags"),
            id="null for what has a default",
        ),
        pytest.param({"c": Color}, {"c": "Red"}, {"c": "red"}, ("case: c",), id="case of an enum"),
        pytest.param(
            {"pct": Literal[0, 75], "on": Literal[True]},
            {"pct": "75", "on": "true"},
            {"pct": 75, "on": True},
            ("literal: pct", "literal: on"),
            id="text for a number that is given",
        ),
        pytest.param(
            {"shape": Shape},
            {"shape": {"kind": "Circle", "radius": 1, "width": None}},
            {"shape": {"kind": "circle", "radius": 1}},
            ("case: shape.kind", "null-dropped: shape.width"),
            id="the tag of a discriminated union",
        ),
        pytest.param(
            {"shapes": list[Shape] | None},
            {"shapes": [{"kind": "line", "end": '{"x": 1, "n": null}'}]},
            {"shapes": [{"kind": "line", "end": {"x": 1}}]},
            ("json-text: shapes[0].end", "null-dropped: shapes[0].end.n"),
            id="slips under JSON text under a union under a list",
        ),
    ],
)
def test_slips_are_mended(parameters, raw, arguments, repairs):
    """Each slip is mended where it stands, and the mended arguments are valid."""
    model = arguments_of(**parameters)
    assert Mended(arguments, repairs) == mended(model, raw)
    model.model_validate_json(json.dumps(arguments))


@pytest.mark.parametrize(
    ("parameters", "raw"),
    [
        ({"url": str}, {"url": None}),
        ({"c": Color}, {"c": "green"}),
        ({"u": int | list[int] | str}, {"u": [1, "x"]}),
    ],
)
def test_what_is_no_slip_stays(parameters, raw):
    """Faults that no repair explains leave the arguments alone."""
    assert mended(arguments_of(**parameters), raw) is None


def test_double_encoded_arguments_are_parsed():
    """A JSON string that holds the object gives the object."""
    assert Mended({"a": 3}, ("double-encoded",)) == mended(arguments_of(a=int), '{"a": 3}')


def test_a_wrapper_is_taken_off():
    """One key that is no parameter's name around an object of parameters is taken off."""
    model = arguments_of(a=int)
    assert Mended({"a": 1}, ("wrapper: input",)) == mended(model, {"input": {"a": 1}})
    assert mended(model, {"input": {"a": 1}}, wrappers=False) is None
    assert mended(model, {"input": {"b": 1}}) is None
