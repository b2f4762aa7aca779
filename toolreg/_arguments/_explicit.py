"""Arguments that are given apart from the function: a pydantic model, or a JSON Schema."""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import from_json, to_json

from .._types import JsonObject, is_object
from ..errors import Fault, ToolDefinitionError
from ._class import Extra
from ._declared import Declared
from ._decoding import Arguments
from ._model import from_model, guarded
from ._raw import from_schema

__all__ = ["explicit"]


def explicit(
    parameters: type[BaseModel] | JsonObject,
    declared: Declared | None,
    *,
    tool: str,
    extra: Extra,
    spellings: Callable[[str], Iterable[str]],
) -> Arguments:
    """Build what reads the arguments of a given model or schema, and see that the function fits.

    Args:
        parameters: The model or schema.
        declared: What the function's own signature says, where it can be read.
        tool: The tool's name.
        extra: What becomes of names that a schema does not admit.
        spellings: Gives the further spellings of a name that are taken for it.

    Raises:
        ToolDefinitionError: If it cannot be described or enforced, or does not fit.
    """
    whole = None
    if isinstance(parameters, Mapping):
        arguments = from_schema(dict(parameters), tool=tool, extra=extra)
    elif inspect.isclass(parameters) and issubclass(parameters, BaseModel):
        whole = None if declared is None else _whole(parameters, declared)
        arguments = from_model(parameters, tool=tool, whole=whole)
    else:
        problem = f"are {type(parameters).__name__}"
        cure = "give a pydantic model class, or a JSON Schema as a dict"
        fault = Fault(function=tool, parameter="parameters", problem=problem, cure=cure)
        raise ToolDefinitionError([fault])
    spelled, faults = _spelled(arguments, tool, spellings)
    if declared is not None and whole is None:
        faults += _misfits(arguments, declared, tool)
        reserved = declared.reserved if arguments.takes_any else frozenset[str]()
        arguments.validate_json = guarded(arguments.validate_json, reserved)
    if faults:
        raise ToolDefinitionError(faults)
    if spelled:
        arguments.validate_json = _renaming(arguments.validate_json, spelled)
    return arguments


def _whole(model: type[BaseModel], declared: Declared) -> str | None:
    """Return the parameter that takes the model itself, if that is the one there is."""
    if len(declared.arguments) != 1 or declared.extras is not None:
        return None
    only = declared.arguments[0]
    annotation = only.annotation
    if get_origin(annotation) is Annotated:
        annotation = get_args(annotation)[0]
    undeclared = annotation is Any and only.name not in model.model_fields
    return only.name if annotation is model or undeclared else None


def _spelled(
    arguments: Arguments, tool: str, spellings: Callable[[str], Iterable[str]]
) -> tuple[dict[str, str], list[Fault]]:
    """Return the names by their further spellings, and what is wrong with these."""
    spelled: dict[str, str] = {}
    faults: list[Fault] = []
    for name in arguments.names:
        for spelling in spellings(name):
            owner = spelled.setdefault(spelling, name)
            if spelling != name and (owner != name or spelling in arguments.names):
                problem = f"is spelled {spelling!r} in some format, as another is"
                cure = "give one of them another name"
                faults.append(Fault(function=tool, parameter=name, problem=problem, cure=cure))
    return {spelling: name for spelling, name in spelled.items() if spelling != name}, faults


def _renaming(
    validate_json: Callable[[str], dict[str, Any]], spelled: Mapping[str, str]
) -> Callable[[str], dict[str, Any]]:
    def validate(text: str) -> dict[str, Any]:
        if any(spelling in text for spelling in spelled):
            with suppress(ValueError):  # what is no JSON is said where it is validated
                text = _renamed(from_json(text), spelled) or text
        return validate_json(text)

    return validate


def _renamed(data: object, spelled: Mapping[str, str]) -> str | None:
    if not is_object(data):
        return None
    renamed: JsonObject = {}
    for name, value in data.items():
        real = spelled.get(name, name)
        renamed[name if real in data else real] = value
    return to_json(renamed, inf_nan_mode="constants").decode()


def _misfits(arguments: Arguments, declared: Declared, tool: str) -> Iterator[Fault]:
    taken = {argument.name for argument in declared.arguments}
    supplied = {injection.name for injection in declared.injections}
    given = set(arguments.fields)
    for name in sorted(given & supplied):
        problem = "is in `parameters=`, and supplied by the program"
        cure = "take it out of one of them"
        yield Fault(function=tool, parameter=name, problem=problem, cure=cure)
    if declared.extras is None:
        for name in sorted(given - taken - supplied):
            problem = f"the function has no parameter for {name!r}"
            yield Fault(function=tool, problem=problem, cure="add it, or `**kwargs`")
        if arguments.takes_any:
            problem = "`parameters=` admit further names, and the function has no `**kwargs`"
            yield Fault(function=tool, problem=problem, cure="add it, or admit no further names")
    for argument in declared.arguments:
        if argument.required and argument.name not in given:
            problem = "is required by the function and missing from `parameters=`"
            cure = "add it there, give it a default, or mark it `Injected`"
            yield Fault(function=tool, parameter=argument.name, problem=problem, cure=cure)
