"""The few keywords that Ollama's client passes on."""

from typing import Any, Final

from .._types import JsonObject
from .any_value import any_value
from .normal import normal
from .refs import inline_refs
from .root import object_root
from .words import WORDS, described, sentences, text_of

__all__ = ["ollama"]

_TYPES: Final = ("string", "number", "boolean", "object", "array", "null")
_SPOKEN: Final = ("deprecated", "uniqueItems", *WORDS)


def ollama(schema: JsonObject) -> JsonObject:
    """Convert a schema for Ollama.

    Its Python client drops from a property all but ``type``, ``items``, ``description`` and
    ``enum``. So definitions are inlined, a union becomes a list of types, and what the other
    keywords say (fields of an object, defaults, bounds) is in the description as well.

    Args:
        schema: JSON Schema of a tool's arguments; not changed.
    """
    root = inline_refs(object_root(schema))
    properties = root["properties"].items()
    made = {name: _property(value, root) for name, value in properties}
    return {**root, "properties": made}


def _property(schema: Any, root: JsonObject) -> JsonObject:
    node = normal(schema, root)
    branches = [normal(branch, root) for branch in node.get("anyOf", ())]
    kinds = _types(node, root)
    made: JsonObject = {"type": kinds[0] if len(kinds) == 1 else kinds}
    values = _values(branches or [node])
    if values:
        made["enum"] = values
    arrays = [one for one in (branches or [node]) if one.get("type") == "array"]
    if "array" in kinds:
        items = arrays[0].get("items", {}) if arrays else {}
        made["items"] = items or any_value()
    silent = [key for key in _SPOKEN if not (key in ("enum", "const") and values)]
    said = [*_shape(node, branches, root), *sentences(node, silent)]
    return {**made, **described(node.get("description"), said)}


def _types(node: JsonObject, root: JsonObject) -> list[str]:
    if "anyOf" in node:
        kinds = [kind for branch in node["anyOf"] for kind in _types(normal(branch, root), root)]
        return list(dict.fromkeys(kinds))
    return [node["type"]] if "type" in node else list(_TYPES)


def _values(branches: list[JsonObject]) -> list[Any]:
    values: list[Any] = []
    for branch in branches:
        if branch.get("type") == "null":
            values.append(None)
        elif "enum" in branch or "const" in branch:
            values.extend(branch["enum"] if "enum" in branch else [branch["const"]])
        else:
            return []
    return values


def _shape(node: JsonObject, branches: list[JsonObject], root: JsonObject) -> list[str]:
    if branches:
        plain = all(branch.keys() <= {"type", "enum", "const"} for branch in branches)
        return [] if plain else [f"Either {' or '.join(_say(b, root) for b in branches)}."]
    if node.get("type") in ("object", "array") and node.keys() & {"properties", "prefixItems"}:
        said = _say(node, root)
        return [f"{said[0].upper()}{said[1:]}."]
    return []


def _say(schema: Any, root: JsonObject) -> str:
    node = normal(schema, root)
    kind: str = node.get("type", "any value")
    if "anyOf" in node:
        return " or ".join(_say(branch, root) for branch in node["anyOf"])
    if "enum" in node or "const" in node:
        return f"one of {text_of(node['enum'])}" if "enum" in node else text_of(node["const"])
    if node.get("properties"):
        return f"object with {', '.join(_fields(node, root))}"
    items = node.get("prefixItems") or [node.get("items")]
    if kind == "array" and items[0]:
        return f"array of {', '.join(_say(item, root) for item in items)}"
    return kind


def _fields(node: JsonObject, root: JsonObject) -> list[str]:
    required = node.get("required", ())
    return [
        f"{name} ({_say(value, root)}{'' if name in required else ', optional'})"
        for name, value in node["properties"].items()
    ]
