"""Where pydantic found faults, seen from a place in the data."""

from collections.abc import Collection, Iterable, Iterator
from typing import Any, TypeAlias

from .._types import JsonObject
from ._reading import is_array, is_object

__all__ = ["Faults", "Path", "below", "without_labels"]

Path: TypeAlias = tuple[str | int, ...]
# Where the faults are, seen from some place in the data; None is everywhere under it.
Faults: TypeAlias = Collection[Path] | None


def without_labels(faults: Faults, value: Any, leaves: list[JsonObject]) -> Faults:
    """Return the faults with paths that begin with a key of the value, or None."""
    if faults is None:
        return None
    left: dict[Path, None] = {}
    for path in faults:
        found = _without_label(path, value, leaves)
        if found == ():
            return None
        left.update(dict.fromkeys(found or ()))
    return left


def _without_label(path: Path, value: Any, leaves: list[JsonObject]) -> tuple[Path, ...] | None:
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
    if is_object(value):
        return step in value
    return is_array(value) and isinstance(step, int) and step < len(value)


def _is_missing(step: str | int, value: Any, leaves: list[JsonObject]) -> bool:
    if is_array(value):
        return isinstance(step, int)
    return is_object(value) and any(step in leaf.get("properties", ()) for leaf in leaves)


def below(faults: Faults, value: Iterable[Any]) -> Iterator[tuple[Any, Faults]]:
    """Yield each key that faults lead to, with the faults seen from there."""
    if faults is None:
        yield from ((key, None) for key in value)
        return
    heads: dict[str | int, list[Path]] = {}
    for path in faults:
        heads.setdefault(path[0], []).append(path[1:])
    yield from heads.items()
