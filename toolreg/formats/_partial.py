"""Arguments that Gemini streams piece by piece, each at its JSON path."""

import re
from itertools import pairwise
from typing import Any, Final, TypeAlias

from .._types import JsonObject, is_array, is_object
from ._wire import text

__all__ = ["Path", "gather", "put"]

Path: TypeAlias = tuple[str | int, ...]

_VALUES: Final = ("stringValue", "numberValue", "boolValue", "nullValue")
_STEP: Final = re.compile(
    r"""\.([^.\[\]]+)|\[(\d{1,9})\]|\['((?:[^'\\]|\\.)*)'\]|\["((?:[^"\\]|\\.)*)"\]"""
)


def gather(values: dict[Path, Any], partial: JsonObject) -> None:
    """Add a piece to the values that have arrived; texts of one path are joined.

    Args:
        values: Path -> value; changed.
        partial: A ``partialArgs`` item.
    """
    path = _path(text(partial.get("jsonPath")))
    found = [partial[key] for key in _VALUES if key in partial]
    if not found or found[0] == "NULL_VALUE":
        values.setdefault(path, None)
    elif isinstance(found[0], str) and isinstance(values.get(path), str):
        values[path] += found[0]
    else:
        values[path] = found[0]


def _path(written: str) -> Path:
    steps: list[str | int] = []
    at = 1
    while found := _STEP.match(written, at):
        plain_name, index, *quoted = found.groups()
        name = plain_name or re.sub(r"\\(.)", r"\1", quoted[0] or quoted[1] or "")
        steps.append(int(index) if index else name)
        at = found.end()
    return tuple(steps) if at == len(written) else ()


def put(tree: JsonObject, path: Path, value: object) -> None:
    """Put a value where its path says, making what is above it.

    Args:
        tree: The object that is built; changed.
        path: Keys and positions.
        value: What lies there.

    Raises:
        ValueError: The path is none, is taken, or leads through something else.
    """
    here: Any = tree
    for step, following in pairwise(path):
        here = _child(here, step, [] if isinstance(following, int) else {})
    last = path[-1]
    if len(path) == 1 or _child(here, last, value) is not value:
        raise ValueError(path)


def _child(container: object, step: str | int, fresh: object) -> Any:
    if is_object(container) and isinstance(step, str):
        return container.setdefault(step, fresh)
    if is_array(container) and isinstance(step, int):
        if step == len(container):
            container.append(fresh)
        if step < len(container):
            return container[step]
    raise ValueError(step)
