"""Two JSON Schemas made one."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from .._types import JsonObject

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
    return [kind] if isinstance(kind, str) else list(kind)


def both(first: JsonObject, second: JsonObject) -> JsonObject:
    """Return a schema for values that satisfy both, closed objects taken together.

    Where the two say different things that have no common form, the second is kept under
    ``allOf``, one keyword a schema. Annotations of the first win.

    Args:
        first: A JSON Schema without ``allOf``; not changed.
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


def _properties(first: JsonObject, second: JsonObject) -> JsonObject:
    shared = {name: _together(first[name], second[name]) for name in second if name in first}
    return {**first, **second, **shared}


def _required(first: list[str], second: list[str]) -> list[str]:
    return list(dict.fromkeys([*first, *second]))


def _additional(first: Any, second: Any) -> Any:
    return False if first is False or second is False else _together(first, second)


def _types(first: Any, second: Any) -> list[str]:
    ours, theirs = types_of({"type": first}), types_of({"type": second})
    shared = [kind for kind in ours if kind in theirs]
    wide = {"integer"} & ({*ours, *theirs} if "number" in ours or "number" in theirs else set())
    return shared or sorted(wide)


def _enum(first: list[Any], second: list[Any]) -> list[Any]:
    return [value for value in first if value in second]


_MERGERS: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "additionalProperties": _additional,
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
    "required": _required,
    "type": _types,
}
