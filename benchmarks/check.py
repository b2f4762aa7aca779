"""Fail when toolreg has become slower against the floor than ratios.json allows.

    python benchmarks/check.py                      # about a minute; exit 1 on a regression
    python benchmarks/check.py --plant sleep        # must fail: 10 µs of sleep a call
    python benchmarks/check.py --plant validation   # must fail: each call validated twice
    python benchmarks/check.py --write              # keep the ratios of this run as the standard

A ratio is the CPU time of toolreg over that of hand-written code for the same work, measured in
turns in the same minute, so it means the same on every machine.
"""

import argparse
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.measure import measure, save

RATIOS = Path(__file__).with_name("ratios.json")
JOBS = [
    *("add", "add.async", "order", "order.async", "error", "error.async"),
    *("megabyte", "naps", "build.trivial", "build.realistic", "specs.100"),
]


def slower(now: dict[str, float], kept: dict[str, float], margin: float) -> dict[str, str]:
    """Return the jobs whose ratio exceeds the kept one by more than the margin.

    Args:
        now: Ratios of this run.
        kept: Ratios allowed.
        margin: Share by which a ratio may be exceeded, for noise.
    """
    return {
        job: f"{ratio:.2f}, at most {kept[job]:.2f} + {margin:.0%}"
        for job, ratio in now.items()
        if ratio > kept[job] * (1 + margin)
    }


def ratios(jobs: list[str], rounds: int, plant: str | None) -> dict[str, float]:
    """Return toolreg's ratio to the floor by job: the least of its rounds over the floor's least."""
    measured = measure(["floor", "toolreg"], jobs, rounds, plant)
    found: dict[str, float] = {}
    for job, cells in measured.items():
        if "blank" in cells["toolreg"]:
            sys.exit(f"{job} could not be measured: {cells['toolreg']['blank']}")
        found[job] = min(cells["toolreg"]["values"]) / min(cells["floor"]["values"])
    return found


def main() -> int:
    """Measure and compare."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--plant", choices=["sleep", "validation"])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    kept = json.loads(RATIOS.read_text()) if RATIOS.exists() else {"margin": 0.12, "ratios": {}}
    now = ratios(JOBS, options.rounds, options.plant)
    if options.write:
        kept["ratios"] = {job: round(ratio, 3) for job, ratio in now.items()}
        save(RATIOS, kept)
    faults = slower(now, kept["ratios"], kept["margin"])
    if faults:
        # A second look at these alone, since a neighbour's burst can spoil one.
        again = ratios(list(faults), options.rounds, options.plant)
        faults = slower(
            {job: min(now[job], again[job]) for job in faults}, kept["ratios"], kept["margin"]
        )
    for job, ratio in now.items():
        print(f"{job:<20}{ratio:8.2f}{kept['ratios'][job]:8.2f}  {faults.get(job, '')}")
    print("slower: " + ", ".join(faults) if faults else "no regression")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
