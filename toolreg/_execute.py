"""The way of a call: decode, validate, approve, run, serialize, in both colours."""

import asyncio
import copy
import itertools
import logging
import os
from collections.abc import (
    AsyncGenerator,
    AsyncIterator,
    Awaitable,
    Callable,
    Coroutine,
    Iterator,
    Mapping,
)
from concurrent.futures import Executor
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from types import AsyncGeneratorType, CoroutineType, GeneratorType
from typing import Any, Final, TypeAlias, TypeVar, cast

from . import _problems
from ._arguments import EMPTY, FAULTS, Arguments, Injection, Refused, parse
from ._remote import Pool, RemoteError, Travelled, submit
from ._serialize import Unserializable, clean, cut, error_text, join, parts, pieces, to_text
from ._threads import LoopBlocked, Outcome, Workers, capture, passes, wait_for
from ._types import ToolCall, ToolResult, answered, kind_of, may_hold_nan
from .errors import ToolError

__all__ = [
    "Action",
    "Approve",
    "Mask",
    "aexecute",
    "drive",
    "execute",
    "lacks_id",
    "made_id",
    "note",
]

log: Final = logging.getLogger("toolreg")
log.addHandler(logging.NullHandler())  # a program that wants the log says where it goes

T = TypeVar("T")
Approve: TypeAlias = Callable[[ToolCall, Any], Any]
Mask: TypeAlias = bool | Callable[[BaseException, Any], str]

_PLAIN: Final[frozenset[type]] = frozenset((str, int, float, bool, type(None), dict, bytes))
_SETTLED: Final = _PLAIN | {list, tuple}
_UNSETTLED: Final = (Awaitable, Iterator, AsyncGeneratorType)
_GRACE: Final = 0.02
_prefix = os.urandom(4).hex()
_numbers: Final = itertools.count(1)


def made_id() -> str:
    """Return an id for a call that came without one."""
    return f"call_{_prefix}{next(_numbers)}"


def _after_fork() -> None:
    global _prefix  # noqa: PLW0603 - two processes must not make the same ids
    _prefix = os.urandom(4).hex()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def lacks_id(call_id: object) -> bool:
    """Whether a call with this id came without one."""
    return call_id is None or (type(call_id) is str and not call_id)


@dataclass(slots=True, kw_only=True, eq=False)
class Action:
    """All that running one tool takes.

    Attributes:
        name: The tool's name.
        tool: What approvers and masks are shown.
        func: The function.
        arguments: How its arguments are read.
        awaits: Whether the function is a coroutine function or an asynchronous generator.
        in_thread: Whether a blocking function runs in a worker when it is awaited.
        timeout: Seconds that a run may take.
        needs_approval: Whether, or for which calls, somebody must allow it.
        approve: Who allows it.
        mask: How the text of exceptions is hidden from the model.
        max_output: Characters of output at most.
        serializer: Makes the text in place of the library.
        workers: The threads.
        executor: Where blocking functions run instead.
        sequential: Whether it runs alone in a batch.
        plain: The types whose values become text without further ado.
        guarded: Whether a blocking run has to wait for anything beside the function.
        guarded_await: The same of an awaited run.
    """

    name: str
    tool: Any
    func: Callable[..., Any]
    arguments: Arguments
    awaits: bool
    workers: Workers
    in_thread: bool = True
    timeout: float | None = None
    needs_approval: bool | Callable[[ToolCall], Any] = False
    approve: Approve | None = None
    mask: Mask = False
    max_output: int | None = None
    serializer: Callable[[Any], str] | None = None
    executor: Executor | Pool | None = None
    sequential: bool = False
    plain: frozenset[type] = field(init=False)
    guarded: bool = field(init=False)
    guarded_await: bool = field(init=False)

    def __post_init__(self) -> None:
        if self.awaits:
            self.executor = None
        waits = (
            self.needs_approval is not False
            or bool(self.arguments.injections)
            or self.arguments.pending
            or self.timeout is not None
            or self.executor is not None
        )
        self.plain = _PLAIN if self.serializer is None and self.max_output is None else frozenset()
        self.guarded = waits or self.awaits
        self.guarded_await = waits or (self.in_thread and not self.awaits)


class _Expired(Exception):
    """The tool's time is over."""


class _Unsupplied(Exception):
    """A parameter that the program supplies could not be."""


class _Held(Exception):
    """The call does not run; it has its result."""

    def __init__(self, result: ToolResult) -> None:
        super().__init__(result.output)
        self.result = result


def execute(action: Action, call: ToolCall, approved: bool = False) -> ToolResult:  # noqa: FBT001, FBT002 - the hot path passes it by position
    """Run a call and block until it has its result.

    Args:
        action: The tool's.
        call: What the model asks for; its id is made already.
        approved: Whether somebody has allowed it.
    """
    repairs: tuple[str, ...] = ()
    value: Any = None
    try:
        arguments = action.arguments
        text = call.arguments
        if type(text) is not str or call.kind != "function" or call.truncated:
            text = arguments.text_of(call)
        try:
            values = arguments.validate_json(text)
            if arguments.lets_nan_through and may_hold_nan(text):
                parse(text)
        except FAULTS as error:
            mended = arguments.mend(text, error)
            if isinstance(mended, Refused):
                return _refused(call, mended)
            values, repairs = mended
        if action.guarded:
            value = _value(drive(_guarded(action, call, values, approved=approved, blocking=True)))
        else:
            args = arguments.binding(values) if arguments.binding is not None else ()
            value = action.func(*args, **values)
            if type(value) not in _SETTLED and _is_open(value):
                value = _value(drive(_settled(value, action, blocking=True)))
        if type(value) in action.plain:
            return answered(call, to_text(value), value, repairs)
        return _composed(action, call, value, repairs)
    except BaseException as error:  # noqa: BLE001 - the one place that turns all into results
        return _failed(action, call, error, repairs, value)


async def aexecute(action: Action, call: ToolCall, approved: bool = False) -> ToolResult:  # noqa: FBT001, FBT002 - the hot path passes it by position
    """Run a call and await its result; otherwise as `execute`."""
    repairs: tuple[str, ...] = ()
    value: Any = None
    try:
        arguments = action.arguments
        text = call.arguments
        if type(text) is not str or call.kind != "function" or call.truncated:
            text = arguments.text_of(call)
        try:
            values = arguments.validate_json(text)
            if arguments.lets_nan_through and may_hold_nan(text):
                parse(text)
        except FAULTS as error:
            mended = arguments.mend(text, error)
            if isinstance(mended, Refused):
                return _refused(call, mended)
            values, repairs = mended
        if action.guarded_await:
            value = _value(await _guarded(action, call, values, approved=approved, blocking=False))
        else:
            args = arguments.binding(values) if arguments.binding is not None else ()
            value = action.func(*args, **values)
            if action.awaits and kind_of(value) is CoroutineType:
                value = await value
            if type(value) not in _SETTLED and _is_open(value):
                value = _value(await _settled(value, action, blocking=False))
        if type(value) in action.plain:
            return answered(call, to_text(value), value, repairs)
        return _composed(action, call, value, repairs)
    except BaseException as error:  # noqa: BLE001 - the one place that turns all into results
        return _failed(action, call, error, repairs, value)


def _refused(call: ToolCall, why: Refused) -> ToolResult:
    kind, text = why.args
    return answered(call, text, None, (), kind)


def drive(coroutine: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine that waits by blocking, so never suspends."""
    try:
        coroutine.send(None)
    except StopIteration as stop:
        value: T = stop.value
        return value
    raise RuntimeError("a blocking call suspended")


def _value(outcome: Outcome) -> Any:
    if outcome.error is not None:
        raise outcome.error
    return outcome.value


async def _guarded(
    action: Action,
    call: ToolCall,
    values: dict[str, Any],
    *,
    approved: bool,
    blocking: bool,
) -> Outcome:
    """Approve, inject, run."""
    if action.needs_approval is not False and not approved:
        await _approve(action, call, values, blocking=blocking)
    if not action.arguments.injections:
        return await _placed(action, values, blocking=blocking)
    async with _injected(action, call, blocking=blocking) as injected:
        values.update(injected)
        return await _placed(action, values, blocking=blocking)


async def _placed(action: Action, values: dict[str, Any], *, blocking: bool) -> Outcome:
    """Run the function where it belongs, within its time."""
    binding = action.arguments.binding
    try:
        args = () if binding is None else binding(values)
    except StopIteration as error:  # a coroutine cannot raise it
        return Outcome(error=error)
    work = partial(action.func, *args, **values)
    if not blocking:
        return await _timed(action, work)
    if action.awaits or action.timeout is not None or action.executor is not None:
        return _blocked(_timed(action, work), action, action.timeout)
    outcome = _called(work)
    if outcome.error is None and type(outcome.value) not in _SETTLED:
        outcome = await _settled(outcome.value, action, blocking=True)
    return outcome


def _blocked(
    coroutine: Coroutine[Any, Any, Outcome], action: Action, timeout: float | None = None
) -> Outcome:
    limit = None if timeout is None else timeout + _GRACE
    outcome = wait_for(coroutine, action.workers, limit=limit)
    if kind_of(outcome.error) is LoopBlocked:
        return Outcome(error=_Expired())
    if outcome.error is not None or kind_of(outcome.value) is not Outcome:
        return outcome
    inner: Outcome = outcome.value
    return inner


async def _timed(action: Action, work: Callable[[], Any]) -> Outcome:
    if action.timeout is None:
        return await _run(action, work)
    task = asyncio.ensure_future(_run(action, work))
    try:
        done, _ = await asyncio.wait({task}, timeout=action.timeout)
    except asyncio.CancelledError:
        task.cancel()
        raise
    if done:
        return Outcome(error=asyncio.CancelledError()) if task.cancelled() else task.result()
    task.add_done_callback(partial(_late, action))
    task.cancel()
    return Outcome(error=_Expired())


def _late(action: Action, task: "asyncio.Task[Outcome]") -> None:
    if not task.cancelled():
        outcome = task.result()
        said = "returned" if outcome.error is None else f"raised {type(outcome.error).__name__}"
        log.info("the tool %s %s after it had timed out", action.name, said)


async def _run(action: Action, work: Callable[[], Any]) -> Outcome:
    """Run the function in its thread or here; a coroutine of it is awaited here."""
    if action.executor is not None:
        outcome = await submit(action.executor, work)
    elif action.in_thread and not action.awaits:
        outcome = await action.workers.run(partial(_called, work))
        outcome = outcome.value if outcome.error is None else outcome
    else:
        outcome = _called(work)
    if outcome.error is None and type(outcome.value) not in _SETTLED:
        outcome = await _settled(outcome.value, action, blocking=False)
    return outcome


def _called(work: Callable[[], Any]) -> Outcome:
    """Call the function; a generator of it is read where it runs."""
    try:
        value = work()
        kind = kind_of(value)
        return Outcome(list(value) if issubclass(kind, Iterator) else value)
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is made
        return Outcome(error=error)


def _is_open(value: Any) -> bool:
    """Whether a value is still to be awaited, or to be generated."""
    return issubclass(kind_of(value), _UNSETTLED)


async def _settled(value: Any, action: Action, *, blocking: bool) -> Outcome:
    """Await what can be awaited and collect what is generated."""
    kind = kind_of(value)
    if issubclass(kind, Iterator):
        return _called(lambda: value)
    if kind is AsyncGeneratorType:
        coroutine = capture(_collected(value))
    elif issubclass(kind, Awaitable):
        coroutine = capture(_awaited(value))
    else:
        return Outcome(value)
    outcome = _blocked(coroutine, action) if blocking else await coroutine
    if outcome.error is None and type(outcome.value) not in _SETTLED:
        return await _settled(outcome.value, action, blocking=blocking)
    return outcome


async def _collected(values: AsyncIterator[Any]) -> list[Any]:
    return [value async for value in values]


async def _awaited(value: Any) -> Any:
    return await value


async def _approve(
    action: Action, call: ToolCall, values: dict[str, Any], *, blocking: bool
) -> None:
    """Return if the call may run; else raise what it comes to."""
    shown = replace(call, arguments=_copied(values))
    needed = action.needs_approval
    if needed is not True:
        assert callable(needed)
        needed = await _answer(needed(shown), action, blocking=blocking)
        if not isinstance(needed, bool):
            raise TypeError(f"requires_approval answered {type(needed).__name__}, not a bool")
        if not needed:
            return
    if action.approve is None:
        text = f"The call of {action.name} waits for approval: nobody could be asked here."
        raise _Held(ToolResult(call.id, call.name, text, "approval_required", call=call))
    answer = await _answer(action.approve(shown, action.tool), action, blocking=blocking)
    if answer is True:
        return
    if isinstance(answer, str):
        raise _Held(replace(call.deny(clean(answer)), call=call))
    if answer is False:
        raise _Held(call.deny())
    raise TypeError(f"approve answered {type(answer).__name__}, not True, False or a reason")


def _copied(values: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments so that who approves them cannot change what runs."""
    try:
        return copy.deepcopy(values)
    except Exception:  # noqa: BLE001 - values of foreign types may refuse to be copied
        return dict(values)


async def _answer(value: Any, action: Action, *, blocking: bool) -> Any:
    kind = kind_of(value)
    if not issubclass(kind, Awaitable):
        return value
    coroutine = capture(_awaited(value))
    return _value(_blocked(coroutine, action) if blocking else await coroutine)


@asynccontextmanager
async def _injected(
    action: Action, call: ToolCall, *, blocking: bool
) -> AsyncGenerator[dict[str, Any]]:
    """Give the values that the program supplies, and close the factories afterwards."""
    async with AsyncExitStack() as stack:
        injected: dict[str, Any] = {}
        for injection in action.arguments.injections:
            try:
                value = await _supply(injection, action, call, stack, blocking=blocking)
            except BaseException as error:
                if passes(error):
                    raise
                note(error, "the tool %s: %s cannot be supplied", action.name, injection.name)
                raise _Unsupplied from error
            if value is not EMPTY:
                injected[injection.name] = value
        yield injected


async def _supply(
    injection: Injection, action: Action, call: ToolCall, stack: AsyncExitStack, *, blocking: bool
) -> Any:
    if injection.call:
        return replace(call)
    if injection.value is not EMPTY:
        return injection.value
    source = injection.source
    if not isinstance(source, str):
        made = source(call.context) if injection.takes_context else source()
        return await _entered(made, action, stack, blocking=blocking)
    found = call.context if injection.whole else _looked_up(call.context, source)
    if (found is None and injection.whole) or found is EMPTY:
        if injection.optional:
            return EMPTY
        raise LookupError("the context has nothing for it")
    return found


def _looked_up(context: Any, key: str) -> Any:
    if isinstance(context, Mapping):
        return cast("Mapping[str, Any]", context).get(key, EMPTY)
    return getattr(context, key, EMPTY)


async def _entered(made: Any, action: Action, stack: AsyncExitStack, *, blocking: bool) -> Any:
    """Return what a factory made; a generator is resumed once the call has ended."""
    kind = kind_of(made)
    if kind is GeneratorType:
        value = next(made)
        stack.callback(_resume, made, action)
        return value
    if kind is AsyncGeneratorType:
        value = await _answer(anext(made), action, blocking=blocking)
        stack.push_async_callback(_aresume, made, action, blocking=blocking)
        return value
    return await _answer(made, action, blocking=blocking)


def _resume(made: Iterator[Any], action: Action) -> None:
    try:
        next(made, None)
    except BaseException as error:
        if passes(error):
            raise
        note(error, "the tool %s: a factory broke when it was closed", action.name)


async def _aresume(made: AsyncIterator[Any], action: Action, *, blocking: bool) -> None:
    try:
        await _answer(anext(made, None), action, blocking=blocking)
    except BaseException as error:
        if passes(error):
            raise
        note(error, "the tool %s: a factory broke when it was closed", action.name)


def _composed(action: Action, call: ToolCall, value: Any, repairs: tuple[str, ...]) -> ToolResult:
    """Make the result of a value that is more, or other, than one plain one."""
    kind = kind_of(value)
    if issubclass(kind, ToolError):
        return _said(action, call, value, repairs)
    outcomes = pieces(value) if action.serializer is None else None
    if outcomes is not None:
        result = _several(action, call, value, repairs, outcomes)
    elif kind is Travelled:
        result = answered(call, value.text, None, repairs)
    else:
        result = answered(call, _text(action, value), value, repairs)
    if action.max_output is not None:
        result.output = cut(result.output, action.max_output)
    return result


def _several(
    action: Action,
    call: ToolCall,
    value: Any,
    repairs: tuple[str, ...],
    outcomes: tuple[object, ...],
) -> ToolResult:
    made = parts(outcomes, failure=partial(_failure_text, action), text=partial(_text, action))
    if len(outcomes) == 1 and outcomes[0] is value and made[0].exception is not None:
        raise made[0].exception
    result = answered(call, join(made), value, repairs)
    result.parts = made
    if made and all(part.is_error for part in made):
        result.kind = "tool_error"
        result.exception = made[0].exception
    return result


def _text(action: Action, value: Any) -> str:
    if action.serializer is None:
        return to_text(value)
    text = action.serializer(value)
    if not isinstance(text, str):
        raise TypeError(f"serializer returned {type(text).__name__}, not text")
    return clean(text)


def _unserializable(
    action: Action, call: ToolCall, value: Any, repairs: tuple[str, ...], reason: Exception
) -> ToolResult:
    text = _problems.unserializable(action.name, value, str(reason))
    return ToolResult(call.id, call.name, text, "unserializable", value, reason, (), repairs, call)


def _said(action: Action, call: ToolCall, error: ToolError, repairs: tuple[str, ...]) -> ToolResult:
    made = parts(error.content, failure=_problems.exception)
    result = ToolResult(
        call.id, call.name, error_text(error), "tool_error", None, error, (), repairs, call
    )
    if any(part.media is not None for part in made):
        result.parts = tuple(replace(part, is_error=True) for part in made)
    if action.max_output is not None:
        result.output = cut(result.output, action.max_output)
    return result


def _failed(
    action: Action, call: ToolCall, error: BaseException, repairs: tuple[str, ...], value: Any
) -> ToolResult:
    """Make the result of whatever was raised; what the caller must see is raised again."""
    try:
        return _told(action, call, error, repairs, value)
    except BaseException as worse:
        if passes(worse):
            raise
        return _broken(action, call, error, repairs, value)


def _told(
    action: Action, call: ToolCall, error: BaseException, repairs: tuple[str, ...], value: Any
) -> ToolResult:
    if isinstance(error, Unserializable):
        return _unserializable(action, call, value, repairs, error)
    if isinstance(error, Refused):
        return _refused(call, error)
    if isinstance(error, _Held):
        return replace(error.result, repairs=repairs)
    if isinstance(error, ToolError):
        return _said(action, call, error, repairs)
    if passes(error):
        raise error
    if isinstance(error, _Expired):
        assert action.timeout is not None
        text = _problems.timeout(action.name, action.timeout)
        late = TimeoutError(text)
        return ToolResult(call.id, call.name, text, "timeout", None, late, (), repairs, call)
    return _broken(action, call, error, repairs, value)


def _broken(
    action: Action, call: ToolCall, error: BaseException, repairs: tuple[str, ...], value: Any
) -> ToolResult:
    reason: BaseException | None = error
    if kind_of(error) is _Unsupplied:
        text, reason = _problems.masked(action.name), error.__cause__
    else:
        note(error, "the tool %s raised", action.name)
        text = _failure_text(action, error)
    return ToolResult(call.id, call.name, text, "exception", value, reason, (), repairs, call)


def note(error: BaseException, message: str, *words: object) -> None:
    """Log an error, whatever its text or a handler raises.

    Args:
        error: What was raised.
        message: What happened, with places for the words.
        words: What is put there.
    """
    try:
        log.error(message, *words, exc_info=error)
    except BaseException as worse:
        if passes(worse):
            raise


def _failure_text(action: Action, error: BaseException) -> str:
    if not action.mask:
        is_text = kind_of(error) is RemoteError
        return str(error) if is_text else _problems.exception(error)
    if callable(action.mask):
        try:
            text = action.mask(error, action.tool)
            if isinstance(text, str):
                return clean(text)
        except BaseException as worse:
            if passes(worse):
                raise
            note(worse, "the tool %s: mask_errors broke", action.name)
    return _problems.masked(action.name)
