"""The few keywords that Ollama's client passes on."""

from collections.abc import Iterator
from typing import Any, Final

from .._types import JsonObject
from .any_value import any_value, either
from .plain import plain
from .words import SPOKEN, described, sentences, text_of

__all__ = ["ollama"]

_TYPES: Final = ("string", "number", "boolean", "object", "array", "null")
_BARE: Final = {"any value", "integer", *_TYPES}


def ollama(schema: JsonObject) -> JsonObject:
    """Convert a schema for Ollama.

    Its Python client drops from a property all but ``type``, ``items``, ``description`` and
    ``enum``. So definitions are inlined, a union becomes a list of types, and what the other
    keywords say (fields of an object, defaults, bounds) is in the description as well.

    Args:
        schema: JSON Schema of a tool's arguments; not changed.
    """
    root = plain(schema)
    return {**root, "properties": {k: _property(v) for k, v in root["properties"].items()}}


def _property(node: JsonObject) -> JsonObject:
    branches = node.get("anyOf", [node])
    kinds = list(dict.fromkeys(kind for branch in branches for kind in _types(branch)))
    values = _values(branches)
    silent = [key for key in SPOKEN if not (values and key in ("const", "enum"))]
    made = {key: value for key, value in node.items() if key not in ("anyOf", "const")}
    made["type"] = kinds[0] if len(kinds) == 1 else kinds
    if values:
        made["enum"] = values
    if "array" in kinds:
        items = [item or any_value() for branch in branches for item in _items(branch)]
        made["items"] = either(items) if items else any_value()
    said = [] if values else _shape(node)
    return {**made, **described(node.get("description"), [*said, *sentences(node, silent)])}


def _items(node: JsonObject) -> list[JsonObject]:
    items = node.get("items")
    prefix: list[JsonObject] = node.get("prefixItems", [items] if items else [])
    return prefix


def _types(node: JsonObject) -> list[str]:
    if "anyOf" in node:
        return [kind for branch in node["anyOf"] for kind in _types(branch)]
    return [node["type"]] if "type" in node else list(_TYPES)


def _values(branches: list[JsonObject]) -> list[Any]:
    values: list[Any] = []
    for branch in branches:
        if branch.get("type") == "null":
            values.append(None)
        elif "enum" in branch:
            values.extend(branch["enum"])
        elif "const" in branch:
            values.append(branch["const"])
        else:
            return []
    return values if values != [None] else []


def _shape(node: JsonObject) -> list[str]:
    said = _kind(node)
    kinds = all(branch.keys() == {"type"} for branch in node.get("anyOf", [{"type": said}]))
    plain = "anyOf" in node or said in _BARE or "items" in node
    return (
        [] if kinds and plain and "prefixItems" not in node else [f"{said[0].upper()}{said[1:]}."]
    )


def _kind(node: JsonObject) -> str:
    if "anyOf" in node:
        return " or ".join(_whole(branch) for branch in node["anyOf"])
    if "enum" in node or "const" in node:
        return f"one of {text_of(node['enum'])}" if "enum" in node else text_of(node["const"])
    if node.get("properties"):
        return f"object with {', '.join(_fields(node))}"
    if node.get("prefixItems"):
        return f"array of {', '.join(_whole(item) for item in node['prefixItems'])}"
    kind: str = node.get("type", "any value")
    inner = node.get("items") or node.get("additionalProperties")
    return kind if not inner or inner is True else f"{kind} of {_whole(inner)}"


def _whole(node: JsonObject) -> str:
    text = _text(node)
    return f"{_kind(node)} ({text})" if text else _kind(node)


def _text(node: JsonObject) -> str:
    silent = [key for key in SPOKEN if key not in ("const", "enum")]
    said = described(node.get("description"), sentences(node, silent))
    return " ".join(said.values())


def _fields(node: JsonObject) -> Iterator[str]:
    required = node.get("required", ())
    for name, value in node["properties"].items():
        optional = "" if name in required else ", optional"
        text = _text(value)
        yield f"{name} ({_kind(value)}{optional}{text and ': '}{text})"
