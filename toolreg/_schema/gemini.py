"""The subset of JSON Schema that Gemini reads."""

from typing import Any, Final

from .._types import JsonObject
from .any_value import any_value
from .normal import normal
from .refs import inline_refs
from .root import object_root
from .words import WORDS, described, sentences

__all__ = ["gemini"]

_KEPT: Final = ("maxItems", "maximum", "minItems", "minimum", "required")
_SPOKEN: Final = ("deprecated", "uniqueItems", *WORDS)


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
    root = inline_refs(object_root(schema))
    return _convert(root, root)


def _convert(schema: Any, root: JsonObject) -> JsonObject:
    node = normal(schema, root)
    if "anyOf" in node:
        return _union(node, root)
    kind = node.get("type")
    if kind is None:
        return {**_about(node, _SPOKEN), **any_value()}
    made: JsonObject = {"type": kind}
    values = node["enum"] if "enum" in node else [node["const"]] if "const" in node else []
    listed = kind in ("string", "integer", "number") and bool(values)
    if listed:
        made["enum"] = list(values)
    made |= {key: node[key] for key in _KEPT if key in node}
    silent = [k for k in _SPOKEN if k not in made and not (k == "const" and listed)]
    inside = _object(node, root) if kind == "object" else {}
    inside = _array(node, root) if kind == "array" else inside
    return {**_about(node, silent), **made, **inside}


def _about(node: JsonObject, keys: Any) -> JsonObject:
    title = {"title": node["title"]} if "title" in node else {}
    return {**title, **described(node.get("description"), sentences(node, keys))}


def _union(node: JsonObject, root: JsonObject) -> JsonObject:
    branches = [_convert(branch, root) for branch in node["anyOf"]]
    others = [branch for branch in branches if branch.get("type") != "null"]
    if len(others) == 1:
        [only] = others
        said = sentences(node, _SPOKEN)
        text = described(node.get("description") or only.get("description"), said)
        title = {"title": node["title"]} if "title" in node else {}
        may_be_null = {"nullable": True} if len(branches) > 1 else {}
        return {**only, **title, **text, **may_be_null}
    return {**_about(node, _SPOKEN), "anyOf": branches}


def _object(node: JsonObject, root: JsonObject) -> JsonObject:
    made: JsonObject = {}
    if "properties" in node:
        properties = node["properties"].items()
        made["properties"] = {name: _convert(schema, root) for name, schema in properties}
    more = node.get("additionalProperties")
    if more is not None:
        made["additionalProperties"] = more if isinstance(more, bool) else _convert(more, root)
    return made


def _array(node: JsonObject, root: JsonObject) -> JsonObject:
    if "prefixItems" not in node:
        return {"items": _convert(node.get("items", {}), root)}
    prefix = [_convert(item, root) for item in node["prefixItems"]]
    different = [item for index, item in enumerate(prefix) if item not in prefix[:index]]
    items = different[0] if len(different) == 1 else {"anyOf": different}
    if isinstance(node.get("items"), dict):
        items = _convert(node["items"], root)
    return {"prefixItems": prefix, "items": items}
