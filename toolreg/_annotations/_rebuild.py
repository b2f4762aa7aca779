"""``typing.TypedDict`` -> that of typing_extensions, which pydantic wants before Python 3.12."""

import sys
import types
from collections.abc import Mapping
from functools import partial
from typing import Annotated, Any, Final, Generic, NotRequired, Required, cast, get_args, get_origin
from weakref import WeakKeyDictionary

import typing_extensions

from ._faults import Unresolved
from ._forms import change, is_settled, is_typed_dict
from ._scope import Modules, Scope

__all__ = ["rebuild", "rebuilt"]

# What the metaclass makes, and makes again.
_MADE: Final = frozenset(
    {
        "__annotations__",
        "__dict__",
        "__optional_keys__",
        "__orig_bases__",
        "__parameters__",
        "__required_keys__",
        "__total__",
        "__weakref__",
    }
)
_known: WeakKeyDictionary[type, Any] = WeakKeyDictionary()


def rebuild(annotation: object) -> object:
    """Return a type without any ``typing.TypedDict`` that pydantic refuses.

    Args:
        annotation: Any type.

    Returns:
        The very same object where there is nothing to replace, as from Python 3.12 on, or where
        a field of the typed dictionary cannot be resolved.
    """
    try:
        return rebuilt(annotation, Scope(Modules(), {}))
    except Unresolved:
        return annotation


def rebuilt(annotation: object, scope: Scope) -> object:
    """Return a type without any ``typing.TypedDict`` that pydantic refuses.

    Args:
        annotation: Any type.
        scope: The names that its fields may use beside those of their own module.

    Raises:
        Unresolved: A field has a type that cannot be resolved.
    """
    if sys.version_info >= (3, 12) or is_settled(annotation):
        return annotation
    made: dict[type, Any] = {}
    new = _rebuilt(annotation, made, scope)
    # Only now: where a field fails, none of those that refer to it may stay.
    _known.update(made)
    return new


def _rebuilt(annotation: object, made: dict[type, Any], scope: Scope) -> object:
    each = partial(_rebuilt, made=made, scope=scope)
    if is_typed_dict(annotation):
        return _typed_dict(annotation, made, scope)
    origin: Any = get_origin(annotation)
    if is_typed_dict(origin):
        form: Any = each(origin)
        old: tuple[object, ...] = get_args(annotation)
        arguments = tuple([each(argument) for argument in old])
        return cast("object", form[arguments])
    return change(annotation, each)


def _typed_dict(old: Any, made: dict[type, Any], scope: Scope) -> Any:
    new = _known.get(old) or made.get(old)
    if new is None:
        home = scope.of_module(sys.modules.get(old.__module__))
        fields = {name: home.resolved(each) for name, each in old.__annotations__.items()}
        new = made[old] = _declared(old, fields)
        for name, annotation in fields.items():
            new.__annotations__[name] = _rebuilt(annotation, made, scope)
    return new


def _declared(old: Any, fields: Mapping[str, object]) -> Any:
    """Return a typed dictionary like another, its fields to be filled in."""
    bases: tuple[Any, ...] = (typing_extensions.TypedDict,)
    names: dict[str, Any] = {**vars(old)}
    if parameters := names.get("__parameters__"):
        generic: Any = Generic
        bases += (generic[parameters],)
    for name in _MADE:
        names.pop(name, None)
    names["__qualname__"] = old.__qualname__
    names["__annotations__"] = {
        name: Required[Any] if _is_required(old, name, annotation) else NotRequired[Any]
        for name, annotation in fields.items()
    }
    return types.new_class(old.__name__, bases, exec_body=lambda space: space.update(names))


def _is_required(old: Any, name: str, annotation: object) -> bool:
    # With postponed annotations the class itself cannot have seen the qualifier.
    origin = get_origin(annotation)
    if origin in (Required, NotRequired):
        return origin is Required
    if origin in (Annotated, typing_extensions.ReadOnly):
        return _is_required(old, name, get_args(annotation)[0])
    return name in old.__required_keys__
