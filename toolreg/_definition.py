"""From a function and its options to what its tool takes, or all that is wrong with it."""

import inspect
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Final

from pydantic import BaseModel

from . import formats
from ._annotations import Locals, NoSignature, Signature, read
from ._arguments import (
    Arguments,
    Declared,
    NotYet,
    binding_of,
    declare,
    explicit,
    from_declared,
    keyword_names,
)
from ._docstring import Documentation, parse
from ._options import Options, Settings
from ._types import HINTS, JsonObject, is_object
from .errors import Fault, ToolDefinitionError

__all__ = ["Definition", "awaits", "define", "name_of", "parameter_spellings", "tool_spellings"]

_LONGEST: Final = 10**8  # seconds that the clocks of all systems can wait for
_NAME: Final = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_SAFE: Final = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """What a function is as a tool.

    Attributes:
        name: The tool's name.
        arguments: What it takes.
        documentation: What its docstring says.
    """

    name: str
    arguments: Arguments
    documentation: Documentation


def define(
    func: Callable[..., Any],
    options: Options,
    settings: Settings,
    written: Signature | Locals,
) -> Definition:
    """Read a function.

    Args:
        func: Anything that can be called.
        options: What is said of the tool.
        settings: What the registry says.
        written: Its signature where that has been read, or the local names where it is defined.

    Raises:
        ToolDefinitionError: With every fault of the definition.
    """
    name = options.name if options.name is not None else name_of(func)
    faults = [*_name_faults(name, func), *_option_faults(name, func, options, settings)]
    if inspect.isclass(func) or not callable(func):
        raise ToolDefinitionError(faults)
    try:
        signature = read(func, written) if isinstance(written, Locals) else written
    except NoSignature as error:
        signature = None
        if options.parameters is None:
            cure = "wrap it in a function, or give its `parameters=`"
            problem = f"has no signature that can be read ({error})"
            faults.append(Fault(function=name, problem=problem, cure=cure))
            raise ToolDefinitionError(faults) from error
    documentation = _documentation(func, signature)
    if options.require_descriptions and not (options.description or documentation.description):
        cure = "write a docstring, or give `description=`"
        faults.append(Fault(function=name, problem="has no description", cure=cure))
    reading = _Reading(name=name, options=options, settings=settings, documentation=documentation)
    try:
        arguments = reading.arguments(signature)
    except NotYet as error:
        waiting = _waiting(error.missing, written, signature)
        if faults or waiting is None:
            raise ToolDefinitionError([*faults, *error.faults]) from error
        arguments = Arguments.later(name, waiting, partial(reading.again, func, waiting))
    except ToolDefinitionError as error:
        raise ToolDefinitionError([*faults, *error.faults]) from error
    if faults:
        raise ToolDefinitionError(faults)
    return Definition(name=name, arguments=arguments, documentation=documentation)


def _waiting(
    missing: Collection[str], written: Signature | Locals, signature: Signature | None
) -> Locals | None:
    """Return where names may come up that have no value, or None if they cannot."""
    names = written if isinstance(written, Locals) else Locals()
    variables = None if signature is None else getattr(signature.function, "__globals__", None)
    if not all(names.may_define(name, variables) for name in missing):
        return None
    return names.until(missing)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    name: str
    options: Options
    settings: Settings
    documentation: Documentation

    def arguments(self, signature: Signature | None) -> Arguments:
        """Make what reads the arguments; raises ToolDefinitionError."""
        given = self.options.parameters
        inject = (self.options.inject, *self.settings.inject)
        if signature is None:
            assert given is not None
            return self._explicit(given, None)
        declared = declare(signature, tool=self.name, inject=inject, spellings=parameter_spellings)
        if self.options.inject:
            declared = replace(declared, faults=(*declared.faults, *self._uninjected(signature)))
        if given is None:
            arguments = self._declared(declared)
        else:
            arguments = self._explicit(given, declared)
            arguments.injections = declared.injections
        arguments.binding = binding_of(signature.parameters, declared.arguments)
        arguments.written = signature
        return arguments

    def _uninjected(self, signature: Signature) -> Iterator[Fault]:
        names = {parameter.name for parameter in signature.parameters}
        for key in self.options.inject:
            if isinstance(key, str) and key.isidentifier() and key not in names:
                problem = f"has no parameter {key!r}, which `inject=` names"
                yield Fault(function=self.name, problem=problem, cure="see how it is spelled")

    def again(self, func: Callable[..., Any], names: Locals) -> Arguments:
        """Make what reads the arguments once the names there were not may be there."""
        try:
            return self.arguments(read(func, names))
        except NotYet as error:
            raise ToolDefinitionError(error.faults) from error

    def _declared(self, declared: Declared) -> Arguments:
        faults = [*declared.faults, *self._undescribed(declared)]
        is_pending, missing = len(faults) == declared.pending, declared.missing
        try:
            arguments = from_declared(
                declared,
                tool=self.name,
                extra=self.options.extra or self.settings.extra,
                descriptions=self.documentation.parameters,
            )
            if not faults:
                return arguments
        except NotYet as error:
            faults, missing = [*faults, *error.faults], missing | error.missing
        except ToolDefinitionError as error:
            faults, is_pending = [*faults, *error.faults], False
        raise NotYet(faults, missing) if is_pending else ToolDefinitionError(faults)

    def _explicit(
        self, parameters: type[BaseModel] | JsonObject, declared: Declared | None
    ) -> Arguments:
        arguments = explicit(
            parameters,
            declared,
            tool=self.name,
            extra=self.options.extra or self.settings.extra,
            spellings=parameter_spellings,
        )
        if self.options.require_descriptions:
            properties = arguments.describe(False).get("properties", {})  # noqa: FBT003 - no names of enum members
            faults = [
                self._lacks_description(name)
                for name, shown in properties.items()
                if not (is_object(shown) and shown.get("description"))
            ]
            if faults:
                raise ToolDefinitionError(faults)
        return arguments

    def _undescribed(self, declared: Declared) -> Iterator[Fault]:
        if not self.options.require_descriptions:
            return
        for argument in declared.arguments:
            if not (argument.description or self.documentation.parameters.get(argument.name)):
                yield self._lacks_description(argument.name)

    def _lacks_description(self, parameter: str) -> Fault:
        return Fault(
            function=self.name,
            parameter=parameter,
            problem="has no description",
            cure="describe it in the docstring, or in `Annotated[T, 'text']`",
        )


def parameter_spellings(name: str) -> Iterable[str]:
    """Return how the formats spell a parameter whose name not all of them take."""
    if _SAFE.fullmatch(name):
        return ()
    return {made.safe_parameter(name): None for made in formats.FORMATS.values()}


def tool_spellings(name: str) -> Iterable[str]:
    """Return how the formats spell a tool whose name not all of them take."""
    if _SAFE.fullmatch(name):
        return ()
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
    is_own = names[:1] == ("self",) and "self" not in func.__annotations__
    return is_own and not owner.endswith("<locals>")


def _option_faults(
    name: str, func: Callable[..., Any], options: Options, settings: Settings
) -> Iterator[Fault]:
    if not isinstance(options.hints, Mapping):
        problem = f"has hints={options.hints!r}"
        yield Fault(function=name, problem=problem, cure="give {'read_only': True} or the like")
    elif unknown := [hint for hint in options.hints if hint not in HINTS]:
        problem = f"has hints that do not exist: {', '.join(map(repr, unknown))}"
        yield Fault(function=name, problem=problem, cure=f"there are {', '.join(HINTS)}")
    if isinstance(options.examples, Mapping) or not all(map(is_object, options.examples)):
        problem = f"has examples={options.examples!r}"
        yield Fault(function=name, problem=problem, cure="give a list of arguments objects")
    if options.serializer is not None and not callable(options.serializer):
        problem = f"has serializer={options.serializer!r}"
        yield Fault(function=name, problem=problem, cure="give a function of the value")
    timeout = settings.timeout if options.timeout is None else options.timeout
    if timeout is not None and not _is_duration(timeout):
        problem = f"has a timeout of {timeout!r} s"
        yield Fault(function=name, problem=problem, cure="give seconds above 0, or None")
    if options.timeout is not None and not options.run_in_thread and not awaits(func):
        problem = "has a timeout, and a blocking function that runs on the loop cannot be timed"
        yield Fault(function=name, problem=problem, cure="leave out `run_in_thread=False`")
    max_output = settings.max_output if options.max_output is None else options.max_output
    if max_output is not None and (not isinstance(max_output, int) or max_output < 1):
        problem = f"has a max_output of {max_output!r}"
        yield Fault(function=name, problem=problem, cure="give characters, at least 1")
    needed = options.requires_approval
    if not isinstance(needed, bool) and not callable(needed):
        problem = f"has requires_approval={needed!r}"
        yield Fault(
            function=name, problem=problem, cure="say True, or give a predicate of the call"
        )
    extra = options.extra or settings.extra
    if extra not in {"forbid", "ignore"}:
        problem = f"has extra={extra!r}"
        yield Fault(function=name, problem=problem, cure="say 'forbid' or 'ignore'")


def _is_duration(seconds: object) -> bool:
    if isinstance(seconds, bool) or not isinstance(seconds, int | float):
        return False
    return 0 < seconds < _LONGEST


def awaits(func: Callable[..., Any]) -> bool:
    """Whether calling a function gives what has to be awaited, as far as its kind tells."""
    called = func
    while isinstance(called, partial):
        called = called.func
    if not (inspect.isroutine(called) or inspect.isclass(called)):
        called = type(called).__call__
    return inspect.iscoroutinefunction(called) or inspect.isasyncgenfunction(called)


def _documentation(func: Callable[..., Any], signature: Signature | None) -> Documentation:
    function = func if signature is None else signature.function
    text = _text(func, function)
    names = () if signature is None else names_of(signature)
    return parse(text if isinstance(text, str) else None, names)


def _text(func: Callable[..., Any], function: Callable[..., Any]) -> object:
    """Return the documentation of a callable; a routine's own may be an inherited one."""
    if inspect.isroutine(func):
        return func.__doc__ or function.__doc__ or inspect.getdoc(func)
    of_type = None if isinstance(func, partial) else type(func).__doc__
    return function.__doc__ or of_type


def names_of(signature: Signature) -> list[str]:
    """Return the names a docstring may describe, those of ``Unpack[TypedDict]`` among them."""
    names: list[str] = []
    for parameter in signature.parameters:
        names.append(parameter.name)
        if parameter.kind is parameter.kind.VAR_KEYWORD:
            names += keyword_names(parameter.annotation)
    return names
