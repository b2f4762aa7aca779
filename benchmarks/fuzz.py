"""Fuzz decoding, validation, repair and error text, guided by coverage (atheris).

    python benchmarks/fuzz.py --seconds 600

The corpus grows in ``benchmarks/.envs/fuzz-corpus``. Whatever leaves ``execute`` as an exception,
breaks a promise on the result, or takes a minute, is printed and makes the exit status 1. At
the end the corpus is replayed under coverage.py, and the lines reached are reported.
"""

import argparse
import importlib
import logging
import os
import pkgutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.envs import ENVS, ROOT, python

CORPUS = ENVS / "fuzz-corpus"
ESCAPES = ENVS / "fuzz-escapes"
MODULES = ["_arguments", "_repair", "_problems", "_serialize"]


def inside(seconds: int) -> None:
    """Fuzz until the time is over (atheris ends the process itself)."""
    import atheris

    logging.disable(logging.CRITICAL)
    # The package imports its modules on first use, and what ran before `Setup` counts as known.
    with atheris.instrument_imports(include=["toolreg"]):
        import toolreg

        for module in pkgutil.iter_modules(toolreg.__path__, "toolreg."):
            if module.name.startswith("toolreg._") and module.name != "toolreg.__main__":
                importlib.import_module(module.name)
        from benchmarks import fuzz_target
    tools = fuzz_target.registry()
    for number, seed in enumerate(fuzz_target.seeds()):
        (CORPUS / f"seed-{number:03}").write_bytes(seed)
    limits = [f"-max_total_time={seconds}", "-timeout=60", "-rss_limit_mb=2000", "-max_len=2000"]
    outputs = [f"-artifact_prefix={ESCAPES}/", "-print_final_stats=1", "-reload=0"]
    arguments = [sys.argv[0], *limits, *outputs, str(CORPUS)]
    atheris.Setup(arguments, lambda data: fuzz_target.check(tools, data))
    atheris.Fuzz()


def replay() -> None:
    """Run the corpus under coverage.py and print the lines reached by file."""
    import coverage

    measured = coverage.Coverage(branch=False, data_file=None, source=[str(ROOT / "toolreg")])
    measured.start()
    logging.disable(logging.CRITICAL)
    from benchmarks import fuzz_target

    tools = fuzz_target.registry()
    inputs = [*fuzz_target.seeds(), *(path.read_bytes() for path in sorted(CORPUS.iterdir()))]
    escapes = [data for data in inputs if not _holds(fuzz_target, tools, data)]
    measured.stop()
    print(f"{len(inputs):,} inputs replayed, {len(escapes)} escapes")
    for module in MODULES:
        for file in sorted(p for p in (ROOT / "toolreg").rglob("*.py") if _belongs(p, module)):
            _, lines, _, missing, text = measured.analysis2(str(file))
            reached = f"{len(lines) - len(missing)} of {len(lines)} lines"
            print(f"{file.relative_to(ROOT)}: {reached}, not: {text or 'none'}")


def _holds(fuzz_target: object, tools: object, data: bytes) -> bool:
    try:
        fuzz_target.check(tools, data)
    except BaseException as error:
        print(f"escape: {data[:200]!r}: {type(error).__name__}: {str(error)[:500]}")
        return False
    return True


def _belongs(path: Path, module: str) -> bool:
    return path.relative_to(ROOT / "toolreg").parts[0].removesuffix(".py") == module


def main() -> int:
    """Fuzz, then replay, each in a process of the fuzzing environment."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--step", choices=["inside", "replay"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "inside":
        inside(options.seconds)
    elif options.step == "replay":
        replay()
        return 0
    for folder in (CORPUS, ESCAPES):
        folder.mkdir(parents=True, exist_ok=True)
    command = [python("fuzz"), __file__, "--seconds", str(options.seconds), "--step"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    fuzzed = subprocess.run(
        [*command, "inside"], env=environment, capture_output=True, text=True, errors="replace"
    )
    print("\n".join(fuzzed.stderr.splitlines()[-20:]))
    subprocess.run([*command, "replay"], env=environment, check=True)
    found = sorted(path.name for path in ESCAPES.iterdir())
    print("escapes:", found or "none")
    return 1 if fuzzed.returncode or found else 0


if __name__ == "__main__":
    sys.exit(main())
