"""Fuzz decoding, validation, repair and error text, guided by coverage (atheris).

    python benchmarks/fuzz.py --seconds 600

The corpus grows in ``benchmarks/.envs/fuzz-corpus``. Whatever leaves ``execute`` as an exception,
breaks a promise on the result, or takes ten seconds, is printed and makes the exit status 1. At
the end the corpus is replayed under coverage.py, and the lines reached are reported.
"""

import argparse
import datetime as dt
import decimal
import enum
import json
import logging
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any, Literal, NotRequired

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.envs import ENVS, ROOT, python

CORPUS = ENVS / "fuzz-corpus"
ESCAPES = ENVS / "fuzz-escapes"
MODULES = ["_arguments", "_repair", "_problems", "_serialize"]
KINDS = {
    *("success", "unknown_tool", "bad_json", "invalid_arguments", "tool_error", "exception"),
    *("unserializable",),
}


def seeds() -> list[bytes]:
    """Return call-like texts: the first byte chooses the tool."""
    texts = [
        *("", "null", "{}", "[]", '"{}"', "{", '{"a": 1', "{'a': 1}", '{"a": NaN}', '{"a": 1e999}'),
        *('{"a": 1, "b": "2"}', '{"a": "x"}', '{"c": 1}', '{"input": {"a": 1, "b": 2}}'),
        '"{\\"a\\": 1}"',
        '{"point": {"x": 1, "y": 2}, "points": "[{\\"x\\": 1, \\"y\\": 2}]", "colour": "RED"}',
        '{"point": "{\\"x\\": 1}", "size": "75", "colour": "Red", "mode": "FAST", "note": null}',
        '{"pet": {"kind": "cat", "lives": 9}, "pets": [{"kind": "dog", "name": null}]}',
        '{"pet": "{\\"kind\\": \\"dog\\", \\"name\\": \\"Rex\\"}", "extra": null}',
        '{"args": [1, 2], "more": {"x": [1]}, "day": "2024-02-30", "price": "1.50"}',
        '{"value": {"deep": [[[[1, "\\ud800", null, true, 1.5e300]]]]}}',
        '{"text": "\\u0000\\ud83d\\ude00", "\\ud800": 1, "größe": 3}',
        "[" * 300 + "]" * 300,
        '{"value": ' + "9" * 400 + "}",
    ]
    return [bytes([tool]) + text.encode() for text in texts for tool in range(len(NAMES))]


class Colour(enum.Enum):
    """A colour."""

    RED = "red"
    GREEN = "green"


NAMES = ["add", "draw", "pets", "open_", "echo", "boom", "odd", "nothing_like_it"]


def registry() -> Any:
    """Return a registry with one tool for each kind of signature that matters."""
    from pydantic import BaseModel, Field
    from typing_extensions import TypedDict

    from toolreg import Registry, ToolError

    class Point(BaseModel):
        x: int
        y: int = 0
        label: str | None = None

    class Cat(BaseModel):
        kind: Literal["cat"]
        lives: Annotated[int, Field(ge=0, le=9)] = 9

    class Dog(BaseModel):
        kind: Literal["dog"]
        name: str = "Rex"

    class More(TypedDict):
        x: list[int]
        y: NotRequired[str]

    Pet = Annotated[Cat | Dog, Field(discriminator="kind")]
    made = Registry()

    @made.tool
    def add(a: int, b: int = 1) -> int:
        return a + b

    @made.tool
    def draw(
        point: Point,
        points: list[Point] | None = None,
        colour: Colour = Colour.RED,
        size: Literal[50, 75] = 50,
        mode: Literal["fast", "slow"] = "fast",
        note: str = "",
    ) -> Any:
        return [point, points, colour, size, mode, note]

    @made.tool
    def pets(pet: Pet, pets: dict[str, Pet] | list[Pet] = (), extra: int = 3) -> Any:
        return {"pet": pet, "pets": pets, "extra": extra}

    @made.tool
    def open_(*args: int, more: More, day: dt.date, price: decimal.Decimal, **rest: str) -> Any:
        return [args, more, day, price, rest]

    @made.tool(max_output=500)
    def echo(value: Any) -> Any:
        return value

    @made.tool
    def boom(text: str, kind: int = 0) -> Any:
        raise [ValueError, ToolError, KeyError, SystemExit][kind % 4](text)

    @made.tool
    def odd(text: str) -> Any:
        raw = text.encode("utf-8", "surrogatepass")
        return [
            raw,
            set(text),
            {raw: 1},
            complex(1, 2),
            iter(text),
            float("nan"),
            decimal.Decimal("NaN"),
        ]

    return made


def check(tools: Any, data: bytes) -> None:
    """Execute one call and assert what every result promises."""
    name = NAMES[data[0] % len(NAMES)] if data else ""
    for raw in _spellings(data[1:]):
        result = tools.execute(name, raw, call_id=0)
        assert result.kind in KINDS, result
        assert result.call_id == 0, result
        assert isinstance(result.output, str), result
        result.output.encode()
        assert "https://" not in result.output or b"https" in data, result.output
        if result.kind == "invalid_arguments":
            assert len(result.output) < 20_000, len(result.output)
        json.dumps(replace(result, call=None).to_dict(), allow_nan=False)


def _spellings(raw: bytes) -> list[Any]:
    spelled: list[Any] = [raw, raw.decode("utf-8", "surrogateescape")]
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return spelled
    return [*spelled, value] if isinstance(value, dict) else spelled


def inside(seconds: int) -> None:
    """Fuzz until the time is over (atheris ends the process itself)."""
    import atheris

    logging.disable(logging.CRITICAL)
    # The package imports its modules on first use.
    with atheris.instrument_imports(include=["toolreg"]):
        tools = registry()
        for seed in seeds():
            check(tools, seed)
    limits = [f"-max_total_time={seconds}", "-timeout=10", "-rss_limit_mb=2000", "-max_len=2000"]
    artifacts = [f"-artifact_prefix={ESCAPES}/", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *limits, *artifacts, str(CORPUS)], lambda data: check(tools, data))
    atheris.Fuzz()


def replay() -> None:
    """Run the corpus under coverage.py and print the lines reached by file."""
    import coverage

    measured = coverage.Coverage(branch=False, data_file=None, source=[str(ROOT / "toolreg")])
    measured.start()
    logging.disable(logging.CRITICAL)
    tools = registry()
    escapes = 0
    for path in sorted(CORPUS.iterdir()):
        try:
            check(tools, path.read_bytes())
        except BaseException as error:
            escapes += 1
            print(f"escape: {path.name}: {type(error).__name__}: {error}")
    measured.stop()
    print(f"{len(list(CORPUS.iterdir())):,} inputs replayed, {escapes} escapes")
    for module in MODULES:
        for file in sorted(p for p in (ROOT / "toolreg").rglob("*.py") if _belongs(p, module)):
            _, lines, _, missing, text = measured.analysis2(str(file))
            reached = len(lines) - len(missing)
            print(
                f"{file.relative_to(ROOT)}: {reached} of {len(lines)} lines, missing: {text or 'none'}"
            )


def _belongs(path: Path, module: str) -> bool:
    return path.relative_to(ROOT / "toolreg").parts[0].removesuffix(".py") == module


def main() -> int:
    """Seed, fuzz, replay, each in a process of the fuzzing environment."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--step", choices=["inside", "replay"], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.step == "inside":
        inside(options.seconds)
    if options.step == "replay":
        replay()
        return 0
    for folder in (CORPUS, ESCAPES):
        folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (CORPUS / f"seed-{number:03}").write_bytes(seed)
    command = [python("fuzz"), __file__, "--seconds", str(options.seconds), "--step"]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    fuzzed = subprocess.run(
        [*command, "inside"], env=environment, capture_output=True, text=True, errors="replace"
    )
    print("\n".join(fuzzed.stderr.splitlines()[-25:]))
    subprocess.run([*command, "replay"], env=environment, check=True)
    found = sorted(path.name for path in ESCAPES.iterdir())
    print("escapes:", found or "none")
    return 1 if fuzzed.returncode or found else 0


if __name__ == "__main__":
    sys.exit(main())
