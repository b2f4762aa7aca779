"""Types for what has none."""

from typing import Any, Final

from .._types import JsonObject
from .normal import normal
from .walk import rebuilt

__all__ = ["any_value", "typed"]

_PLAIN: Final = ("string", "number", "boolean", "object")


def any_value() -> JsonObject:
    """Return a schema that admits any JSON value and names its types.

    Some providers refuse an array without ``items`` and a property without a type. Whatever is
    narrower than all types would keep a model from valid calls, so arrays are spelled out, two
    levels deep.
    """
    plain: list[JsonObject] = [{"type": kind} for kind in _PLAIN]
    inner: list[JsonObject] = [{"type": kind} for kind in _PLAIN]
    array: JsonObject = {"type": "array", "items": {"anyOf": inner}}
    return {"anyOf": [*plain, array, {"type": "null"}]}


def typed(schema: JsonObject) -> JsonObject:
    """Return the schema with a type for every property and items for every array.

    Args:
        schema: JSON Schema of a tool's arguments; not changed. References stay.
    """

    def fill(node: Any) -> Any:
        if not isinstance(node, dict):
            return any_value() if node is True else node
        copy = rebuilt(node, fill)
        if copy.get("type") == "array" and "items" not in copy and "prefixItems" not in copy:
            return {**copy, "items": any_value()}
        return {**copy, **any_value()} if _is_open(node, schema) else copy

    return _at_places(schema, fill)


def _at_places(schema: JsonObject, fill: Any) -> JsonObject:
    copy = rebuilt(schema, fill)
    for key in ("additionalProperties", "unevaluatedProperties"):
        if isinstance(schema.get(key), bool):
            copy[key] = schema[key]
    return copy


def _is_open(node: JsonObject, root: JsonObject) -> bool:
    plain = normal(node, root)
    return not plain.keys() & {"$ref", "anyOf", "type", "not"}
