"""Draw dispatch and build against the peers: benchmarks/*.svg from benchmarks/results.json.

The scale is logarithmic: from one line to the next it takes ten times as long.

python -m benchmarks.plots
"""

import json
import math
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLOTS: dict[str, list[str]] = {
    "dispatch": ["add.async", "order.async", "error.async"],
    "build": ["build.trivial", "build.realistic"],
}
WIDTH, LABEL, NOTE, ROW = 760, 120, 140, 22
SCALES = {"µs": 1e6, "ms": 1e3}
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.title { font-weight: 600; font-size: 15px }
.note { fill: #777 }
line { stroke: #ddd }
circle { fill: #8b9aa8 }
.toolreg circle { fill: #1f6fb2 }
.toolreg text { font-weight: 600 }
.floor circle { fill: #fff; stroke: #8b9aa8; stroke-width: 1.5 }
"""


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis from one power of ten to another."""

    low: int
    high: int

    @classmethod
    def around(cls, values: list[float]) -> "Axis":
        """Return the smallest axis that holds all values."""
        return cls(math.floor(math.log10(min(values))), math.ceil(math.log10(max(values))))

    def at(self, value: float) -> float:
        """Return where a value lies, in pixels."""
        share = (math.log10(value) - self.low) / max(self.high - self.low, 1)
        return LABEL + 8 + share * (WIDTH - LABEL - NOTE)

    def ticks(self) -> list[float]:
        """Return the powers of ten, both ends included."""
        return [10.0**power for power in range(self.low, self.high + 1)]


def panel(job: dict[str, Any], top: float) -> tuple[str, float]:
    """Return one group of rows, quickest first, and where it ends.

    Args:
        job: A job of results.json.
        top: Where the group begins, in pixels.
    """
    cells = {peer: cell for peer, cell in job["peers"].items() if "median" in cell}
    blank = sorted(peer for peer, cell in job["peers"].items() if "blank" in cell)
    medians = sorted((cell["median"] * SCALES[job["unit"]], peer) for peer, cell in cells.items())
    axis = Axis.around([value for value, _ in medians])
    first, last = top + 44, top + 44 + ROW * len(medians)
    drawn = [f'<text class="title" x="0" y="{top + 16}">{escape(job["title"])}, CPU time</text>']
    for tick in axis.ticks():
        x = axis.at(tick)
        drawn.append(f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{first - 6}" y2="{last}"/>')
        label = f"{tick:,g} {job['unit']}"
        drawn.append(
            f'<text class="note" x="{x:.1f}" y="{first - 10}" text-anchor="middle">{label}</text>'
        )
    for row, (value, peer) in enumerate(medians):
        drawn.append(_row(peer, value, axis, first + ROW * row, cells[peer].get("ratio")))
    if blank:
        note = f"cannot: {', '.join(blank)}"
        drawn.append(f'<text class="note" x="0" y="{last + 16}">{note}</text>')
    return "\n".join(drawn), last + (44 if blank else 24)


def _row(peer: str, value: float, axis: Axis, y: float, ratio: float | None) -> str:
    times = f" ({ratio:.3g}x)" if ratio is not None and peer != "floor" else ""
    kind = peer if peer in ("toolreg", "floor") else "peer"
    x = axis.at(value)
    return (
        f'<g class="{kind}"><text x="{LABEL - 8}" y="{y + 14}" text-anchor="end">{peer}</text>'
        f'<circle cx="{x:.1f}" cy="{y + 10}" r="5"/>'
        f'<text x="{x + 12:.1f}" y="{y + 14}">{value:.3g}{times}</text></g>'
    )


def plot(jobs: list[dict[str, Any]]) -> str:
    """Return an SVG of several jobs, one below the other."""
    drawn, y = [], 0.0
    for job in jobs:
        text, y = panel(job, y)
        drawn.append(text)
    box = f"-16 -8 {WIDTH + 32} {y + 8:.0f}"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}" width="{WIDTH + 32}">'
        f'<style>{STYLE}</style><rect x="-16" y="-8" width="100%" height="100%" fill="#fff"/>\n'
        + "\n".join(drawn)
        + "\n</svg>\n"
    )


def main() -> None:
    """Write one file a plot."""
    results = json.loads((HERE / "results.json").read_text())
    for name, jobs in PLOTS.items():
        (HERE / f"{name}.svg").write_text(plot([results["jobs"][job] for job in jobs]))


if __name__ == "__main__":
    main()
