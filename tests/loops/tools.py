"""Tools of all types of parameters."""

import datetime as dt
import enum
import ipaddress
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict, Union

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, PositiveInt
from typing_extensions import NotRequired, Unpack

from toolreg import Registry, Tool

TOOLS: list[Callable[..., Any] | Tool] = []


def tool(function):
    TOOLS.append(function)
    return function


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    ONE = 1
    TWO = "two"


class Line(BaseModel):
    sku: Annotated[str, Field(max_length=9)]
    quantity: Annotated[int, Field(ge=1)] = 1
    color: Color | None = None


class Order(BaseModel):
    """An order."""

    lines: list[Line]
    by: dt.date
    way: Literal["post", "van"] = "post"
    notes: dict[str, str] = {}


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int
    b: Literal["x"] = "x"


@dataclass
class Place:
    city: str
    zips: list[int] = field(default_factory=list)


class Options(TypedDict):
    depth: int
    way: NotRequired[Literal["up", "down"]]


class Pair(NamedTuple):
    left: int
    right: str = "r"


class Tree(BaseModel):
    name: str
    children: list["Tree"] = []


class Node(BaseModel):
    value: int
    next: Optional["Node"] = None


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: int = 9


class Dog(BaseModel):
    kind: Literal["dog"]
    name: str | None = None


@tool
def scalars(a: int, b: float, c: str, d: bool):
    pass


@tool
def nothing():
    pass


@tool
def literals(
    a: Literal["a", "A", "b"], b: Literal[1, 2], c: Literal["x", 1, True, None], d: Literal["only"]
):
    pass


@tool
def enums(a: Color, b: Level, c: Mixed, d: list[Color], e: Color = Color.RED):
    pass


@tool
def optionals(
    a: int | None,
    b: Optional[str] = None,
    c: int | str | None = 3,
    d: Line | None = None,
    e: list[int | None] | None = None,
    f: Literal["x"] | None = None,
):
    pass


@tool
def lists(
    a: list[int],
    b: list[list[str]],
    c: set[int],
    d: tuple[str, ...],
    e: Sequence[float],
    f: frozenset[str],
    g: deque[int],
    h: list,
):
    pass


@tool
def nested(order: Order, orders: list[Order], place: Place, options: Options, closed: Closed):
    pass


@tool
def dates(
    a: dt.date,
    b: dt.datetime,
    c: dt.time,
    d: dt.timedelta,
    e: uuid.UUID,
    f: dt.date | None = None,
    g: list[dt.date] = [],
):
    pass


@tool
def numbers(
    a: int,
    b: PositiveInt,
    c: Annotated[float, Field(gt=0, lt=1)],
    d: Annotated[int, Field(multiple_of=5)],
    e: int | float,
    f: bool | int,
    g: int | bool | str,
):
    pass


@tool
def texts(
    a: Annotated[str, Field(min_length=2, max_length=4)],
    b: Annotated[str, Field(pattern="^[a-z]+$")],
    c: bytes,
    d: Path,
    e: AnyUrl,
    f: ipaddress.IPv4Address,
):
    pass


@tool
def bounded(
    a: Annotated[list[int], Field(min_length=1, max_length=3)],
    b: Annotated[dict[str, int], Field(max_length=2)],
    c: Annotated[set[str], Field(min_length=2)],
):
    pass


@tool
def defaults(
    a: int = 1,
    b: str = "x",
    c: list[int] = [1],
    d: dt.date = dt.date(2026, 12, 24),
    e: Line = Line(sku="a"),
    f: dict[str, int] = {"a": 1},
    g: float = float("inf"),
    h: object = object(),
    i: Annotated[int, Field(ge=3)] = 5,
):
    pass


@tool
def open_dicts(
    a: dict[str, int],
    b: dict[str, Any],
    c: dict,
    d: Mapping[str, Line],
    e: dict[Color, int],
    f: dict[str, dict[str, list[int]]],
):
    pass


@tool
def keyed(a: dict[uuid.UUID, str], b: dict[dt.date, int], c: dict[Literal["x", "y"], int]):
    pass


@tool
def tuples(
    a: tuple[int, str],
    b: tuple[int, ...],
    c: Pair,
    d: list[tuple[float, bool]],
    e: tuple[int, str] | None = None,
):
    pass


@tool
def kwargs(a: int, **more: int):
    pass


@tool
def any_kwargs(**more):
    pass


@tool
def flattened(a: int = 0, **options: Unpack[Options]):
    pass


@tool
def starred(a: int, *xs: Line, b: int = 2):
    pass


@tool
def kinds(a: int, /, b: int = 1, *, c: int, d: str = "d"):
    pass


@tool
def recursion(tree: Tree, node: Node | None = None):
    pass


@tool
def forest(trees: list[Tree], by_name: dict[str, Tree]):
    pass


@tool
def anything(a, b: Any, c: object, d=None):
    pass


@tool
def discriminated(
    pet: Annotated[Union[Cat, Dog], Field(discriminator="kind")], pets: list[Cat | Dog]
):
    pass


@tool
def unions(a: int | list[str] | Line, b: list[int] | dict[str, int], c: Order | str = ""):
    pass


@tool
def aliases(
    class_: Annotated[str, Field(alias="class")],
    from_: int = Field(1, alias="from", description="Where."),
):
    pass


@tool
def odd_names(größe: int, _x: int, self: str, json: str = "", model_config: int = 0, schema=1):
    pass


@tool
def described(a: Annotated[Line, "The line."], b: Annotated[int | None, "A number."] = None):
    """Say things.

    Args:
        a: Not this.
    """


class Whole(BaseModel):
    a: int
    order: Order
    tree: Tree | None = None


def take(**values):
    pass


TOOLS.append(Tool(name="modelled", description="A model.", parameters=Whole, func=take))
TOOLS.append(Tool(name="recursive_model", parameters=Tree, func=take))
TOOLS.append(
    Tool(
        name="raw_schema",
        parameters={
            "type": "object",
            "properties": {
                "a": {"type": "integer", "minimum": 1},
                "b": {"$ref": "#/$defs/b"},
                "c": {"type": ["string", "null"]},
                "d": {"const": "x"},
                "e": {"oneOf": [{"type": "boolean"}, {"enum": ["u", "v"]}]},
            },
            "required": ["a"],
            "additionalProperties": False,
            "$defs": {"b": {"type": "array", "items": {"type": "number"}}},
        },
        func=take,
    )
)


def registered() -> Registry:
    """Return all of them in one registry."""
    registry = Registry()
    for each in TOOLS:
        registry.add(each)
    return registry
