"""References inside a JSON Schema document."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from .._types import JsonObject
from .merge import ANNOTATIONS
from .walk import nodes, rebuilt

__all__ = ["check_local_refs", "inline_refs", "name_of", "resolve"]

REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
MAX_NODES: Final = 20_000
# A document that grows too large when every reference is followed is cut at the first of these
# depths that keeps it small, so that all its parameters are cut alike.
DEPTHS: Final = (32, 8, 4, 2, 1)


def resolve(root: JsonObject, reference: Any) -> Any:
    """Return what a local reference points to, or None.

    Args:
        root: The document.
        reference: ``#``, ``#/a/json/pointer`` or ``#anchor``.
    """
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    fragment = unquote(reference[1:])
    if fragment and not fragment.startswith("/"):
        found = (node for _, node in nodes(root) if node.get("$anchor") == fragment)
        return next(found, None)
    place: Any = root
    for step in fragment.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        if isinstance(place, list) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        elif isinstance(place, dict) and key in place:
            place = place[key]
        else:
            return None
    return place if isinstance(place, dict | bool) else None


def name_of(reference: str) -> str:
    """Return the last step of a reference, decoded.

    Args:
        reference: ``#/$defs/Node``, for example.
    """
    last = unquote(reference).rsplit("/", 1)[-1].lstrip("#")
    return last.replace("~1", "/").replace("~0", "~")


def check_local_refs(schema: JsonObject) -> tuple[str, ...]:
    """Say which references leave the document or lead nowhere.

    Args:
        schema: A JSON Schema; nothing is fetched.

    Returns:
        One text a fault, ``place: reason``; empty if all is well.
    """
    faults: list[str] = []
    seen: set[int] = set()
    waiting: list[tuple[str, Any]] = [("#", schema)]
    while waiting:
        start, place = waiting.pop(0)
        for pointer, node in nodes(place):
            if id(node) in seen:
                continue
            seen.add(id(node))
            for key in REFERENCES:
                if key in node:
                    reference = node[key]
                    fault = _fault(schema, reference)
                    if fault is None:
                        waiting.append((reference, resolve(schema, reference)))
                    else:
                        faults.append(f"{start}{pointer}: {fault}")
    return tuple(faults)


def _fault(root: JsonObject, reference: Any) -> str | None:
    if not isinstance(reference, str):
        return "a reference must be text"
    if not reference.startswith("#"):
        return f"reference {reference!r} is not local"
    seen: set[str] = set()
    following: Any = reference
    while following not in seen:
        seen.add(following)
        target = resolve(root, following)
        if target is None:
            return f"reference {reference!r} does not resolve"
        if not isinstance(target, dict) or not isinstance(target.get("$ref"), str):
            return None
        following = target["$ref"]
    return f"reference {reference!r} leads back to itself"


def inline_refs(schema: JsonObject) -> JsonObject:
    """Return the schema with its definitions put in the places that refer to them.

    What refers back to something it is inside of becomes a plain object (or array, or anything,
    whichever the definition is), so a recursive type is shown one level deep. A schema that
    would grow beyond 20,000 nodes is cut in the same way, at one depth for all of it.

    Args:
        schema: A JSON Schema; not changed.

    Returns:
        A schema without ``$ref``, ``$defs`` and ``definitions``, at least as wide as the given
        one. Annotations beside a reference win over those of its definition.
    """
    for depth in DEPTHS:
        try:
            return _Inlining(schema, depth, MAX_NODES).run()
        except _TooLargeError:
            continue
    return _Inlining(schema, 0, None).run()


class _TooLargeError(Exception):
    pass


@dataclass(slots=True)
class _Inlining:
    root: JsonObject
    depth: int
    budget: int | None
    made: int = 0

    def run(self) -> JsonObject:
        plain: JsonObject = self.copy(self.root, (id(self.root),))
        return plain

    def copy(self, node: Any, inside: tuple[int, ...]) -> Any:
        if not isinstance(node, dict):
            return node
        self.made += 1
        if self.budget is not None and self.made > self.budget:
            raise _TooLargeError
        if "$ref" in node:
            return self.expand(node, inside)
        kept = {key: value for key, value in node.items() if key not in DEFINITIONS}
        return rebuilt(kept, lambda child: self.copy(child, inside))

    def expand(self, node: JsonObject, inside: tuple[int, ...]) -> Any:
        reference = node["$ref"]
        target = resolve(self.root, reference)
        beside = {k: v for k, v in node.items() if k != "$ref" and k not in DEFINITIONS}
        if not isinstance(target, dict):
            return beside
        if id(target) in inside or len(inside) > self.depth:
            there = cut_off(target, reference)
        else:
            there = self.copy(target, (*inside, id(target)))
        beside = rebuilt(beside, lambda child: self.copy(child, inside))
        if beside.keys() <= ANNOTATIONS:
            return {**there, **beside}
        return {"allOf": [there], **beside}


DEFINITIONS: Final = ("$defs", "definitions")


def cut_off(target: JsonObject, reference: str) -> JsonObject:
    """Return what stands for a definition that is not shown in full.

    Args:
        target: The definition.
        reference: How it is referred to; its name goes into the description.
    """
    name = name_of(reference) or "object"
    plain: JsonObject = {"description": f"Again the shape of {name}."}
    kind = target.get("type", "object" if "properties" in target else None)
    if kind is not None:
        plain = {"type": kind, **plain}
    if kind == "array":
        plain["items"] = {}
    return plain
