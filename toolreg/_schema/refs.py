"""References inside a JSON Schema document."""

from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote

from .._types import JsonObject, is_array, is_object
from .merge import ANNOTATIONS
from .walk import nodes, rebuilt

__all__ = ["MAX_NODES", "check_local_refs", "inline_refs", "inlined", "name_of", "resolve"]

MAX_NODES: Final = 20_000
# A document that grows too large when every reference is followed is cut at the first of these
# depths that keeps it small, so that all its parameters are cut alike.
_DEPTHS: Final = (16, 8, 4, 2, 1)
_MAX_STEPS: Final = 128
_REFERENCES: Final = ("$ref", "$dynamicRef", "$recursiveRef")
_DEFINITIONS: Final = frozenset({"$defs", "definitions"})


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
        if is_array(place) and key.isdecimal() and int(key) < len(place):
            place = place[int(key)]
        elif is_object(place) and key in place:
            place = place[key]
        else:
            return None
    return place if is_object(place) or isinstance(place, bool) else None


def name_of(reference: str) -> str:
    """Return the last step of a reference, decoded.

    Args:
        reference: ``#/$defs/Node``, for example.
    """
    last = unquote(reference).rsplit("/", 1)[-1].lstrip("#")
    return last.replace("~1", "/").replace("~0", "~")


def check_local_refs(schema: JsonObject) -> tuple[str, ...]:
    """Say which references leave the document or lead nowhere, and what nests beyond all reason.

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
            if pointer.count("/") > _MAX_STEPS:
                return (*faults, f"{start}: nests more than {_MAX_STEPS} steps deep")
            for reference in (node[key] for key in _REFERENCES if key in node):
                reason = _fault(schema, reference)
                if reason is None:
                    waiting.append((reference, resolve(schema, reference)))
                else:
                    faults.append(f"{start}{pointer}: {reason}")
    return tuple(faults)


def _fault(root: JsonObject, reference: Any) -> str | None:
    if not isinstance(reference, str):
        return "a reference must be text"
    if not reference.startswith("#"):
        return f"reference {reference!r} is not local"
    if resolve(root, reference) is None:
        return f"reference {reference!r} does not resolve"
    seen: list[Any] = []
    following: Any = reference
    while following not in seen:
        seen.append(following)
        target = resolve(root, following)
        if not is_object(target) or "$ref" not in target:
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
        A schema without ``$ref``, ``$defs`` and ``definitions``. What is cut is wider than it
        was. Annotations beside a reference win over those of its definition.

    Example:
        >>> inline_refs({"$defs": {"N": {"type": "integer"}}, "items": {"$ref": "#/$defs/N"}})
        {'items': {'type': 'integer'}}
    """
    plain: JsonObject = inlined(schema, schema)
    return plain


def inlined(schema: Any, root: JsonObject) -> Any:
    """Return a part of a document as `inline_refs` returns the whole.

    Args:
        schema: The part.
        root: The document its references are of.
    """
    for depth in _DEPTHS:
        try:
            return _Inlining(root, depth, MAX_NODES).copy(schema, (id(schema),))
        except (_TooLargeError, RecursionError):
            continue
    return _Inlining(root, 0, None).copy(schema, (id(schema),))


class _TooLargeError(Exception):
    pass


@dataclass(slots=True)
class _Inlining:
    root: JsonObject
    depth: int
    budget: int | None
    made: int = 0

    def copy(self, node: Any, inside: tuple[int, ...]) -> Any:
        if not is_object(node):
            return node
        self.made += 1
        if self.budget is not None and self.made > self.budget:
            raise _TooLargeError
        kept = {key: value for key, value in node.items() if key not in _DEFINITIONS}
        reference = kept.pop("$ref", None)
        copy = rebuilt(kept, lambda child: self.copy(child, inside))
        if reference is None:
            return copy
        there = self.expand(reference, inside)
        return {**there, **copy} if copy.keys() <= ANNOTATIONS else {"allOf": [there], **copy}

    def expand(self, reference: Any, inside: tuple[int, ...]) -> JsonObject:
        target = resolve(self.root, reference)
        if not is_object(target):
            return {"not": {}} if target is False else {}
        if id(target) in inside or len(inside) > self.depth:
            return _cut_off(target, reference)
        shown: JsonObject = self.copy(target, (*inside, id(target)))
        return shown


def _cut_off(target: JsonObject, reference: str) -> JsonObject:
    name = name_of(reference) or "the whole object"
    kind = target.get("type", "object" if "properties" in target else None)
    plain: JsonObject = {} if kind is None else {"type": kind}
    plain["description"] = f"Again the shape of {name}."
    return {**plain, "items": {}} if kind == "array" else plain
