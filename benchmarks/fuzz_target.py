"""What the fuzzer calls: tools of every kind of signature, and the promises on a result."""

import array
import collections
import datetime as dt
import decimal
import enum
import fractions
import json
import math
import re
import uuid
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AnyUrl, BaseModel, Field
from typing_extensions import NotRequired, TypedDict

from toolreg import Image, MultiResult, Registry, ToolCall, ToolError, ToolResult

KINDS = {
    *("success", "unknown_tool", "bad_json", "invalid_arguments", "tool_error", "exception"),
    *("unserializable",),
}


class Colour(enum.Enum):
    """A colour."""

    RED = "red"
    GREEN = "green"


class Point(BaseModel):
    """A place."""

    x: int
    y: int = 0
    label: str | None = None


class Cat(BaseModel):
    """A cat."""

    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=0, le=9)] = 9


class Dog(BaseModel):
    """A dog."""

    kind: Literal["dog"]
    name: str = "Rex"


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


class More(TypedDict):
    """Some more."""

    x: list[int]
    y: NotRequired[str]


class Exploding:
    """Whatever is asked of it, it raises."""

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)

    def __str__(self) -> str:
        raise RuntimeError

    __repr__ = __str__


def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


def draw(
    point: Point,
    points: list[Point] | None = None,
    colour: Colour = Colour.RED,
    size: Literal[50, 75] = 50,
    mode: Literal["fast", "slow"] = "fast",
    note: str = "",
) -> Any:
    """Draw."""
    return [point, points, colour, size, mode, note]


def pets(pet: Pet, pets: dict[str, Pet] | list[Pet] = (), extra: int = 3) -> Any:
    """Keep."""
    return {"pet": pet, "pets": pets, "extra": extra}


def open_(*args: int, more: More, day: dt.date, price: decimal.Decimal, **rest: str) -> Any:
    """Take anything."""
    return [args, more, day, price, rest]


def limits(
    number: Annotated[int, Field(gt=0, lt=10, multiple_of=2)],
    text: Annotated[str, Field(min_length=2, max_length=3, pattern="^a")],
    moment: dt.datetime | dt.timedelta | uuid.UUID | None = None,
    pair: tuple[int, float] = (1, 1.0),
    either: int | list[int] | dict[int, bool] = 0,
    unique: Annotated[set[str], Field(max_length=1)] = frozenset(),
    address: AnyUrl | None = None,
) -> str:
    """Take only what is allowed."""
    return text


def echo(value: Any) -> Any:
    """Return the same."""
    return value


def boom(text: str, kind: int = 0) -> Any:
    """Raise one of many exceptions."""
    exceptions: list[BaseException] = [
        *(ValueError(text), ToolError(text), KeyError(text), SystemExit(text)),
        *(ToolError([text], 3), ToolError(Image(b"x"), text), StopIteration(text)),
        ExceptionGroup(text or "-", [ValueError(text), TypeError()]),
        UnicodeDecodeError("utf-8", b"\xff", 0, 1, text),
        ValueError(Exploding()),
    ]
    if kind < 0:
        Point.model_validate({"x": text})
    raise exceptions[kind % len(exceptions)]


def odd(text: str, kind: int = 0) -> Any:
    """Return one of many values that JSON does not know."""
    raw = text.encode("utf-8", "surrogatepass")
    values: list[Any] = [
        *(raw, b"\xff" + raw, set(text), {raw: 1}, complex(len(text)), iter(text), float("nan")),
        *(decimal.Decimal("NaN"), fractions.Fraction(1, 3), dt.timedelta(1), Path(text), object()),
        *({text: {(1, text): math.inf}}, collections.deque(text), re.compile("a"), Colour, ...),
        *(MultiResult([text, raw, 1]), Image(raw), [Image(raw, url=text), text], range(3), Point),
        *((each for each in (text, object())), {1: text, None: text}, array.array("d", [math.nan])),
        *(dt.datetime(2026, 1, 1, tzinfo=dt.UTC), Exception(text), Exploding(), [Exploding()]),
        *(ToolError(text), {"self": lambda: text}, Point(x=1), MultiResult([ToolError(text), raw])),
    ]
    return values[kind % len(values)]


def _said(value: Any) -> Any:
    raise ValueError(f"not {value} but another")


class Shapes(BaseModel):
    """Members of unions, keys, and a validator that says what it was given."""

    members: list[int | dict[int, bool] | Point] = []
    keyed: dict[Annotated[int, Field(gt=1000)], int] = {}
    said: Annotated[Any, AfterValidator(_said)] = 0


def shapes(shapes: Shapes, also: Annotated[Any, AfterValidator(_said)] = 0) -> Any:
    """Fail in many ways at once."""
    return shapes


def late(what: "Later" = 3) -> Any:  # noqa: F821 - defined further down
    """Wait for a type that is defined further down."""
    return what


Later = int


def raw(**arguments: Any) -> Any:
    """Take what a schema of its own allows."""
    return arguments


TREE = {"type": "object", "properties": {"left": {"$ref": "#/$defs/tree"}}}
RAW_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "n": {"type": "integer", "minimum": 1},
        "mode": {"enum": ["fast", "slow"]},
        "tree": {"$ref": "#/$defs/tree"},
    },
    "required": ["n"],
    "$defs": {"tree": TREE},
}
FUNCTIONS = [add, draw, pets, open_, limits, boom, odd, shapes, late]
NAMES = [*(function.__name__ for function in FUNCTIONS), "echo", "raw", "nothing_like_it"]


def registry() -> Registry:
    """Return a registry of all these tools."""
    made = Registry()
    for function in FUNCTIONS:
        made.tool(function)
    made.tool(max_output=500)(echo)
    made.tool(parameters=RAW_SCHEMA)(raw)
    return made


def crowd() -> Registry:
    """Return a registry of so many tools that not all are listed, with masked errors."""
    made = Registry(mask_errors=True)
    made.tool(boom)
    for number in range(1100):
        made.add(add, name=f"adds_{number}")
    return made


def seeds() -> list[bytes]:
    """Return call-like texts: the first byte chooses the tool."""
    texts = [
        *("", "null", "{}", "[]", '"{}"', "{", '{"a": 1', "{'a': 1}", '{"a": NaN}', '{"a": 1e999}'),
        *('{"a": 1, "b": "2"}', '{"a": "x"}', '{"c": 1}', '{"input": {"a": 1, "b": 2}}'),
        '"{\\"a\\": 1}"',
        '{"point": {"x": 1, "y": 2}, "points": "[{\\"x\\": 1, \\"y\\": 2}]", "colour": "RED"}',
        '{"point": "{\\"x\\": 1}", "size": "75", "colour": "Red", "mode": "FAST", "note": null}',
        '{"pet": {"kind": "cat", "lives": 9}, "pets": [{"kind": "dog", "name": null}]}',
        '{"pet": "{\\"kind\\": \\"dog\\", \\"name\\": \\"Rex\\"}", "extra": null}',
        '{"pet": {"kind": "cow"}, "pets": {"a": {}}}',
        '{"args": [1, 2], "more": {"x": [1]}, "day": "2024-02-30", "price": "1.50"}',
        '{"more": {"x": [1], "y": "z"}, "day": "2024-02-03", "price": 1.5, "other": "thing"}',
        '{"value": {"deep": [[[[1, "\\ud800", null, true, 1.5e300]]]]}}',
        '{"text": "\\u0000\\ud83d\\ude00", "\\ud800": 1, "größe": 3}',
        '{"number": 4, "text": "abc", "moment": "2026-01-01", "either": {"1": "yes"}}',
        '{"number": 3, "text": "b", "moment": [], "pair": [1], "either": "x", "address": "no"}',
        '{"n": 1, "mode": "FAST", "tree": {"left": {"left": "{}"}}}',
        '{"n": 0, "mode": "?", "tree": []}',
        '{"shapes": {"members": ["x", {"a": 1}, {"1": "q"}, {"x": "y"}], "keyed": {"1": 1}, "said": ["ab", 1234, {"k": "cd"}]}, "also": "ef"}',
        '{"' + "long" * 30 + '": {"' + "deep key " * 20 + '": 1}}',
        '{"shapes": {"members": [' + ",".join(['"x"'] * 50) + "]}}",
        "[" * 300 + "]" * 300,
        '{"value": ' + "9" * 400 + "}",
        '{"value": "' + "long " * 200 + '"}',
        *(f'{{"text": "aé", "kind": {kind}}}' for kind in range(-1, 34)),
    ]
    return [bytes([tool]) + text.encode() for text in texts for tool in range(len(NAMES))]


def check(tools: Registry, data: bytes) -> None:
    """Execute one call in each spelling and assert what every result promises."""
    name = NAMES[data[0] % len(NAMES)] if data else ""
    text = data[1:].decode("utf-8", "surrogateescape")
    calls = [ToolCall(name, each, 0) for each in _spellings(data[1:])]
    calls += [ToolCall(name, text, 0, kind="custom"), ToolCall(name, text, 0, truncated=True)]
    calls += [ToolCall(text, {}, 0), ToolCall(data, None, 0), ToolCall(name, Odd(a=1), 0)]
    for call in calls:
        promised(tools.execute(call))
    promised(CROWD.execute(ToolCall(text, text, 0)))
    promised(CROWD.execute(ToolCall("boom", {"text": text, "kind": len(data)}, 0)))


class Odd(dict):
    """A mapping that cannot be read."""

    def __iter__(self) -> Any:
        raise RuntimeError

    keys = items = __iter__


CROWD = crowd()


def promised(result: ToolResult) -> None:
    """Assert what every result promises."""
    assert result.kind in KINDS, result
    assert result.call_id == 0, result
    assert isinstance(result.output, str), result
    result.output.encode()
    if result.kind == "invalid_arguments":
        assert len(result.output) < 20_000, len(result.output)
        assert "errors.pydantic.dev" not in result.output, result.output
    json.dumps(replace(result, call=None).to_dict(), allow_nan=False)


def _spellings(raw_arguments: bytes) -> list[Any]:
    spelled: list[Any] = [raw_arguments, raw_arguments.decode("utf-8", "surrogateescape")]
    try:
        value = json.loads(raw_arguments)
    except (ValueError, RecursionError):
        return spelled
    return [*spelled, value] if isinstance(value, dict) else spelled
