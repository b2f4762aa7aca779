"""Two JSON Schemas made one."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from .._types import JsonObject, is_array

__all__ = ["ANNOTATIONS", "both", "types_of"]

ANNOTATIONS: Final = frozenset(
    {
        "$anchor",
        "$comment",
        "$defs",
        "$id",
        "$schema",
        "default",
        "definitions",
        "deprecated",
        "description",
        "discriminator",
        "examples",
        "readOnly",
        "title",
        "writeOnly",
    }
)


def types_of(node: JsonObject) -> list[str]:
    """Return the types a node names, as a list.

    Args:
        node: A JSON Schema.
    """
    kind = node.get("type", [])
    return kind if is_array(kind) else [kind]


def both(first: JsonObject, second: JsonObject) -> JsonObject:
    """Return a schema for values that satisfy both, closed objects taken together.

    Where the two say different things that have no common form, the second is kept under
    ``allOf``, one keyword a schema. Annotations of the first win.

    Args:
        first: A JSON Schema; not changed.
        second: Another; not changed.
    """
    merged = dict(first)
    for key, value in second.items():
        if key not in merged:
            merged[key] = value
        elif merged[key] == value or key in ANNOTATIONS:
            continue
        elif key in _MERGERS:
            merged[key] = _MERGERS[key](merged[key], value)
        else:
            merged["allOf"] = [*merged.get("allOf", ()), {key: value}]
    return merged


def _together(first: Any, second: Any) -> JsonObject:
    return {"allOf": [first, second]}


def _one_after_the_other(first: list[Any], second: list[Any]) -> list[Any]:
    return [*first, *(item for item in second if item not in first)]


def _properties(first: JsonObject, second: JsonObject) -> JsonObject:
    shared = {name: _together(first[name], second[name]) for name in second if name in first}
    return {**first, **second, **shared}


def _additional(first: Any, second: Any) -> Any:
    return False if first is False or second is False else _together(first, second)


def _types(first: Any, second: Any) -> list[str]:
    ours, theirs = types_of({"type": first}), types_of({"type": second})
    shared = [kind for kind in ours if kind in theirs]
    if "integer" not in shared and "integer" in (*ours, *theirs) and "number" in (*ours, *theirs):
        shared.append("integer")
    return shared


def _enum(first: list[Any], second: list[Any]) -> list[Any]:
    return [value for value in first if value in second]


_MERGERS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "additionalProperties": _additional,
    "allOf": _one_after_the_other,
    "enum": _enum,
    "exclusiveMaximum": min,
    "exclusiveMinimum": max,
    "items": _together,
    "maxItems": min,
    "maxLength": min,
    "maxProperties": min,
    "maximum": min,
    "minItems": max,
    "minLength": max,
    "minProperties": max,
    "minimum": max,
    "properties": _properties,
    "required": _one_after_the_other,
    "type": _types,
}
