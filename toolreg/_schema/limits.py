"""The sizes of a schema that providers limit."""

from typing import Any, Final

from .._types import JsonObject, is_object
from .walk import nodes, subschemas

__all__ = ["count_optional", "count_unions", "openai_limits"]

MAX_LEVELS: Final = 10
MAX_PROPERTIES: Final = 5_000
MAX_ENUM_VALUES: Final = 1_000
MAX_TEXT: Final = 120_000
LONG_ENUM: Final = 250
MAX_LONG_ENUM_TEXT: Final = 15_000
DEFINITIONS: Final = ("/$defs/", "/definitions/")


def count_optional(schema: JsonObject) -> int:
    """Return how many properties are not required, in all objects of a schema.

    Each definition counts once, however often it is referred to: this is how Anthropic and
    Bedrock count towards the 24 optional parameters a request may have.

    Args:
        schema: A JSON Schema.
    """
    return sum(
        name not in node.get("required", ())
        for _, node in nodes(schema)
        for name in node.get("properties", ())
    )


def count_unions(schema: JsonObject) -> int:
    """Return how many unions (``anyOf`` or a list of types) are in a schema.

    Each definition counts once, as in `count_optional`; a request may have 16 of them.

    Args:
        schema: A JSON Schema.
    """
    return sum("anyOf" in node or isinstance(node.get("type"), list) for _, node in nodes(schema))


def openai_limits(schema: JsonObject) -> list[str]:
    """Return which limits of OpenAI's strict mode a schema exceeds.

    Args:
        schema: A converted JSON Schema.
    """
    every = [node for _, node in nodes(schema)]
    properties = [name for node in every for name in node.get("properties", ())]
    definitions = list(schema.get("$defs", ()))
    enums: list[list[Any]] = [node["enum"] for node in every if "enum" in node]
    consts = [node["const"] for node in every if "const" in node]
    values = [value for enum in enums for value in enum]
    text = _length([*properties, *definitions, *values, *consts])
    long = [enum for enum in enums if len(enum) > LONG_ENUM and _length(enum) > MAX_LONG_ENUM_TEXT]
    levels = max(_levels(start) for start in (schema, *schema.get("$defs", {}).values()))
    found = (
        (levels > MAX_LEVELS, f"objects nest {levels} deep, {MAX_LEVELS} is the limit"),
        (len(properties) > MAX_PROPERTIES, f"more than {MAX_PROPERTIES} properties"),
        (len(values) > MAX_ENUM_VALUES, f"more than {MAX_ENUM_VALUES} enum values"),
        (text > MAX_TEXT, f"names and enum values are longer than {MAX_TEXT} characters"),
        (bool(long), f"an enum's values are longer than {MAX_LONG_ENUM_TEXT} characters"),
    )
    return [reason for exceeded, reason in found if exceeded]


def _length(values: list[Any]) -> int:
    return sum(len(str(value)) for value in values)


def _levels(node: Any) -> int:
    deepest = 0
    waiting: list[tuple[Any, int]] = [(node, 0)]
    while waiting:
        place, level = waiting.pop()
        if is_object(place):
            level += "properties" in place
            deepest = max(deepest, level)
            waiting.extend(
                (child, level)
                for step, child in subschemas(place)
                if not step.startswith(DEFINITIONS)
            )
    return deepest
