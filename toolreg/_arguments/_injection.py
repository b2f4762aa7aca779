"""Parameters that the program supplies and the model never sees."""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from types import UnionType
from typing import Annotated, Any, Final, TypeAlias, Union, get_args, get_origin

from .._annotations import Parameter
from .._types import Injected, ToolCall

__all__ = ["EMPTY", "Inject", "Injection", "injection_of"]

Inject: TypeAlias = Sequence[object] | Mapping[Any, object]

EMPTY: Final = inspect.Parameter.empty
_POSITIONAL: Final = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)
_UNIONS: Final = (Union, UnionType)


@dataclass(frozen=True, slots=True, kw_only=True)
class Injection:
    """A parameter that the program supplies.

    Attributes:
        name: The parameter's name.
        source: A key of the context, or a factory.
        whole: Whether it is the context itself.
        call: Whether it is the call.
        value: A value given once and for all, or ``inspect.Parameter.empty``.
        optional: Whether the function has a default for it.
        takes_context: Whether the factory is called with the context.
    """

    name: str
    source: str | Callable[..., Any]
    whole: bool = False
    call: bool = False
    value: object = EMPTY
    optional: bool = False
    takes_context: bool = False


def injection_of(parameter: Parameter, inject: Sequence[Inject]) -> Injection | None:
    """Return how a parameter is supplied, or None where the model gives it.

    Args:
        parameter: The parameter, its annotation resolved.
        inject: What the program supplies besides marked parameters: each a mapping of names,
            patterns or marker types to values or factories, or a sequence of such keys.
    """
    markers = [*_markers(parameter.annotation), parameter.default]
    for marker in markers:
        if marker is Injected or isinstance(marker, Injected):
            return _marked(parameter, marker)
    for rules in inject:
        for key in rules:
            if _concerns(key, parameter.name, markers):
                return _ruled(parameter, rules[key] if isinstance(rules, Mapping) else Injected)
    return None


def _markers(annotation: Any) -> Iterator[object]:
    """Yield what annotates a type, also within a union or under another name."""
    if isinstance(annotation, type):
        yield annotation
        return
    annotation = getattr(annotation, "__value__", annotation)
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from annotation.__metadata__
        yield from _markers(annotation.__origin__)
    elif origin in _UNIONS:
        for part in get_args(annotation):
            yield from _markers(part)
    else:
        yield origin or annotation


def _marked(parameter: Parameter, marker: object) -> Injection:
    source = marker.source if isinstance(marker, Injected) else None
    is_default = parameter.default is Injected or isinstance(parameter.default, Injected)
    return Injection(
        name=parameter.name,
        source=source or parameter.name,
        whole=isinstance(marker, Injected) and marker.whole,
        call=any(part is ToolCall for part in _markers(parameter.annotation)),
        optional=parameter.default is not EMPTY and not is_default,
        takes_context=_takes_context(source),
    )


def _ruled(parameter: Parameter, value: object) -> Injection:
    if value is Injected or isinstance(value, Injected):
        return _marked(parameter, value)
    if callable(value):
        return _marked(parameter, Injected(value))
    return Injection(name=parameter.name, source=parameter.name, value=value)


def _takes_context(factory: object) -> bool:
    """Whether a factory takes a parameter; the optional ones of a class are its own affair."""
    if not callable(factory):
        return False
    try:
        parameters = inspect.signature(factory).parameters.values()
    except (ValueError, TypeError):
        return False
    positional = [p for p in parameters if p.kind in _POSITIONAL]
    if isinstance(factory, type):
        positional = [p for p in positional if p.default is EMPTY]
    return bool(positional)


def _concerns(key: object, name: str, markers: Sequence[object]) -> bool:
    if isinstance(key, str):
        return fnmatchcase(name, key)
    key = get_origin(key) or key
    return any(item is key or (isinstance(key, type) and isinstance(item, key)) for item in markers)
