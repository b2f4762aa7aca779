"""From a function and its options to what its tool takes, or all that is wrong with it."""

import inspect
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from pydantic import BaseModel

from . import formats
from ._annotations import NoSignature, Signature, read
from ._arguments import (
    EMPTY,
    Arguments,
    Declared,
    NotYet,
    binding_of,
    declare,
    from_declared,
    from_model,
    from_schema,
    keyword_names,
)
from ._docstring import Documentation, parse
from ._options import Options, Settings
from ._types import HINTS, JsonObject
from .errors import Fault, ToolDefinitionError

__all__ = ["Definition", "awaits", "define", "name_of", "parameter_spellings", "tool_spellings"]

_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SAFE_PARAMETER: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What a function is as a tool.

    Attributes:
        name: The tool's name.
        arguments: What it takes.
        documentation: What its docstring says.
        returns: The type it returns, or ``inspect.Parameter.empty``.
    """

    name: str
    arguments: Arguments
    documentation: Documentation
    returns: Any


def define(
    func: Callable[..., Any],
    options: Options,
    settings: Settings,
    namespace: Mapping[str, object],
) -> Definition:
    """Read a function.

    Args:
        func: Anything that can be called.
        options: What is said of the tool.
        settings: What the registry says.
        namespace: The local names where it is defined.

    Raises:
        ToolDefinitionError: With every fault of the definition.
    """
    name = options.name if options.name is not None else name_of(func)
    faults = [*_name_faults(name, func), *_option_faults(name, func, options, settings)]
    if faults and inspect.isclass(func):
        raise ToolDefinitionError(faults)
    try:
        signature = read(func, namespace)
    except NoSignature as error:
        signature = None
        if options.parameters is None:
            cure = "wrap it in a function, or give its `parameters=`"
            problem = f"has no signature that can be read ({error})"
            faults.append(Fault(function=name, problem=problem, cure=cure))
            raise ToolDefinitionError(faults) from error
    documentation = _documentation(func, signature)
    reading = _Reading(name=name, options=options, settings=settings, documentation=documentation)
    try:
        arguments = reading.arguments(signature)
    except NotYet as error:
        if faults:
            raise ToolDefinitionError([*faults, *error.faults]) from error
        kept = dict(namespace)
        arguments = Arguments.later(name, lambda: reading.arguments(read(func, kept)))
    except ToolDefinitionError as error:
        raise ToolDefinitionError([*faults, *error.faults]) from error
    if options.require_descriptions and not (options.description or documentation.description):
        cure = "write a docstring, or give `description=`"
        faults.append(Fault(function=name, problem="has no description", cure=cure))
    if faults:
        raise ToolDefinitionError(faults)
    returns = EMPTY if signature is None else signature.returns
    return Definition(name=name, arguments=arguments, documentation=documentation, returns=returns)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    name: str
    options: Options
    settings: Settings
    documentation: Documentation

    def arguments(self, signature: Signature | None) -> Arguments:
        """Make what reads the arguments; raises ToolDefinitionError."""
        explicit = self.options.parameters
        inject = (self.options.inject, *self.settings.inject)
        if signature is None:
            assert explicit is not None
            return _explicit(explicit, None, self.name)
        declared = declare(signature, tool=self.name, inject=inject, spellings=parameter_spellings)
        if explicit is not None:
            arguments = _explicit(explicit, declared, self.name)
            arguments.injections = declared.injections
            arguments.binding = binding_of(signature.parameters, ())
            return arguments
        if declared.faults:
            raise (NotYet if declared.pending else ToolDefinitionError)(declared.faults)
        if self.options.require_descriptions:
            self._require_descriptions(declared)
        arguments = from_declared(
            declared,
            tool=self.name,
            extra=self.options.extra or self.settings.extra,
            descriptions=self.documentation.parameters,
        )
        arguments.binding = binding_of(signature.parameters, declared.arguments)
        return arguments

    def _require_descriptions(self, declared: Declared) -> None:
        faults = [
            Fault(
                function=self.name,
                parameter=argument.name,
                problem="has no description",
                cure="describe it in the docstring, or in `Annotated[T, 'text']`",
            )
            for argument in declared.arguments
            if not (argument.description or self.documentation.parameters.get(argument.name))
        ]
        if faults:
            raise ToolDefinitionError(faults)


def parameter_spellings(name: str) -> Iterable[str]:
    """Return how the formats spell a parameter whose name not all of them take."""
    if _SAFE_PARAMETER.fullmatch(name):
        return ()
    return {made.safe_parameter(name): None for made in formats.FORMATS.values()}


def tool_spellings(name: str) -> Iterable[str]:
    """Return how the formats spell a tool whose name not all of them take."""
    spelled = {made.safe_name(name): None for made in formats.FORMATS.values()}
    spelled.pop(name, None)
    return spelled


def name_of(func: Callable[..., Any]) -> str:
    """Return the name a function brings along."""
    while isinstance(func, partial):
        func = func.func
    return str(getattr(func, "__name__", type(func).__name__))


def _name_faults(name: str, func: Callable[..., Any]) -> Iterator[Fault]:
    if name == "<lambda>":
        yield Fault(function=name, problem="is a lambda, which has no name", cure="pass `name=`")
    elif not _NAME.fullmatch(name):
        problem = f"the name {name[:80]!r} is not 1 to 64 of a-z, A-Z, 0-9, _ and -"
        yield Fault(function=_called(func), problem=problem, cure="pass another `name=`")
    if inspect.isclass(func):
        yield Fault(function=name, problem="is a class", cure="add an instance of it")
    elif not callable(func):
        yield Fault(function=name, problem="cannot be called", cure="give a function")
    elif _is_unbound(func):
        yield Fault(
            function=name,
            parameter="self",
            problem="is the object of a method",
            cure=f"add an instance: `registry.add(…().{name})`",
        )


def _called(func: Callable[..., Any]) -> str:
    return str(getattr(func, "__qualname__", type(func).__name__))


def _is_unbound(func: Callable[..., Any]) -> bool:
    """Whether it is a method taken from its class, its first parameter still open."""
    if not inspect.isfunction(func) or "." not in func.__qualname__:
        return False
    owner = func.__qualname__.rpartition(".")[0]
    names = func.__code__.co_varnames[: func.__code__.co_argcount]
    return not owner.endswith("<locals>") and names[:1] == ("self",)


def _option_faults(
    name: str, func: Callable[..., Any], options: Options, settings: Settings
) -> Iterator[Fault]:
    unknown = [hint for hint in options.hints if hint not in HINTS]
    if unknown:
        problem = f"has hints that do not exist: {', '.join(map(repr, unknown))}"
        yield Fault(function=name, problem=problem, cure=f"there are {', '.join(HINTS)}")
    timeout = settings.timeout if options.timeout is None else options.timeout
    if timeout is not None and not timeout > 0:
        problem = f"has a timeout of {timeout!r} s"
        yield Fault(function=name, problem=problem, cure="give seconds above 0, or None")
    if options.timeout is not None and not options.run_in_thread and not awaits(func):
        problem = "has a timeout, and a blocking function that runs on the loop cannot be timed"
        yield Fault(function=name, problem=problem, cure="leave out `run_in_thread=False`")
    max_output = settings.max_output if options.max_output is None else options.max_output
    if max_output is not None and max_output < 1:
        problem = f"has a max_output of {max_output!r}"
        yield Fault(function=name, problem=problem, cure="give characters, at least 1")
    if options.extra not in {None, "forbid", "ignore"}:
        problem = f"has extra={options.extra!r}"
        yield Fault(function=name, problem=problem, cure="say 'forbid' or 'ignore'")


def awaits(func: Callable[..., Any]) -> bool:
    """Whether calling a function gives what has to be awaited, as far as its kind tells."""
    called = func
    while isinstance(called, partial):
        called = called.func
    if not (inspect.isroutine(called) or inspect.isclass(called)):
        called = type(called).__call__
    return inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)


def _documentation(func: Callable[..., Any], signature: Signature | None) -> Documentation:
    if signature is None:
        return parse(getattr(func, "__doc__", None), ())
    function = signature.function
    text = function.__doc__ or inspect.getdoc(func) if function is not func else func.__doc__
    if not text and not inspect.isroutine(func) and not isinstance(func, partial):
        text = type(func).__doc__
    return parse(text, names_of(signature))


def names_of(signature: Signature) -> list[str]:
    """Return the names a docstring may describe, those of ``Unpack[TypedDict]`` among them."""
    names: list[str] = []
    for parameter in signature.parameters:
        names.append(parameter.name)
        if parameter.kind is parameter.kind.VAR_KEYWORD:
            names += keyword_names(parameter.annotation)
    return names


def _explicit(
    parameters: type[BaseModel] | JsonObject, declared: Declared | None, name: str
) -> Arguments:
    """Make what reads the arguments of a given model or schema, and see that the function fits."""
    if isinstance(parameters, Mapping):
        arguments = from_schema(dict(parameters), tool=name)
    elif inspect.isclass(parameters) and issubclass(parameters, BaseModel):
        whole = None if declared is None else _whole(parameters, declared)
        arguments = from_model(parameters, tool=name, whole=whole)
        if whole is not None:
            return arguments
    else:
        problem = f"are {type(parameters).__name__}"
        cure = "give a pydantic model class, or a JSON Schema as a dict"
        fault = Fault(function=name, parameter="parameters", problem=problem, cure=cure)
        raise ToolDefinitionError([fault])
    faults = [] if declared is None else list(_misfits(arguments, declared, name))
    if faults:
        raise ToolDefinitionError(faults)
    return arguments


def _whole(model: type[BaseModel], declared: Declared) -> str | None:
    """Return the parameter that takes the model itself, if that is the one there is."""
    if len(declared.arguments) != 1 or declared.extras is not None:
        return None
    only = declared.arguments[0]
    undeclared = only.annotation is Any and only.name not in model.model_fields
    return only.name if only.annotation is model or undeclared else None


def _misfits(arguments: Arguments, declared: Declared, name: str) -> Iterator[Fault]:
    taken = {argument.name for argument in declared.arguments}
    given = set(arguments.fields)
    if declared.extras is None:
        for field in sorted(given - taken):
            problem = f"the function has no parameter for {field!r}"
            yield Fault(function=name, problem=problem, cure="add it, or `**kwargs`")
    for argument in declared.arguments:
        if argument.required and argument.name not in given:
            problem = "is required by the function and missing from `parameters=`"
            cure = "add it there, give it a default, or mark it `Injected`"
            yield Fault(function=name, parameter=argument.name, problem=problem, cure=cure)
