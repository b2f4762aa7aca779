"""Types for what has none."""

from collections.abc import Sequence
from typing import Any, Final

from .._types import JsonObject, is_object
from .normal import normal
from .walk import SINGLE, rebuilt

__all__ = ["any_value", "either", "typed"]

_SIMPLE: Final = ("string", "number", "boolean", "object")


def any_value() -> JsonObject:
    """Return a schema that admits any JSON value and names its types.

    Some providers refuse an array without ``items`` and a property without a type. Anything
    narrower than all types would keep a model from valid calls, so all are listed, and those of
    an array's items once more.
    """
    array: JsonObject = {"type": "array", "items": {"anyOf": _simple()}}
    return {"anyOf": [*_simple(), array, {"type": "null"}]}


def _simple() -> list[JsonObject]:
    return [{"type": kind} for kind in _SIMPLE]


def either(schemas: Sequence[JsonObject]) -> JsonObject:
    """Return a schema for what one of several schemas admits.

    Args:
        schemas: At least one.
    """
    different = [one for index, one in enumerate(schemas) if one not in schemas[:index]]
    return different[0] if len(different) == 1 else {"anyOf": different}


def typed(schema: JsonObject) -> JsonObject:
    """Return the schema with a type for every property and items for every array.

    Args:
        schema: JSON Schema of a tool's arguments; not changed. References and all other
            keywords stay.

    Example:
        >>> typed({"type": "array", "items": {"type": "array", "items": {"type": "null"}}})
        {'type': 'array', 'items': {'type': 'array', 'items': {'type': 'null'}}}
    """

    def fill(node: Any) -> Any:
        if not is_object(node):
            return any_value() if node is True else node
        switches = {key: node[key] for key in SINGLE & node.keys() if isinstance(node[key], bool)}
        copy = {**rebuilt(node, fill), **switches}
        if node.get("type") == "array" and "prefixItems" not in node:
            copy.setdefault("items", any_value())
        untyped = not normal(node, schema).keys() & {"$ref", "anyOf", "not", "type"}
        return {**copy, **any_value()} if untyped else copy

    filled: JsonObject = fill(schema)
    return filled
