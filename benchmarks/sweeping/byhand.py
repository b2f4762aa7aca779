"""What a careful person writes by hand to have one function called with a model's arguments."""

import inspect
from collections.abc import Callable
from typing import Annotated, Any, get_args

from pydantic import BaseModel, TypeAdapter
from pydantic.fields import FieldInfo
from typing_extensions import NotRequired, TypedDict

Validate = Callable[[str], dict[str, Any]]


def by_hand(
    function: Callable[..., Any], model: type[BaseModel]
) -> tuple[Validate, Callable[..., Any]]:
    """Return a prebuilt validator of JSON text and what takes all the arguments by name.

    Args:
        function: What is to be called.
        model: Names its parameters and their types, which `typing.get_type_hints` cannot
            for many functions.
    """
    fields = {info.alias or name: _type(info) for name, info in model.model_fields.items()}
    further = _further(model)
    if further in (None, Any):
        made: Any = TypedDict("Arguments", fields)
        made.__pydantic_config__ = {"extra": "forbid" if further is None else "allow"}
    else:
        made = TypedDict("Arguments", fields, extra_items=further)
    return TypeAdapter(made).validator.validate_json, _by_name(function)


def _type(info: FieldInfo) -> Any:
    known: Any = Annotated[(info.annotation, *info.metadata)] if info.metadata else info.annotation
    return known if info.is_required() else NotRequired[known]


def _further(model: type[BaseModel]) -> Any:
    """Return the type of ``**kwargs``; None where a function has none."""
    for base in model.__mro__:
        declared = base.__dict__.get("__annotations__", {}).get("__pydantic_extra__")
        if base is not BaseModel and declared is not None:
            further = get_args(declared)[1]
            return Any if get_args(further)[:1] == (Any,) else further
    return None


def _by_name(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function, or where names do not reach all its parameters a way to them.

    For ``f(a, /, b=1, *args, c)`` that is ``def f(a, b=1, args=(), **rest)`` which returns
    ``f(a, b, *args, **rest)``.
    """
    parameters = list(inspect.signature(function).parameters.values())
    kinds = {each.kind for each in parameters}
    if not kinds & {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL}:
        return function
    passed = [each for each in parameters if _by_position(each, kinds)]
    heads, call = list(map(_head, passed)), list(map(_passed, passed))
    if len(passed) < len(parameters):
        heads.append("**rest")
        call.append("**rest")
    source = f"lambda *, {', '.join(heads)}: _function({', '.join(call)})"
    defaults = {f"_default_of_{each.name}": each.default for each in passed}
    return eval(source, {"_function": function, **defaults})


def _by_position(parameter: inspect.Parameter, kinds: set[Any]) -> bool:
    if parameter.kind is parameter.POSITIONAL_OR_KEYWORD:
        return parameter.VAR_POSITIONAL in kinds
    return parameter.kind in (parameter.POSITIONAL_ONLY, parameter.VAR_POSITIONAL)


def _head(parameter: inspect.Parameter) -> str:
    if parameter.kind is parameter.VAR_POSITIONAL:
        return f"{parameter.name}=()"
    if parameter.default is parameter.empty:
        return parameter.name
    return f"{parameter.name}=_default_of_{parameter.name}"


def _passed(parameter: inspect.Parameter) -> str:
    return f"*{parameter.name}" if parameter.kind is parameter.VAR_POSITIONAL else parameter.name
