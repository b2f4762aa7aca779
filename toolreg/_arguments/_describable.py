"""The part of a type that a model can be told of."""

from collections.abc import Callable
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin

from .._annotations import change

__all__ = ["Undescribable", "describable"]

_UNIONS: Final = (Union, UnionType)


class Undescribable(Exception):
    """Nothing of a type can be described."""


def describable(annotation: Any, accepts: Callable[[Any], bool]) -> Any:
    """Return a type without the members of unions that cannot be described.

    Of ``str | DataFrame`` a model can send the text; the union loses the frame, at any depth.

    Args:
        annotation: The declared type.
        accepts: Whether a type can be described as it is.

    Raises:
        Undescribable: If nothing, or nothing but None, is left.
    """
    if accepts(annotation):
        return annotation
    value = getattr(annotation, "__value__", None)  # of a type alias
    if value is not None:
        return describable(value, accepts)
    if get_origin(annotation) in _UNIONS:
        return _union(get_args(annotation), accepts)
    changed = change(annotation, lambda inner: describable(inner, accepts))
    if changed is annotation or not accepts(changed):
        raise Undescribable(annotation)
    return changed


def _union(members: tuple[Any, ...], accepts: Callable[[Any], bool]) -> Any:
    kept: list[Any] = []
    for member in members:
        try:
            kept.append(describable(member, accepts))
        except Undescribable:
            continue
    if all(member is NoneType for member in kept):
        raise Undescribable(members)
    return Union[tuple(kept)]  # noqa: UP007 - built at run time
