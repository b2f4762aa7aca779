"""Virtual environments of the benchmarks, one a library, under ``benchmarks/.envs``.

python -m benchmarks.envs            # make all of them
python -m benchmarks.envs sweep mcp  # only these
"""

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVS = ROOT / "benchmarks" / ".envs"
TOOLREG = f"-e{ROOT}"

REQUIREMENTS: dict[str, list[str]] = {
    "toolreg": [TOOLREG],
    "pydantic-ai": ["pydantic-ai-slim"],
    "openai-agents": ["openai-agents"],
    "fastmcp": ["fastmcp"],
    "mcp": ["mcp"],
    "langchain": ["langchain-core"],
    "llama-index": ["llama-index-core"],
    "toolregistry": ["toolregistry", "pydantic"],
    "strands": ["strands-agents"],
    "anthropic": ["anthropic"],
    "fuzz": [TOOLREG, "atheris", "coverage", "jsonschema-rs"],
    "sweep": [
        TOOLREG,
        *"numpydoc griffe jsonschema".split(),
        *"numpy scipy pandas polars networkx scikit-learn scikit-image sympy statsmodels".split(),
        *"seaborn matplotlib requests httpx jinja2 rich click werkzeug babel xarray".split(),
        *"more-itertools boltons".split(),
    ],
}


def python(name: str) -> Path:
    """Return the interpreter of an environment, made on first need.

    Args:
        name: A key of `REQUIREMENTS`.
    """
    home = ENVS / name
    interpreter = home / "bin" / "python"
    stamp = home / "requirements.txt"
    wanted = "\n".join(REQUIREMENTS[name])
    if stamp.exists() and stamp.read_text() == wanted:
        return interpreter
    print(f"installing {name} ...", file=sys.stderr, flush=True)
    if not interpreter.exists():
        venv.create(home, with_pip=True)
    subprocess.run(
        [interpreter, "-m", "pip", "install", "-q", "--no-input", *REQUIREMENTS[name]], check=True
    )
    stamp.write_text(wanted)
    return interpreter


_CLOSURE = """
import importlib.metadata as metadata, sys
from pip._vendor.packaging.requirements import Requirement
seen, queue, size = set(), [sys.argv[1]], 0
while queue:
    name = queue.pop().lower().replace("_", "-")
    if name in seen:
        continue
    seen.add(name)
    found = metadata.distribution(name)
    for each in map(Requirement, found.requires or ()):
        if each.marker is None or each.marker.evaluate({"extra": ""}):
            queue.append(each.name)
    files = [f.locate() for f in found.files or () if not f.name.endswith(".pyc")]
    size += sum(f.stat().st_size for f in files if f.is_file())
print(size / 1e6)
"""


def installed_mb(name: str, distribution: str) -> float:
    """Return how much a distribution and all it requires take on disk, in MB."""
    command = [python(name), "-c", _CLOSURE, distribution]
    size = float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
    if distribution == "toolreg":
        size += sum(file.stat().st_size for file in (ROOT / "toolreg").rglob("*.py")) / 1e6
    return size


if __name__ == "__main__":
    for each in sys.argv[1:] or REQUIREMENTS:
        print(python(each))
