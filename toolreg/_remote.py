"""Functions that run in an executor, another process perhaps."""

import asyncio
import os
import pickle
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, NoReturn, TypeAlias

from ._problems import exception
from ._serialize import Unserializable, to_text
from ._threads import Outcome, passes
from ._types import kind_of

__all__ = ["Pool", "RemoteError", "Travelled", "submit"]

# Plain values alone, so that nothing of the tool's can break the pool on its way: what it is
# ("bare" is a value without text), its text, its pickle, its traceback.
_Packed: TypeAlias = tuple[Literal["value", "error", "bare"], str, bytes | None, str]


class RemoteError(Exception):
    """What stands for an exception that could not come back from where it was raised.

    Its text is ``Type: message`` of that one.
    """


@dataclass(frozen=True, slots=True)
class Travelled:
    """The text of a value that could not come back itself."""

    text: str


class Pool:
    """An executor that is made on need, and again once it is broken or shut down.

    Args:
        make: Returns an executor.
    """

    def __init__(self, make: Callable[[], Executor]) -> None:
        self._make = make
        self._reset()
        _pools.add(self)

    def _reset(self) -> None:
        self._made: Executor | None = None
        self._lock = threading.Lock()

    def submit(self, work: Callable[[], Any]) -> "Future[Any]":
        """Have a function called.

        Args:
            work: The function; it takes nothing.
        """
        made = self._current()
        try:
            future = made.submit(work)
        except RuntimeError:  # broken by an earlier call, or shut down: this one never started
            self._forget(made)
            made = self._current()
            future = made.submit(work)
        future.add_done_callback(partial(self._check, made))
        return future

    def close(self) -> None:
        """Shut the executor down without waiting for it; later work makes another."""
        with self._lock:
            made, self._made = self._made, None
        if made is not None:
            made.shutdown(wait=False)

    def _current(self) -> Executor:
        with self._lock:
            if self._made is None:
                made: object = self._make()
                if not isinstance(made, Executor):
                    raise TypeError(f"executor() returned {type(made).__name__}, not an Executor")
                self._made = made
            return self._made

    def _check(self, made: Executor, future: "Future[Any]") -> None:
        if not future.cancelled() and isinstance(future.exception(), BrokenExecutor):
            self._forget(made)

    def _forget(self, made: Executor) -> None:
        # It is not shut down here: the thread that breaks a pool holds the lock of that.
        with self._lock:
            if self._made is made:
                self._made = None

    def __reduce__(self) -> tuple[Any, ...]:
        return Pool, (self._make,)


_pools: "weakref.WeakSet[Pool]" = weakref.WeakSet()


def _after_fork() -> None:
    # The threads that serve an executor do not survive in the child.
    for pool in list(_pools):
        pool._reset()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class _Work:
    """A function with its arguments; where they cannot be read, calling it says so."""

    def __init__(self, work: Callable[[], Any]) -> None:
        self._work = work

    def __call__(self) -> "_Answer":
        try:
            value = self._work()
            kind = kind_of(value)
            return _Answer(Outcome(list(value) if issubclass(kind, Iterator) else value))
        except BaseException as error:  # noqa: BLE001 - it is raised where the result is made
            return _Answer(Outcome(error=error))

    def __reduce__(self) -> tuple[Any, ...]:
        try:
            return _work_of, (pickle.dumps(self._work),)
        except Exception:  # noqa: BLE001 - the executor's own pickler may do better, or will say why
            return _Work, (self._work,)


class _Answer:
    """An outcome that becomes what can travel only if it has to."""

    def __init__(self, outcome: Outcome) -> None:
        self.outcome = outcome

    def __reduce__(self) -> tuple[Any, ...]:
        return _answer_of, _packed(self.outcome)


async def submit(executor: Executor | Pool, work: Callable[[], Any]) -> Outcome:
    """Run a function in an executor.

    Args:
        executor: The executor.
        work: The function with its arguments; a process pool needs it to pickle.
    """
    try:
        answer: _Answer = await asyncio.wrap_future(executor.submit(_Work(work)))
    except BaseException as error:
        if passes(error):
            raise
        return Outcome(error=error)  # pools break, refuse, and fail to pickle in many ways
    return answer.outcome


def _work_of(blob: bytes) -> _Work:
    try:
        return _Work(pickle.loads(blob))  # noqa: S301 - it comes from the program itself
    except Exception as error:  # noqa: BLE001 - unpickling runs code of the arguments' own
        return _Work(partial(_refuse, exception(error)))


def _refuse(reason: str) -> NoReturn:
    raise RemoteError(f"the call could not be read where it was to run: {reason}")


def _packed(outcome: Outcome) -> _Packed:
    error = outcome.error
    if error is not None:
        return "error", exception(error), _pickled(error), _trace(error)
    blob = _pickled(outcome.value)
    try:
        return "value", to_text(outcome.value), blob, ""
    except Unserializable as why:
        reason = str(why)
    except BaseException as why:  # noqa: BLE001 - writing a value runs code of its own
        reason = exception(why)
    return "bare", reason, blob, ""


def _pickled(value: object) -> bytes | None:
    try:
        blob = pickle.dumps(value)
        pickle.loads(blob)  # noqa: S301 - what was just made here
    except BaseException:  # noqa: BLE001 - pickling runs code of the value's own
        return None
    return blob


def _trace(error: BaseException) -> str:
    try:
        return "".join(traceback.format_exception(error))
    except BaseException as why:  # noqa: BLE001 - the text of an error is code of its own
        return exception(why)


def _answer_of(kind: str, text: str, blob: bytes | None, trace: str) -> _Answer:
    """Return the value or the error itself where it can be had here, else what stands for it."""
    found: Any = None
    if blob is not None:
        try:
            found = pickle.loads(blob)  # noqa: S301 - it comes from the program's own executor
        except Exception:  # noqa: BLE001 - unpickling runs code of the value's own
            blob = None
    if kind == "error":
        error = found if issubclass(type(found), BaseException) else RemoteError(text)
        error.__cause__ = RemoteError(f"it was raised elsewhere:\n{trace}")
        return _Answer(Outcome(error=error))
    if blob is not None:
        return _Answer(Outcome(found))
    if kind == "value":
        return _Answer(Outcome(Travelled(text)))
    return _Answer(Outcome(error=Unserializable(f"{text}, nor can it travel")))
