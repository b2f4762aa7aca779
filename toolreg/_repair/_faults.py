"""Where pydantic found faults, seen from a place in the data."""

from collections.abc import Collection
from typing import Any, TypeAlias

from .._types import JsonObject, is_array, is_object

__all__ = ["Faults", "Path", "everywhere", "led_to"]

Path: TypeAlias = tuple[str | int, ...]
# None is everywhere under the place.
Faults: TypeAlias = Collection[Path] | None


def everywhere(value: JsonObject | list[Any]) -> dict[Any, Faults]:
    """Return each key of an object, or index of an array, as one with faults everywhere under it.

    Args:
        value: The object or array.
    """
    return dict.fromkeys(value if is_object(value) else range(len(value)))


def led_to(faults: Faults, value: Any, leaves: list[JsonObject]) -> dict[Any, Faults] | None:
    """Return the keys that faults lead to, and the faults seen from there.

    Steps that are no key of the value, such as the names that pydantic gives to the members of
    unions, are passed over; the path of a missing key leads nowhere.

    Args:
        faults: Seen from the value.
        value: Any JSON.
        leaves: The schemas it may follow.

    Returns:
        Faults by key, or None if the value itself is meant: then they are everywhere under it.
    """
    if faults is None:
        return None
    found: dict[Any, list[Path]] = {}
    for path in faults:
        rest = path
        while rest:
            step = rest[0]
            if _holds(value, step):
                found.setdefault(step, []).append(rest[1:])
                if len(leaves) > 1 and len(rest) > 1 and _holds(value, rest[1]):
                    found.setdefault(rest[1], []).append(rest[2:])
                break
            if len(rest) == 1 and _is_missing(step, value, leaves):
                break
            rest = rest[1:]
        else:
            return None
    return {**found}


def _holds(value: Any, step: str | int) -> bool:
    if is_object(value):
        return step in value
    return is_array(value) and isinstance(step, int) and step < len(value)


def _is_missing(step: str | int, value: Any, leaves: list[JsonObject]) -> bool:
    if is_array(value):
        return isinstance(step, int)
    return is_object(value) and any(step in leaf.get("properties", ()) for leaf in leaves)
