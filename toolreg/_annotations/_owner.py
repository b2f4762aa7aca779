"""A callable -> the function inside it, and the names its annotations were written with."""

import functools
import sys
from collections.abc import Iterator, Mapping
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any, Final, cast

from ._scope import Modules, Scope

__all__ = ["layers", "scope"]

_DEEPEST: Final = 100
_TYPING: Final = frozenset({"types", "typing", "typing_extensions"})


def layers(func: object) -> list[Any]:
    """Return a callable and everything it is wrapped around, the innermost last.

    Args:
        func: A function, method, partial, class or object with ``__call__``.
    """
    found: list[Any] = [func]
    while (inner := _inner(found[-1])) is not None and all(inner is not layer for layer in found):
        if len(found) == _DEEPEST:  # an object that makes up whatever attribute it is asked for
            return [func]
        found.append(inner)
    return found


def _inner(layer: Any) -> object:
    if isinstance(layer, functools.partial | functools.partialmethod):
        return cast("object", layer.func)
    if isinstance(layer, MethodType):
        return layer.__func__
    if isinstance(layer, type):
        return None
    wrapped: object = getattr(layer, "__wrapped__", None)
    if wrapped is not None:
        return wrapped
    if isinstance(layer, FunctionType):
        # The mark of functools.partialmethod, since and before Python 3.13.
        marks = vars(layer)
        return marks.get("__partialmethod__") or marks.get("_partialmethod")
    call: object = type(layer).__call__
    return call if isinstance(call, FunctionType | MethodType) else None


def scope(found: list[Any], namespace: Mapping[str, object], modules: Modules) -> Scope:
    """Return the names that the annotations of a callable can use.

    Args:
        found: The callable and everything inside it, as `layers` gives them.
        namespace: The local names of the frames in which it is made a tool.
        modules: Where other modules are found.
    """
    function = _written(found[-1])
    variables = _variables(function)
    owner = _owner(found, function, variables)
    body = _body(function, owner, namespace)
    code: object = getattr(function, "__code__", None)
    return Scope(
        modules,
        variables,
        path=code.co_filename if isinstance(code, CodeType) else None,
        first=(
            _type_parameters(function) | _type_parameters(owner),
            {name: value for name, value in body.items() if _is_type(value)},
            _closure(function),
            _enclosing(function, variables, namespace),
        ),
        last=(body, {} if owner is None else {owner.__name__: owner}, namespace),
        others=[modules.scope(module) for module in _others(found, variables)],
    )


def _written(innermost: Any) -> Any:
    """Return the function in which the annotations of a callable stand."""
    if isinstance(innermost, type):
        for function in (getattr(innermost, name) for name in ("__init__", "__new__")):
            if isinstance(function, FunctionType):
                return function
    return innermost


def _variables(function: Any) -> dict[str, Any]:
    variables: object = getattr(function, "__globals__", None)
    if isinstance(variables, dict):
        return cast("dict[str, Any]", variables)
    module = sys.modules.get(str(getattr(function, "__module__", None)))
    return {} if module is None else vars(module)


def _qualifier(function: Any) -> str:
    """Return what stands before the name of a function: its class, or ``<locals>``."""
    return str(getattr(function, "__qualname__", "")).rpartition(".")[0]


def _owner(found: list[Any], function: Any, variables: dict[str, Any]) -> type | None:
    """Return the class in whose body a function was written."""
    qualifier = _qualifier(function)
    for layer in found:
        one = getattr(layer, "__self__", layer)
        for base in (one if isinstance(one, type) else type(one)).__mro__:
            if base.__qualname__ == qualifier:
                return base
    owner = _at(qualifier, variables)
    return owner if isinstance(owner, type) else None


def _at(path: str, variables: Mapping[str, Any]) -> Any:
    """Return what a dotted name stands for, or None."""
    found = None
    for name in path.split("."):
        found = variables.get(name)
        variables = getattr(found, "__dict__", {})
    return found


def _body(function: Any, owner: type | None, namespace: Mapping[str, object]) -> Mapping[str, Any]:
    """Return the names in the class body around a function, also while it is executed."""
    if owner is not None:
        return vars(owner)
    qualifier = _qualifier(function)
    return namespace if qualifier and namespace.get("__qualname__") == qualifier else {}


def _is_type(value: object) -> bool:
    """Tell types from methods: a method ``list`` does not hide the type from its class."""
    return isinstance(value, type | ModuleType) or type(value).__module__ in _TYPING


def _type_parameters(generic: Any) -> dict[str, object]:
    return {each.__name__: each for each in getattr(generic, "__type_params__", ())}


def _closure(function: Any) -> dict[str, object]:
    if not isinstance(function, FunctionType):
        return {}
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    found: dict[str, object] = {}
    for name, cell in cells:
        try:
            found[name] = cell.cell_contents
        except ValueError:
            continue
    return found


def _enclosing(
    function: Any, variables: dict[str, Any], namespace: Mapping[str, object]
) -> Mapping[str, object]:
    """Return the local names of the functions around one, which hide global ones.

    The frames need not be those of these functions, so only names that are local there count.
    """
    if not isinstance(function, FunctionType) or "<locals>" not in function.__qualname__:
        return {}
    outermost = layers(_at(function.__qualname__.partition(".<locals>")[0], variables))[-1]
    around = _around(getattr(outermost, "__code__", None), function.__code__)
    names = {name for code in around for name in code.co_varnames + code.co_cellvars}
    return {name: namespace[name] for name in names if name in namespace}


def _around(outer: object, code: CodeType) -> list[CodeType]:
    """Return the codes from an outer one down to that which holds a code; none if it does not."""
    if not isinstance(outer, CodeType):
        return []
    if any(each is code for each in outer.co_consts):
        return [outer]
    for each in outer.co_consts:
        if path := _around(each, code):
            return [outer, *path]
    return []


def _others(found: list[Any], variables: dict[str, Any]) -> Iterator[ModuleType]:
    """Yield other modules that the annotations may have been copied from."""
    innermost = found[-1]
    sources: list[Any] = [*innermost.__mro__] if isinstance(innermost, type) else [innermost]
    names = [getattr(each, "__module__", None) for each in sources]
    if any("__signature__" in getattr(layer, "__dict__", ()) for layer in found):
        names += [
            layer.__globals__["__name__"] for layer in found if isinstance(layer, FunctionType)
        ]
    for name in dict.fromkeys(names):
        module = sys.modules.get(name) if isinstance(name, str) else None
        if module is not None and vars(module) is not variables:
            yield module
