"""Measure toolreg, the floor and the peers; install what is needed; write results.json.

python -m benchmarks.run                                # everything, 9 rounds
python -m benchmarks.run --rounds 3 --peers floor,toolreg,anthropic --jobs add,order
python -m benchmarks.plots                              # then: the SVG plots
"""

import argparse
import fnmatch
import os
import platform
import statistics
import subprocess
from pathlib import Path
from typing import Any

from benchmarks import envs
from benchmarks.measure import environment, measure, save
from benchmarks.peers import PEERS
from benchmarks.peers.jobs import JOBS

HERE = Path(__file__).parent
SCALES = {"µs": 1e6, "ms": 1e3, "kB": 1}
_IMPORT = """
import time
start = time.process_time()
{imported}
print(time.process_time() - start)
print(int(open('/proc/self/statm').read().split()[1]) * 4096 / 1e6)
"""
_BASES = {
    "pydantic, docstring_parser": ("toolreg", "import pydantic, docstring_parser"),
    "pydantic's create_model, docstring_parser": (
        "toolreg",
        "import docstring_parser; from pydantic import BaseModel, TypeAdapter, create_model",
    ),
    "the same, asyncio, inspect, logging": (
        "toolreg",
        "import asyncio, inspect, logging, docstring_parser; from pydantic import BaseModel, TypeAdapter, create_model",
    ),
    "toolreg, before the first name is used": ("toolreg", "import toolreg"),
}
_UNCOMPILED = "PYTHONDONTWRITEBYTECODE"  # would have a checkout compiled anew by every import
_VERSION = "import importlib.metadata as m; print(m.version({distribution!r}))"


def imports(peers: list[str], rounds: int) -> dict[str, dict[str, float]]:
    """Return CPU seconds and resident MB of ``import``, medians of interleaved fresh processes."""
    modules = {"nothing": ("toolreg", "import sys"), **_BASES}
    modules |= {
        peer: (environment(peer), _declared(peer, "imports")) for peer in peers if peer != "floor"
    }
    seen: dict[str, list[list[float]]] = {name: [] for name in modules}
    for _ in range(rounds + 1):
        for name, (env, imported) in modules.items():
            seen[name].append(
                [float(x) for x in _ask(env, _IMPORT.format(imported=imported)).split()]
            )
    # The first round compiles the bytecode.
    columns = {name: list(zip(*values[1:], strict=True)) for name, values in seen.items()}
    return {
        name: {"seconds": statistics.median(cpu), "mb": statistics.median(mb)}
        for name, (cpu, mb) in columns.items()
    }


def _ask(env: str, code: str) -> str:
    command = [envs.python(env), "-W", "ignore", "-c", code]
    compiled = {name: text for name, text in os.environ.items() if name != _UNCOMPILED}
    shown = subprocess.run(
        command, cwd=envs.ROOT, env=compiled, capture_output=True, text=True, check=True
    )
    return "\n".join(shown.stdout.splitlines()[-2:])


def _declared(peer: str, attribute: str) -> str:
    code = f"from benchmarks.peers.{peer} import Peer; print(Peer.{attribute})"
    return _ask(environment(peer), code).splitlines()[-1]


def sizes(peers: list[str]) -> dict[str, Any]:
    """Return the version and the installed MB of each peer's environment."""
    found: dict[str, Any] = {}
    for peer in peers:
        env, distribution = environment(peer), _declared(peer, "distribution")
        if peer != "floor":
            version = _ask(env, _VERSION.format(distribution=distribution))
            found[peer] = {"version": version, "mb": envs.installed_mb(env, distribution)}
    return found


def table(measured: dict[str, Any], peers: list[str]) -> str:
    """Return the medians as text, a job a line, with the ratio to the floor in brackets."""
    lines = [f"{'':<40}" + "".join(f"{peer:>20}" for peer in peers)]
    for name, cells in measured.items():
        job = JOBS[name]
        shown = [_cell(cells.get(peer, {}), SCALES[job.unit]) for peer in peers]
        lines.append(f"{job.title[:36] + ' ' + job.unit:<40}" + "".join(f"{x:>20}" for x in shown))
    return "\n".join(lines)


def _cell(cell: dict[str, Any], scale: float) -> str:
    if "median" not in cell:
        return "-"
    ratio = f" ({cell['ratio']:.2f})" if "ratio" in cell else ""
    return f"{cell['median'] * scale:.4g}{ratio}"


def main() -> None:
    """Measure, print, save."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--peers", default=",".join(PEERS))
    parser.add_argument("--jobs", default="*", help="names or patterns, by comma")
    parser.add_argument("--out", type=Path, default=HERE / "results.json")
    options = parser.parse_args()
    peers = options.peers.split(",")
    patterns = options.jobs.split(",")
    jobs = [name for name in JOBS if any(fnmatch.fnmatch(name, p) for p in patterns)]
    measured = measure(peers, jobs, options.rounds)
    print(table(measured, peers))
    results = {
        "python": platform.python_version(),
        "cores": os.cpu_count(),
        "rounds": options.rounds,
        "jobs": {
            name: {"title": JOBS[name].title, "unit": JOBS[name].unit, "peers": cells}
            for name, cells in measured.items()
        },
        "import": imports(peers, min(options.rounds, 7)),
        "installed": sizes(peers),
    }
    for name in ("import", "installed"):
        for peer, figures in results[name].items():
            print(name, peer, figures)
    for name, cells in measured.items():
        for peer, cell in cells.items():
            if "blank" in cell:
                print(f"blank: {name} {peer}: {cell['blank']}")
    save(options.out, results)


if __name__ == "__main__":
    main()
