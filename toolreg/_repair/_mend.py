"""Slips of models: arguments that failed, mended where only one meaning is possible."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic_core import from_json

from .._types import JsonObject, is_array, is_object
from ._faults import Faults, Path, everywhere, led_to
from ._reading import (
    admitted,
    branch,
    leaves_of,
    may_be_left_out,
    option,
    schema_of_index,
    schema_of_key,
    types,
)

__all__ = ["Mended", "is_hopeless", "mend", "texts_stay"]

_DEEPEST: Final = 200
_PLAIN: Final = frozenset({bool, int, float})
_CHOOSING: Final = frozenset({"enum", "const", "$ref", "allOf", "anyOf", "oneOf"})
_BEGINNINGS: Final = frozenset("[{-0123456789tfn")


@dataclass(frozen=True, slots=True)
class Mended:
    """Arguments after their repair, to be validated once more.

    Attributes:
        arguments: The arguments; what was not mended is the caller's own.
        repairs: A fixed word each and where it was mended, such as ``json-text: xs[3]``.
        unseen: Whether there are values, come out of a text or a wrapper, in which no slips were
            looked for.
    """

    arguments: dict[str, Any]
    repairs: tuple[str, ...]
    unseen: bool = False


@dataclass(slots=True)
class _Walk:
    root: JsonObject
    inside: bool
    repairs: list[str] = field(default_factory=list[str])
    unseen: bool = False

    def note(self, word: str, path: Path) -> None:
        steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
        self.repairs.append(f"{word}: {''.join(steps).removeprefix('.')}")


def mend(
    raw: object,
    *,
    schema: JsonObject,
    paths: Collection[Path],
    wrappers: bool,
    inside: bool = True,
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
        inside: Whether slips are looked for in what comes out of a text or a wrapper, too.
    """
    walk = _Walk(schema, inside)
    faults: Faults = paths
    if isinstance(raw, str):
        raw = _parsed(raw)
        faults = None
        walk.repairs.append("double-encoded")
    if not is_object(raw):
        return None
    arguments = raw
    wrapper = _wrapper(arguments, schema) if wrappers and len(arguments) == 1 else None
    if wrapper is not None:
        arguments = arguments[wrapper]
        faults = None
        walk.repairs.append(f"wrapper: {wrapper}")
    if faults is None and not inside:
        return Mended(arguments, tuple(walk.repairs), unseen=True)
    arguments = _mended(arguments, schema, faults, (), walk)
    return Mended(arguments, tuple(walk.repairs), walk.unseen) if walk.repairs else None


def texts_stay(schema: JsonObject) -> dict[str, bool]:
    """Return, by argument, whether a text that does not look like JSON could mean nothing else.

    Args:
        schema: The JSON Schema of the arguments.
    """
    return {
        name: is_object(wanted) and "type" in wanted and _CHOOSING.isdisjoint(wanted)
        for name, wanted in schema.get("properties", {}).items()
    }


def is_hopeless(details: Sequence[Mapping[str, Any]], stay: Mapping[str, bool]) -> bool:
    """Tell at a glance, of most faults that cannot be mended, that they cannot.

    The usual fault is a plain value of a wrong type, or a missing one; to see that must cost less
    than to say the fault.

    Args:
        details: pydantic's, with their input.
        stay: What `texts_stay` says of the arguments.
    """
    for detail in details:
        where = detail["loc"]
        if len(where) != 1:
            return False
        value = detail.get("input")
        if detail["type"] == "missing" and is_object(value) and where[0] not in value:
            continue  # the input is what it is missing in
        if type(value) is str:
            if not stay.get(where[0], False) or value.lstrip()[:1] in _BEGINNINGS:
                return False
        elif type(value) not in _PLAIN:
            return False
    return True


def _parsed(text: str) -> Any:
    try:
        return from_json(text, allow_inf_nan=False)
    except ValueError:
        return text


def _wrapper(arguments: JsonObject, schema: JsonObject) -> str | None:
    ((key, inner),) = arguments.items()
    names = {name for leaf in leaves_of(schema, schema) for name in leaf.get("properties", ())}
    wraps = key not in names and is_object(inner) and inner and inner.keys() <= names
    return key if wraps else None


def _mended(value: Any, schema: object, faults: Faults, path: Path, walk: _Walk) -> Any:
    if type(value) in _PLAIN or len(path) > _DEEPEST:
        return value
    if isinstance(value, str) and _takes_any_text(schema):
        return value
    leaves = leaves_of(schema, walk.root)
    if isinstance(value, str):
        value = _untexted(value, leaves, path, walk)
        faults = None
        if not walk.inside:
            walk.unseen |= is_object(value) or is_array(value)
            return value
    if is_object(value):
        return _mended_object(value, leaves, faults, path, walk)
    if is_array(value):
        return _mended_array(value, leaves, faults, path, walk)
    return value


def _takes_any_text(schema: object) -> bool:
    # What `leaves_of` and `admitted` would say of most texts, which need no mending.
    return is_object(schema) and schema.get("type") == "string" and _CHOOSING.isdisjoint(schema)


def _mended_object(
    value: JsonObject, leaves: list[JsonObject], faults: Faults, path: Path, walk: _Walk
) -> JsonObject:
    leaf = branch(value, leaves, walk.root)
    if leaf is None:
        return value
    made = dict(value)
    below = led_to(faults, value, leaves)
    for key, inner in (everywhere(value) if below is None else below).items():
        if value[key] is None and may_be_left_out(key, leaf, walk.root):
            walk.note("null-dropped", (*path, key))
            del made[key]
        else:
            schema = schema_of_key(key, leaf)
            made[key] = _mended(value[key], schema, inner, (*path, key), walk)
    return made


def _mended_array(
    value: list[Any], leaves: list[JsonObject], faults: Faults, path: Path, walk: _Walk
) -> list[Any]:
    arrays = [leaf for leaf in leaves if "array" in types(leaf)]
    if len(arrays) != 1:
        return value
    made = list(value)
    below = led_to(faults, value, leaves)
    for index, inner in (everywhere(value) if below is None else below).items():
        schema = schema_of_index(index, arrays[0])
        made[index] = _mended(value[index], schema, inner, (*path, index), walk)
    return made


def _untexted(text: str, leaves: list[JsonObject], path: Path, walk: _Walk) -> Any:
    if admitted(text, leaves):
        return text
    meant = option(text, leaves)
    if meant is not None:
        walk.note(meant[0], path)
        return meant[1]
    value = _parsed(text)
    if isinstance(value, str) or not admitted(value, leaves):
        return text
    walk.note("json-text", path)
    return value
