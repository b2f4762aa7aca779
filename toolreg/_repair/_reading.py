"""What a JSON Schema says of one place in the data."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final

from pydantic_core import to_json

from .._types import JsonObject, is_object

__all__ = [
    "admitted",
    "branch",
    "leaves_of",
    "may_be_left_out",
    "option",
    "schema_of_index",
    "schema_of_key",
    "types",
]

_ANYTHING: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_CHOOSING: Final = frozenset({"$ref", "allOf", "anyOf", "oneOf"})
_NAMES: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}


def leaves_of(schema: object, root: JsonObject) -> list[JsonObject]:
    """Return the schemas that a schema chooses from: references followed, unions opened."""
    if is_object(schema) and schema.keys().isdisjoint(_CHOOSING):
        return [schema]
    found: list[JsonObject] = []
    waiting: list[Any] = [schema]
    followed: set[str] = set()
    while waiting:
        each = waiting.pop()
        if not is_object(each):
            found.append({})
        elif "properties" in each:
            found.append(each)
        elif "$ref" in each:
            reference = each["$ref"]
            if reference not in followed:
                followed.add(reference)
                waiting.append(_referred(reference, root))
        elif len(each.get("allOf", ())) == 1:
            waiting.append(each["allOf"][0])
        elif "anyOf" in each or "oneOf" in each:
            waiting.extend(each.get("anyOf") or each["oneOf"])
        else:
            found.append(each)
    return found


def _referred(reference: str, root: JsonObject) -> object:
    target: Any = root if reference == "#" or reference.startswith("#/") else None
    for step in reference.removeprefix("#").split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        target = target.get(name) if is_object(target) else None
    return target


def schema_of_key(key: str, leaf: JsonObject) -> object:
    """Return the schema of an object's value, or what says that there is none."""
    known = leaf.get("properties", {})
    if key in known:
        return known[key]
    patterns = leaf.get("patternProperties", {})
    return next(iter(patterns.values())) if len(patterns) == 1 else leaf.get("additionalProperties")


def schema_of_index(index: int, leaf: JsonObject) -> object:
    """Return the schema of an array's item, or None."""
    first = leaf.get("prefixItems", ())
    return first[index] if index < len(first) else leaf.get("items")


def may_be_left_out(key: str, leaf: JsonObject, root: JsonObject) -> bool:
    """Tell whether a key may be missing, yet not be null."""
    if key not in leaf.get("properties", ()) or key in leaf.get("required", ()):
        return False
    leaves = leaves_of(leaf["properties"][key], root)
    return not admitted(None, leaves)


def types(leaf: JsonObject) -> Collection[str]:
    """Return the names of the JSON types that are allowed."""
    options = _options(leaf)
    if options is not None:
        return {_type(each) for each in options}
    named = leaf.get("type", _ANYTHING)
    return (named,) if isinstance(named, str) else named


def _options(leaf: JsonObject) -> list[Any] | None:
    return [leaf["const"]] if "const" in leaf else leaf.get("enum")


def _type(value: object) -> str:
    return _NAMES.get(type(value), "")


def admitted(value: Any, leaves: list[JsonObject]) -> bool:
    """Tell whether a value is of an allowed type, and among the given values if there are any."""
    return any(_admits(value, leaf) for leaf in leaves)


def _admits(value: Any, leaf: JsonObject) -> bool:
    options = _options(leaf)
    if options is not None:
        return any(_same(each, value) for each in options)
    allowed = leaf.get("type", _ANYTHING)
    name = _type(value)
    if isinstance(allowed, str):
        return allowed == name or (allowed == "number" and name == "integer")
    return name in allowed or (name == "integer" and "number" in allowed)


def _same(one: object, other: object) -> bool:
    # To Python 1 is True.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def branch(value: JsonObject, leaves: list[JsonObject], root: JsonObject) -> JsonObject | None:
    """Return the only schema that an object can be meant for, or None."""
    objects = [leaf for leaf in leaves if "object" in types(leaf)]
    if len(objects) == 1:
        return objects[0]
    for test in (_admits, _admits_loosely):
        fitting = [leaf for leaf in objects if _fits(value, leaf, root, test)]
        if len(fitting) == 1:
            return fitting[0]
    return None


def _fits(
    value: JsonObject,
    leaf: JsonObject,
    root: JsonObject,
    test: Callable[[Any, JsonObject], bool],
) -> bool:
    if not all(key in value for key in leaf.get("required", ())):
        return False
    for key, schema in leaf.get("properties", {}).items():
        literals = leaves_of(schema, root)
        given = key in value and all(_options(each) is not None for each in literals)
        if given and not any(test(value[key], each) for each in literals):
            return False
    return True


def _admits_loosely(value: Any, leaf: JsonObject) -> bool:
    return _admits(value, leaf) or (isinstance(value, str) and option(value, [leaf]) is not None)


def option(text: str, leaves: list[JsonObject]) -> tuple[str, Any] | None:
    """Return the one given value that a text can mean, led by a word for the slip."""
    values = [each for leaf in leaves for each in _options(leaf) or ()]
    if not values:
        return None
    spelled = [
        ("case", each, each) if isinstance(each, str) else ("literal", to_json(each).decode(), each)
        for each in values
    ]
    names = [
        ("enum-name", name, each)
        for leaf in leaves
        for name, each in leaf.get("x-enum-names", {}).items()
    ]
    for form, options in ((str.casefold, spelled), (str, names), (str.casefold, names)):
        found = [each for each in options if form(each[1]) == form(text)]
        if found and all(_same(each[2], found[0][2]) for each in found):
            return found[0][0], found[0][2]
    return None
