"""What the schema allows validates, and what validates the schema allows."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, IntEnum
from functools import cache
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    NotRequired,
    Optional,
    TypedDict,
    TypeVar,
    Union,
)
from uuid import UUID

import jsonschema
import pytest
from annotated_types import Ge, MaxLen, MinLen, MultipleOf
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    TypeAdapter,
    ValidationError,
)
from typing_extensions import TypeAliasType

from tests.core.untitled import untitled
from toolreg import Registry, Tool
from toolreg._annotations import rebuild
from toolreg._describe import output_json_of, schema_of

T = TypeVar("T")


class Colour(Enum):
    RED = "red"
    GREEN = "green"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(Enum):
    TEXT = "a"
    NUMBER = 1


class Address(BaseModel):
    street: str
    number: int = 1


class Person(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: str
    address: Address
    aliases: list[str] = []
    home: Address | None = None


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Box(BaseModel, Generic[T]):
    content: T


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


@dataclass
class Size:
    width: int
    height: float = 1.5
    marks: list[int] = field(default_factory=list)


class Movie(TypedDict):
    title: str
    year: NotRequired[int]


class Partial(TypedDict, total=False):
    a: int
    b: list[Movie]


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    tricks: list[str]


def kind_of(value):
    return value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)


Tagged = Annotated[
    Union[Annotated[Cat, Tag("cat")], Annotated[Dog, Tag("dog")]], Discriminator(kind_of)
]
Json = TypeAliasType("Json", "dict[str, Json] | list[Json] | str | int | None")

TYPES = {
    "anything": Any,
    "bool": bool,
    "int": int,
    "float": float,
    "str": str,
    "none": None,
    "literal": Literal["a", 1, None],
    "literal of bool": Literal[True, "yes"],
    "enum": Colour,
    "int enum": Level,
    "mixed enum": Mixed,
    "optional": Optional[int],
    "optional model": Address | None,
    "list": list[int],
    "bare list": list,
    "list of models": list[Address],
    "nested list": list[list[str]],
    "sequence": Sequence[int],
    "set": set[int],
    "frozenset": frozenset[str],
    "tuple": tuple[int, str],
    "long tuple": tuple[int, ...],
    "empty tuple": tuple[()],
    "dict": dict[str, int],
    "bare dict": dict,
    "dict by int": dict[int, str],
    "dict by bool": dict[bool, int],
    "dict by enum": dict[Colour, int],
    "dict by int enum": dict[Level, int],
    "mapping": Mapping[str, Address],
    "model": Address,
    "closed model": Person,
    "open model": Open,
    "generic model": Box[int],
    "recursive model": Tree,
    "recursive alias": Json,
    "dataclass": Size,
    "typed dict": Movie,
    "partial typed dict": Partial,
    "named tuple": Pair,
    "date": date,
    "datetime": datetime,
    "time": time,
    "timedelta": timedelta,
    "uuid": UUID,
    "decimal": Decimal,
    "bytes": bytes,
    "path": Path,
    "bounded int": Annotated[int, Field(ge=1, lt=100)],
    "annotated int": Annotated[int, Ge(0), MultipleOf(5)],
    "bounded float": Annotated[float, Field(gt=0, le=1)],
    "bounded str": Annotated[str, Field(min_length=1, max_length=5)],
    "pattern": Annotated[str, Field(pattern="^[a-z]{2,4}$")],
    "bounded list": Annotated[list[int], MinLen(1), MaxLen(3)],
    "bounded dict": Annotated[dict[str, int], Field(min_length=1)],
    "bounded decimal": Annotated[Decimal, Field(ge=0, max_digits=5, decimal_places=2)],
    "union": int | str,
    "union of models": Address | Movie,
    "wide union": bool | list[int] | dict[str, str] | None,
    "discriminated union": Annotated[Cat | Dog, Field(discriminator="kind")],
    "tagged union": Tagged,
    "list of unions": list[Annotated[Cat | Dog, Field(discriminator="kind")]],
}

FORMATS = {
    "date": st.dates().map(date.isoformat),
    "date-time": st.datetimes(timezones=st.just(UTC)).map(datetime.isoformat),
    "time": st.times().map(time.isoformat),
    "duration": st.integers(0, 10**6).map(lambda n: f"PT{n}S"),
    "uuid": st.uuids().map(str),
    "binary": st.text(),
    "path": st.text(),
}

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**9), 10**9)
    | st.floats(-1e15, 1e15)
    | st.text(max_size=5)
    | st.sampled_from(["1", "true", "2024-02-03", "cat", "red", "RED", "a", "1.5", "no", ""]),
    lambda children: (
        st.lists(children, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "kind", "street", "title", "value", "x"]), children)
    ),
    max_leaves=4,
)

quick = settings(
    max_examples=40, deadline=None, suppress_health_check=list(HealthCheck), database=None
)
# Types of which a schema says less than is true: the digits of decimals.
VAGUE = {"decimal", "bounded decimal"}
every_exact_type = pytest.mark.parametrize("name", [name for name in TYPES if name not in VAGUE])
every_type = pytest.mark.parametrize("name", TYPES)


def tool_of(annotation):
    def f(x):
        return x

    f.__annotations__ = {"x": annotation}
    return Tool.from_function(f, serializer=repr)


@cache
def case_of(name):
    """Return a tool of a type, what may be sent to it, what nearly may, and what its schema allows."""
    tool = tool_of(TYPES[name])
    valid = sent(tool.parameters)
    validator = jsonschema.Draft202012Validator(tool.parameters)
    return tool, valid, nearly(valid), validator.is_valid


def sent(schema, defined=None):
    """Return a strategy for what a model that keeps to the schema may send."""
    if not isinstance(schema, dict):
        return JSON
    if defined is None:
        defined = {}
        for name, definition in schema.get("$defs", {}).items():
            defined[name] = st.deferred(lambda definition=definition: sent(definition, defined))
    if "$ref" in schema:
        return defined[schema["$ref"].removeprefix("#/$defs/")]
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return st.one_of([sent(branch, defined) for branch in schema[key]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"])
    return SENT[schema["type"]](schema, defined) if "type" in schema else JSON


def sent_text(schema, defined):
    if "pattern" in schema:
        return st.from_regex(schema["pattern"], fullmatch=True).filter(lambda t: t.isascii())
    if "format" in schema:
        return FORMATS[schema["format"]]
    return st.text(min_size=schema.get("minLength", 0), max_size=schema.get("maxLength"))


def sent_integer(schema, defined):
    step = schema.get("multipleOf", 1)
    low, high = schema.get("minimum"), schema.get("maximum", schema.get("exclusiveMaximum"))
    high = None if high is None else high - ("exclusiveMaximum" in schema)
    return st.integers(low and low // step, high and high // step).map(lambda n: n * step)


def sent_number(schema, defined):
    return st.floats(
        schema.get("minimum", schema.get("exclusiveMinimum")),
        schema.get("maximum"),
        exclude_min="exclusiveMinimum" in schema,
        allow_nan=False,
        allow_infinity=False,
    )


def sent_array(schema, defined):
    if "prefixItems" in schema:
        items = [sent(item, defined) for item in schema["prefixItems"]]
        return st.integers(schema["minItems"], schema["maxItems"]).flatmap(
            lambda n: st.tuples(*items[:n]).map(list)
        )
    high = schema.get("maxItems", 4)
    items = sent(schema.get("items"), defined) if high else st.nothing()
    is_unique = schema.get("uniqueItems", False)
    return st.lists(
        items,
        min_size=schema.get("minItems", 0),
        max_size=high,
        unique_by=repr if is_unique else None,
    )


def sent_object(schema, defined):
    known = {name: sent(item, defined) for name, item in schema.get("properties", {}).items()}
    required = {name: known.pop(name) for name in schema.get("required", [])}
    others = st.just({})
    if (additional := schema.get("additionalProperties", False)) is not False:
        names = sent({"type": "string", **schema.get("propertyNames", {})}, defined)
        low = schema.get("minProperties", 0)
        others = st.dictionaries(names, sent(additional, defined), min_size=low, max_size=3)
    fixed = st.fixed_dictionaries(required, optional=known)
    return st.builds(lambda a, b: {**a, **b}, others, fixed)


SENT = {
    "null": lambda schema, defined: st.none(),
    "boolean": lambda schema, defined: st.booleans(),
    "string": sent_text,
    "integer": sent_integer,
    "number": sent_number,
    "array": sent_array,
    "object": sent_object,
}


@st.composite
def nearly(draw, valid):
    """Draw what a model may send that does not quite keep to the schema."""
    value = draw(valid)
    if draw(st.booleans()):
        return value
    places = list(_places(value, ()))
    return _changed(value, draw(st.sampled_from(places)), draw(JSON))


def _places(value, path):
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    for key, item in items:
        yield (*path, key)
        yield from _places(item, (*path, key))


def _changed(value, path, new):
    if not path:
        return new
    value = value.copy()
    value[path[0]] = _changed(value[path[0]], path[1:], new)
    return value


@every_type
def test_a_schema_is_a_schema(name):
    """Whatever is declared, what is exported is valid JSON Schema."""
    jsonschema.Draft202012Validator.check_schema(tool_of(TYPES[name]).parameters)


@every_exact_type
@quick
@given(st.data())
def test_what_the_schema_allows_validates(name, data):
    """A model that keeps to the schema is never told that its arguments are wrong."""
    tool, valid, _, _ = case_of(name)
    arguments = data.draw(valid)
    result = tool.execute(json.dumps(arguments))
    assert ("success", ()) == (result.kind, result.repairs), (arguments, result.output)


@every_type
@quick
@given(st.data())
def test_what_validates_the_schema_allows(name, data):
    """What the function receives, written as JSON, is what the schema describes."""
    tool, _, nearly_valid, allows = case_of(name)
    arguments = data.draw(nearly_valid)
    result = tool.execute(json.dumps(arguments))
    if result.kind == "success" and not result.repairs:
        written = adapter_of(name).dump_python(result.value, mode="json", by_alias=True)
        assert allows({"x": written}), (arguments, written)
    elif not result.repairs and name not in VAGUE:
        assert not allows(arguments) or "format" in str(tool.parameters)


@cache
def adapter_of(name):
    return TypeAdapter(rebuild(TYPES[name]))


@every_type
@quick
@given(st.data())
def test_the_model_takes_what_the_tool_takes(name, data):
    """The pydantic class and the way of a call accept and refuse the same."""
    tool, _, nearly_valid, _ = case_of(name)
    text = json.dumps(data.draw(nearly_valid))
    result = tool.execute(text)
    try:
        value = tool.model.model_validate_json(text).x
    except ValidationError:
        assert result.kind != "success" or result.repairs
    else:
        assert repr(value) == repr(result.value)


@every_type
def test_the_model_has_the_schema_of_the_tool(name):
    """Up to titles, both say the same."""
    tool = tool_of(TYPES[name])
    assert tool.parameters == untitled(schema_of(TypeAdapter(tool.model)))
    if "propertyNames" not in str(tool.parameters):  # pydantic tells no keys but texts
        assert tool.parameters == untitled(tool.model.model_json_schema())


@every_type
def test_what_is_taken_has_the_schema_that_pydantic_gives_it(name):
    """The short way to a schema leads to the same."""
    adapter = adapter_of(name)
    taken = schema_of(adapter)
    if "propertyNames" not in str(taken):  # pydantic tells no keys but texts
        assert json.dumps(untitled(adapter.json_schema())) == json.dumps(taken)


@every_type
def test_what_is_given_has_the_schema_that_pydantic_gives_it(name):
    """The short way to a schema leads to the same, or to none where that is not told."""
    given = json.loads(output_json_of(rebuild(TYPES[name])))
    if given is not None and "propertyNames" not in str(given):
        written = adapter_of(name).json_schema(mode="serialization")
        assert json.dumps(untitled(written)) == json.dumps(given)


def test_a_model_of_many_parameters_has_the_schema_of_the_tool():
    """Defaults, aliases, descriptions and odd names are in both."""

    def f(
        _x: int,
        model_config: str,
        class_: Annotated[int, Field(alias="class", description="c", ge=1)],
        d: Annotated[Colour, "text"] = Colour.RED,
        e: Address = Address(street="s"),
        f: list[int] = [1],
        g: float = float("nan"),
        h: Any = ...,
        i: int = Field(3, examples=[5]),
        j: Annotated[str, Field(default_factory=str)] = "j",
        *rest: Size,
        **more: Annotated[int, Field(ge=1)],
    ):
        """Do it.

        Args:
            _x: underscored
            rest: more of it
        """

    tool = Tool.from_function(f)
    assert tool.parameters == untitled(tool.model.model_json_schema())
    for extra in ("forbid", "ignore"):
        tool = Tool.from_function(lambda a: a, name="g", extra=extra)
        assert tool.parameters == untitled(tool.model.model_json_schema())


# What differs, and is meant to: accepted although the schema does not allow it, or refused
# although the schema allows it.

LAX = [
    (int, "5", 5),
    (int, 5.0, 5),
    (int, True, 1),
    (float, "1.5", 1.5),
    (bool, "true", True),
    (bool, 1, True),
    (set[int], [1, 1], {1}),
    (date, 1706918400, date(2024, 2, 3)),
    (Decimal, "1e2", Decimal("1e2")),
    (Level, "1", Level.LOW),
    (Pair, {"left": 1}, Pair(1)),
]


@pytest.mark.parametrize(("annotation", "value", "received"), LAX, ids=str)
def test_lax_coercion_is_accepted_beyond_the_schema(annotation, value, received):
    """Numbers as text and the like arrive as what was declared."""
    tool = tool_of(annotation)
    result = tool.execute({"x": value})
    assert (received, type(received), ()) == (result.value, type(result.value), result.repairs)


def is_even(value):
    if value % 2:
        raise ValueError("must be even")
    return value


REFUSED = [
    (date, "not a date"),
    (datetime, "2024-02-30T00:00:00Z"),
    (time, "25:00"),
    (UUID, "not a uuid"),
    (timedelta, "a while"),
    (Annotated[int, AfterValidator(is_even)], 3),
    (int, 2.0**63),
    (Decimal, "."),
    (Annotated[Decimal, Field(decimal_places=1)], 0.25),
    (set[Any], [{}]),
]


@pytest.mark.parametrize(("annotation", "value"), REFUSED, ids=lambda v: str(v)[:40])
def test_formats_and_validators_refuse_what_the_schema_cannot_say(annotation, value):
    """A value of the right JSON type that is none of the declared type is an argument fault."""
    tool = tool_of(annotation)
    assert jsonschema.Draft202012Validator(tool.parameters).is_valid({"x": value})
    assert "invalid_arguments" == tool.execute(json.dumps({"x": value})).kind


def test_all_types_are_exported_together():
    """One registry holds them all, and executes each by name."""
    registry = Registry()
    for index, annotation in enumerate(TYPES.values()):
        registry.add(tool_of(annotation), name=f"t{index}")
    assert len(TYPES) == len(registry.specs())
