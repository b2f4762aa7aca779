"""The wrappers around a function -> how its parameters can be passed through them."""

import functools
import inspect
from types import CodeType, FunctionType, MethodType
from typing import Any, Final

__all__ = ["passable"]

_ONLY: Final = inspect.Parameter.POSITIONAL_ONLY
_EITHER: Final = inspect.Parameter.POSITIONAL_OR_KEYWORD


def _codes_inside(function: Any) -> tuple[CodeType, ...]:
    return tuple([each for each in function.__code__.co_consts if isinstance(each, CodeType)])


_METHOD_DISPATCH: Final = _codes_inside(vars(functools.singledispatchmethod)["__get__"])
_DISPATCH: Final = _METHOD_DISPATCH + _codes_inside(functools.singledispatch)


def passable(parameters: list[inspect.Parameter], found: list[Any]) -> list[inspect.Parameter]:
    """Return parameters as they can be passed.

    Where a wrapper takes no keywords, has a name of its own for an argument, or looks at the type
    of the first one, they are positional only, as are all before them.

    Args:
        parameters: Those of the innermost function, less what is bound.
        found: The callable and everything inside it, the innermost last.
    """
    bound = 0
    for layer in found[:-1]:
        if isinstance(layer, MethodType):
            bound += 1
        elif isinstance(layer, functools.partial):
            bound += len(layer.args)
        elif isinstance(layer, FunctionType):
            if _is_one_of(layer.__code__, _METHOD_DISPATCH):
                # Before Python 3.14, inspect shows the object that it is already bound to.
                is_static = isinstance(vars(layer)["__wrapped__"], staticmethod)
                parameters = parameters[0 if is_static else 1 :]
            parameters = _through(layer, parameters, bound)
    return parameters


def _is_one_of(code: CodeType, codes: tuple[CodeType, ...]) -> bool:
    return any(code is each for each in codes)


def _through(
    wrapper: FunctionType, parameters: list[inspect.Parameter], bound: int
) -> list[inspect.Parameter]:
    code = wrapper.__code__
    required = code.co_argcount - len(wrapper.__defaults__ or ())
    own = code.co_varnames[bound:required]
    takes_all = not code.co_flags & inspect.CO_VARARGS or code.co_flags & inspect.CO_VARKEYWORDS
    named = code.co_varnames[code.co_posonlyargcount : code.co_argcount + code.co_kwonlyargcount]
    count = 1 if _is_one_of(code, _DISPATCH) else 0
    for index, each in enumerate(parameters):
        is_renamed = index < len(own) and each.name != own[index]
        if each.kind is _EITHER and (is_renamed or not (takes_all or each.name in named)):
            count = index + 1
    first = [each.replace(kind=_ONLY) for each in parameters[:count] if each.kind is _EITHER]
    return first + parameters[len(first) :]
