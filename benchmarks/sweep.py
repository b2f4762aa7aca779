"""Make tools of every documented public function of popular packages; none is called.

    python -m benchmarks.sweep                  # all packages, into benchmarks/sweep.json
    python -m benchmarks.sweep numpy boltons    # only these

Each package runs in a process of its own. One that dies is counted as a crash of the function it
was at, and the rest goes on in a new process. Texts are those of the functions built; the last column
counts those of ``**kwargs``, for which a schema has no property and which are not in ``texts``.
"""

import argparse
import json
import os
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

from benchmarks.envs import ROOT, python
from benchmarks.sweeping.functions import PACKAGES

HERE = Path(__file__).parent
JsonObject = dict[str, Any]
NOWHERE = "(between two functions)"
COLUMNS = "functions built % refused crashed invalid mistyped texts kept % **texts".split()


def sweep(package: str, seconds: float) -> list[JsonObject]:
    """Return the judged functions of one package, skips among them.

    Args:
        package: A key of `PACKAGES`.
        seconds: How long one process may take.
    """
    lines: list[JsonObject] = []
    while True:
        fresh, place, why = _run(package, len(lines), seconds)
        lines += fresh
        if place is None:
            return lines
        lines.append({"place": place, "outcome": "crashed", "why": why, "texts": 0})
        if place == NOWHERE:
            return lines


def _run(package: str, after: int, seconds: float) -> tuple[list[JsonObject], str | None, str]:
    command = [python("sweep"), "-m", "benchmarks.sweeping.judge", package, "--after", str(after)]
    quiet = {"PYTHONWARNINGS": "ignore", "MPLBACKEND": "agg", "PYTHONPATH": str(ROOT)}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | quiet,
    )
    try:
        text = process.communicate(timeout=seconds)[0]
    except subprocess.TimeoutExpired:
        process.kill()
        text = process.communicate()[0]
    lines = [json.loads(line) for line in text.decode().split("\n")[:-1]]
    done = [line for line in lines if "begin" not in line]
    if process.returncode == 0:
        return done, None, ""
    begun = lines[-1].get("begin") if lines else None
    return done, begun or NOWHERE, f"process ended with {process.returncode}"


def row(lines: list[JsonObject]) -> list[float]:
    """Return the figures of a package, in the order of `COLUMNS`."""
    judged = [line for line in lines if line["outcome"] != "skipped"]
    outcomes = Counter(line["outcome"] for line in judged)
    built = [line for line in judged if line["outcome"] == "built"]
    texts, kept, extra = (sum(line[key] for line in built) for key in ("texts", "kept", "open"))
    flaws = [sum(bool(line.get(key)) for line in judged) for key in ("invalid", "mistyped")]
    return [
        len(judged),
        outcomes["built"],
        100 * outcomes["built"] / max(len(judged), 1),
        outcomes["refused"],
        outcomes["crashed"],
        *flaws,
        texts,
        kept,
        100 * kept / max(texts, 1),
        extra,
    ]


def table(judged: dict[str, list[JsonObject]]) -> str:
    """Return the figures of all packages as text."""
    everything = [line for lines in judged.values() for line in lines]
    rows = [(name, row(lines)) for name, lines in [*judged.items(), ("total", everything)]]
    text = [f"{'package':<18}" + "".join(f"{name:>10}" for name in COLUMNS)]
    for name, figures in rows:
        cells = (f"{each:>10.1f}" if isinstance(each, float) else f"{each:>10}" for each in figures)
        text.append(f"{name:<18}" + "".join(cells))
    return "\n".join(text)


def strictness(judged: dict[str, list[JsonObject]]) -> dict[str, int]:
    """Return how many of the tools built each provider could take in strict mode."""
    built = [line for lines in judged.values() for line in lines if line["outcome"] == "built"]
    return dict(
        Counter(name for line in built for name, faults in line["not_strict"].items() if not faults)
    )


def findings(judged: dict[str, list[JsonObject]]) -> JsonObject:
    """Return every refusal, crash, flaw, missed text and skip, by package."""
    found: JsonObject = {}
    for package, lines in judged.items():
        kinds: JsonObject = {
            kind: {line["place"]: line["why"] for line in lines if line["outcome"] == kind}
            for kind in ("refused", "crashed", "skipped")
        }
        for flaw in ("missed", "invalid", "mistyped"):
            kinds[flaw] = {line["place"]: line[flaw] for line in lines if line.get(flaw)}
        found[package] = kinds
    return found


def main() -> None:
    """Sweep, print the table, write the findings."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packages", nargs="*", choices=[[], *PACKAGES], metavar="PACKAGE")
    parser.add_argument("--out", type=Path, default=HERE / "sweep.json")
    parser.add_argument("--seconds", type=float, default=300, help="limit of one process")
    options = parser.parse_args()
    judged = {name: sweep(name, options.seconds) for name in options.packages or PACKAGES}
    print(table(judged))
    print("can be strict:", strictness(judged))
    report = {"columns": COLUMNS, "rows": {name: row(lines) for name, lines in judged.items()}}
    report |= {"strict": strictness(judged), "findings": findings(judged)}
    options.out.write_text(json.dumps(report, indent=1, ensure_ascii=False))


if __name__ == "__main__":
    main()
