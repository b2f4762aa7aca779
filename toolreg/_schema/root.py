"""The object that every provider wants at the root of a schema."""

from typing import Any, Final

from .._types import JsonObject
from .merge import both
from .refs import resolve

__all__ = ["object_root"]

UNIONS: Final = ("anyOf", "oneOf")
DROPPED: Final = frozenset({"allOf", "anyOf", "const", "enum", "not", "oneOf"})


def object_root(schema: JsonObject) -> JsonObject:
    """Return the schema with a plain object at its root.

    A reference at the root is replaced by its definition. The branches of ``anyOf``, ``oneOf``
    and ``allOf`` are merged: all their properties, and as required what every branch requires
    (``allOf``: what any does). What the root then no longer says is for local validation.

    Args:
        schema: A JSON Schema of arguments; not changed.

    Returns:
        A schema with ``type: object`` and ``properties`` at the root, without references,
        combinators, ``enum``, ``const`` and ``not`` there, at least as wide as the given one.
    """
    node = _object(schema, schema, ())
    rest = {k: v for k, v in node.items() if k not in ("type", "properties")}
    return {"type": "object", **rest, "properties": node.get("properties", {})}


def _object(node: Any, root: JsonObject, inside: tuple[str, ...]) -> JsonObject:
    if not isinstance(node, dict):
        return {}
    merged = {k: v for k, v in node.items() if k not in DROPPED and k != "$ref"}
    reference = node.get("$ref")
    if isinstance(reference, str) and reference not in inside:
        inside = (*inside, reference)
        merged = both(merged, _object(resolve(root, reference), root, inside))
    for part in node.get("allOf", ()):
        merged = both(merged, _object(part, root, inside))
    for key in UNIONS:
        if key in node:
            branches = [_object(part, root, inside) for part in node[key] if _may_be(part)]
            merged = both(merged, _either(branches))
    merged.pop("allOf", None)
    return merged


def _may_be(part: Any) -> bool:
    kind = part.get("type", "object") if isinstance(part, dict) else part is True and "object"
    return kind == "object" or (isinstance(kind, list) and "object" in kind)


def _either(branches: list[JsonObject]) -> JsonObject:
    properties: JsonObject = {}
    for branch in branches:
        for name, schema in branch.get("properties", {}).items():
            properties[name] = _choice(properties[name], schema) if name in properties else schema
    required = [
        name
        for name in (branches[0].get("required", ()) if branches else ())
        if all(name in branch.get("required", ()) for branch in branches)
    ]
    merged: JsonObject = {"properties": properties, "required": required}
    if branches and all(branch.get("additionalProperties") is False for branch in branches):
        merged["additionalProperties"] = False
    return merged


def _choice(first: Any, second: Any) -> Any:
    if first == second:
        return first
    known = first["anyOf"] if isinstance(first, dict) and first.keys() == {"anyOf"} else [first]
    return {"anyOf": known if second in known else [*known, second]}
