"""What must not reach a model does not, in whatever an execution says."""

import asyncio
import dataclasses
import datetime as dt
import decimal
import fractions
import ipaddress
import json
import pathlib
import re
import socket
import traceback
import uuid
import zoneinfo
from collections import namedtuple
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NamedTuple, Union

import pydantic
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError
from typing_extensions import TypedDict

from toolreg import (
    Injected,
    MultiResult,
    Registry,
    Tool,
    ToolCall,
    ToolDefinitionError,
    ToolError,
    formats,
)

SECRET = "hunter2-s3cr3t"
NUMBER = 918273645
colours = pytest.mark.parametrize("colour", ["sync", "async"])


def run(registry, colour, name, arguments=None, **options):
    if colour == "sync":
        return registry.execute(name, arguments, **options)
    return asyncio.run(registry.aexecute(name, arguments, **options))


def shown(result) -> str:
    """Return all that any model could be sent of a result."""
    said = [result.output, *(part.text for part in result.parts)]
    for each in formats.FORMATS.values():
        told = each.messages([dataclasses.replace(result, call=None)])
        said.append(json.dumps(told, ensure_ascii=False, default=repr))
    return "\n".join(said)


class Shade(Enum):
    red = "red"
    blue = "blue"


class Level(IntEnum):
    low = 1


class Line(BaseModel):
    kind: Literal["line"] = "line"
    sku: Annotated[str, Field(pattern="^[a-z]$")]
    count: Annotated[int, Field(ge=1, le=9)] = 1


class Dot(BaseModel):
    kind: Literal["dot"] = "dot"
    at: int


class Pair(NamedTuple):
    one: int
    two: str


class Keys(TypedDict):
    one: int


@dataclasses.dataclass
class Spot:
    x: int


def complains(value: Any) -> Any:
    raise ValueError(f"{value!r} is not allowed, nor is {value}")


def asserts(value: Any) -> Any:
    raise AssertionError(f"no {value}")


def complains_its_own_way(value: Any) -> Any:
    raise PydanticCustomError("own", "not {what}", {"what": str(value)})


Point = namedtuple("Point", "x y")
TYPES: dict[str, Any] = {
    "int": int,
    "float": float,
    "bool": bool,
    "decimal": decimal.Decimal,
    "fraction": fractions.Fraction,
    "complex": complex,
    "date": dt.date,
    "datetime": dt.datetime,
    "aware": pydantic.AwareDatetime,
    "future": pydantic.FutureDate,
    "time": dt.time,
    "duration": dt.timedelta,
    "uuid": uuid.UUID,
    "zone": zoneinfo.ZoneInfo,
    "ip": ipaddress.IPv4Address,
    "network": ipaddress.IPv6Network,
    "interface": ipaddress.IPv4Interface,
    "url": pydantic.HttpUrl,
    "dsn": pydantic.PostgresDsn,
    "file": pydantic.FilePath,
    "folder": pydantic.DirectoryPath,
    "new": pydantic.NewPath,
    "pattern": re.Pattern,
    "size": pydantic.ByteSize,
    "base64": pydantic.Base64Bytes,
    "json": pydantic.Json[int],
    "import": pydantic.ImportString,
    "enum": Shade,
    "int enum": Level,
    "literal": Literal["a", "b"],
    "numbers": Literal[1, 2],
    "bounded": Annotated[int, Field(ge=0, le=3, multiple_of=2)],
    "short": Annotated[str, Field(max_length=3)],
    "long": Annotated[str, Field(min_length=300)],
    "matching": Annotated[str, Field(pattern=r"^\d+$")],
    "list": list[int],
    "few": Annotated[list[str], Field(max_length=0)],
    "set": set[int],
    "tuple": tuple[int, str],
    "dict": dict[str, int],
    "keyed": dict[int, int],
    "model": Line,
    "models": list[Line],
    "dataclass": Spot,
    "typed dict": Keys,
    "named tuple": Pair,
    "untyped tuple": Point,
    "union": int | float | None,
    "models of one": Line | Dot,
    "tagged": Annotated[Union[Line, Dot], Field(discriminator="kind")],
    "nested": dict[str, list[dict[str, Line]]],
    "secret": Annotated[pydantic.SecretStr, Field(min_length=500)],
    "complaining": Annotated[str, AfterValidator(complains)],
    "complaining of numbers": Annotated[int, AfterValidator(complains)],
    "complaining of lists": Annotated[list, AfterValidator(complains)],
    "complaining of objects": Annotated[dict, AfterValidator(complains)],
    "asserting": Annotated[str, AfterValidator(asserts)],
    "its own way": Annotated[str, AfterValidator(complains_its_own_way)],
    "none": None,
    "bytes": Annotated[bytes, Field(max_length=2)],
}  # fmt: skip
VALUES = {
    "text": SECRET,
    "list": [SECRET],
    "object": {"a": SECRET},
    "nested": {"a": [{"b": [SECRET, {"c": SECRET}]}], "kind": SECRET, "sku": SECRET, "one": SECRET},
    "lists": [[SECRET, SECRET], [[SECRET]]],
    "number": NUMBER,
    "numbers": [NUMBER, {"a": NUMBER, "kind": NUMBER, "count": NUMBER, "x": NUMBER}],
    "float": NUMBER + 0.5,
    "json": json.dumps({"a": SECRET}),
    "url": f"ftp://{SECRET}@{SECRET}:99999999/{SECRET}",
    "path": f"/{SECRET}/{SECRET}",
    "date": f"2026-13-{SECRET}",
    "lines": f"{SECRET}\n{SECRET}",
}


@pytest.fixture(scope="module")
def taking():
    """Return a registry with a tool for each type, and one that takes it deep inside."""
    with Registry() as registry:
        for number, (name, kind) in enumerate(TYPES.items()):

            def take(a: Any) -> str:
                return "taken"

            take.__annotations__ = {"a": kind, "return": str}
            registry.add(take, name=f"t{number}", description=name)

            def deep(a: Any) -> str:
                return "taken"

            deep.__annotations__ = {"a": list[dict[str, kind]], "return": str}
            registry.add(deep, name=f"d{number}", description=name)
        yield registry


@pytest.mark.parametrize("value", VALUES)
def test_no_value_of_an_argument_is_said_back(taking, value):
    """Whatever type refuses it, the text names the path and never the value."""
    refused = 0
    for name in taking:
        sent = VALUES[value] if name.startswith("t") else [{"key": VALUES[value]}]
        result = taking.execute(name, {"a": sent})
        if result.kind == "invalid_arguments":
            refused += 1
            told = shown(result)
            for secret in (SECRET, str(NUMBER)):
                assert secret not in told, (taking[name].description, result.output)
    assert 40 < refused


secrets = st.from_regex(r"\A[QXZ][0-9QXZ]{7,12}\Z")


@settings(max_examples=100, deadline=None)
@given(secrets, st.sampled_from(list(TYPES)), st.integers(0, 4))
def test_no_secret_at_any_depth_is_said_back(taking, secret, kind, depth):
    """A secret in any place, keys excepted, stays where it is."""
    value: Any = secret
    for level in range(depth):
        value = [value, secret] if level % 2 else {"key": value, "sku": secret}
    name = f"t{list(TYPES).index(kind)}"
    for sent in ({"a": value}, {"a": value, "b": secret}, {"b": {"c": secret}}):
        result = taking.execute(name, sent)
        if result.is_error:
            assert secret not in shown(result), result.output


@pytest.mark.parametrize(
    "text",
    [
        f'{{"a": "{SECRET}',
        f'{{"a": {SECRET}}}',
        f"{SECRET}",
        f'"{SECRET}"',
        f'["{SECRET}"]',
        f'{{"a": "{SECRET}"}} {SECRET}',
        f'{{"a": NaN, "b": "{SECRET}"}}',
        f'{{"a": "\ud800{SECRET}"}}',
        f'{{"a": "{SECRET}\x00"}}',
        f'{{"a": "{SECRET}'.encode() + b'\xff"}',
        f"{{'a': '{SECRET}'}}",
    ],
)
def test_broken_json_is_not_quoted(taking, text):
    """The text says what is wrong and where, and quotes nothing of it."""
    for name in ("t0", "d0"):
        result = taking.execute(name, text)
        assert result.kind in {"bad_json", "invalid_arguments"}
        assert SECRET not in shown(result)


@pytest.mark.parametrize(
    "key", ["k" * 1000, "a\nb\r\nc", "a\x1b[31mb", "a\u2028b", "'\"`", "\u202e"]
)
def test_keys_and_names_are_cut_and_on_one_line(key):
    """Names that a model made up are quoted, at most 64 characters, on the line they are on."""
    with Registry() as registry:

        @registry.tool
        def take(a: int, b: dict[str, int] | None = None) -> int:
            return a

        unknown = registry.execute(key, {})
        assert "unknown_tool" == unknown.kind
        assert 1 == len(unknown.output.splitlines())
        assert 200 > len(unknown.output)
        invalid = registry.execute("take", {"a": 1, key: 2, "b": {key: "x"}})
        assert "invalid_arguments" == invalid.kind
        assert 3 == len(invalid.output.splitlines())
        assert all(200 > len(line) for line in invalid.output.splitlines())
        assert "\x1b" not in unknown.output + invalid.output
        assert "\u202e" not in unknown.output + invalid.output
        denied = ToolCall(key, {}).deny("no")
        assert 1 == len(denied.output.splitlines())
        assert 150 > len(denied.output)


def test_lists_of_names_and_faults_end():
    """A thousand tools, or faults, are not all named."""
    with Registry() as registry:
        for number in range(300):
            registry.add(lambda: 1, name=f"tool_number_{number}")

        @registry.tool
        def take(a: list[int]) -> int:
            return len(a)

        assert 3000 > len(registry.execute("nope").output)
        assert 3000 > len(registry.execute("take", {"a": ["x"] * 1000}).output)
        assert 3000 > len(registry.execute("take", {f"key{n}": 1 for n in range(1000)}).output)


class TestInjected:
    @colours
    def test_injected_values_and_names_reach_no_model(self, colour):
        """Neither specs, nor errors, nor suggestions know of what the program supplies."""
        with Registry(inject={"own_*": SECRET}) as registry:

            @registry.tool
            def take(
                a: int,
                token: Annotated[str, Injected],
                own_key: str,
                own_made: Annotated[str, Injected(lambda: SECRET)],
            ) -> str:
                """Take.

                Args:
                    a: A number.
                    token: The token, which is hunter2-s3cr3t.
                    own_key: Another.
                """
                return "taken"

            exported = json.dumps([registry.specs(name) for name in (None, *formats.FORMATS)])
            for word in ("token", "own_", SECRET):
                assert word not in exported
            context = {"token": SECRET}
            assert "taken" == run(registry, colour, "take", {"a": 1}, context=context).output
            for sent in (
                {"a": "x"},
                {"a": 1, "tokn": 1},
                {"a": 1, "own_kay": 1},
                {"a": 1, "token": "x"},
                {"a": 1, "own_key": "x"},
                '{"a": ',
            ):
                result = run(registry, colour, "take", sent, context=context)
                assert result.is_error
                told = shown(result)
                assert SECRET not in told
                assert "did you mean" not in told
                assert SECRET not in repr(result)
                assert SECRET not in json.dumps(result.to_dict())

    @colours
    @pytest.mark.parametrize("raised", [ValueError, SystemExit, ToolError, LookupError])
    def test_what_a_factory_raises_reaches_no_model(self, colour, raised):
        """The text of a failed injection is masked, whatever was raised."""

        def connect(context):
            raise raised(SECRET)

        async def aconnect(context):
            raise raised(SECRET)

        def half(context):
            raise raised(SECRET)
            yield

        for factory in (connect, aconnect, half):
            with Registry() as registry:

                @registry.tool
                def take(db: Annotated[Any, Injected(factory)]) -> str:
                    return "taken"

                result = run(registry, colour, "take", context=SECRET)
                assert "exception" == result.kind
                assert SECRET not in shown(result)
                assert "The tool take failed; the reason is not shown." == result.output

    @colours
    def test_what_a_factory_raises_when_closed_reaches_no_model(self, colour):
        """A factory that breaks afterwards changes nothing of the result."""

        def connect():
            yield 1
            raise SystemExit(SECRET)

        async def aconnect():
            yield 1
            raise RuntimeError(SECRET)

        with Registry() as registry:

            @registry.tool
            def take(
                a: Annotated[Any, Injected(connect)], b: Annotated[Any, Injected(aconnect)]
            ) -> str:
                return "taken"

            result = run(registry, colour, "take")
            assert ("success", "taken") == (result.kind, result.output)

    def test_a_context_is_in_no_repr(self):
        """What is injected from is shown nowhere."""
        call = ToolCall("take", {}, "c", {"token": SECRET})
        assert SECRET not in repr(call)
        assert SECRET not in json.dumps(call.to_dict())
        with Registry() as registry:
            registry.add(lambda: 1, name="take")
            result = registry.execute(call)
            assert SECRET not in repr(result) + str(result.to_dict())


class TestExceptions:
    @colours
    def test_no_traceback_reaches_a_model(self, colour):
        """Neither files, nor lines of code, nor causes: the type and the message."""
        with Registry() as registry:

            @registry.tool
            def fail(how: int) -> Any:
                local_variable = SECRET
                try:
                    raise KeyError(local_variable)
                except KeyError as error:
                    if how == 0:
                        raise ValueError("wrong") from error
                    if how == 1:
                        raise ExceptionGroup("many", [ValueError("wrong"), TypeError("worse")])
                    outcomes = MultiResult()
                    with outcomes.catch():
                        raise ValueError("wrong")
                    return outcomes

            for how in range(3):
                result = run(registry, colour, "fail", {"how": how})
                told = shown(result)
                for word in (SECRET, "Traceback", "test_security", "File ", "line ", "raise "):
                    assert word not in told

    def test_a_traceback_that_is_a_message_is_one_short_line(self):
        """A tool that puts a traceback into its message has it folded and cut."""
        with Registry() as registry:

            @registry.tool
            def fail() -> None:
                try:
                    raise KeyError("x")
                except KeyError:
                    raise RuntimeError(traceback.format_exc() * 100) from None

            output = registry.execute("fail").output
            assert 1 == len(output.splitlines())
            assert 2000 >= len(output)

    def test_pydantic_links_reach_no_model(self):
        """Its pages are of no use to a model."""
        with Registry() as registry:

            @registry.tool
            def fail(a: int) -> None:
                Line(sku="")

            for arguments in ({"a": "x"}, {"a": 1}, {"b": 1}, '{"a"'):
                told = shown(registry.execute("fail", arguments))
                assert "http" not in told
                assert "pydantic.dev" not in told

    def test_the_environment_reaches_no_model(self, monkeypatch):
        """Nothing that the library says comes from the environment or the machine."""
        monkeypatch.setenv("TOOLREG_SECRET", SECRET)
        with Registry() as registry:

            @registry.tool(timeout=0.01)
            async def late() -> None:
                await asyncio.sleep(1)

            @registry.tool
            def odd() -> Any:
                return object()

            @registry.tool
            def take(a: int) -> int:
                return a

            calls = [
                ToolCall("late", {}, "1"),
                ToolCall("odd", {}, "2"),
                ToolCall("take", {"a": []}, "3"),
                ToolCall("take", "{", "4"),
                ToolCall("nope", {}, "5"),
            ]
            for result in registry.execute_all(calls):
                told = shown(result)
                for word in (
                    SECRET,
                    str(pathlib.Path.cwd()),
                    socket.gethostname(),
                    str(pathlib.Path.home()),
                    "0x",
                ):
                    assert word not in told


class TestMasks:
    @colours
    @pytest.mark.parametrize("mask", [True, lambda error, tool: "masked"])
    def test_a_mask_holds_wherever_an_exception_comes_from(self, colour, mask):
        """Tool, validator, serializer, approver, predicate, part, middleware: none is quoted."""

        def broken(*args: Any, **options: Any) -> Any:
            raise RuntimeError(SECRET)

        def unlike_itself(value: Any) -> Any:
            raise LookupError(SECRET)

        with Registry(mask_errors=mask, approve=broken) as registry:

            @registry.tool
            def fail() -> None:
                raise RuntimeError(SECRET)

            @registry.tool
            async def afail() -> None:
                raise SystemExit(SECRET)

            @registry.tool
            def generate() -> Any:
                yield 1
                raise RuntimeError(SECRET)

            @registry.tool
            def some() -> MultiResult:
                return MultiResult(["a", RuntimeError(SECRET)])

            @registry.tool
            def all_of_them() -> MultiResult:
                return MultiResult([RuntimeError(SECRET)])

            def fine(a: Annotated[int, AfterValidator(unlike_itself)] = 1) -> int:
                return a

            registry.add(fine, name="validated")
            registry.add(fine, name="serialized", serializer=broken)
            registry.add(fine, name="approved", requires_approval=True)
            registry.add(fine, name="asked", requires_approval=broken)

            @registry.middleware(tools="early")
            def early(call):
                raise RuntimeError(SECRET)
                yield

            @registry.middleware(tools="late")
            def late(call):
                yield call
                raise RuntimeError(SECRET)

            registry.add(fine, name="early")
            registry.add(fine, name="late")
            for name in registry:
                arguments = {"a": 1} if name == "validated" else {}
                result = run(registry, colour, name, arguments)
                assert result.is_error == (name != "some"), name
                assert SECRET not in shown(result), name

    def test_what_a_tool_says_itself_is_not_masked(self):
        """A ToolError is meant for the model."""
        with Registry(mask_errors=True) as registry:

            @registry.tool
            def say() -> None:
                raise ToolError("try again", ToolError("later"))

            assert "try again\n\nlater" == registry.execute("say").output


class TestReferences:
    @pytest.fixture(autouse=True)
    def no_network(self, monkeypatch):
        """Sockets and files that are asked for are faults."""

        def refuse(*args: Any, **options: Any) -> Any:
            raise AssertionError("something was fetched")

        monkeypatch.setattr(socket, "socket", refuse)
        monkeypatch.setattr(socket, "create_connection", refuse)
        monkeypatch.setattr(socket, "getaddrinfo", refuse)

    @pytest.mark.parametrize(
        "reference",
        [
            {"$ref": "http://example.invalid/schema.json"},
            {"$ref": "https://example.invalid/schema.json#/$defs/a"},
            {"$ref": "//example.invalid/a"},
            {"$ref": "file:///etc/passwd"},
            {"$ref": "/etc/passwd"},
            {"$ref": "other.json"},
            {"$ref": "urn:example:a"},
            {"$ref": "#/$defs/nowhere"},
            {"$ref": "#nowhere"},
            {"$dynamicRef": "https://example.invalid/schema.json#a"},
        ],
        ids=str,
    )
    def test_references_that_are_not_local_are_refused_at_the_definition(self, reference):
        """A schema that points elsewhere is a definition error, wherever in it that is."""
        pytest.importorskip("jsonschema_rs")
        for schema in (
            {"type": "object", "properties": {"a": reference}},
            {"type": "object", "$defs": {"a": {"items": reference}}},
            {"type": "object", "allOf": [{"properties": {"a": {"anyOf": [reference]}}}]},
        ):
            with pytest.raises(ToolDefinitionError, match="references must point into"):
                Tool(name="take", description="Take.", parameters=schema, func=lambda **a: a)

    def test_an_identifier_is_not_fetched(self):
        """A schema may say who it is, and what draft; neither is looked for."""
        pytest.importorskip("jsonschema_rs")
        schema = {
            "$id": "https://example.invalid/me.json",
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/n"}},
            "$defs": {"n": {"type": "integer"}},
        }
        tool = Tool(name="take", description="Take.", parameters=schema, func=lambda **a: a["a"])
        assert "1" == tool.execute({"a": 1}).output
        assert "invalid_arguments" == tool.execute({"a": SECRET}).kind

    @pytest.mark.parametrize("value", VALUES)
    def test_raw_schemas_say_no_value_back(self, value):
        """The validator of raw schemas quotes its input; the text for the model does not."""
        pytest.importorskip("jsonschema_rs")
        schemas = {
            "type": {"type": "integer"},
            "text": {"type": "boolean"},
            "enum": {"enum": ["a", 1]},
            "const": {"const": "a"},
            "pattern": {"pattern": "^x$", "type": "string"},
            "short": {"maxLength": 1, "maxItems": 0, "maxProperties": 0, "maximum": 1},
            "long": {"minLength": 1000, "minItems": 1000, "minProperties": 1000, "minimum": 1e30},
            "format": {"format": "date", "type": "string"},
            "any": {"anyOf": [{"type": "null"}, {"const": 7}]},
            "one": {"oneOf": [{}, {}]},
            "not": {"not": {}},
            "never": False,
            "items": {"type": "array", "items": {"type": "null"}, "uniqueItems": True},
            "contains": {"type": "array", "contains": {"const": "x"}},
            "objects": {
                "type": "object",
                "required": ["z"],
                "additionalProperties": False,
                "properties": {"a": {"type": "null"}},
            },
            "names": {"propertyNames": {"maxLength": 0}},
            "dependent": {"dependentRequired": {"a": ["z"]}},
            "multiple": {"multipleOf": 7},
        }
        for name, schema in schemas.items():
            root = {"type": "object", "properties": {"a": schema}}
            tool = Tool(name="take", description="Take.", parameters=root, func=lambda **a: 1)
            result = tool.execute({"a": VALUES[value]})
            if result.is_error:
                assert "invalid_arguments" == result.kind
                for secret in (SECRET, str(NUMBER)):
                    assert secret not in shown(result), (name, result.output)
