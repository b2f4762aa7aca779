"""Types to JSON Schema."""

import asyncio
import json
from collections.abc import (
    AsyncGenerator,
    AsyncIterable,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Generator,
    Iterator,
)
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Annotated, Any, NamedTuple, Optional

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainSerializer,
    TypeAdapter,
    computed_field,
    with_config,
)
from pydantic.dataclasses import dataclass as pydantic_dataclass
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic_core import core_schema
from typing_extensions import TypedDict

from tests.core.untitled import untitled
from toolreg import Audio, File, Image, MultiResult, Tool, ToolError
from toolreg._describe import (
    ABSENT,
    encode_default,
    is_fragile,
    kinds_of,
    lets_nan_through,
    schema_of,
)
from toolreg._tool import record_of


class Colour(Enum):
    RED = "r"
    GREEN = 2


class Number(IntEnum):
    ONE = 1
    TWO = 2


class Money(BaseModel):
    cents: int

    @computed_field
    @property
    def text(self) -> str:
        return f"{self.cents / 100:.2f}"


@dataclass
class Plain:
    a: int


@with_config(ConfigDict(title="Authored typed dict"))
class AuthoredDict(TypedDict):
    a: int


@pydantic_dataclass(config=ConfigDict(title="Authored dataclass"))
class AuthoredData:
    a: int


class AuthoredModel(BaseModel):
    model_config = ConfigDict(model_title_generator=lambda cls: "Authored model")
    a: int


class Pair(NamedTuple):
    left: int
    right: int = 0


@pytest.mark.parametrize("kind", [Colour, Money, Plain, Pair, list[Colour], dict[str, Pair]])
def test_no_title_is_generated(kind):
    """Names of classes and fields are not repeated in other letters."""
    assert "'title'" not in str(schema_of(TypeAdapter(kind)))
    assert "'title'" not in str(output(kind))


@pytest.mark.parametrize("kind", [AuthoredDict, AuthoredData, AuthoredModel])
def test_authored_titles_of_classes_are_kept(kind):
    """What a configuration says is said."""
    assert schema_of(TypeAdapter(kind))["title"].startswith("Authored")


Spelled = Annotated[int, PlainSerializer(str, return_type=str)]


class Written(BaseModel):
    model_config = ConfigDict(json_schema_mode_override="serialization")
    money: Money
    n: Spelled = 1


@with_config(ConfigDict(json_schema_mode_override="serialization"))
class WrittenDict(TypedDict):
    n: Spelled


@pydantic_dataclass(config=ConfigDict(json_schema_mode_override="serialization"))
class WrittenData:
    n: Spelled = 1


@pytest.mark.parametrize("kind", [Written, WrittenDict, WrittenData])
def test_a_configuration_may_choose_which_way_is_described(kind):
    """It holds for the class itself, and for nothing before or after."""

    class Around(BaseModel):
        before: Money
        inner: kind
        after: Money
        n: Spelled = 1

    adapter = TypeAdapter(Around)
    assert untitled(adapter.json_schema()) == schema_of(adapter)
    written = adapter.json_schema(mode="serialization")
    assert untitled(written) == output(Around)


def test_enums_tell_their_names_only_when_asked():
    """The names are for repairs, never for a model."""
    adapter = TypeAdapter(list[Colour])
    assert {"x-enum-names": {"RED": "r", "GREEN": 2}, "enum": ["r", 2]} == schema_of(
        adapter, enum_names=True
    )["items" if "$defs" not in schema_of(adapter) else "$defs"].get("Colour")
    assert "x-enum-names" not in str(schema_of(adapter))


def test_a_union_of_which_nothing_can_be_described_is_refused():
    """There is no schema that nothing satisfies, or anything."""
    with pytest.raises(PydanticInvalidForJsonSchema):
        schema_of(TypeAdapter(Callable[[], int] | type[int]))


@pytest.mark.parametrize(
    ("keys", "names"),
    [
        (str, None),
        (int, {"pattern": "^[+-]?[0-9]+$"}),
        (bool, {"enum": ["true", "false"]}),
        (Number, {"enum": ["1", "2"]}),
    ],
)
def test_keys_that_are_no_texts_are_told(keys, names):
    """JSON has only texts for keys, so the schema says which texts."""
    assert names == schema_of(TypeAdapter(dict[keys, int])).get("propertyNames")


def test_bounds_that_are_not_finite_are_left_out():
    """JSON has no infinity, and such a bound bounds nothing."""

    infinite = float("inf")

    def f(x: Annotated[float, Field(ge=-infinite, le=1, examples=[0.5, infinite])]): ...

    tool = Tool.from_function(f)
    assert {"type": "number", "maximum": 1, "examples": [0.5]} == tool.parameters["properties"]["x"]
    assert "Infinity" not in json.dumps(tool.spec("openai"))


def test_a_default_that_json_cannot_hold_is_left_out():
    """Also one that stands inside a type."""

    class Model(BaseModel):
        a: float = float("nan")
        b: Any = object()
        c: str = "\ud800"
        d: list[str] = ["\ud800"]
        e: int = 1

    shown = schema_of(TypeAdapter(Model))["properties"]
    assert ["e"] == [name for name in shown if "default" in shown[name]]


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["a", "b", ""]), inner),
    )
)
@settings(max_examples=100, deadline=None, database=None)
def test_a_default_within_a_type_is_shown_as_pydantic_shows_it(default):
    """What is JSON already is shown as it is, whatever the way there."""

    class Model(BaseModel):
        x: Any = default

    assume("inf" not in str(default))
    expected = Model.model_json_schema()["properties"]["x"]["default"]
    shown = schema_of(TypeAdapter(Model))["properties"]["x"]["default"]
    assert repr(expected) == repr(shown)


def test_a_typed_dict_of_a_foreign_core_schema_is_described():
    """One that has no class and says nothing of further names stays open."""
    fields = {"a": core_schema.typed_dict_field(core_schema.int_schema())}

    class Foreign:
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            return core_schema.typed_dict_schema(fields)

    assert ["a"] == schema_of(TypeAdapter(Foreign))["required"]


def test_positions_of_a_foreign_core_schema_have_no_titles():
    """What a type describes as arguments by position is not named twice."""
    item = core_schema.arguments_parameter("left", core_schema.int_schema(), mode="positional_only")

    class Foreign:
        @classmethod
        def __get_pydantic_core_schema__(cls, source, handler):
            return core_schema.call_schema(core_schema.arguments_schema([item]), cls)

    assert [{"type": "integer"}] == schema_of(TypeAdapter(Foreign))["prefixItems"]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, None),
        (1.5, 1.5),
        ("é", "é"),
        ((1, 2), [1, 2]),
        ({"b", "a", "c"}, ["a", "b", "c"]),
        ({1: 2}, {"1": 2}),
        (Colour.GREEN, 2),
        (Plain(1), {"a": 1}),
        (float("inf"), ABSENT),
        ([float("nan")], ABSENT),
        (iter([1]), ABSENT),
        (object(), ABSENT),
        ({"a": object()}, ABSENT),
        ("\ud800", ABSENT),
    ],
)
def test_defaults_are_encoded_as_a_model_would_send_them(value, shown):
    """What JSON cannot hold is absent, whatever the reason."""
    assert shown == encode_default(value)


@pytest.mark.parametrize(
    ("kind", "expected"),
    [(int, False), (dict[str, list[int]], False), (list[Callable[[], int]], True)],
)
def test_schemas_that_may_fail_are_told_apart(kind, expected):
    """Only where a callable or a class is in it has the JSON Schema to be tried."""
    assert expected is is_fragile(kinds_of(TypeAdapter(kind).core_schema))


def test_a_default_that_contains_itself_has_an_end():
    """Of what cannot be searched through, everything is expected."""
    default: list[Any] = []
    default.append(default)

    class Model(BaseModel):
        x: list[Any] = default

    kinds = kinds_of(TypeAdapter(Model).core_schema)
    assert (True, True) == (is_fragile(kinds), lets_nan_through(kinds))


def output(returns, **options):
    def f(): ...

    f.__annotations__ = {} if returns is ... else {"return": returns}
    return record_of(Tool.from_function(f, **options)).output


INT = {"type": "integer"}
INTS = {"type": "array", "items": INT}


@pytest.mark.parametrize(
    ("returns", "expected"),
    [
        (int, INT),
        (list[int], INTS),
        ("list[int]", INTS),
        (Awaitable[int], INT),
        (Coroutine[Any, Any, int], INT),
        (asyncio.Future[int], INT),
        (Awaitable[Awaitable[int]], INT),
        (Generator[int, None, None], INTS),
        (Iterator[int], INTS),
        (AsyncGenerator[int, None], INTS),
        (AsyncIterator[int], INTS),
        (AsyncIterable[int], INTS),
        (Awaitable[list[int]], INTS),
        (Generator, {"type": "array", "items": {}}),
        (Awaitable, None),
    ],
)
def test_the_output_is_what_comes_out(returns, expected):
    """What is awaited is described by its outcome, what is generated as an array."""
    assert expected == output(returns)


@pytest.mark.parametrize(
    "returns",
    [
        ...,
        None,
        Any,
        object,
        "Nowhere",
        Plain | type,
        Callable[[], int],
        Image,
        Audio,
        File,
        MultiResult,
        ToolError,
        list[Image],
        tuple[str, File],
        str | Image,
        Optional[Audio],
        Annotated[Image, "a plot"],
        Awaitable[Image],
        Generator[Image, None, None],
        dict[str, list[Image]],
        int | ToolError,
    ],
    ids=str,
)
def test_what_has_no_schema_has_no_output(returns):
    """A return type never blocks a tool; content and several outcomes have no schema."""
    assert output(returns) is None


def test_an_output_s_default_that_json_cannot_hold_is_left_out():
    """What a type says of its defaults is no reason to say nothing of it."""

    class Model(BaseModel):
        a: Any = object()

    assert {"a": {}} == output(Model)["properties"]


def test_an_output_is_plain_json():
    """What a type says of itself that JSON cannot hold leaves it untold; infinity is left out."""
    infinite = float("inf")
    bounded = Annotated[float, Field(ge=-infinite, json_schema_extra={"examples": [infinite]})]
    assert {"type": "number", "examples": []} == output(bounded)
    assert output(Annotated[int, Field(json_schema_extra={"at": object()})]) is None


def test_an_output_is_anybody_s_to_change():
    """What one was given is not what another is given."""

    def f() -> list[int]: ...

    tool = Tool.from_function(f)
    record_of(tool).output.clear()
    assert INTS == record_of(tool).output


def test_a_serializer_s_output_is_not_described():
    """Where text is made of the value, its type says nothing of what the model gets."""
    assert output(int, serializer=str) is None


def test_the_output_is_described_as_it_is_written():
    """Computed fields are in the output, and not in the parameters."""
    assert {"cents", "text"} == set(output(Money)["properties"])

    def f(money: Money): ...

    assert {"cents"} == set(Tool.from_function(f).parameters["$defs"]["Money"]["properties"])


def test_the_output_of_an_async_tool_is_its_value():
    """A coroutine function is annotated with what it returns."""

    async def f() -> int: ...

    assert INT == record_of(Tool.from_function(f)).output


@pytest.mark.filterwarnings("ignore::pydantic.PydanticDeprecatedSince20")
def test_encoders_of_a_model_s_own_write_its_defaults():
    """What pydantic makes of the defaults is what the schema says."""

    class Encoded(BaseModel):
        model_config = ConfigDict(json_encoders={int: str, float: str})
        a: int = 1
        b: float = 1.5

    shown = schema_of(TypeAdapter(Encoded))["properties"]
    assert ["1", "1.5"] == [each["default"] for each in shown.values()]
