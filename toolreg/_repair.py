"""Slips of models: arguments that failed, mended where only one meaning is possible."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias, TypeGuard

from pydantic_core import from_json, to_json

from ._types import JsonObject

__all__ = ["Mended", "mend"]

_DEEPEST: Final = 200
_ANYTHING: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})
_NAMES: Final[Mapping[type, str]] = {
    type(None): "null",
    bool: "boolean",
    int: "integer",
    float: "number",
    str: "string",
    list: "array",
    dict: "object",
}

_Path: TypeAlias = tuple[str | int, ...]
# Where the faults are, seen from some place in the data; None is everywhere under it.
_Faults: TypeAlias = Collection[_Path] | None


@dataclass(frozen=True, slots=True)
class Mended:
    """Arguments after their repair, to be validated once more.

    Attributes:
        arguments: The arguments; what was not mended is the caller's own.
        repairs: A fixed word each and where it was mended, such as ``json-text: xs[3]``.
    """

    arguments: dict[str, Any]
    repairs: tuple[str, ...]


@dataclass(slots=True)
class _Walk:
    root: JsonObject
    repairs: list[str] = field(default_factory=list[str])

    def note(self, word: str, path: _Path) -> None:
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
        self.repairs.append(f"{word}: {''.join(steps).removeprefix('.')}")


def mend(
    raw: object, *, schema: JsonObject, paths: Collection[_Path], wrappers: bool
) -> Mended | None:
    """Return the arguments with their slips mended, or None if there is nothing to mend.

    In this order: a JSON string that holds the object; one wrapper key around an object whose
    keys are all parameters; and at once JSON text where no text is allowed, null for what may be
    left out but not be null, the case of one of several given texts (or the name of an Enum's
    member), and ``"75"`` where 75 is one of several given values.

    Args:
        raw: Parsed JSON that failed validation; never changed.
        schema: The JSON Schema of the arguments; ``$ref`` into itself. An ``enum`` may have
            ``x-enum-names`` beside it, the names of its values.
        paths: Where pydantic found faults. Only there, and under them, anything is mended. Steps
            that are no key of the data, such as the labels of unions, are passed over.
        wrappers: Whether a wrapper key may be taken off.
    """
    walk = _Walk(schema)
    faults: _Faults = paths
    if isinstance(raw, str):
        raw = _parsed(raw)
        faults = None
        walk.repairs.append("double-encoded")
    if not _is_object(raw):
        return None
    arguments = raw
    wrapper = _wrapper(arguments, schema) if wrappers else None
    if wrapper is not None:
        arguments = arguments[wrapper]
        faults = None
        walk.repairs.append(f"wrapper: {wrapper}")
    arguments = _mended(arguments, schema, faults, (), walk)
    return Mended(arguments, tuple(walk.repairs)) if walk.repairs else None


def _is_object(value: object) -> TypeGuard[JsonObject]:
    return isinstance(value, dict)


def _is_array(value: object) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def _type(value: object) -> str:
    return _NAMES.get(type(value), "")


def _parsed(text: str) -> Any:
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        return text


def _wrapper(arguments: JsonObject, schema: JsonObject) -> str | None:
    if len(arguments) != 1:
        return None
    ((key, inner),) = arguments.items()
    names = {name for leaf in _leaves(schema, schema) for name in leaf.get("properties", ())}
    wraps = key not in names and _is_object(inner) and inner and inner.keys() <= names
    return key if wraps else None


def _mended(value: Any, schema: object, faults: _Faults, path: _Path, walk: _Walk) -> Any:
    if len(path) > _DEEPEST:
        return value
    leaves = _leaves(schema, walk.root)
    faults = _without_labels(faults, value, leaves)
    if isinstance(value, str):
        value = _untexted(value, leaves, path, walk)
    if _is_object(value):
        return _mended_object(value, leaves, faults, path, walk)
    if _is_array(value):
        return _mended_array(value, leaves, faults, path, walk)
    return value


def _without_labels(faults: _Faults, value: Any, leaves: list[JsonObject]) -> _Faults:
    if faults is None:
        return None
    left: dict[_Path, None] = {}
    for path in faults:
        found = _without_label(path, value, leaves)
        if found == ():
            return None
        left.update(dict.fromkeys(found or ()))
    return left


def _without_label(path: _Path, value: Any, leaves: list[JsonObject]) -> tuple[_Path, ...] | None:
    while path:
        step = path[0]
        if _holds(value, step):
            ambiguous = len(leaves) > 1 and len(path) > 1 and _holds(value, path[1])
            return (path, path[1:]) if ambiguous else (path,)
        if len(path) == 1 and _is_missing(step, value, leaves):
            return None
        path = path[1:]
    return ()


def _holds(value: Any, step: str | int) -> bool:
    if _is_object(value):
        return step in value
    return _is_array(value) and isinstance(step, int) and step < len(value)


def _is_missing(step: str | int, value: Any, leaves: list[JsonObject]) -> bool:
    if _is_array(value):
        return isinstance(step, int)
    return _is_object(value) and any(step in leaf.get("properties", ()) for leaf in leaves)


def _below(faults: _Faults, value: Iterable[Any]) -> Iterator[tuple[Any, _Faults]]:
    if faults is None:
        yield from ((key, None) for key in value)
        return
    heads: dict[str | int, list[_Path]] = {}
    for path in faults:
        heads.setdefault(path[0], []).append(path[1:])
    yield from heads.items()


def _mended_object(
    value: JsonObject, leaves: list[JsonObject], faults: _Faults, path: _Path, walk: _Walk
) -> JsonObject:
    leaf = _branch(value, leaves, walk.root)
    if leaf is None:
        return value
    made = dict(value)
    for key, inner in _below(faults, value):
        schema = _property(key, leaf)
        if value[key] is None and _may_be_left_out(key, leaf, walk.root):
            walk.note("null-dropped", (*path, key))
            del made[key]
        else:
            made[key] = _mended(value[key], schema, inner, (*path, key), walk)
    return made


def _mended_array(
    value: list[Any], leaves: list[JsonObject], faults: _Faults, path: _Path, walk: _Walk
) -> list[Any]:
    arrays = [leaf for leaf in leaves if "array" in _types(leaf)]
    if len(arrays) != 1:
        return value
    made = list(value)
    for index, inner in _below(faults, range(len(value))):
        schema = _item(index, arrays[0])
        made[index] = _mended(value[index], schema, inner, (*path, index), walk)
    return made


def _property(key: str, leaf: JsonObject) -> object:
    known = leaf.get("properties", {})
    if key in known:
        return known[key]
    patterns = leaf.get("patternProperties", {})
    return next(iter(patterns.values())) if len(patterns) == 1 else leaf.get("additionalProperties")


def _item(index: int, leaf: JsonObject) -> object:
    first = leaf.get("prefixItems", ())
    return first[index] if index < len(first) else leaf.get("items")


def _may_be_left_out(key: str, leaf: JsonObject, root: JsonObject) -> bool:
    if key not in leaf.get("properties", ()) or key in leaf.get("required", ()):
        return False
    leaves = _leaves(leaf["properties"][key], root)
    return not any(_admits(None, each) for each in leaves)


def _leaves(schema: object, root: JsonObject) -> list[JsonObject]:
    found: list[JsonObject] = []
    waiting: list[Any] = [schema]
    followed: set[str] = set()
    while waiting:
        each = waiting.pop()
        if not _is_object(each):
            found.append({})
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
        target = target.get(name) if _is_object(target) else None
    return target


def _options(leaf: JsonObject) -> list[Any] | None:
    return [leaf["const"]] if "const" in leaf else leaf.get("enum")


def _types(leaf: JsonObject) -> Collection[str]:
    options = _options(leaf)
    if options is not None:
        return {_type(each) for each in options}
    named = leaf.get("type", _ANYTHING)
    return (named,) if isinstance(named, str) else named


def _admits(value: Any, leaf: JsonObject) -> bool:
    options = _options(leaf)
    if options is not None:
        return any(_same(each, value) for each in options)
    types = _types(leaf)
    name = _type(value)
    return name in types or (name == "integer" and "number" in types)


def _same(one: object, other: object) -> bool:
    # To Python 1 is True.
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _branch(value: JsonObject, leaves: list[JsonObject], root: JsonObject) -> JsonObject | None:
    objects = [leaf for leaf in leaves if "object" in _types(leaf)]
    for admits in (_admits, _admits_loosely):
        if len(objects) > 1:
            fitting = [leaf for leaf in objects if _fits(value, leaf, root, admits)]
            objects = fitting or objects
    return objects[0] if len(objects) == 1 else None


def _fits(
    value: JsonObject,
    leaf: JsonObject,
    root: JsonObject,
    admits: Callable[[Any, JsonObject], bool],
) -> bool:
    if not all(key in value for key in leaf.get("required", ())):
        return False
    for key, schema in leaf.get("properties", {}).items():
        literals = _leaves(schema, root)
        given = key in value and all(_options(each) is not None for each in literals)
        if given and not any(admits(value[key], each) for each in literals):
            return False
    return True


def _admits_loosely(value: Any, leaf: JsonObject) -> bool:
    return _admits(value, leaf) or (isinstance(value, str) and _option(value, [leaf]) is not None)


def _untexted(text: str, leaves: list[JsonObject], path: _Path, walk: _Walk) -> Any:
    if any(_admits(text, leaf) for leaf in leaves):
        return text
    option = _option(text, leaves)
    if option is not None:
        walk.note(option[0], path)
        return option[1]
    value = _parsed(text)
    if isinstance(value, str) or not any(_admits(value, leaf) for leaf in leaves):
        return text
    walk.note("json-text", path)
    return value


def _option(text: str, leaves: list[JsonObject]) -> tuple[str, Any] | None:
    values = [each for leaf in leaves for each in _options(leaf) or ()]
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
