"""Generic types taken apart and put together again."""

from collections.abc import Callable, Iterable, Iterator
from types import GenericAlias, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    ForwardRef,
    Literal,
    Union,
    cast,
    get_args,
    get_origin,
    is_typeddict,
)

__all__ = ["change", "is_settled", "is_typed_dict", "references"]

_ALIASES: Final = (GenericAlias, UnionType)


def change(annotation: object, each: Callable[[object], object]) -> object:
    """Return a type with each of its own type arguments changed.

    Args:
        annotation: Any type; what is no generic form comes back as it is.
        each: Called with one type argument; gives what is to stand in its place.

    Returns:
        The very same object where nothing changed.
    """
    origin = get_origin(annotation)
    if origin is None or origin is Literal:
        return annotation
    old = get_args(annotation)
    if origin is Annotated:
        new = (each(old[0]), *old[1:])
    else:
        new = tuple([_changed(argument, each) for argument in old])
    if all(before is after for before, after in zip(old, new, strict=True)):
        return annotation
    return _form(annotation, origin, new)


def _changed(argument: object, each: Callable[[object], object]) -> object:
    """Return one type argument changed; the parameters of a callable are a list of them."""
    if not isinstance(argument, list):
        return each(argument)
    old = cast("list[object]", argument)
    new = [each(item) for item in old]
    is_same = all(before is after for before, after in zip(old, new, strict=True))
    return old if is_same else new


def _form(annotation: object, origin: Any, arguments: tuple[object, ...]) -> object:
    if origin is UnionType:
        origin = Union
    whole = origin[arguments[0] if len(arguments) == 1 else arguments]
    is_starred = isinstance(annotation, GenericAlias) and annotation.__unpacked__
    return next(iter(whole)) if is_starred else whole


def is_settled(annotation: object) -> bool:
    """Say whether a type stays as it is: no part of it is text or a typed dictionary.

    Args:
        annotation: Any type, or the text of one.
    """
    if type(annotation) is type:
        return True
    if isinstance(annotation, _ALIASES):
        return _all_settled(annotation.__args__)
    if isinstance(annotation, str | ForwardRef) or is_typed_dict(annotation):
        return False
    if isinstance(annotation, list):
        return _all_settled(cast("list[object]", annotation))
    origin = get_origin(annotation)
    arguments = () if origin is Literal else get_args(annotation)
    if origin is Annotated:
        arguments = arguments[:1]
    return not is_typed_dict(origin) and _all_settled(arguments)


def is_typed_dict(annotation: object) -> bool:
    """Say whether something is a ``typing.TypedDict`` (from Python 3.12 on, of any kind).

    Args:
        annotation: Anything.
    """
    return is_typeddict(annotation)


def _all_settled(annotations: Iterable[object]) -> bool:
    for annotation in annotations:  # noqa: SIM110 - twice as fast, and on the way of every tool
        if not is_settled(annotation):
            return False
    return True


def references(annotation: object) -> Iterator[str]:
    """Yield the parts of a type that are still text.

    Args:
        annotation: Any type, or the text of one.
    """
    if isinstance(annotation, str):
        yield annotation
    elif isinstance(annotation, ForwardRef):
        yield annotation.__forward_arg__
    elif isinstance(annotation, list):
        for argument in cast("list[object]", annotation):
            yield from references(argument)
    else:
        origin = get_origin(annotation)
        if origin is not None and origin is not Literal:
            arguments = get_args(annotation)
            for argument in arguments[:1] if origin is Annotated else arguments:
                yield from references(argument)
