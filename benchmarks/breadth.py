"""Time dispatch to many real library functions beside the floor, with generated arguments.

    python -m benchmarks.breadth                    # 200 functions, a few minutes
    python -m benchmarks.breadth --functions 44     # a look
    python -m benchmarks.breadth numpy boltons      # only of these packages

The functions are drawn from those of the sweep, as many from each package: drawn in proportion,
sympy and scipy would be two in five and the packages with typed parameters hardly any. The
median weighted by the number of functions of each package stands beside the plain one. What is
called is a stub that has a function's signature and returns a short value, so that nothing but
dispatch takes time. Times are the least CPU microseconds of one call over rounds in turns, in one
process.
"""

import argparse
import json
import os
import statistics
import subprocess
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from benchmarks.envs import ROOT, python
from benchmarks.sweeping.functions import PACKAGES

HERE = Path(__file__).parent
JsonObject = dict[str, Any]


def draw(package: str, count: int, options: argparse.Namespace) -> tuple[int, list[JsonObject]]:
    """Return how many functions a package has, and what became of those drawn.

    Args:
        package: A key of `PACKAGES`.
        count: How many are to be timed.
        options: Seed, texts, rounds and what the stubs return.
    """
    command = [python("sweep"), "-m", "benchmarks.sweeping.dispatch", package]
    for name in ("seed", "texts", "rounds"):
        command += [f"--{name}", str(getattr(options, name))]
    command += ["--returns", options.returns] if options.returns else []
    quiet = {"PYTHONWARNINGS": "ignore", "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)}
    process = subprocess.run(
        [*command, "--functions", str(count)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=None if os.environ.get("BENCH_DEBUG") else subprocess.DEVNULL,
        env=os.environ | quiet,
    )
    # A process that dies leaves what it has said, and the rest is drawn from other packages.
    lines = [json.loads(line) for line in process.stdout.decode().split("\n")[:-1]]
    lines = [{"package": package, **line} for line in lines]
    if process.returncode:
        lines.append({"package": package, "outcome": "died", "why": process.returncode})
    size = lines[0].get("of", 0)
    return size, [line for line in lines if "outcome" in line]


def breadth(packages: list[str], options: argparse.Namespace) -> list[JsonObject]:
    """Return what became of all functions drawn; each has the weight it stands for.

    Small packages are rather at the end of the list, so it is gone through from there: what one
    lacks comes from the others.
    """
    lines: list[JsonObject] = []
    for left, package in zip(range(len(packages), 0, -1), reversed(packages), strict=True):
        lacking = options.functions - len(timed(lines))
        size, drawn = draw(package, -(-lacking // left), options)
        for line in timed(drawn):
            line["weight"] = size / len(timed(drawn))
        lines += drawn
        print(f"{package:<18}{summary(timed(drawn))}", flush=True)
    return lines


def timed(lines: Iterable[JsonObject]) -> list[JsonObject]:
    """Return the functions that were timed."""
    return [line for line in lines if line["outcome"] == "timed"]


def middle(lines: Iterable[JsonObject], key: str) -> float:
    """Return the median over functions."""
    return statistics.median(line[key] for line in lines)


def weighted(lines: list[JsonObject]) -> float:
    """Return the median ratio were the functions drawn in proportion."""
    half = sum(line["weight"] for line in lines) / 2
    for line in sorted(lines, key=lambda line: line["ratio"]):
        half -= line["weight"]
        if half <= 0:
            break
    return line["ratio"]


def summary(lines: list[JsonObject]) -> str:
    """Return the figures of some functions: count, median ratio, both times, what toolreg adds."""
    if not lines:
        return f"{0:>10}"
    extra = statistics.median(line["toolreg"] - line["floor"] for line in lines)
    figures = [middle(lines, key) for key in ("ratio", "floor", "toolreg")]
    return f"{len(lines):>10}" + "".join(f"{figure:>10.2f}" for figure in [*figures, extra])


def table(lines: list[JsonObject]) -> str:
    """Return the spread of the ratios, how they split, and the worst, as text."""
    found = sorted(timed(lines), key=lambda line: line["ratio"])
    ratios = [line["ratio"] for line in found]
    if len(ratios) < 2:
        return "too few functions"
    cuts = statistics.quantiles(ratios, n=20, method="inclusive")
    below = 100 * sum(ratio <= 2 for ratio in ratios) / len(ratios)
    text = [
        f"median {cuts[9]:.2f}, quartiles {cuts[4]:.2f} and {cuts[14]:.2f}, p90 {cuts[17]:.2f}",
        f"most {ratios[-1]:.2f}, at most 2 in {below:.0f} %, weighted median {weighted(found):.2f}",
        "",
        f"{'':<34}{'functions':>10}{'ratio':>10}{'floor':>10}{'toolreg':>10}{'more':>10}",
    ]
    for trait in found[0]["traits"]:
        for has in (True, False):
            chosen = [line for line in found if line["traits"][trait] is has]
            text.append(f"{trait if has else '  otherwise':<34}{summary(chosen)}")
    for kind in sorted({line["returns"] for line in found}):
        chosen = [line for line in found if line["returns"] == kind]
        text.append(f"{f'returns {kind}':<34}{summary(chosen)}")
    for least, most in ((0, 0.8), (0.8, 1), (1, 1.5), (1.5, 3), (3, float("inf"))):
        chosen = [line for line in found if least <= line["floor"] < most]
        text.append(f"{f'floor of {least} to {most} µs':<34}{summary(chosen)}")
    text += ["", "the worst:"]
    for line in found[-1:-11:-1]:
        traits = ", ".join(name for name, has in line["traits"].items() if has)
        figures = f"{line['ratio']:6.2f}{line['floor']:8.2f}{line['toolreg']:8.2f}"
        text.append(f"{figures}  {line['place']} ({traits})")
    return "\n".join(text)


def dropped(lines: list[JsonObject]) -> str:
    """Return which functions were drawn but not timed, and why."""
    counts = Counter(line["outcome"] for line in lines)
    text = [f"drawn: {dict(counts)}"]
    text += [
        f"  {line.get('place', line['package'])}: {line['why']}"
        for line in lines
        if line["outcome"] in ("useless", "died")
    ]
    return "\n".join(text)


def main() -> None:
    """Draw, print the tables, write every function's figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", choices=[[], *PACKAGES], metavar="PACKAGE")
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--texts", type=int, default=5, help="texts of arguments a function")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--returns", help="what all stubs return, such as 'null'")
    parser.add_argument("--out", type=Path, default=HERE / "breadth.json")
    options = parser.parse_args()
    print(f"{'':<18}{'functions':>10}{'ratio':>10}{'floor':>10}{'toolreg':>10}{'more':>10}")
    lines = breadth(options.packages or list(PACKAGES), options)
    print(f"\n{table(lines)}\n\n{dropped(lines)}")
    options.out.write_text(json.dumps(lines, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
