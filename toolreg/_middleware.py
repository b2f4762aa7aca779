"""Middleware: generators around a call, one definition for both colours."""

import inspect
from collections.abc import Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from . import _problems
from ._execute import note
from ._threads import passes
from ._types import ToolCall, ToolResult, named
from .errors import Fault, ToolDefinitionError

__all__ = ["Middleware", "Passage", "Wrapper", "middleware_of", "through"]

Wrapping: TypeAlias = Generator[ToolCall, ToolResult, ToolResult | None]
Wrapper: TypeAlias = Callable[[ToolCall], Wrapping]
Passage: TypeAlias = Generator[ToolCall, ToolResult, ToolResult]


@dataclass(frozen=True, slots=True, kw_only=True)
class Middleware:
    """One wrapper and the calls it is for.

    Attributes:
        wrapper: The generator function.
        tools: Names or patterns of the tools it is for; all where empty.
        tags: Tags of the tools it is for; all where empty.
    """

    wrapper: Wrapper
    tools: tuple[str, ...] = ()
    tags: frozenset[str] = frozenset()

    def concerns(self, name: object, tags: Sequence[str]) -> bool:
        """Whether it is for calls of this name, of a tool with these tags."""
        if self.tools and not any(fnmatchcase(str(name), pattern) for pattern in self.tools):
            return False
        return not self.tags or not self.tags.isdisjoint(tags)


def middleware_of(
    wrapper: Wrapper, *, tools: str | Sequence[str] = (), tags: str | Sequence[str] = ()
) -> Middleware:
    """Return the record of a wrapper.

    Raises:
        ToolDefinitionError: If it is no generator function.
    """
    called: Any = wrapper if inspect.isroutine(wrapper) else getattr(type(wrapper), "__call__")  # noqa: B004, B009 - the function behind the object
    if not inspect.isgeneratorfunction(inspect.unwrap(called)):
        name = _name(wrapper)
        problem = "is no generator function, so it cannot wrap calls"
        cure = "write `result = yield call` where the call is to run, and `return result`"
        raise ToolDefinitionError([Fault(function=name, problem=problem, cure=cure)])
    names = (tools,) if isinstance(tools, str) else tuple(tools)
    marks = frozenset((tags,) if isinstance(tags, str) else tags)
    return Middleware(wrapper=wrapper, tools=names, tags=marks)


def through(  # noqa: C901 - a function for each step would cost more than the step
    chain: Sequence[Wrapper], call: ToolCall, *, masks: bool = False
) -> Passage:
    """Lead a call through its middleware, to whoever runs it and back.

    Args:
        chain: The wrappers, outermost first.
        call: As the model sent it.
        masks: Whether the model is not to read why a wrapper broke.

    Yields:
        The call that is to run; its result is sent back, or what the run raised thrown in.

    Returns:
        The result, under the id and name of the call. A wrapper that breaks gives an
        ``exception`` that keeps the value.
    """
    if not chain:
        return (yield call)
    entered: list[tuple[ToolCall, Wrapping]] = []
    asked = call
    step: Any = call
    result: ToolResult | None = None
    while True:
        try:
            if result is None:
                for wrapper in chain[len(entered) :]:
                    asked = step
                    wrapping = wrapper(asked)
                    step = next(wrapping)
                    if not isinstance(step, ToolCall):
                        raise _not_a_call(step, wrapping)
                    entered.append((asked, wrapping))
                result = yield named(step)
            asked, wrapping = entered.pop()
            step = wrapping.send(result)
            if not isinstance(step, ToolCall):
                raise _not_a_call(step, wrapping)
            entered.append((asked, wrapping))
            result = None
            continue
        except StopIteration as stop:
            given = result if stop.value is None else stop.value
        except BaseException as error:
            if passes(error):
                _interrupt(entered, error)
                raise
            given = error
            # What breaks once the last wrapper has let the call go is told of that wrapper.
            del entered[len(chain) - 1 :]
        if not isinstance(given, ToolResult) or not isinstance(given.output, str):
            given = _broken(chain[len(entered)], asked, result, given, masks=masks)
        elif given.call_id is not asked.id or given.name is not asked.name:
            given = replace(given, call_id=asked.id, name=asked.name, call=asked)
        if not entered:
            return given
        result = given


def _not_a_call(step: object, wrapping: Wrapping) -> TypeError:
    wrapping.close()
    return TypeError(f"it yielded {type(step).__name__}, not a ToolCall")


def _interrupt(entered: Sequence[tuple[ToolCall, Wrapping]], error: BaseException) -> None:
    """Let the wrappers clean up; the error goes on whatever they make of it."""
    for _, wrapping in reversed(entered):
        with suppress(BaseException):
            wrapping.throw(error)
        with suppress(BaseException):
            wrapping.close()


def _broken(
    wrapper: Wrapper,
    call: ToolCall,
    result: ToolResult | None,
    given: object,
    *,
    masks: bool,
) -> ToolResult:
    """Make the result of a wrapper that raised, or returned something else than a result."""
    error = given if isinstance(given, BaseException) else TypeError(_said(given))
    note(error, "the middleware %s broke at a call of %s", _name(wrapper), call.name)
    ran = "the tool did not run" if result is None else f"the tool had run ({result.kind})"
    why = "The reason is not shown." if masks else _problems.exception(error)
    text = f"A middleware of the program broke; {ran}. {why}"
    value = None if result is None else result.value
    repairs = () if result is None else result.repairs
    return ToolResult(call.id, call.name, text, "exception", value, error, (), repairs, call)


def _said(given: object) -> str:
    if isinstance(given, ToolResult):
        return f"it returned output that is {type(given.output).__name__}, not text"
    return f"it returned {'nothing' if given is None else type(given).__name__}, not a ToolResult"


def _name(wrapper: object) -> str:
    return str(getattr(wrapper, "__qualname__", type(wrapper).__name__))
