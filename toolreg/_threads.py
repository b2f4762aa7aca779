"""Worker threads for what blocks, one background loop for what awaits."""

import asyncio
import concurrent.futures
import contextvars
import logging
import os
import threading
import weakref
from collections import deque
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from queue import SimpleQueue
from typing import Any, Final

from ._types import kind_of

__all__ = [
    "LoopBlocked",
    "Outcome",
    "Workers",
    "capture",
    "leave",
    "on_loop",
    "passes",
    "start",
    "wait_for",
]


log: Final = logging.getLogger("toolreg")


@dataclass(slots=True)
class Outcome:
    """What came of running something: a value, or what was raised.

    Exceptions travel as values because a coroutine cannot raise ``StopIteration``, and because
    ``KeyboardInterrupt`` and ``SystemExit`` end the loop of the task that raises them.
    """

    value: Any = None
    error: BaseException | None = None


class LoopBlocked(Exception):
    """Something blocked the background loop for longer than a call may take."""


async def capture(coroutine: Coroutine[Any, Any, Any]) -> Outcome:
    """Await a coroutine; what it raises is part of the outcome.

    Only the cancellation of the task that runs this, and its closing, pass through.
    """
    try:
        return Outcome(await coroutine)
    except BaseException as error:
        if passes(error) and not isinstance(error, KeyboardInterrupt):
            raise
        return Outcome(error=error)


def is_cancelling() -> bool:
    """Whether somebody cancels the task that runs this."""
    try:
        task = asyncio.current_task()
    except RuntimeError:
        return False
    return task is not None and task.cancelling() > 0


def passes(error: BaseException) -> bool:
    """Whether an error is the caller's own affair, never a result."""
    kind = kind_of(error)  # of a class whose instances may answer for another
    if issubclass(kind, asyncio.CancelledError):
        return is_cancelling()
    return issubclass(kind, KeyboardInterrupt | GeneratorExit)


@dataclass(slots=True, eq=False)
class _Job:
    work: Callable[[], Any]
    loop: asyncio.AbstractEventLoop
    answer: "asyncio.Future[Outcome]"
    worker: "_Worker | None" = None
    context: contextvars.Context = field(default_factory=contextvars.copy_context)

    def run(self) -> Outcome:
        try:
            return Outcome(self.context.run(self.work))
        except BaseException as error:  # noqa: BLE001 - it is raised where it is awaited
            return Outcome(error=error)

    def answered(self, outcome: Outcome) -> None:
        with suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
            self.loop.call_soon_threadsafe(self._settle, outcome)

    def _settle(self, outcome: Outcome) -> None:
        if not self.answer.done():
            self.answer.set_result(outcome)


@dataclass(slots=True, eq=False)
class _Worker:
    inbox: "SimpleQueue[_Job | None]" = field(default_factory=SimpleQueue["_Job | None"])
    written_off: bool = False


class Workers:
    """Daemon threads, made on need, that never keep the program from ending.

    A worker whose job is given up (timed out, cancelled) is written off: it no longer counts,
    and ends with its job. Those of `concurrent.futures` would be joined at exit.

    Args:
        limit: How many may work at once.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._reset()
        _pools.add(self)

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._jobs: deque[_Job] = deque()
        self._idle: dict[_Worker, threading.Thread] = {}
        self._busy: dict[_Worker, threading.Thread] = {}
        self._closed = False

    async def run(self, work: Callable[[], Any]) -> Outcome:
        """Run a function in a worker, in a copy of the caller's context.

        Args:
            work: The function; it takes nothing.
        """
        loop = asyncio.get_running_loop()
        job = _Job(work, loop, loop.create_future())
        with self._lock:
            self._closed = False
            self._jobs.append(job)
            self._assign()
        try:
            return await job.answer
        except BaseException:
            self._give_up(job)
            raise

    def _assign(self) -> None:
        """Give the waiting jobs to whoever is free. The lock is held."""
        while self._jobs and (self._idle or len(self._busy) < self.limit):
            job = self._jobs.popleft()
            if self._idle:
                worker, thread = self._idle.popitem()
            else:
                worker = _Worker()
                arguments = (weakref.ref(self), worker)
                thread = threading.Thread(
                    target=_work, args=arguments, name="toolreg-worker", daemon=True
                )
                thread.start()
            self._busy[worker] = thread
            job.worker = worker
            worker.inbox.put(job)

    def _give_up(self, job: _Job) -> None:
        with self._lock:
            if job.worker is None:
                self._jobs.remove(job)
            elif job.worker in self._busy:
                job.worker.written_off = True
                del self._busy[job.worker]
                self._assign()

    def _release(self, worker: _Worker) -> bool:
        """Take back a worker that has finished; say whether it is to wait for more."""
        with self._lock:
            thread = self._busy.pop(worker, None)
            if thread is None or worker.written_off:
                return False
            if self._closed and not self._jobs:
                return False
            self._idle[worker] = thread
            self._assign()
            return True

    def close(self) -> None:
        """End the threads that have nothing to do, and the others once they are done.

        Later work makes new ones.
        """
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, {}
        for worker, thread in idle.items():
            worker.inbox.put(None)
            thread.join()

    def __del__(self) -> None:
        for worker in self._idle:
            worker.inbox.put(None)


def _work(pool: "weakref.ref[Workers]", worker: _Worker) -> None:
    # The pool is held only between jobs, so that an idle thread does not keep it alive.
    while (job := worker.inbox.get()) is not None:
        outcome = job.run()
        workers = pool()
        stays = workers is not None and workers._release(worker)
        job.answered(outcome)
        del job, outcome, workers
        if not stays:
            return


class _Home:
    """An event loop in a daemon thread.

    Only whoever made it ends it: neither ``loop.stop()`` nor a ``SystemExit`` in a task of a
    tool's own does, and no future of it stays without an outcome.
    """

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._futures: set[concurrent.futures.Future[Outcome]] = set()
        self._ends = False
        self._ends_when_done = False
        self._is_copy = False
        self.thread = threading.Thread(target=self._run, name="toolreg-loop", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        asyncio.set_event_loop(self.loop)
        while not self._ends:
            try:
                self.loop.run_forever()
            except BaseException:
                log.exception("something of a tool's own ran out of the loop")
        if self._is_copy:
            return
        with suppress(BaseException):
            self.loop.run_until_complete(self._finish())
        for future in list(self._futures):
            future.cancel()
        self.loop.close()

    async def _finish(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others, timeout=1) if others else None
        await self.loop.shutdown_asyncgens()

    def start(self, coroutine: Coroutine[Any, Any, Any]) -> "concurrent.futures.Future[Outcome]":
        future = asyncio.run_coroutine_threadsafe(capture(coroutine), self.loop)
        self._futures.add(future)
        future.add_done_callback(self._done)
        return future

    def runs(self, future: "concurrent.futures.Future[Outcome]") -> bool:
        return future in self._futures

    def _done(self, future: "concurrent.futures.Future[Outcome]") -> None:
        self._futures.discard(future)
        if self._ends_when_done and not self._futures:
            self._end()

    def stop(self) -> None:
        self._end()
        if threading.current_thread() is not self.thread:
            self.thread.join(2)

    def stop_when_done(self) -> None:
        self._ends_when_done = True
        if not self._futures:
            self._end()

    def _end(self) -> None:
        self._ends = True
        with suppress(RuntimeError):  # it has ended
            self.loop.call_soon_threadsafe(self.loop.stop)

    def abandon(self) -> None:
        """End in a forked process, where the tasks are copies that are none of its business."""
        self._is_copy = self._ends = True
        self.loop.stop()


_lock = threading.Lock()
_home: _Home | None = None
_owners: "weakref.WeakSet[object]" = weakref.WeakSet()
_pools: "weakref.WeakSet[Workers]" = weakref.WeakSet()


def start(
    coroutine: Coroutine[Any, Any, Any], owner: object
) -> "concurrent.futures.Future[Outcome]":
    """Run a coroutine on the background loop of the process, in a copy of the caller's context.

    Args:
        coroutine: What to run; its exceptions are part of the outcome.
        owner: Who uses the loop, until it calls `leave`.
    """
    global _home  # noqa: PLW0603 - one loop per process
    with _lock:
        if _home is None:
            _home = _Home()
        _owners.add(owner)
        return _home.start(coroutine)


def wait_for(
    coroutine: Coroutine[Any, Any, Any], owner: object, *, limit: float | None = None
) -> Outcome:
    """Run a coroutine on the background loop and block until it is done.

    On that loop itself it runs on a fresh loop in another thread. If the wait is interrupted, the
    coroutine is cancelled.

    Args:
        coroutine: What to run; it ends within the limit unless something blocks the loop.
        owner: Who uses the loop, until it calls `leave`.
        limit: Seconds after which the loop counts as blocked. The outcome is then
            `LoopBlocked`, and later calls get another loop.
    """
    if on_loop():
        return _elsewhere(coroutine)
    future = start(coroutine, owner)
    try:
        return future.result(limit)
    except concurrent.futures.CancelledError:
        return Outcome(error=asyncio.CancelledError())
    except TimeoutError as error:
        _retire(future)
        return Outcome(error=LoopBlocked(str(error)))
    except BaseException:
        future.cancel()
        raise


def on_loop() -> bool:
    """Whether this is the thread of the background loop, which must not wait for itself."""
    return _home is not None and threading.current_thread() is _home.thread


def _retire(future: "concurrent.futures.Future[Outcome]") -> None:
    """Leave a blocked loop to itself; it ends once its other calls are done."""
    global _home  # noqa: PLW0603 - one loop per process
    with _lock:
        home = _home if _home is not None and _home.runs(future) else None
        if home is not None:
            _home = None
    future.cancel()
    if home is not None:
        home.stop_when_done()


def _elsewhere(coroutine: Coroutine[Any, Any, Any]) -> Outcome:
    """Run a coroutine on a fresh loop, and do not wait for what it leaves behind."""
    outcomes: SimpleQueue[Outcome] = SimpleQueue()
    context = contextvars.copy_context()

    async def main() -> None:
        outcomes.put(await capture(coroutine))

    def work() -> None:
        try:
            asyncio.run(main())
        except BaseException as error:  # noqa: BLE001 - a task of a tool's own ended the loop
            outcomes.put(Outcome(error=error))

    thread = threading.Thread(target=context.run, args=(work,), name="toolreg-nested", daemon=True)
    thread.start()
    return outcomes.get()


def leave(owner: object) -> None:
    """Say that an owner needs the loop no more; it ends with the last one.

    Args:
        owner: As given to `start` or `wait_for`.
    """
    global _home
    with _lock:
        _owners.discard(owner)
        if _home is None or _owners:
            return
        home, _home = _home, None
    home.stop()


def _after_fork() -> None:
    # Neither threads nor the loop survive in the child; their objects must not be touched there.
    global _home, _lock  # noqa: PLW0603 - one loop per process
    if _home is not None:
        _home.abandon()
    _home = None
    _lock = threading.Lock()
    for pool in list(_pools):
        pool._reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
