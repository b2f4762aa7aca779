"""Make 200,000 mixed calls at once and look for what is lost or left behind.

    python benchmarks/soak.py                   # 200,000 calls, 200 at a time
    python benchmarks/soak.py --calls 5000

Every id must be answered once with the expected kind, no task may be left, resident memory at
half time and at the end must be within 1 MB, and ``close()`` must leave no thread. Exit 1 if not.
"""

import argparse
import asyncio
import gc
import logging
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pydantic import BaseModel

from benchmarks.peers.jobs import resident
from toolreg import MultiResult, Registry, ToolCall, ToolError

BATCH = 2_000
CONCURRENCY = 200
registry = Registry()


class Point(BaseModel):
    """A place."""

    x: int
    y: int
    label: str | None = None


@registry.tool
def add(a: int, b: int = 1) -> int:
    return a + b


@registry.tool
async def add_async(a: int, b: int = 1) -> int:
    await asyncio.sleep(0)
    return a + b


@registry.tool
def nested(points: list[Point], scale: int = 1) -> dict[str, int]:
    return {"sum": scale * sum(point.x + point.y for point in points)}


@registry.tool
def fail(text: str) -> str:
    raise ValueError(text)


@registry.tool
async def refuse(text: str) -> str:
    raise ToolError(text)


@registry.tool
async def slow(n: int) -> int:
    await asyncio.sleep(0.002)
    return n


@registry.tool(timeout=0.002)
async def late(n: int) -> int:
    await asyncio.sleep(0.05)
    return n


@registry.tool(timeout=0.002)
def late_in_thread(n: int) -> int:
    time.sleep(0.1)
    return n


@registry.tool
async def cancelled(n: int) -> int:
    raise asyncio.CancelledError(n)


@registry.tool
def several(n: int) -> MultiResult:
    outcomes = MultiResult([n, n + 1])
    outcomes.fail("the third is missing")
    return outcomes


@registry.tool
def stream(n: int) -> Iterator[int]:
    yield from range(n)


@registry.tool
async def deeper(n: int) -> str:
    """Call another tool of the same registry from inside a tool."""
    return (await registry.aexecute("add_async", {"a": n})).output


MIX: list[tuple[int, str, str, str]] = [
    (20, "add", '{"a": 1, "b": 2}', "success"),
    (20, "add_async", '{"a": 1}', "success"),
    (12, "nested", '{"points": [{"x": 1, "y": 2}, {"x": 3, "y": 4, "label": "z"}]}', "success"),
    (6, "nested", '{"points": "[{\\"x\\": 1, \\"y\\": 2}]", "scale": null}', "success"),
    (6, "fail", '{"text": "no"}', "exception"),
    (6, "refuse", '{"text": "no"}', "tool_error"),
    (6, "add", '{"a": "one"}', "invalid_arguments"),
    (3, "add", '{"a": 1', "bad_json"),
    (3, "subtract", "{}", "unknown_tool"),
    (5, "slow", '{"n": 3}', "success"),
    (1, "late", '{"n": 3}', "timeout"),
    (1, "late_in_thread", '{"n": 3}', "timeout"),
    (4, "cancelled", '{"n": 3}', "exception"),
    (3, "several", '{"n": 3}', "success"),
    (2, "stream", '{"n": 3}', "success"),
    (2, "deeper", '{"n": 3}', "success"),
]


class Soak:
    """What came back so far."""

    def __init__(self, calls: int) -> None:
        # Allocated at once, so that memory that grows is not its own.
        self.answers = bytearray(calls)
        self.kinds: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.random = random.Random(7)

    async def batch(self, ids: range) -> None:
        """Execute one batch; a share of single calls is cancelled from outside as well."""
        chosen = self.random.choices(MIX, weights=[weight for weight, *_ in MIX], k=len(ids))
        calls = [
            ToolCall(name, raw, number)
            for number, (_, name, raw, _) in zip(ids, chosen, strict=True)
        ]
        abandoned = [asyncio.create_task(registry.aexecute("slow", {"n": n})) for n in range(5)]
        results = registry.aexecute_all(calls, max_concurrency=CONCURRENCY)
        waiting = asyncio.ensure_future(results)
        await asyncio.sleep(0)
        for task in abandoned:
            task.cancel()
        await asyncio.gather(*abandoned, return_exceptions=True)
        for result, (_, name, _, expected) in zip(await waiting, chosen, strict=True):
            self.answers[result.call_id] += 1
            self.kinds[result.kind] += 1
            if result.kind != expected:
                self.wrong.append(f"{name}: {result.kind} instead of {expected}: {result.output}")


async def run(calls: int) -> list[str]:
    """Return what is wrong after all calls."""
    soak = Soak(calls)
    half: float | None = None
    start, cpu = time.perf_counter(), time.process_time()
    for first in range(0, calls, BATCH):
        await soak.batch(range(first, min(first + BATCH, calls)))
        if half is None and first >= calls / 2:
            gc.collect()
            half = resident() / 1e6
            print(f"half time: {half:.2f} MB, {threading.active_count()} threads", flush=True)
    gc.collect()
    await asyncio.sleep(0.2)
    end, tasks = resident() / 1e6, asyncio.all_tasks() - {asyncio.current_task()}
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    print(f"{calls:,} calls in {wall:.1f} s ({cpu:.1f} s CPU), end: {end:.2f} MB")
    print("kinds:", dict(soak.kinds.most_common()))
    once = soak.answers.count(1)
    print(f"ids answered once: {once:,} of {calls:,}; tasks left: {len(tasks)}")
    faults = soak.wrong[:10]
    faults += [] if once == calls else ["an id was not answered once"]
    faults += [f"left: {task}" for task in tasks]
    faults += [] if abs(end - (half or end)) <= 1 else ["memory moved by more than 1 MB"]
    return faults


def main() -> int:
    """Soak, close, look at the threads."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=200_000)
    options = parser.parse_args()
    logging.getLogger("toolreg").setLevel(logging.CRITICAL)
    before = set(threading.enumerate())
    faults = asyncio.run(run(options.calls))
    registry.close()
    time.sleep(0.3)
    left = [thread.name for thread in threading.enumerate() if thread not in before]
    print("threads left after close():", left or "none")
    faults += [f"thread left: {name}" for name in left]
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
