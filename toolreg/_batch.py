"""Many calls at once, one result each, in the order of the calls."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator
from concurrent.futures import Future
from functools import partial
from inspect import isawaitable
from queue import SimpleQueue
from typing import Any, Final, Protocol

from . import _problems
from ._execute import note
from ._threads import Outcome, start, wait_for
from ._types import ToolCall, ToolResult

__all__ = ["LAZY", "Run", "abatch", "batch"]

LAZY: Final = 1000

Run = Callable[[ToolCall], Coroutine[Any, Any, ToolResult]]


class _Crew(Protocol):
    """Runs calls side by side."""

    def start(self, index: int, call: ToolCall) -> None: ...

    async def wait(self) -> None: ...

    def finished(self) -> Iterator[tuple[int, ToolResult]]: ...

    async def cancel(self) -> None: ...


class _Tasks:
    """Calls as tasks of the running loop."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[asyncio.Task[ToolResult], tuple[int, ToolCall]] = {}
        self._finished: deque[asyncio.Task[ToolResult]] = deque()
        self._wake: asyncio.Future[None] | None = None

    def start(self, index: int, call: ToolCall) -> None:
        task = self._loop.create_task(self._run(call))
        self._tasks[task] = index, call
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[ToolResult]") -> None:
        self._finished.append(task)
        if self._wake is not None and not self._wake.done():
            self._wake.set_result(None)

    async def wait(self) -> None:
        if not self._finished:
            self._wake = self._loop.create_future()
            await self._wake

    def finished(self) -> Iterator[tuple[int, ToolResult]]:
        while self._finished:
            task = self._finished.popleft()
            index, call = self._tasks.pop(task)
            yield index, _cancelled(call) if task.cancelled() else task.result()

    async def cancel(self) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)


class _Futures:
    """Calls on the background loop; whoever waits for them blocks."""

    def __init__(self, run: Run, owner: object) -> None:
        self._run = run
        self._owner = owner
        self._futures: dict[int, tuple[Future[Outcome], ToolCall]] = {}
        self._finished: SimpleQueue[int] = SimpleQueue()
        self._first: int | None = None

    def start(self, index: int, call: ToolCall) -> None:
        future = start(self._run(call), self._owner)
        self._futures[index] = future, call
        future.add_done_callback(partial(self._done, index))

    def _done(self, index: int, _future: "Future[Outcome]") -> None:
        self._finished.put(index)

    async def wait(self) -> None:
        self._first = self._finished.get()

    def finished(self) -> Iterator[tuple[int, ToolResult]]:
        index, self._first = self._first, None
        while index is not None:
            future, call = self._futures.pop(index)
            yield index, _cancelled(call) if future.cancelled() else _value(future.result())
            index = None if self._finished.empty() else self._finished.get()

    async def cancel(self) -> None:
        for future, _ in list(self._futures.values()):
            future.cancel()


def _value(outcome: Outcome) -> ToolResult:
    if outcome.error is not None:
        raise outcome.error
    result: ToolResult = outcome.value
    return result


def _cancelled(call: ToolCall) -> ToolResult:
    """Return the result of a call that something other than the caller of the batch cancelled."""
    error = asyncio.CancelledError()
    text = _problems.exception(error)
    return ToolResult(call.id, call.name, text, "exception", None, error, (), (), call)


async def abatch(
    calls: Iterable[ToolCall],
    run: Run,
    *,
    is_sequential: Callable[[ToolCall], bool] | None,
    limit: int,
    on_result: Callable[[ToolResult], Any] | None,
) -> list[ToolResult]:
    """Run calls as tasks of the running loop.

    Args:
        calls: Pulled as there is room for them.
        run: Runs one.
        is_sequential: Whether a call has to run alone; None where none has to.
        limit: How many run at once.
        on_result: Called with each result as it comes.
    """
    return await _batch(calls, _Tasks(run), is_sequential, limit, on_result)


def batch(
    calls: Iterable[ToolCall],
    run: Run,
    *,
    owner: object,
    is_sequential: Callable[[ToolCall], bool] | None,
    limit: int,
    on_result: Callable[[ToolResult], Any] | None,
) -> list[ToolResult]:
    """Run calls on the background loop and block; otherwise as `abatch`.

    The calls are pulled, and ``on_result`` is called, in the thread of the caller.
    """
    crew = _Futures(run, owner)
    tell = None if on_result is None else partial(_waiting, on_result, owner)
    waiting = _batch(calls, crew, is_sequential, limit, tell)
    try:
        waiting.send(None)
    except StopIteration as stop:
        results: list[ToolResult] = stop.value
        return results
    raise RuntimeError("a blocking batch suspended")


async def _batch(
    calls: Iterable[ToolCall],
    crew: _Crew,
    is_sequential: Callable[[ToolCall], bool] | None,
    bound: int,
    on_result: Callable[[ToolResult], Any] | None,
) -> list[ToolResult]:
    results: list[Any] = []
    running = 0

    async def settle(most: int) -> None:
        nonlocal running
        while running > most:
            await crew.wait()
            for index, result in crew.finished():
                results[index] = result
                running -= 1
                if on_result is not None:
                    await _tell(on_result, result)

    try:
        for index, call in enumerate(calls):
            alone = is_sequential is not None and is_sequential(call)
            if alone or running >= bound:
                await settle(0 if alone else bound - 1)
            results.append(None)
            crew.start(index, call)
            running += 1
            if alone:
                await settle(0)
        await settle(0)
    except BaseException:
        await crew.cancel()
        raise
    return results


async def _tell(on_result: Callable[[ToolResult], Any], result: ToolResult) -> None:
    try:
        told = on_result(result)
        if isawaitable(told):
            await told
    except Exception as error:  # noqa: BLE001 - it costs no result
        note(error, "on_result broke at the result of %s", result.name)


async def _awaited(told: Awaitable[Any]) -> None:
    await told


def _waiting(on_result: Callable[[ToolResult], Any], owner: object, result: ToolResult) -> None:
    """Call back from where nothing is awaited."""
    told = on_result(result)
    if isawaitable(told):
        outcome = wait_for(_awaited(told), owner)
        if outcome.error is not None:
            raise outcome.error
