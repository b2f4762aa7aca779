"""Generic types taken apart and put together again."""

import typing
from collections.abc import Callable, Iterable, Iterator
from types import GenericAlias, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    ForwardRef,
    Literal,
    Optional,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    is_typeddict,
)

import typing_extensions

from ._faults import Unresolved

__all__ = [
    "UNIONS",
    "annotated",
    "change",
    "is_settled",
    "is_typed_dict",
    "limits",
    "references",
    "starred",
    "union",
]

# The first alone before Python 3.12.
_ALIAS_TYPES: Final = (
    typing_extensions.TypeAliasType,
    getattr(typing, "TypeAliasType", typing_extensions.TypeAliasType),
)
UNIONS: Final = (Union, Optional, UnionType)
_TEXT: Final = (str, ForwardRef)
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
    return starred(whole) if is_starred else whole


def is_settled(annotation: object) -> bool:
    """Say whether a type stays as it is: no part of it is text or a typed dictionary.

    Args:
        annotation: Any type, or the text of one.
    """
    if isinstance(annotation, type):
        return not is_typed_dict(annotation)
    if isinstance(annotation, _ALIASES):
        return _all_settled(annotation.__args__)
    if isinstance(annotation, _TEXT):
        return False
    if isinstance(annotation, list):
        return _all_settled(cast("list[object]", annotation))
    origin = get_origin(annotation)
    if origin is None:
        return _is_known(annotation)
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


def _is_known(annotation: object) -> bool:
    # No deeper: the limit of a type variable may have that very variable in it.
    try:
        return not any(
            isinstance(each, _TEXT) or is_typed_dict(each) for each in limits(annotation)
        )
    except NameError:
        return False


def limits(annotation: object) -> tuple[object, ...]:
    """Return the types that a type variable is limited to; none for anything else.

    Args:
        annotation: A type variable or anything.

    Raises:
        NameError: They, or what a ``type`` statement stands for, name what is not there.
    """
    if isinstance(annotation, TypeVar):
        bound: object = annotation.__bound__
        return annotation.__constraints__ or (() if bound is None else (bound,))
    if isinstance(annotation, _ALIAS_TYPES):
        # Evaluated here, perhaps for the first time.
        cast("Any", annotation).__value__  # noqa: B018
    return ()


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


def annotated(annotation: object, metadata: Iterable[object]) -> object:
    """Return ``Annotated[annotation, *metadata]``.

    Args:
        annotation: A type.
        metadata: What goes with it.
    """
    form: Any = Annotated
    return form[(annotation, *metadata)]


def starred(annotation: Any) -> object:
    """Return a type argument that stands for several.

    Args:
        annotation: A tuple, or a variable for types of one.
    """
    return next(iter(annotation))


def union(each: Callable[[Any], object], parts: Iterable[Any]) -> object:
    """Return a union without the members that belong to modules which are not installed.

    No value of such a type can exist, so none is kept from the function.

    Args:
        each: Gives the member that a part stands for.
        parts: What makes up the union.

    Raises:
        Unresolved: A member cannot be resolved, or none is installed.
    """
    members: list[object] = []
    absent: Unresolved | None = None
    for part in parts:
        try:
            members.append(each(part))
        except Unresolved as error:
            if not error.absent:
                raise
            absent = error
    if absent is not None and not members:
        raise absent
    return Union[tuple(members)]  # noqa: UP007 - also of what has no operator
