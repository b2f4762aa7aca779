"""The subset of JSON Schema that Gemini reads."""

from typing import Any, Final

from .._types import JsonObject
from .any_value import any_value, either
from .plain import plain
from .words import SPOKEN, about, described, sentences

__all__ = ["gemini"]

_KEPT: Final = ("maxItems", "maximum", "minItems", "minimum", "required")
_LISTED: Final = ("string", "integer", "number")


def gemini(schema: JsonObject) -> JsonObject:
    """Convert a schema for Gemini's ``parametersJsonSchema``.

    Definitions are inlined; every property has a type and every array items. A type or null is
    that type and ``nullable``. ``const`` becomes an enum of one value, enums have one type.
    Other keywords (formats, patterns, lengths, exclusive bounds, defaults) are said in the
    description; the arguments are validated locally in any case.

    Args:
        schema: JSON Schema of a tool's arguments; not changed.

    Returns:
        A schema of ``type, title, description, enum, items, prefixItems, minItems, maxItems,
        minimum, maximum, anyOf, properties, additionalProperties, required, nullable`` alone.
    """
    return _convert(plain(schema))


def _convert(node: JsonObject) -> JsonObject:
    if "anyOf" in node:
        return _union(node)
    kind = node.get("type")
    if kind is None:
        return {**about(node, SPOKEN), **any_value()}
    values = {"enum": _enum(node)} if kind in _LISTED and node.keys() & {"const", "enum"} else {}
    kept: JsonObject = {key: node[key] for key in _KEPT if key in node}
    silent = [
        key for key in SPOKEN if key not in kept and not (key in ("const", "enum") and values)
    ]
    inside = _object(node) if kind == "object" else _array(node) if kind == "array" else {}
    return {**about(node, silent), "type": kind, **values, **kept, **inside}


def _enum(node: JsonObject) -> list[Any]:
    return [node["const"]] if "const" in node else list(node["enum"])


def _union(node: JsonObject) -> JsonObject:
    branches = [_convert(branch) for branch in node["anyOf"]]
    others = [branch for branch in branches if branch.get("type") != "null"]
    if len(others) != 1 or "type" not in others[0]:
        return {**about(node, SPOKEN), "anyOf": branches}
    [only] = others
    text = described(node.get("description") or only.get("description"), sentences(node, SPOKEN))
    title = {"title": node["title"]} if "title" in node else {}
    may_be_null = {"nullable": True} if len(branches) > 1 else {}
    return {**only, **title, **text, **may_be_null}


def _object(node: JsonObject) -> JsonObject:
    made: JsonObject = {}
    if "properties" in node:
        made["properties"] = {name: _convert(one) for name, one in node["properties"].items()}
    more = node.get("additionalProperties")
    if more is not None:
        made["additionalProperties"] = more if isinstance(more, bool) else _convert(more)
    return made


def _array(node: JsonObject) -> JsonObject:
    prefix = [_convert(item) for item in node.get("prefixItems", ())]
    ends = bool(prefix) and node.get("maxItems", len(prefix) + 1) <= len(prefix)
    items = node.get("items", not ends)
    if not isinstance(items, bool):
        more = _convert(items)
    else:
        # What follows a fixed tuple does not matter; there only must be `items`.
        more = any_value() if items or not prefix else either(prefix)
    return {"prefixItems": prefix, "items": more} if prefix else {"items": more}
