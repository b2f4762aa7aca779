"""The ways down a JSON Schema: from a node to the schemas it holds."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from types import NoneType
from typing import Any, Final

from .._types import JsonObject, is_array, is_object

__all__ = ["SINGLE", "copied", "is_array", "is_object", "nodes", "rebuilt", "subschemas"]

SINGLE: Final = frozenset(
    {
        "additionalItems",
        "additionalProperties",
        "contains",
        "contentSchema",
        "else",
        "if",
        "items",
        "not",
        "propertyNames",
        "then",
        "unevaluatedItems",
        "unevaluatedProperties",
    }
)
SEVERAL: Final = frozenset({"allOf", "anyOf", "items", "oneOf", "prefixItems"})
NAMED: Final = frozenset(
    {"$defs", "definitions", "dependentSchemas", "patternProperties", "properties"}
)
_ATOMS: Final = (str, int, float, NoneType)


def subschemas(node: JsonObject) -> Iterator[tuple[str, Any]]:
    """Yield every schema directly inside a node, with the pointer that leads to it.

    Only places where the specification puts schemas count: a property called ``title`` is a
    schema, the value of ``default`` is none.

    Args:
        node: A JSON Schema, itself no boolean.
    """
    for key, value in node.items():
        if key in SEVERAL and is_array(value):
            yield from ((f"/{key}/{index}", item) for index, item in enumerate(value))
        elif key in NAMED and is_object(value):
            yield from ((f"/{key}/{name}", item) for name, item in value.items())
        elif key in SINGLE:
            yield f"/{key}", value


def rebuilt(node: JsonObject, change: Callable[[Any], Any]) -> JsonObject:
    """Return a copy of the node with every schema directly inside it replaced.

    Args:
        node: A JSON Schema; not changed.
        change: Gives what stands in the place of a schema.
    """
    copy: JsonObject = {}
    for key, value in node.items():
        if key in SEVERAL and is_array(value):
            copy[key] = [change(item) for item in value]
        elif key in NAMED and is_object(value):
            copy[key] = {name: change(item) for name, item in value.items()}
        elif key in SINGLE:
            copy[key] = change(value)
        else:
            copy[key] = copied(value)
    return copy


def copied(value: Any) -> Any:
    """Return a JSON value that shares nothing with another that can be changed.

    Args:
        value: Plain JSON; anything else in it is deep-copied.
    """
    if isinstance(value, _ATOMS):
        return value
    if is_object(value):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if is_array(value) else deepcopy(value)


def nodes(schema: Any) -> Iterator[tuple[str, JsonObject]]:
    """Yield a schema and every schema inside it, each with its pointer.

    References are not followed and booleans left out.

    Args:
        schema: A JSON Schema.
    """
    waiting: list[tuple[str, Any]] = [("", schema)]
    while waiting:
        pointer, node = waiting.pop()
        if is_object(node):
            yield pointer, node
            inside = [(pointer + step, child) for step, child in subschemas(node)]
            waiting.extend(reversed(inside))
