"""Drive the workers in interleaved rounds and keep medians and ratios to the floor."""

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from benchmarks.envs import ROOT, python
from benchmarks.peers.jobs import JOBS

Cells = dict[str, dict[str, Any]]
_ENVIRONMENT = {"floor": "toolreg"}


def environment(peer: str) -> str:
    """Return the environment a peer runs in."""
    return _ENVIRONMENT.get(peer, peer.replace("_", "-"))


class Driven:
    """A worker process, asked over its pipes."""

    def __init__(self, peer: str, plant: str | None = None) -> None:
        command = [python(environment(peer)), "-m", "benchmarks.peers.worker", peer]
        command += ["--plant", plant] if plant else []
        self.process = subprocess.Popen(
            command,
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL if not os.environ.get("BENCH_DEBUG") else None,
            env=os.environ | {"PYTHONPATH": str(ROOT), "PYTHONWARNINGS": "ignore"},
            text=True,
        )

    def ask(self, job: str) -> dict[str, Any]:
        """Return ``{"value": …}`` or ``{"blank": reason}``."""
        try:
            self.process.stdin.write(json.dumps({"job": job}) + "\n")
            self.process.stdin.flush()
            line = self.process.stdout.readline()
        except BrokenPipeError:
            line = ""
        return json.loads(line) if line else {"blank": "the worker died"}

    def end(self) -> None:
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def rounds_of(job: str, rounds: int) -> int:
    """Return how many rounds a job gets: one where each costs many seconds."""
    return 1 if job.endswith("0000") else rounds


def measure(
    peers: Sequence[str], jobs: Iterable[str], rounds: int, plant: str | None = None
) -> dict[str, Cells]:
    """Return cells by job and peer: median and values in seconds, ratio to the floor, or why blank.

    Args:
        peers: Names in `PEERS`.
        jobs: Names in `JOBS`.
        rounds: How often each job is measured by each peer, in turns.
        plant: What spoils toolreg, for the proof of the check.
    """
    workers = {peer: Driven(peer, plant if peer == "toolreg" else None) for peer in peers}
    measured: dict[str, Cells] = {}
    try:
        for job in jobs:
            wanted = [peer for peer in peers if not JOBS[job].only or peer in JOBS[job].only]
            if JOBS[job].fresh:
                measured[job] = _measure_apart(job, wanted)
            else:
                measured[job] = _measure_job(job, {p: workers[p] for p in wanted}, rounds)
            print(job, _brief(measured[job]), file=sys.stderr, flush=True)
    finally:
        for worker in workers.values():
            worker.end()
    return measured


def _measure_apart(job: str, peers: Sequence[str]) -> Cells:
    cells: Cells = {}
    for peer in peers:
        worker = Driven(peer)
        cells |= _measure_job(job, {peer: worker}, 1)
        worker.end()
    return cells


def _measure_job(job: str, workers: dict[str, Driven], rounds: int) -> Cells:
    cells: Cells = {peer: {"values": []} for peer in workers}
    for _ in range(rounds_of(job, rounds)):
        for peer, cell in cells.items():
            if "blank" in cell:
                continue
            answer = workers[peer].ask(job)
            if "blank" in answer:
                cells[peer] = {"blank": answer["blank"]}
            else:
                cell["values"].append(answer["value"])
    for cell in cells.values():
        if "values" in cell:
            cell["median"] = statistics.median(cell["values"])
    _add_ratios(cells)
    return cells


def _add_ratios(cells: Cells) -> None:
    """Add the median over the rounds of each round's ratio to the floor."""
    floor = cells.get("floor", {}).get("values")
    if not floor:
        return
    for cell in cells.values():
        if "values" in cell:
            cell["ratio"] = statistics.median(
                value / base for value, base in zip(cell["values"], floor, strict=True)
            )


def _brief(cells: Cells) -> str:
    return "  ".join(
        f"{peer}={cell['median']:.3g}" if "median" in cell else f"{peer}=-"
        for peer, cell in cells.items()
    )


def save(path: Path, results: Any) -> None:
    """Write results as JSON."""
    path.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
