"""Measure one peer on demand: a JSON line in, a JSON line out, so that rounds can interleave.

python -m benchmarks.peers.worker PEER [--plant sleep|validation]
"""

import argparse
import asyncio
import contextlib
import gc
import importlib
import inspect
import json
import logging
import os
import sys
import time
import traceback
import warnings
from typing import Any

from .jobs import JOBS, Blank, Job, Run

SPAN = 0.02


class Worker:
    """A peer with the jobs prepared so far."""

    def __init__(self, peer: Any) -> None:
        self.peer = peer
        self.loop = asyncio.new_event_loop()
        self.runs: dict[str, tuple[Run, int]] = {}

    def measure(self, name: str) -> float:
        """Return the seconds of one operation of a job (kB for the one of memory)."""
        job = JOBS[name]
        if name not in self.runs:
            self.runs[name] = self._prepare(job)
        run, n = self.runs[name]
        gc.collect()
        return self._go(job, run, n) / n

    def _prepare(self, job: Job) -> tuple[Run, int]:
        lacking = [need for need in job.needs if need in self.peer.missing]
        lacking += [need for need in job.needs if need in _METHODS and not hasattr(self.peer, need)]
        if lacking:
            raise Blank(self.peer.missing.get(lacking[0], f"no {lacking[0]}"))
        run = self.loop.run_until_complete(job.prepare(self.peer))
        n = 1
        while job.unit != "kB":
            start = time.perf_counter()
            spent = self._go(job, run, n)
            if spent > SPAN / 2 or time.perf_counter() - start > 10 * SPAN:
                break
            n *= 2
        return run, n

    def _go(self, job: Job, run: Run, n: int) -> float:
        exports = "specs" in job.needs and inspect.iscoroutinefunction(self.peer.specs)
        if job.asynchronous or exports:
            return self.loop.run_until_complete(run(n))
        return _drive(run, n)


_METHODS = ("call", "acall", "specs", "specs_json", "toolset")


def _drive(run: Run, n: int) -> float:
    """Run what awaits nothing without a running loop, as a synchronous caller does."""
    try:
        run(n).send(None)
    except StopIteration as end:
        return float(end.value)
    raise RuntimeError("a synchronous job awaited")


def plant(kind: str) -> None:
    """Spoil toolreg's way of a call, to prove that the check sees it.

    Args:
        kind: ``sleep`` for ten microseconds of sleep, ``validation`` for a second validation.
    """
    from toolreg import Registry

    def spoil(registry: Registry, name: str, raw: str) -> None:
        if kind == "sleep":
            time.sleep(0.00001)
        else:
            with contextlib.suppress(ValueError):
                registry[name].model.__pydantic_validator__.validate_json(raw)

    execute, aexecute = Registry.execute, Registry.aexecute

    def spoiled(self: Registry, name: str, raw: str, **options: Any) -> Any:
        spoil(self, name, raw)
        return execute(self, name, raw, **options)

    async def aspoiled(self: Registry, name: str, raw: str, **options: Any) -> Any:
        spoil(self, name, raw)
        return await aexecute(self, name, raw, **options)

    Registry.execute, Registry.aexecute = spoiled, aspoiled


def main() -> None:
    """Answer each line of stdin: ``{"job": name}``."""
    parser = argparse.ArgumentParser()
    parser.add_argument("peer")
    parser.add_argument("--plant", choices=["sleep", "validation"])
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    if options.plant:
        plant(options.plant)
    worker = Worker(importlib.import_module(f"benchmarks.peers.{options.peer}").Peer())
    for line in sys.stdin:
        try:
            answer = {"value": worker.measure(json.loads(line)["job"])}
        except Blank as reason:
            answer = {"blank": str(reason)}
        except Exception as error:
            traceback.print_exc()
            answer = {"blank": f"{type(error).__name__}: {error}"[:200]}
        print(json.dumps(answer), file=out, flush=True)


if __name__ == "__main__":
    main()
