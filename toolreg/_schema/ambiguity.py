"""Unions in which null cannot be read as left out, since nobody knows whose property it is."""

from collections.abc import Sequence
from typing import Any, Final

from .._types import JsonObject, is_object
from .normal import normal, nullable
from .refs import resolve

__all__ = ["is_ambiguous"]

_DEEPEST: Final = 6


def is_ambiguous(branches: Sequence[Any], root: JsonObject) -> bool:
    """Whether a union has several objects without a tag, one of them with optional properties.

    Where every property is required, null stands for one that is left out; it can be read so
    only if the branch is known.

    Args:
        branches: The members of the union.
        root: The schema they are part of.
    """
    objects = [
        node for node in (_target(branch, root) for branch in branches) if "properties" in node
    ]
    if len(objects) < 2 or _tag(objects, root):  # noqa: PLR2004 - a union of one is none
        return False
    return any(_has_optional(node, root, 0) for node in objects)


def _target(schema: Any, root: JsonObject) -> JsonObject:
    node = normal(schema, root)
    if "$ref" not in node:
        return node
    target = resolve(root, node["$ref"])
    return target if is_object(target) else {}


def _tag(objects: Sequence[JsonObject], root: JsonObject) -> bool:
    names: list[set[str]] = [set(node["properties"]) for node in objects]
    shared = names[0].intersection(*names[1:])
    return any(_differs([node["properties"][name] for node in objects], root) for name in shared)


def _differs(schemas: Sequence[Any], root: JsonObject) -> bool:
    """Whether each of the schemas lists values that no other lists."""
    seen: set[str] = set()
    for schema in schemas:
        node = _target(schema, root)
        values = {
            repr(value) for value in node.get("enum", [node["const"]] if "const" in node else [])
        }
        if not values or values & seen:
            return False
        seen |= values
    return True


def _has_optional(node: JsonObject, root: JsonObject, depth: int) -> bool:
    required = node.get("required", ())
    for name, schema in node.get("properties", {}).items():
        if name not in required and not nullable(schema, root):
            return True
        inner = _target(schema, root)
        if depth < _DEEPEST and _has_optional(inner, root, depth + 1):
            return True
    return False
