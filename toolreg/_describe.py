"""Types to JSON Schema."""

import asyncio
import inspect
from collections import abc
from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet
from math import isfinite
from types import GenericAlias, NoneType
from typing import Any, Final, cast, get_args, get_origin

from pydantic import TypeAdapter
from pydantic.errors import PydanticInvalidForJsonSchema
from pydantic.json_schema import (
    GenerateJsonSchema,
    JsonSchemaMode,
    JsonSchemaValue,
    JsonSchemaWarningKind,
)
from pydantic_core import CoreSchema, core_schema, from_json, to_json

from ._types import Audio, File, Image, JsonObject, MultiResult, is_array, is_object, kind_of
from .errors import ToolError

__all__ = [
    "ABSENT",
    "ENUM_NAMES",
    "encode_default",
    "is_fragile",
    "json_of",
    "kinds_of",
    "lets_nan_through",
    "output_json_of",
    "schema_of",
    "schema_of_core",
    "shows_input",
]

ENUM_NAMES: Final = "x-enum-names"
ABSENT: Final = object()

_UNTOLD: Final = (inspect.Parameter.empty, Any, None, object)
_CONTENT: Final = (Audio, File, Image, MultiResult, ToolError)
_AWAITED: Final = (abc.Awaitable, abc.Coroutine, asyncio.Future, asyncio.Task)
_GENERATED: Final = (
    abc.AsyncGenerator,
    abc.AsyncIterable,
    abc.AsyncIterator,
    abc.Generator,
    abc.Iterator,
)
_EXACT: Final = frozenset(
    "typed-dict typed-dict-field int str bool none literal list nullable union default".split()  # noqa: SIM905 - shorter
)
_NAMES: Final[dict[str, JsonObject]] = {
    "int": {"pattern": r"^[+-]?[0-9]+$"},
    "bool": {"enum": ["true", "false"]},
}
_CHANGING: Final = frozenset(("chain", "function-before", "function-wrap", "json"))
_FRAGILE: Final = frozenset(("callable", "is-instance", "is-subclass", "function-plain"))
_SCALARS: Final = frozenset((str, int, bool, NoneType))
_MODIFIERS: Final = ("metadata", "ref", "serialization")  # of a core schema's JSON Schema
_NESTING: Final = frozenset((dict, list, tuple))
_LENIENT: Final = frozenset(("coerce_numbers_to_str", "config", "on_error"))
_LENIENT_KIND: Final = (
    "lenient"  # of what may pass over a part of its input, or take it for another
)
_MOST_NODES: Final = 50_000  # a default that contains itself has no end


class _Methods(dict[str, Callable[[Any], JsonSchemaValue]]):
    """The methods of a generator by the kind of core schema they are for, bound on need.

    A schema has some ten of the sixty kinds.
    """

    def __init__(self, generator: GenerateJsonSchema) -> None:
        super().__init__()
        self._generator = generator

    def __missing__(self, kind: str) -> Callable[[Any], JsonSchemaValue]:
        # pydantic's own rule of naming.
        name = f"{kind.replace('-', '_')}_schema"
        method: Callable[[Any], JsonSchemaValue] = getattr(self._generator, name)
        self[kind] = method
        return method


class _Generator(GenerateJsonSchema):
    """JSON Schema without the titles and warnings nobody asked for."""

    ignored_warning_kinds: set[JsonSchemaWarningKind] = {  # noqa: RUF012 - as pydantic declares it
        "skipped-choice",
        "non-serializable-default",
    }

    _fixed_mode: JsonSchemaMode | None = None
    _scalars: frozenset[object] = _SCALARS

    @property
    def mode(self) -> JsonSchemaMode:
        # Asked ten times for each field; pydantic looks it up in the configuration every time.
        return self._fixed_mode or super().mode

    def generate(self, schema: CoreSchema, mode: JsonSchemaMode = "validation") -> JsonSchemaValue:
        self._fixed_mode = mode
        return super().generate(schema, mode)

    def _note_exceptions(self, config: Any) -> None:
        if config and "json_schema_mode_override" in config:
            self._fixed_mode = None
        if config and "json_encoders" in config:
            self._scalars = frozenset[object]()

    def build_schema_type_to_method(self) -> dict[Any, Any]:
        self._methods = _Methods(self)
        return self._methods

    def encode_default(self, dft: Any) -> Any:
        # What is JSON already needs no type adapter of its own.
        if type(dft) in self._scalars:
            return dft
        if type(dft) is list and self._scalars.issuperset(map(type, cast("list[object]", dft))):
            return list(cast("list[object]", dft))
        return super().encode_default(dft)

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        config = schema["cls"].model_config
        self._note_exceptions(config)
        return _untitled(super().model_schema(schema), config)

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        config = getattr(schema["cls"], "__pydantic_config__", None)
        self._note_exceptions(config)
        return _untitled(super().dataclass_schema(schema), config)

    def is_subclass_schema(self, schema: core_schema.IsSubclassSchema) -> JsonSchemaValue:
        return self.handle_invalid_for_json_schema(schema, "a class")

    def typed_dict_schema(self, schema: core_schema.TypedDictSchema) -> JsonSchemaValue:
        cls = schema.get("cls")
        config = getattr(cls, "__pydantic_config__", None)
        self._note_exceptions(config)
        described = super().typed_dict_schema(schema)
        if cls is not None:
            return _untitled(described, config)
        # Before 2.12 pydantic says nothing of a typed dict that has no class.
        behavior = schema.get("extra_behavior")
        if behavior == "allow" and "extras_schema" in schema:
            described["additionalProperties"] = self.generate_inner(schema["extras_schema"]) or True
        elif behavior == "forbid":
            described["additionalProperties"] = False
        return described

    def generate_inner(self, schema: Any) -> JsonSchemaValue:
        # Without these keys the wrappers that pydantic goes through change nothing.
        if schema.keys().isdisjoint(_MODIFIERS):
            described: JsonSchemaValue = self._methods[schema["type"]](schema)
        else:
            described = super().generate_inner(schema)
        if schema["type"] == "enum":
            reference = described.get("$ref")
            kept = self.get_schema_from_definitions(reference) if reference else described
            if kept is not None and kept.get("title") == schema["cls"].__name__:
                del kept["title"]
        return described

    def union_schema(self, schema: core_schema.UnionSchema) -> JsonSchemaValue:
        described = super().union_schema(schema)
        if described.get("anyOf") == []:
            raise PydanticInvalidForJsonSchema("no member of the union can be described")
        return described

    def p_arguments_schema(
        self, arguments: list[core_schema.ArgumentsParameter], *args: Any, **kwargs: Any
    ) -> JsonSchemaValue:
        described = super().p_arguments_schema(arguments, *args, **kwargs)
        for item in described.get("prefixItems", ()):
            item.pop("title", None)
        return described

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchemaValue:
        described = super().dict_schema(schema)
        names = _names_of(schema.get("keys_schema", {}))
        return {**described, "propertyNames": names} if names else described

    def default_schema(self, schema: core_schema.WithDefaultSchema) -> JsonSchemaValue:
        described = super().default_schema(schema)
        if "default" in described and encode_default(described["default"]) is ABSENT:
            del described["default"]
        return described


class _NamingGenerator(_Generator):
    """The same, with the names of an enum's members beside their values."""

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        described = super().enum_schema(schema)
        names = {
            member.name: value
            for member, value in zip(schema["members"], described["enum"], strict=True)
        }
        return {**described, ENUM_NAMES: names}


class _OutputGenerator(_Generator):
    """The same of what is given; there a union must be described in full."""

    def emit_warning(self, kind: JsonSchemaWarningKind, detail: str) -> None:
        if kind == "skipped-choice":
            raise PydanticInvalidForJsonSchema(detail)


def _names_of(keys: Any) -> JsonObject | None:
    """Return the schema of the names that become such keys, where the keys are no texts."""
    if keys.get("type") == "enum" and keys.get("sub_type") == "int":
        return {"enum": [str(member.value) for member in keys["members"]]}
    return _NAMES.get(keys.get("type"))


def _untitled(schema: JsonSchemaValue, config: Any) -> JsonSchemaValue:
    if not (config and (config.get("title") or config.get("model_title_generator"))):
        schema.pop("title", None)
    return schema


def schema_of(adapter: TypeAdapter[Any], *, enum_names: bool = False) -> JsonObject:
    """Return the JSON Schema of what an adapter's type takes.

    Args:
        adapter: The type, made ready.
        enum_names: Whether the names of enum members stand beside their values.

    Raises:
        PydanticInvalidForJsonSchema: If JSON Schema has no word for a part of it.
    """
    generator = _NamingGenerator if enum_names else _Generator
    return adapter.json_schema(schema_generator=generator)


def schema_of_core(schema: CoreSchema, *, enum_names: bool = False) -> JsonObject:
    """Return the JSON Schema of what a core schema takes, whose adapter has no configuration.

    Args:
        schema: The core schema, complete.
        enum_names: Whether the names of enum members stand beside their values.

    Raises:
        PydanticInvalidForJsonSchema: If JSON Schema has no word for a part of it.
    """
    generator = _NamingGenerator if enum_names else _Generator
    return generator().generate(schema)


def output_json_of(returns: Any) -> bytes:
    """Return the JSON Schema of what a function returns, as JSON; ``null`` where it is not told.

    What is awaited is described by its outcome, what is generated as an array. Content that is
    not text, and several outcomes of one call, have no schema.

    Args:
        returns: The declared type.
    """
    returns = _outcome(returns)
    if any(returns is each for each in _UNTOLD) or _holds_content(returns):
        return b"null"
    try:
        adapter: TypeAdapter[Any] = TypeAdapter(returns)
        schema = adapter.json_schema(schema_generator=_OutputGenerator, mode="serialization")
        return json_of(schema)
    except Exception:  # noqa: BLE001 - a return type never blocks a tool
        return b"null"


def _outcome(returns: Any) -> Any:
    kind, parts = get_origin(returns) or returns, get_args(returns) or (Any,)
    if any(kind is each for each in _AWAITED):
        return _outcome(parts[-1])
    if any(kind is each for each in _GENERATED):
        return GenericAlias(list, parts[:1])
    return returns


def _holds_content(annotation: Any) -> bool:
    if inspect.isclass(annotation) and issubclass(annotation, _CONTENT):
        return True
    return any(map(_holds_content, get_args(annotation)))


def json_of(schema: JsonObject) -> bytes:
    """Return a schema as strict JSON text, without numbers that are not finite."""
    text = to_json(schema)
    if b"Infinity" in text or b"NaN" in text:
        text = to_json(_finite(from_json(text)))
    return text


def _finite(value: object) -> Any:
    if is_object(value):
        return {key: _finite(item) for key, item in value.items() if _is_finite(item)}
    if is_array(value):
        return [_finite(item) for item in value if _is_finite(item)]
    return value


def _is_finite(value: object) -> bool:
    return not isinstance(value, float) or isfinite(value)


def encode_default(value: object) -> Any:
    """Return a default as JSON holds it, or ``ABSENT`` where JSON cannot."""
    if isinstance(value, Iterator):  # reading it would use it up
        return ABSENT
    try:
        if isinstance(value, AbstractSet):
            value = sorted(cast("AbstractSet[object]", value), key=repr)
        return from_json(to_json(value, inf_nan_mode="constants"), allow_inf_nan=False)
    except Exception:  # noqa: BLE001 - whatever a default's own methods raise
        return ABSENT


def kinds_of(schema: object) -> frozenset[str]:
    """Return the kinds of all schemas in a core schema.

    Whatever looks like a schema counts, also in defaults and metadata. What has no end, a default
    that contains itself, is taken for fragile.

    Args:
        schema: The core schema.
    """
    kinds: set[str] = set()
    waiting: list[Any] = [schema]
    for node in waiting:
        parts = node
        if kind_of(node) is dict:
            kind = node.get("type")  # a field may have this name
            if isinstance(kind, str):
                is_open = kind == "typed-dict" and node.get("extra_behavior") != "forbid"
                kinds.add(kind)
                if is_open or not _LENIENT.isdisjoint(node):
                    kinds.add(_LENIENT_KIND)
            parts = node.values()
        for part in parts:
            if type(part) in _NESTING:
                waiting.append(part)  # noqa: PERF401 - a third faster, and on the way of every tool
        if len(waiting) > _MOST_NODES:
            return _FRAGILE | _CHANGING
    return frozenset(kinds)


def shows_input(kinds: frozenset[str]) -> bool:
    """Whether the input that a fault of an argument names is what was sent, unchanged.

    Args:
        kinds: Those of the core schema that validates.
    """
    return kinds.isdisjoint(_CHANGING)


def lets_nan_through(kinds: frozenset[str]) -> bool:
    """Whether JSON's unofficial numbers may pass validation unseen.

    Only what is known to look at every value of the text is trusted not to.

    Args:
        kinds: Those of the core schema that validates.
    """
    return not kinds <= _EXACT


def is_fragile(kinds: frozenset[str]) -> bool:
    """Whether a core schema has parts that JSON Schema may have no word for.

    Args:
        kinds: Those of the core schema.
    """
    return not kinds.isdisjoint(_FRAGILE)
