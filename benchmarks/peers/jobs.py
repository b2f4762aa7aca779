"""What is measured: each job prepares a peer and gives back a run of ``n`` operations.

A run returns its seconds of CPU (of wall where the job says so) for ``n`` operations. A job that
a peer cannot do raises `Blank` with the reason.
"""

import asyncio
import gc
import inspect
import itertools
import json
import re
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import tools

Run = Callable[[int], Awaitable[float]]
_numbers = itertools.count()


class Blank(Exception):
    """The peer cannot do this; the text says why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A job, the words for its table, and the unit its seconds are shown in."""

    title: str
    prepare: Callable[[Any], Awaitable[Run]]
    unit: str = "µs"
    needs: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    asynchronous: bool = False
    fresh: bool = False


def _dispatch(
    title: str,
    function: Callable[..., Any],
    raw: str,
    expected: str,
    *,
    needs: tuple[str, ...] = (),
    name: str | None = None,
    **options: Any,
) -> Job:
    asynchronous = inspect.iscoroutinefunction(function)
    asked = name or function.__name__

    async def prepare(peer: Any) -> Run:
        made = peer.toolset([function], **options)
        await _ready(peer, made)
        if asynchronous:
            _check(await peer.acall(made, asked, raw), expected)
            return _awaited(lambda: peer.acall(made, asked, raw))
        _check(await asyncio.to_thread(peer.call, made, asked, raw), expected)
        return _called(lambda: peer.call(made, asked, raw))

    needed = (*needs, "acall" if asynchronous else "call")
    return Job(title=title, prepare=prepare, needs=needed, asynchronous=asynchronous)


def _called(operation: Callable[[], object]) -> Run:
    async def run(n: int) -> float:
        start = time.process_time()
        for _ in range(n):
            operation()
        return time.process_time() - start

    return run


def _awaited(operation: Callable[[], Awaitable[object]]) -> Run:
    async def run(n: int) -> float:
        start = time.process_time()
        for _ in range(n):
            await operation()
        return time.process_time() - start

    return run


def _make(peer: Any, functions: list[Any]) -> Any:
    return peer.build(functions) if hasattr(peer, "build") else peer.toolset(functions)


async def _ready(peer: Any, made: object) -> None:
    if hasattr(peer, "ready"):
        await peer.ready(made)


def _check(output: str, expected: str) -> None:
    if not re.search(expected, output):
        raise Blank(f"answers {output[:120]!r}")


async def _check_specs(peer: Any, made: object) -> None:
    if "Two-letter code" not in json.dumps(await _specs(peer, made), default=str):
        raise Blank("does not describe the fields of the nested order")


def _fresh(function: Callable[..., Any], n: int) -> list[Callable[..., Any]]:
    return [tools.fresh(function, f"tool_{next(_numbers)}") for _ in range(n)]


def _build(title: str, function: Callable[..., Any], *, with_specs: bool, least: int = 1) -> Job:
    async def prepare(peer: Any) -> Run:
        if with_specs and function is tools.place:
            await _check_specs(peer, _make(peer, _fresh(function, 1)))

        async def run(n: int) -> float:
            seconds = 0.0
            for _ in range(n):
                functions = _fresh(function, least)
                start = time.process_time()
                made = _make(peer, functions)
                if with_specs:
                    await _specs(peer, made)
                seconds += time.process_time() - start
            return seconds / least

        return run

    needs = ("toolset", "specs") if with_specs else ("toolset",)
    return Job(title=title, prepare=prepare, needs=needs)


async def _specs(peer: Any, made: object) -> list[Any]:
    specs = peer.specs(made)
    return await specs if inspect.isawaitable(specs) else specs


def _specs_first(title: str, count: int) -> Job:
    async def prepare(peer: Any) -> Run:
        await _check_specs(peer, _make(peer, _fresh(tools.place, 1)))

        async def run(n: int) -> float:
            seconds = 0.0
            for _ in range(n):
                made = _make(peer, _fresh(tools.place, count))
                start = time.process_time()
                await _specs(peer, made)
                seconds += time.process_time() - start
            return seconds / count

        return run

    return Job(title=title, prepare=prepare, needs=("toolset", "specs"))


def _specs_again(title: str, count: int, *, as_bytes: bool = False) -> Job:
    async def prepare(peer: Any) -> Run:
        made = _make(peer, _fresh(tools.place, count))
        await _check_specs(peer, made)

        async def run(n: int) -> float:
            start = time.process_time()
            for _ in range(n):
                if as_bytes:
                    peer.specs_json(made)
                else:
                    await _specs(peer, made)
            return (time.process_time() - start) / (1 if as_bytes else count)

        return run

    needs = ("toolset", "specs_json") if as_bytes else ("toolset", "specs")
    return Job(title=title, prepare=prepare, needs=needs)


async def _many_naps(peer: Any) -> Run:
    if hasattr(peer, "bare"):
        return await _bare_gather(peer)
    made = peer.toolset([tools.nap])
    await _ready(peer, made)
    calls = [("nap", json.dumps({"number": number})) for number in range(1000)]
    _check(await peer.acall(made, *calls[7]), "7")
    return _timed_batch(peer, made, calls, time.process_time)


async def _bare_gather(peer: Any) -> Run:
    async def run(n: int) -> float:
        start = time.process_time()
        for _ in range(n):
            await asyncio.gather(*(tools.nap(number) for number in range(1000)))
        return time.process_time() - start

    return run


async def _many_blocks(peer: Any) -> Run:
    made = peer.toolset([tools.block])
    await _ready(peer, made)
    calls = [("block", json.dumps({"number": number})) for number in range(64)]
    _check(await peer.acall(made, *calls[7]), "7")
    return _timed_batch(peer, made, calls, time.perf_counter)


def _timed_batch(
    peer: Any, made: object, calls: list[tuple[str, str]], clock: Callable[[], float]
) -> Run:
    async def gathered(made: object, calls: list[tuple[str, str]]) -> object:
        return await asyncio.gather(*(peer.acall(made, name, raw) for name, raw in calls))

    batch = getattr(peer, "batch", gathered)

    async def run(n: int) -> float:
        start = clock()
        for _ in range(n):
            await batch(made, calls)
        return clock() - start

    return run


def _memory(title: str, function: Callable[..., Any]) -> Job:
    async def prepare(peer: Any) -> Run:
        kept: list[object] = []

        async def run(n: int) -> float:
            gc.collect()
            before = resident()
            made = _make(peer, _fresh(function, 500))
            await _specs(peer, made)
            gc.collect()
            kept.append(made)
            return (resident() - before) / 500 / 1000

        return run

    needs = ("toolset", "specs", "memory")
    return Job(title=title, prepare=prepare, unit="kB", needs=needs, fresh=True)


def resident() -> int:
    """Return the resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


ERROR = "valid integer|Expected int"
JOBS: dict[str, Job] = {
    "add": _dispatch("two-int tool", tools.add, tools.ADD, "42"),
    "add.async": _dispatch("two-int tool, awaited", tools.add_async, tools.ADD, "42"),
    "order": _dispatch("nested order", tools.place, tools.ORDER, '"total"'),
    "order.async": _dispatch("nested order, awaited", tools.place_async, tools.ORDER, '"total"'),
    "megabyte": _dispatch("1 MB result", tools.rows, tools.ROWS, "name-14999"),
    "megabyte.async": _dispatch("1 MB result, awaited", tools.rows_async, tools.ROWS, "name-14999"),
    "error": _dispatch("argument error", tools.add, tools.ADD_WRONG, ERROR, needs=("error",)),
    "error.async": _dispatch(
        "argument error, awaited", tools.add_async, tools.ADD_WRONG, ERROR, needs=("error",)
    ),
    "repair": _dispatch(
        "repaired order", tools.place, tools.ORDER_AS_TEXT, '"total"', needs=("repair",)
    ),
    "repair.async": _dispatch(
        "repaired order, awaited",
        tools.place_async,
        tools.ORDER_AS_TEXT,
        '"total"',
        needs=("repair",),
    ),
    "unknown": _dispatch(
        "unknown tool", tools.add, tools.ADD, "subtract", needs=("unknown",), name="subtract"
    ),
    "unknown.async": _dispatch(
        "unknown tool, awaited",
        tools.add_async,
        tools.ADD,
        "subtract",
        needs=("unknown",),
        name="subtract",
    ),
    "add.middleware": _dispatch(
        "two-int tool, 3 middlewares",
        tools.add,
        tools.ADD,
        "42",
        needs=("middleware",),
        middlewares=3,
    ),
    "add.middleware.async": _dispatch(
        "two-int tool, 3 middlewares, awaited",
        tools.add_async,
        tools.ADD,
        "42",
        needs=("middleware",),
        middlewares=3,
    ),
    "add.timeout": _dispatch(
        "two-int tool, timeout", tools.add, tools.ADD, "42", needs=("timeout",), timeout=30
    ),
    "add.timeout.async": _dispatch(
        "two-int tool, timeout, awaited",
        tools.add_async,
        tools.ADD,
        "42",
        needs=("timeout",),
        timeout=30,
    ),
    "naps": Job(
        title="1,000 async tools of 1 ms",
        prepare=_many_naps,
        unit="ms",
        needs=("acall",),
        asynchronous=True,
    ),
    "blocks": Job(
        title="64 blocking tools of 5 ms, wall",
        prepare=_many_blocks,
        unit="ms",
        needs=("acall", "blocking"),
        asynchronous=True,
    ),
    "build.trivial": _build("build a two-int tool", tools.add, with_specs=False),
    "build.realistic": _build("build an order tool", tools.place, with_specs=False),
    "build.specs.trivial": _build("build and export a two-int tool", tools.add, with_specs=True),
    "build.specs.realistic": _build("build and export an order tool", tools.place, with_specs=True),
    **{
        f"build.{count}": Job(
            title=f"build {count:,} order tools, each",
            prepare=_build("", tools.place, with_specs=False, least=count).prepare,
            needs=("toolset",),
            only=("toolreg",),
        )
        for count in (10, 100, 1000, 10_000)
    },
    "specs.first": _specs_first("specs for the first time, order tool", 10),
    "specs.100": _specs_again("specs again, 100 order tools, each", 100),
    "specs.1000": _specs_again("specs again, 1,000 order tools, each", 1000),
    "specs.bytes": _specs_again("specs again as bytes, 100 order tools", 100, as_bytes=True),
    "memory": _memory("memory of an order tool and its spec", tools.place),
    "memory.trivial": _memory("memory of a two-int tool and its spec", tools.add),
}
