"""The object that every provider wants at the root of a schema."""

from collections.abc import Sequence
from typing import Any, Final

from .._types import JsonObject, is_object
from .merge import both, types_of
from .refs import resolve
from .walk import copied, nodes
from .words import described

__all__ = ["object_root"]

_DROPPED: Final = frozenset({"$ref", "allOf", "anyOf", "const", "enum", "not", "oneOf"})


_CONDITIONS: Final = frozenset({"dependentSchemas", "else", "if", "then"})
_FURTHER: Final = frozenset({"additionalProperties", "patternProperties", "unevaluatedProperties"})


def object_root(schema: JsonObject, *, closed: bool = False) -> JsonObject:
    """Return the schema with a plain object at its root.

    A reference at the root is replaced by its definition. The branches of ``anyOf``, ``oneOf``
    and ``allOf`` are merged: all their properties, and as required what every branch requires
    (``allOf``: what any does). What the root then no longer says is for local validation; that
    the branches require different properties is said in the description.

    Args:
        schema: A JSON Schema of arguments; not changed.
        closed: Whether names that are not listed are refused even where the schema is silent;
            then the root says so, unless names may be listed in conditions, which it cannot see.

    Returns:
        A schema with ``type: object`` and ``properties`` at the root, without references,
        combinators, ``enum``, ``const`` and ``not`` there. A property may be what any of the
        branches that name it say.

    Example:
        >>> object_root({"$ref": "#/$defs/A", "$defs": {"A": {"properties": {"x": {}}}}})
        {'type': 'object', '$defs': {'A': {'properties': {'x': {}}}}, 'properties': {'x': {}}}
    """
    node: JsonObject = copied(_object(schema, schema, ()))
    rest = {k: v for k, v in node.items() if k not in ("type", "properties")}
    if closed and not _FURTHER & rest.keys() and not _has_conditions(schema):
        rest["additionalProperties"] = False
    return {"type": "object", **rest, "properties": node.get("properties", {})}


def _has_conditions(schema: JsonObject) -> bool:
    return any(_CONDITIONS & node.keys() for _, node in nodes(schema))


def _object(node: Any, root: JsonObject, inside: tuple[str, ...]) -> JsonObject:
    if not is_object(node):
        return {}
    merged = {key: value for key, value in node.items() if key not in _DROPPED}
    reference = node.get("$ref")
    if reference is not None and reference not in inside:
        inside = (*inside, reference)
        merged = both(merged, _object(resolve(root, reference), root, inside))
    for part in node.get("allOf", ()):
        merged = both(merged, _object(part, root, inside))
    for key in ("anyOf", "oneOf"):
        branches = [_object(part, root, inside) for part in node.get(key, ())]
        objects = [
            branch for branch in branches if "object" in types_of({"type": "object", **branch})
        ]
        if objects:
            merged = _with_choice(merged, objects)
    merged.pop("allOf", None)
    return merged


def _with_choice(node: JsonObject, branches: Sequence[JsonObject]) -> JsonObject:
    merged = both(node, _either(branches))
    needs = [" and ".join(branch.get("required", ())) for branch in branches]
    different = list(dict.fromkeys(needs))
    if len(different) > 1 and all(different):
        merged |= described(merged.get("description"), [f"Needs {', or '.join(different)}."])
    return merged


def _either(branches: Sequence[JsonObject]) -> JsonObject:
    properties: JsonObject = {}
    for branch in branches:
        for name, schema in branch.get("properties", {}).items():
            properties[name] = _choice(properties[name], schema) if name in properties else schema
    shared = [set(branch.get("required", ())) for branch in branches]
    names = [name for name in branches[0].get("required", ()) if all(name in s for s in shared)]
    merged: JsonObject = {"properties": properties, "required": names}
    if all(branch.get("additionalProperties") is False for branch in branches):
        merged["additionalProperties"] = False
    return merged


def _choice(first: Any, second: Any) -> Any:
    if first == second:
        return first
    known = first["anyOf"] if is_object(first) and first.keys() == {"anyOf"} else [first]
    return {"anyOf": known if second in known else [*known, second]}
