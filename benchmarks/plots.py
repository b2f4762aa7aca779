"""Draw dispatch and build against the peers: benchmarks/*.svg from benchmarks/results.json.

python -m benchmarks.plots
"""

import json
from html import escape
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLOTS: dict[str, list[str]] = {
    "dispatch": ["add.async", "order.async", "error.async"],
    "build": ["build.trivial", "build.realistic"],
}
WIDTH, LABEL, BAR, GAP = 760, 130, 18, 6
SCALES = {"µs": 1e6, "ms": 1e3}
STYLE = """
text { font: 13px system-ui, sans-serif; fill: #222 }
.title { font-weight: 600; font-size: 15px }
.note { fill: #666 }
rect { fill: #b8c4d0 }
.toolreg rect { fill: #1f6fb2 }
.toolreg text { font-weight: 600 }
.floor rect { fill: #dfe4e8 }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .note { fill: #aaa } rect { fill: #566 } }
"""


def panel(job: dict[str, Any], top: float) -> tuple[str, float]:
    """Return one group of bars, shortest first, and where it ends.

    Args:
        job: A job of results.json.
        top: Where the group begins, in pixels.
    """
    scale = SCALES[job["unit"]]
    cells = {peer: cell for peer, cell in job["peers"].items() if "median" in cell}
    blank = sorted(peer for peer, cell in job["peers"].items() if "blank" in cell)
    medians = sorted((cell["median"] * scale, peer) for peer, cell in cells.items())
    room = (WIDTH - LABEL - 110) / medians[-1][0]
    drawn = [f'<text class="title" x="0" y="{top + 16}">{escape(job["title"])}</text>']
    y = top + 28
    for value, peer in medians:
        drawn.append(_bar(peer, value, job["unit"], room, y, cells[peer].get("ratio")))
        y += BAR + GAP
    if blank:
        drawn.append(
            f'<text class="note" x="{LABEL}" y="{y + 12}">cannot: {", ".join(blank)}</text>'
        )
        y += BAR + GAP
    return "\n".join(drawn), y + 18


def _bar(peer: str, value: float, unit: str, room: float, y: float, ratio: float | None) -> str:
    width = max(value * room, 1)
    times = f" ({ratio:.1f}x)" if ratio is not None and peer != "floor" else ""
    kind = peer if peer in ("toolreg", "floor") else "peer"
    middle = y + BAR - 4
    return (
        f'<g class="{kind}"><text x="{LABEL - 8}" y="{middle}" text-anchor="end">{peer}</text>'
        f'<rect x="{LABEL}" y="{y}" width="{width:.1f}" height="{BAR}" rx="2"/>'
        f'<text x="{LABEL + width + 6:.1f}" y="{middle}">{value:.3g} {unit}{times}</text></g>'
    )


def plot(jobs: list[dict[str, Any]]) -> str:
    """Return an SVG of several jobs, one below the other."""
    drawn, y = [], 0.0
    for job in jobs:
        text, y = panel(job, y)
        drawn.append(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y:.0f}" width="{WIDTH}">'
        f"<style>{STYLE}</style>\n" + "\n".join(drawn) + "\n</svg>\n"
    )


def main() -> None:
    """Write one file a plot."""
    results = json.loads((HERE / "results.json").read_text())
    for name, jobs in PLOTS.items():
        (HERE / f"{name}.svg").write_text(plot([results["jobs"][job] for job in jobs]))


if __name__ == "__main__":
    main()
