"""What a callable takes, every annotation resolved."""

import functools
import inspect
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from ._faults import Unresolved, unresolved
from ._forms import is_settled
from ._owner import layers, scope
from ._passing import passable
from ._rebuild import rebuilt
from ._scope import Modules, Scope

if sys.version_info >= (3, 14):
    from annotationlib import Format

    _signature = functools.partial(inspect.signature, annotation_format=Format.FORWARDREF)
else:
    _signature = inspect.signature

__all__ = ["EMPTY", "NoSignature", "Parameter", "Signature", "read"]

EMPTY: Final = inspect.Parameter.empty
_NONE: Final = frozenset[str]()
_LONGEST: Final = 80
_PARTIAL: Final[Any] = (functools.partial, functools.partialmethod)


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """One parameter as it is declared.

    Attributes:
        name: Its name, without stars.
        kind: How it takes arguments.
        annotation: Its type; `EMPTY` if there is none or it has a problem. Where only the type in
            an ``Annotated`` has one, ``Annotated[Any, ...]`` with the rest.
        default: Its default; `EMPTY` if there is none.
        problem: Why the annotation could not be resolved.
        pending: Whether it may be resolved later, when more names are defined.
        missing: The name it then needs; None where it needs the rest of a half imported module.
    """

    name: str
    kind: inspect._ParameterKind  # pyright: ignore[reportPrivateUsage] # it has no other name
    annotation: object = EMPTY
    default: object = EMPTY
    problem: str | None = None
    pending: bool = False
    missing: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Signature:
    """What a callable takes and returns.

    Attributes:
        parameters: What a caller may give, in order: neither ``self`` nor what a partial binds.
        returns: The type of what comes back; `EMPTY` if there is none, or none that is known.
        function: The innermost function, or the class: it has the documentation and the name.
        bound: The names that partials bind by keyword, and that no caller may override.
    """

    parameters: tuple[Parameter, ...]
    returns: object
    function: Callable[..., Any]
    bound: frozenset[str] = _NONE


class NoSignature(Exception):
    """Nothing is known of the parameters of a callable."""


def read(func: Callable[..., Any], namespace: Mapping[str, object]) -> Signature:
    """Return what a callable takes, every annotation resolved on its own.

    Args:
        func: Any callable.
        namespace: The local names of the frames in which it is made a tool.

    Raises:
        NoSignature: Python knows of no parameters of it.
    """
    found = layers(func)
    declared = _declared(func)
    bound = _bound(found)
    free = [each for name, each in declared.parameters.items() if name not in bound]
    if len(found) > 1:
        free = passable(free, found)
    resolver = _Resolver(found, namespace)
    return Signature(
        parameters=tuple([resolver.parameter(each) for each in free]),
        returns=resolver.returned(declared.return_annotation),
        function=found[-1],
        bound=bound,
    )


def _declared(func: Callable[..., Any]) -> inspect.Signature:
    try:
        return _signature(_unmarked(func))
    except Exception as error:  # a callable may have any __signature__
        raise NoSignature(" ".join(str(error).split())) from error


def _unmarked(func: Any) -> Any:
    """Return a partial as inspect reads it right: update_wrapper hides what it binds."""
    if isinstance(func, _PARTIAL) and "__wrapped__" in vars(func):
        inner: Callable[..., object] = _unmarked(func.func)
        return functools.partial(inner, *func.args, **func.keywords)
    return func


def _bound(found: list[Any]) -> frozenset[str]:
    if len(found) == 1:
        return _NONE
    return frozenset(name for each in found if isinstance(each, _PARTIAL) for name in each.keywords)


class _Resolver:
    """Resolves the annotations of one callable."""

    def __init__(self, found: list[Any], namespace: Mapping[str, object]) -> None:
        self._found = found
        self._namespace = namespace
        self._modules = Modules()

    def parameter(self, declared: inspect.Parameter) -> Parameter:
        """Return a parameter with its annotation resolved, or with the problem of it."""
        plain = Parameter(
            name=declared.name,
            kind=declared.kind,
            annotation=declared.annotation,
            default=declared.default,
        )
        if is_settled(declared.annotation):
            return plain
        try:
            return replace(plain, annotation=_resolved(declared.annotation, self._scope))
        except Unresolved as error:
            return replace(
                plain,
                annotation=self._rest(declared.annotation),
                problem=_problem(declared.annotation, error),
                pending=error.pending,
                missing=error.missing,
            )

    def returned(self, annotation: object) -> object:
        """Return the type of what comes back, if that can be told without importing anything."""
        if is_settled(annotation):
            return annotation
        self._modules.may_import = False
        try:
            return _resolved(annotation, self._scope)
        except Unresolved:
            return EMPTY

    @functools.cached_property
    def _scope(self) -> Scope:
        return scope(self._found, self._namespace, self._modules)

    def _rest(self, annotation: object) -> object:
        try:
            return self._scope.untyped(annotation)
        except Exception:  # noqa: BLE001 - what does not parse, and what fails again
            return EMPTY


def _resolved(annotation: object, scope: Scope) -> object:
    try:
        return rebuilt(scope.resolved(annotation), scope)
    except Exception as error:
        raise unresolved(error) from error


def _problem(annotation: object, error: Unresolved) -> str:
    text = annotation if isinstance(annotation, str) else error.text or repr(annotation)
    text = " ".join(text.split())
    if len(text) > _LONGEST:
        text = f"{text[:_LONGEST]}…"
    return f"annotation {text!r} cannot be resolved: {error}"
