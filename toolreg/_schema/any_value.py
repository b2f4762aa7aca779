"""Types for what has none."""

from collections.abc import Sequence
from typing import Any, Final

from .._types import JsonObject, is_object
from .merge import types_of
from .normal import normal, with_prefix
from .walk import copied, rebuilt

__all__ = ["any_value", "either", "typed"]

_SIMPLE: Final = ("string", "number", "boolean", "object")
# What is in these bears on a value beside its type; a type there would change their meaning.
_ASIDE: Final = frozenset(
    {"contains", "contentSchema", "dependentSchemas", "else", "if", "not", "propertyNames", "then"}
)
_TELLING: Final = ("$ref", "anyOf", "type")


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

    Some providers refuse a request otherwise. Nothing is excluded by it: a type that follows from
    values or from ``allOf`` is written out, what has none gets all of them, ``oneOf`` is
    ``anyOf``, older tuples are ``prefixItems``.

    Args:
        schema: JSON Schema of a tool's arguments; not changed. References and all other
            keywords stay.

    Example:
        >>> typed({"enum": [1, "a"]})
        {'enum': [1, 'a'], 'type': ['integer', 'string']}
    """

    def fill(node: Any) -> Any:
        if not is_object(node):
            return any_value() if node is True else node
        node = with_prefix(node)
        copy = rebuilt(node, fill)
        for key, value in node.items():
            if isinstance(value, bool) or key in _ASIDE:
                copy[key] = copied(value)
        copy = _united(copy)
        if copy.keys().isdisjoint(_TELLING):
            copy |= _type(node, schema)
        return _with_items(copy) if "array" in types_of(copy) else copy

    filled: JsonObject = fill(schema)
    filled.pop("$schema", None)
    return filled


def _united(node: JsonObject) -> JsonObject:
    if "oneOf" not in node or "anyOf" in node:
        return node
    rest = {key: value for key, value in node.items() if key not in ("discriminator", "oneOf")}
    return {**rest, "anyOf": node["oneOf"]}


def _type(node: JsonObject, root: JsonObject) -> JsonObject:
    plain = normal(node, root)
    branches = [types_of(record) for record in plain.get("anyOf", [plain]) if is_object(record)]
    kinds = list(dict.fromkeys(kind for branch in branches for kind in branch))
    if not all(branches):
        return any_value()
    return {"type": kinds[0] if len(kinds) == 1 else kinds}


def _with_items(node: JsonObject) -> JsonObject:
    prefix: list[JsonObject] = node.get("prefixItems", [])
    items = node.get("items", node.get("maxItems", len(prefix) + 1) > len(prefix))
    if items is not False:
        return {**node, "items": any_value() if items is True else items}
    # What follows a fixed tuple does not matter; there only must be `items`.
    most = min(node.get("maxItems", len(prefix)), len(prefix))
    return {**node, "items": either(prefix) if prefix else any_value(), "maxItems": most}
