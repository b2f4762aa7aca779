"""Functions that run in an executor, another process perhaps."""

import asyncio
import pickle
from collections.abc import Callable
from concurrent.futures import Executor
from dataclasses import dataclass
from types import GeneratorType
from typing import Any, Literal, TypeAlias

from ._problems import exception
from ._serialize import Unserializable, to_text
from ._threads import Outcome
from ._types import kind_of

__all__ = ["RemoteError", "Travelled", "submit"]

# Plain values alone, so that nothing of the tool's can break the pool on its way.
_Packed: TypeAlias = tuple[Literal["value", "error"], str | None, bytes | None]


class RemoteError(Exception):
    """What stands for an exception that could not come back from where it was raised."""


@dataclass(frozen=True, slots=True)
class Travelled:
    """The text of a value that could not come back itself."""

    text: str


async def submit(executor: Executor | Callable[[], Executor], work: Callable[[], Any]) -> Outcome:
    """Run a function in an executor.

    Args:
        executor: The executor, or what returns one.
        work: The function with its arguments; a process pool needs it to pickle.
    """
    try:
        chosen = (
            executor if isinstance(executor, Executor) or not callable(executor) else executor()
        )
        packed = await asyncio.wrap_future(chosen.submit(_packed, work))
    except asyncio.CancelledError:
        raise
    except Exception as error:  # noqa: BLE001 - pools break, refuse, and fail to pickle in many ways
        return Outcome(error=error)
    return _unpacked(packed)


def _packed(work: Callable[[], Any]) -> _Packed:
    try:
        value = work()
        kind = kind_of(value)
        value = list(value) if kind is GeneratorType else value
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is made
        return "error", exception(error), _pickled(error)
    blob = _pickled(value)
    try:
        return "value", to_text(value) if blob is None else None, blob
    except Unserializable as error:
        return "error", f"{error}, nor can it travel", _pickled(error)


def _pickled(value: object) -> bytes | None:
    try:
        blob = pickle.dumps(value)
        pickle.loads(blob)  # noqa: S301 - what was just made here
    except Exception:  # noqa: BLE001 - pickling runs code of the value's own
        return None
    return blob


def _unpacked(packed: _Packed) -> Outcome:
    kind, text, blob = packed
    value: Any = Travelled(text or "") if kind == "value" else RemoteError(text)
    if blob is not None:
        try:
            value = pickle.loads(blob)  # noqa: S301 - it comes from the program's own executor
        except Exception as error:  # noqa: BLE001 - unpickling runs code of the value's own
            value = error
            kind = "error"
    return Outcome(value) if kind == "value" else Outcome(error=value)
