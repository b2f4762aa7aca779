"""One broad set of tools, and where strict mode is due for each."""

import datetime as dt
import enum
import ipaddress
import uuid
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict

from pydantic import AnyUrl, BaseModel, ConfigDict, Field, HttpUrl
from typing_extensions import NotRequired, TypeAliasType

from tests.loops.tools import TOOLS
from tests.test_schema import CLOSED_TYPES, OPEN_TYPES
from toolreg import Registry, Tool

NOWHERE = frozenset[str]()
OPENAI = frozenset({"openai", "openai-responses", "groq", "mistral"})
CLAUDE = frozenset({"anthropic", "bedrock"})
EVERYWHERE = OPENAI | CLAUDE

#: The tools of the loops: a tool -> the formats whose strict mode it is due.
LOOPS = {
    "scalars": EVERYWHERE,
    "nothing": EVERYWHERE,
    "literals": EVERYWHERE,
    "enums": EVERYWHERE,
    "optionals": EVERYWHERE,
    "lists": NOWHERE,  # a bare list
    "nested": NOWHERE,  # an open dict inside
    "dates": EVERYWHERE,
    "numbers": EVERYWHERE,
    "texts": EVERYWHERE,
    "bounded": NOWHERE,
    "defaults": NOWHERE,
    "open_dicts": NOWHERE,
    "keyed": NOWHERE,
    "tuples": NOWHERE,
    "kwargs": NOWHERE,
    "any_kwargs": NOWHERE,
    "flattened": EVERYWHERE,
    "starred": EVERYWHERE,
    "kinds": EVERYWHERE,
    "recursion": OPENAI,
    "forest": NOWHERE,
    "anything": NOWHERE,
    "discriminated": EVERYWHERE,
    "unions": NOWHERE,
    "aliases": EVERYWHERE,
    "odd_names": NOWHERE,
    "described": EVERYWHERE,
    "modelled": NOWHERE,
    "recursive_model": OPENAI,
    "raw_schema": CLAUDE,  # one argument may be null or left out: OpenAI has no word for both
}


class Size(enum.Enum):
    SMALL = "small"
    LARGE = "large"


class Address(BaseModel):
    """Where somebody lives."""

    street: str = Field(description="With the number.")
    since: dt.date | None = Field(None, description="The first day.")


class Person(BaseModel):
    model_config = ConfigDict(extra="forbid")
    name: Annotated[str, Field(min_length=1, description="Full name.")]
    home: Address = Field(description="The first one.")
    others: list[Address] = Field(default_factory=list, description="All others.")


@dataclass
class Job:
    title: str
    sizes: list[Size] = field(default_factory=list)


class Trip(TypedDict):
    to: str
    days: NotRequired[int]


class Unsure(TypedDict):
    note: NotRequired[Optional[str]]


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Part(BaseModel):
    name: str
    parts: list["Part"] = []


Nest = TypeAliasType("Nest", "list[Nest] | int")
LONG = "parameter_" * 7


def typed_lists(
    a: list[int],
    b: list[list[str]],
    c: set[int],
    d: tuple[str, ...],
    e: Sequence[float],
    f: frozenset[str],
    g: deque[bool],
): ...


def closed_models(person: Person, job: Job, trip: Trip, people: list[Person]): ...


def closed_defaults(
    a: int = 1,
    b: str | None = None,
    c: bool = False,
    d: Size = Size.SMALL,
    e: dt.date = dt.date(2026, 12, 24),
    f: list[int] = [1, 2],
    g: Trip = {"to": "Oslo"},
    h: Address = Address(street="Main"),
    i: Literal["x", "y"] = "x",
    j: set[str] = {"a"},
    k: float = float("inf"),
    m: uuid.UUID = uuid.UUID(int=0),
    n: list[str] = Field(default_factory=list),
    o: Decimal = Decimal("1.5"),
    p: Path = Path("/tmp"),
): ...


def network(
    a: AnyUrl,
    b: HttpUrl,
    c: ipaddress.IPv4Address,
    d: ipaddress.IPv6Address,
    e: ipaddress.IPv4Network,
    f: Path,
    g: bytes,
    h: dt.timedelta,
): ...


def patterns(
    a: Annotated[str, Field(pattern=r"^[A-Z]{2}\d+$")],
    b: Annotated[str, Field(max_length=3)],
    c: Annotated[list[int], Field(min_length=2, max_length=3)],
    d: Annotated[Decimal, Field(gt=0, max_digits=5)],
    e: Annotated[int, Field(ge=1, multiple_of=5)],
): ...


def pairs(a: tuple[float, float], b: list[tuple[int, int]]): ...


def points(a: Point): ...


def unsure(a: Unsure): ...


def nests(a: Nest): ...


def part(a: Part): ...


def int_keys(a: dict[int, str]): ...


def count_words(*words: str, times: int = 1): ...


def untyped_words(*words): ...


def lenient(a: int, b: str = "x"): ...


def lenient_nothing(): ...


def odd(größe: int, class_: Annotated[str, Field(alias="class")], _x: int = 0): ...


def take(**values: Any): ...


def find(q: str, n: int = 3) -> Address:
    """Find an address.

    Args:
        q: What to look for.
        n: How many at most.
    """
    return Address(street=f"{q}{n}")


def _alone(number, annotation):
    def function(x, y=None): ...

    function.__annotations__ = {"x": annotation, "y": annotation}
    return Tool.from_function(function, name=f"type_{number}")


def _raw(name, schema):
    return Tool(name=name, parameters=schema, func=take)


ROOT_UNION = {
    "anyOf": [
        {"properties": {"id": {"type": "integer"}}, "required": ["id"]},
        {"properties": {"q": {"type": "string"}}, "required": ["q"]},
    ]
}
SILENT = {"properties": {"a": {"const": 1}, "b": {"enum": ["x", 2, None]}}, "required": ["a", "b"]}
TOLD = {
    "type": "object",
    "properties": {"a": {"type": "integer"}},
    "if": {"required": ["a"]},
    "then": {"properties": {"b": {"type": "string"}}},
}
DRAFT_7 = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "properties": {"at": {"type": "array", "items": [{"type": "number"}, {"type": "string"}]}},
    "required": ["at"],
}
LONG_NAMES = {"type": "object", "properties": {LONG: {"type": "integer"}}, "required": [LONG]}
FURTHER = [
    *((f, EVERYWHERE) for f in (typed_lists, closed_models, closed_defaults, network, patterns)),
    *((f, OPENAI) for f in (pairs, nests, part)),
    *((f, NOWHERE) for f in (points, int_keys, untyped_words)),
    (unsure, CLAUDE),
    (count_words, EVERYWHERE),
    (odd, EVERYWHERE),
    (Tool.from_function(lenient, extra="ignore"), EVERYWHERE),
    (Tool.from_function(lenient_nothing, extra="ignore"), EVERYWHERE),
    (Tool.from_function(lenient, name="9lives"), EVERYWHERE),
    (Tool.from_function(lenient, name="-dash"), EVERYWHERE),
    (Tool.from_function(lenient, name="n" * 64), EVERYWHERE),
    (_raw("root_union", ROOT_UNION), EVERYWHERE),
    (_raw("silent", SILENT), EVERYWHERE),
    (_raw("told", TOLD), NOWHERE),
    (_raw("draft_7", DRAFT_7), NOWHERE),
    (_raw("long_parameter", LONG_NAMES), EVERYWHERE),
    (_raw("open", {"type": "object", "additionalProperties": {"type": "string"}}), NOWHERE),
    (
        Tool.from_function(
            find,
            title="Address finder",
            hints={"read_only": True, "open_world": False},
            examples=[{"q": "Main"}],
            provider_options={
                "anthropic": {"cache_control": {"type": "ephemeral"}},
                "openai-responses": {"defer_loading": True},
                "gemini": {"behavior": "BLOCKING"},
                "mcp": {"_meta": {"team": "a"}},
            },
        ),
        EVERYWHERE,
    ),
    *((_alone(n, each), EVERYWHERE) for n, each in enumerate(CLOSED_TYPES)),
    *((_alone(n, each), NOWHERE) for n, each in enumerate(OPEN_TYPES, len(CLOSED_TYPES))),
]


def registered() -> tuple[Registry, dict[str, frozenset[str]]]:
    """Return all tools in one registry, and the formats whose strict mode each is due."""
    registry = Registry()
    for each in TOOLS:
        registry.add(each)
    due = {name: LOOPS[name] for name in registry}
    for each, formats in FURTHER:
        [tool] = registry.add(each)
        due[tool.name] = formats
    return registry, due
