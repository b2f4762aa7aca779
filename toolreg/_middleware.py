"""Middleware: generators around a call, one definition for both colours."""

import inspect
from collections.abc import Awaitable, Callable, Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from typing import Any, TypeAlias

from . import _problems
from ._execute import note
from ._threads import passes
from ._types import ToolCall, ToolResult
from .errors import Fault, ToolDefinitionError

__all__ = ["Middleware", "Wrapper", "middleware_of", "through"]

Wrapper: TypeAlias = Callable[[ToolCall], Generator[ToolCall, ToolResult, ToolResult | None]]
Next: TypeAlias = Callable[[ToolCall], Awaitable[ToolResult]]


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


async def through(
    chain: Sequence[Wrapper], call: ToolCall, run: Next, *, masks: bool = False
) -> ToolResult:
    """Run a call inside its middleware.

    Args:
        chain: The wrappers, outermost first.
        call: As the model sent it.
        run: Runs the call itself.
        masks: Whether the model is not to read why a wrapper broke.

    Returns:
        The result, under the id and name of the call. A wrapper that breaks gives an
        ``exception`` that keeps the value.
    """
    if not chain:
        return await run(call)
    result: ToolResult | None = None
    try:
        wrapping = chain[0](call)
        try:
            step: object = next(wrapping)
            while True:
                if not isinstance(step, ToolCall):
                    wrapping.close()
                    raise TypeError(f"it yielded {type(step).__name__}, not a ToolCall")
                result = await _inner(partial(through, chain[1:], step, run, masks=masks), wrapping)
                step = wrapping.send(result)
        except StopIteration as stop:
            given = result if stop.value is None else stop.value
        if not isinstance(given, ToolResult):
            said = "nothing" if given is None else type(given).__name__
            raise TypeError(f"it returned {said}, not a ToolResult")
        if not isinstance(given.output, str):
            raise TypeError(f"it returned output that is {type(given.output).__name__}, not text")
    except BaseException as error:
        if passes(error):
            raise
        return _broken(chain[0], call, result, error, masks=masks)
    if given.call_id is not call.id or given.name is not call.name:
        return replace(given, call_id=call.id, name=call.name, call=call)
    return given


async def _inner(
    run: Callable[[], Awaitable[ToolResult]],
    wrapping: Generator[ToolCall, ToolResult, ToolResult | None],
) -> ToolResult:
    try:
        return await run()
    except BaseException as error:
        # Thrown in so that the wrapper can clean up; it goes on whatever the wrapper makes of it.
        with suppress(BaseException):
            wrapping.throw(error)
        with suppress(BaseException):
            wrapping.close()
        raise


def _broken(
    wrapper: Wrapper,
    call: ToolCall,
    result: ToolResult | None,
    error: BaseException,
    *,
    masks: bool,
) -> ToolResult:
    note(error, "the middleware %s broke at a call of %s", _name(wrapper), call.name)
    ran = "the tool did not run" if result is None else f"the tool had run ({result.kind})"
    why = "The reason is not shown." if masks else _problems.exception(error)
    text = f"A middleware of the program broke; {ran}. {why}"
    value = None if result is None else result.value
    repairs = () if result is None else result.repairs
    return ToolResult(call.id, call.name, text, "exception", value, error, (), repairs, call)


def _name(wrapper: object) -> str:
    return str(getattr(wrapper, "__qualname__", type(wrapper).__name__))
