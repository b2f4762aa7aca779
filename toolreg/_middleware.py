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
from ._types import ToolCall, ToolResult, kind_of, named
from .errors import Fault, ToolDefinitionError

__all__ = ["Middleware", "Passage", "Wrapper", "middleware_of", "through"]

Wrapping: TypeAlias = Generator[ToolCall, ToolResult, ToolResult | None]
Wrapper: TypeAlias = Callable[[ToolCall], Wrapping]
_Entered: TypeAlias = tuple[ToolCall, Any, str, Wrapping]
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
    entered: list[_Entered] = []
    asked: ToolCall = call
    call_id, name = call.id, call.name  # a wrapper may change the call itself
    step: Any = call
    result: ToolResult | None = None
    ran: ToolResult | None = None
    given: Any
    while True:
        try:
            try:
                if result is None:
                    for wrapper in chain[len(entered) :]:
                        asked = step
                        call_id, name = asked.id, asked.name
                        wrapping = wrapper(asked)
                        step = next(wrapping)
                        if not issubclass(kind_of(step), ToolCall):
                            raise _not_a_call(step, wrapping)
                        entered.append((asked, call_id, name, wrapping))
                    result = ran = yield named(step)
                asked, call_id, name, wrapping = entered.pop()
                step = wrapping.send(result)
                if not issubclass(kind_of(step), ToolCall):
                    raise _not_a_call(step, wrapping)
                entered.append((asked, call_id, name, wrapping))
                result = None
                continue
            except StopIteration as stop:
                given = result if stop.value is None else stop.value
                if not issubclass(kind_of(given), ToolResult) or not isinstance(given.output, str):
                    raise _not_a_result(given) from None
                if given.call_id is not call_id or given.name is not name:
                    given = replace(given, call_id=call_id, name=name, call=asked)
        except BaseException as error:
            if passes(error):
                _interrupt(entered, error)
                raise
            # What breaks once the last wrapper has let the call go is told of that wrapper.
            del entered[len(chain) - 1 :]
            given = _broken(
                chain[len(entered)], name, ran if result is None else result, error, masks=masks
            )
            given.call_id, given.call = call_id, asked
        if not entered:
            return given  # type: ignore[no-any-return]  # it was looked at
        result = given


def _not_a_call(step: object, wrapping: Wrapping) -> TypeError:
    wrapping.close()
    return TypeError(f"it yielded {type(step).__name__}, not a ToolCall")


def _not_a_result(given: Any) -> TypeError:
    if issubclass(kind_of(given), ToolResult):
        return TypeError(f"it returned output that is {type(given.output).__name__}, not text")
    said = "nothing" if given is None else type(given).__name__
    return TypeError(f"it returned {said}, not a ToolResult")


def _interrupt(entered: Sequence[_Entered], error: BaseException) -> None:
    """Let the wrappers clean up; the error goes on whatever they make of it."""
    for *_, wrapping in reversed(entered):
        with suppress(BaseException):
            wrapping.throw(error)
        with suppress(BaseException):
            wrapping.close()


def _broken(
    wrapper: Wrapper, name: str, result: ToolResult | None, error: BaseException, *, masks: bool
) -> ToolResult:
    """Make the result of a wrapper that raised, or returned something else than a result."""
    note(error, "the middleware %s broke at a call of %s", _name(wrapper), name)
    ran, value, repairs = _outcome(result)
    why = "The reason is not shown." if masks else _problems.exception(error)
    text = f"A middleware of the program broke; {ran}. {why}"
    return ToolResult(None, name, text, "exception", value, error, (), repairs)


def _outcome(result: ToolResult | None) -> tuple[str, Any, tuple[str, ...]]:
    """Return whether the tool ran, its value, and the repairs; the wrapper may have spoilt them."""
    if result is None:
        return "the tool did not run", None, ()
    try:
        return f"the tool had run ({result.kind})", result.value, result.repairs
    except Exception:  # noqa: BLE001 - what a wrapper made of it may raise anything
        return "the tool had run", None, ()


def _name(wrapper: object) -> str:
    return str(getattr(wrapper, "__qualname__", type(wrapper).__name__))
